import { ROLES } from '../../access/roles.ts';
import { loginFault } from '../../access/users.ts';
import { COMPANIES } from '../../account/company.ts';
import { CUSTOM_FIELDS } from '../../account/custom-field.ts';
import { LABELS } from '../../account/label.ts';
import { CALENDARS } from '../../insights/promises/calendar.ts';
import { POLICIES } from '../../insights/promises/policy.ts';
import {
  bool,
  code,
  type JsonFields,
  listOf,
  member,
  memberSet,
  name,
  oneOf,
  optional,
  Rejection,
  required,
  shown,
  text,
} from '../../json-readers.ts';
import { MACROS } from '../../macros/macro.ts';
import type { FieldTable } from '../../resource/field.ts';
import type { Form } from '../../resource/resource.ts';
import type { ReferenceKind } from '../../store/keys.ts';
import { ARTICLE, ARTICLE_TRANSLATION } from '../../topics/articles/fields.ts';
import { TOPIC, TRANSLATION } from '../../topics/topic.ts';
import { instant, locale } from './record-fields.ts';
import { readSiteSettings } from './site-record.ts';

/**
 * One reader per reference record type of docs/import.md: turns a record's fields into the record; throws `Rejection`.
 */
export const REFERENCE_RECORDS = {
  site: (raw) => ({
    type: 'site',
    ...kept(raw),
    change: readSiteSettings(raw),
  }),
  agent: (raw) => agent(raw),
  user: (raw) => agent(raw),
  group: (raw) => ({ type: 'group', ...named(raw) }),
  label: (raw) => ({ type: 'label', ...labelFields(raw) }),
  company: (raw) => ({ type: 'company', ...companyFields(raw) }),
  channel: (raw) => ({ type: 'channel', ...named(raw, code) }),
  brand: (raw) => ({ type: 'brand', ...named(raw) }),
  article: (raw) => ({ type: 'article', ...articleFields(raw), ...given(raw, { publish_at: instant }) }),
  article_translation: (raw) => ({
    type: 'article_translation',
    article: required(raw, 'article', member),
    locale: required(raw, 'locale', locale),
    ...kept(raw),
    ...ARTICLE_TRANSLATION.read(raw),
    ...given(raw, { publish_at: instant }),
  }),
  custom_field: (raw) => ({ type: 'custom_field', ...customFieldFields(raw) }),
  calendar: (raw) => ({ type: 'calendar', ...calendarFields(raw) }),
  sla_policy: (raw) => ({ type: 'sla_policy', ...policyFields(raw) }),
  topic: (raw) => ({ type: 'topic', ...topicFields(raw) }),
  topic_translation: (raw) => ({
    type: 'topic_translation',
    topic: required(raw, 'topic', member),
    locale: required(raw, 'locale', locale),
    ...kept(raw),
    ...TRANSLATION.read(raw),
  }),
  macro: (raw) => ({ type: 'macro', ...macroFields(raw) }),
  macro_action: (raw) => ({
    type: 'macro_action',
    id: required(raw, 'id', member),
    ...kept(raw),
    ...unlessDeleted(raw, { macro: member, action: actionType }),
    ...given(raw, { value: actionValue, enabled: bool }),
  }),
} satisfies { readonly [T in RecordType | 'user']: (raw: JsonFields) => { readonly type: RecordType } };

type RecordType =
  | 'site'
  | ReferenceKind
  | 'article_translation'
  | 'topic'
  | 'topic_translation'
  | 'macro'
  | 'macro_action';

type Reader<T> = (value: unknown, name: string) => T;
type Readers<F> = { readonly [K in keyof F]: Reader<F[K]> }; // by field name

const agent = (raw: JsonFields) => ({
  type: 'agent' as const,
  ...named(raw),
  ...given(raw, { login, role: oneOf(ROLES), groups: memberSet, public_name: name }),
});

/** Reads what a record has of a thing, as the fields of its resource say. */
const fieldsOf =
  <F extends FieldTable>({ read }: Pick<Form<F>, 'read'>) =>
  (raw: JsonFields) => ({ id: required(raw, 'id', member), ...kept(raw), ...read(raw) });
const labelFields = fieldsOf(LABELS);
const companyFields = fieldsOf(COMPANIES);
const customFieldFields = fieldsOf(CUSTOM_FIELDS);
const calendarFields = fieldsOf(CALENDARS);
const policyFields = fieldsOf(POLICIES);
const articleFields = fieldsOf(ARTICLE);
const topicFields = fieldsOf(TOPIC);
const macroFields = fieldsOf(MACROS);

function named(raw: JsonFields, id: Reader<number> = member) {
  return { id: required(raw, 'id', id), ...kept(raw), ...unlessDeleted(raw, { name }) };
}

function kept(raw: JsonFields) {
  const { deleted, created_at, updated_at } = given(raw, { deleted: bool, created_at: instant, updated_at: instant });
  return {
    ...(typeof deleted === 'boolean' && { deleted }),
    ...(typeof created_at === 'number' && { created_at }),
    ...(typeof updated_at === 'number' && { updated_at }),
  };
}

/** Reads the optional fields that the record has, null included. */
function given<F>(raw: JsonFields, readers: Readers<F>): NoInfer<{ readonly [K in keyof F]?: F[K] | null }> {
  const found: { [K in keyof F]?: F[K] | null } = {};
  for (const field in readers) {
    const value = optional(raw, field, readers[field]);
    if (value !== undefined) found[field] = value;
  }
  return found;
}

/** Reads required fields; a record with `"deleted": true` may leave them out. */
function unlessDeleted<F>(raw: JsonFields, readers: Readers<F>): NoInfer<{ readonly [K in keyof F]?: F[K] }> {
  const found: { [K in keyof F]?: F[K] } = {};
  for (const field in readers) {
    if (raw.deleted === true && raw[field] === undefined) continue;
    found[field] = required(raw, field, readers[field]);
  }
  return found;
}

function login(value: unknown, field: string): string {
  const given = name(value, field);
  if (!/^\S+@\S+$/.test(given)) throw new Rejection(`${field}: ${shown(value)} is not an e-mail address`);
  const wrong = loginFault(given);
  if (wrong !== undefined) throw new Rejection(`${field}: ${shown(value)}: ${wrong.replace(/\.$/, '')}`);
  return given;
}

/** Reads an action's type, checking only its form; the macros check that it exists and takes its value. */
function actionType(value: unknown, field: string): string {
  const type = name(value, field);
  if (!/^(set|append)-case-./.test(type))
    throw new Rejection(`${field}: ${shown(value)} is not a type of macro action`);
  return type;
}

/** Reads a text or a list of names; a number is turned into a text. */
function actionValue(value: unknown, field: string): string | readonly string[] {
  if (Array.isArray(value)) return listOf(name)(value, field);
  return text()(typeof value === 'number' ? String(value) : value, field);
}
