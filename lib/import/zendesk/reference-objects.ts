import { memberId } from '../../access/member-id.ts';
import { isJsonObject } from '../../json.ts';
import type { JsonFields } from '../../json-readers.ts';
import { type HistoryRecord, parseRecord } from '../records/records.ts';
import type { ZendeskKind } from './kinds.ts';
import { macroActions, type ReferenceSetting } from './macro-actions.ts';
import { textOf, zendeskId, zendeskList } from './values.ts';

type Kinds = { readonly [K in ZendeskKind]?: (fields: JsonFields, setting: ReferenceSetting) => readonly object[] };

/** The roles of Zendesk's users that make them agents here. */
const AGENT_ROLES = new Set(['agent', 'admin']);

export const isAgentUser = ({ role }: JsonFields): boolean => AGENT_ROLES.has(String(role));

/** The types of ticket fields that every account has. */
const SYSTEM_FIELDS = new Set([
  'subject',
  'description',
  'status',
  'tickettype',
  'priority',
  'basic_priority',
  'group',
  'assignee',
  'custom_status',
]);

export const isCustomField = ({ type }: JsonFields): boolean => !SYSTEM_FIELDS.has(String(type));

/** For each kind of object that names members, a function that returns its records (docs/import.md). */
const KINDS: Kinds = {
  user: (fields, { options, ignore }) => {
    if (!isAgentUser(fields)) {
      ignore('user who is no agent');
      return [];
    }
    const login = options.withLogins ? textOf(fields.email) : null;
    return [{ type: 'agent', ...named(fields, 'name'), ...(login !== null && { login, role: 'Agent' }) }];
  },
  group: (fields) => [{ type: 'group', ...named(fields, 'name') }],
  organization: (fields) => [{ type: 'company', ...named(fields, 'name') }],
  brand: (fields) => [{ type: 'brand', ...named(fields, 'name') }],
  'ticket field': (fields, { ignore }) => {
    if (!isCustomField(fields)) {
      ignore('ticket field that every account has');
      return [];
    }
    const values = zendeskList(fields.custom_field_options).flatMap((option) =>
      isJsonObject(option) && typeof option.value === 'string' ? [option.value] : [],
    );
    const list = values.length > 0 && values.length <= 1_000 ? { values } : {};
    return [{ type: 'custom_field', object: 'case', ...named(fields, 'title'), ...list }];
  },
  macro: (fields, setting) => {
    const id = zendeskId(fields.id);
    const macro = { type: 'macro', ...named(fields, 'title'), enabled: fields.active !== false, deleted: false };
    const actions = macroActions(zendeskList(fields.actions), setting).map(({ type, value }, index) => ({
      type: 'macro_action',
      id: memberId('macro', `${id} ${index}`),
      macro: id,
      action: type,
      value,
      enabled: true,
    }));
    return [macro, ...actions];
  },
};

export const isReference = (kind: ZendeskKind | undefined): kind is ZendeskKind =>
  kind !== undefined && KINDS[kind] !== undefined;

/** Returns the records of an object; throws `Rejection`. */
export const recordsOfObject = (kind: ZendeskKind, fields: JsonFields, setting: ReferenceSetting): HistoryRecord[] =>
  (KINDS[kind]?.(fields, setting) ?? []).map(parseRecord);

function named(fields: JsonFields, title: 'name' | 'title') {
  const { id, updated_at, deleted, active } = fields;
  return {
    id,
    name: typeof fields[title] === 'string' ? fields[title].slice(0, 255) : fields[title],
    ...(typeof updated_at === 'string' && { updated_at }),
    ...((deleted === true || active === false) && { deleted: true }),
  };
}
