import { normalizeLocale } from '../access/locales.ts';
import type { CustomField, KnownRecord } from '../access/reference.ts';
import type { FaultCode } from '../fault-details.ts';
import { NAME_LENGTH, namesField, TEXT_SIZE, textField } from '../http/fields.ts';
import type { ReferenceKind } from '../store/keys.ts';
import { GIVEN_STATUSES } from '../vocabulary.ts';

/** An action's value as it is stored and shown: a priority as text, an id as integer. */
export type ActionValue = string | number | readonly string[];

/** What the form of a value comes to. */
export type ValueReading = { readonly value: ActionValue } | { readonly code: FaultCode };

/** What a value is checked against; of the records only those that the type needs. */
export interface Surroundings {
  readonly locales: readonly string[]; // enabled for the site
  readonly members: ReadonlyMap<number, KnownRecord>;
  readonly fields: readonly CustomField[];
}

/** One action type: all there is to say of it. */
export interface ActionType {
  readonly input: string; // as docs/interface.md names it
  readonly example: unknown;
  readonly needs?: ReferenceKind; // reference records that a check looks into
  /** The value as stored, by its form alone. */
  readonly read: (value: unknown) => ValueReading;
  /** What is wrong with a value of the right form on this site. */
  readonly check?: (value: ActionValue, site: Surroundings) => FaultCode | undefined;
  /** Whether the site has this type; absent: every site has it. */
  readonly exists?: (site: Surroundings) => boolean;
  /** The record that an action of this type links to. */
  readonly link?: {
    readonly rel: string; // its name and class
    readonly id: (value: ActionValue, fields: readonly CustomField[]) => number | undefined;
  };
}

const PRIORITIES = { lowest: 1, highest: 10 } as const;
const LABELS = 1000; // a value may hold

const text: ActionType = { input: 'string', example: 'Thank you for writing.', read: readText };

const labels: ActionType = { input: 'array of strings', example: ['billing', 'urgent'], read: readLabels };

const priority: ActionType = {
  input: 'integer',
  example: 8,
  read: (value) => {
    const number = readInteger(value);
    if (number === undefined || number < PRIORITIES.lowest || number > PRIORITIES.highest) return { code: 'invalid' };
    return { value: String(number) };
  },
};

const status: ActionType = {
  input: 'string',
  example: 'pending',
  read: (value) => {
    const known = GIVEN_STATUSES.find((word) => word === value);
    return known === undefined ? { code: 'invalid' } : { value: known };
  },
};

const language: ActionType = {
  input: 'string',
  example: 'en_us',
  read: (value) => {
    const locale = typeof value === 'string' ? normalizeLocale(value) : undefined;
    return locale === undefined ? { code: 'invalid' } : { value: locale };
  },
  check: (value, { locales }) => (locales.some((locale) => locale === value) ? undefined : 'invalid'),
};

/** A type whose value is the id of a record. */
const member = (needs: ReferenceKind, rel: string): ActionType => ({
  input: 'integer',
  example: 42,
  needs,
  read: (value) => {
    const id = readInteger(value);
    return id === undefined ? { code: 'invalid' } : { value: id };
  },
  check: (value, { members }) => {
    const found = typeof value === 'number' ? members.get(value) : undefined;
    return found === undefined || found.deleted ? 'not_found' : undefined;
  },
  link: { rel, id: (value) => (typeof value === 'number' ? value : undefined) },
});

/** `set-case-custom-N`: N is compared exactly with the names of the site's custom fields of cases. */
function custom(name: string): ActionType {
  const named = (fields: readonly CustomField[]) =>
    fields.filter((field) => field.object === 'case' && field.name === name);
  const inUse = (fields: readonly CustomField[]) => named(fields).find((field) => !field.deleted);
  return {
    input: 'custom',
    example: 'gold',
    needs: 'custom_field',
    read: readText,
    check: (value, { fields }) => {
      const values = inUse(fields)?.values ?? [];
      return values.length === 0 || values.some((known) => known === value) ? undefined : 'invalid';
    },
    exists: ({ fields }) => inUse(fields) !== undefined,
    link: { rel: 'custom_field', id: (_, fields) => (inUse(fields) ?? named(fields)[0])?.id },
  };
}

/** The types of docs/interface.md but the last, which has a name in it. */
const FIXED: ReadonlyMap<string, ActionType> = new Map([
  ['set-case-description', text],
  ['set-case-labels', labels],
  ['append-case-labels', labels],
  ['set-case-priority', priority],
  ['set-case-status', status],
  ['set-case-agent', member('agent', 'user')],
  ['set-case-group', member('group', 'group')],
  ['append-case-article', member('article', 'article')],
  ['set-case-quick-reply', text],
  ['set-case-outbound-email-subject', text],
  ['set-case-language', language],
  ['set-case-note', text],
]);

const CUSTOM = 'set-case-custom-';
export const LONGEST_TYPE = CUSTOM.length + NAME_LENGTH; // code points

/** Every type as docs/interface.md names it, with what it takes. */
export const ACTION_TYPES: ReadonlyMap<string, ActionType> = new Map([...FIXED, [`${CUSTOM}N`, custom('N')]]);

/** The kinds of reference records that some type needs, each once. */
export const NEEDED: readonly ReferenceKind[] = [
  ...new Set([...ACTION_TYPES.values()].flatMap(({ needs }) => needs ?? [])),
];

/** The type of a name; undefined for none. */
export function findActionType(name: string): ActionType | undefined {
  if (name.startsWith(CUSTOM) && name.length > CUSTOM.length) return custom(name.slice(CUSTOM.length));
  return FIXED.get(name);
}

const TEXT = textField();
const LABEL_LIST = namesField(LABELS);

function readText(value: unknown): ValueReading {
  if (typeof value === 'string' && value.trim() === '') return { code: 'blank' };
  const { success, data, error } = TEXT.safeParse(value);
  if (success) return data === null ? { code: 'invalid' } : { value: data };
  return { code: codeOf(error) };
}

function readLabels(value: unknown): ValueReading {
  const { success, data, error } = LABEL_LIST.safeParse(value);
  if (!success) return { code: codeOf(error) };
  return Buffer.byteLength(data.join('')) > TEXT_SIZE ? { code: 'too_long' } : { value: data };
}

/** A positive integer, given as number or digits. */
function readInteger(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

const codeOf = ({ issues }: { readonly issues: readonly { readonly message: string }[] }): FaultCode =>
  issues.some(({ message }) => message === 'invalid') ? 'invalid' : 'too_long';
