import { normalizeLocale } from '../access/locales.ts';
import type { CustomField, KnownRecord } from '../access/reference.ts';
import type { FaultCode } from '../fault-details.ts';
import { NAME_LENGTH, namesField, TEXT_SIZE, textField } from '../http/fields.ts';
import type { ReferenceKind } from '../store/keys.ts';
import { GIVEN_STATUSES } from '../vocabulary.ts';

/** An action's value as stored and shown: a priority as text, an id as integer. */
export type ActionValue = string | number | readonly string[];

/** A value read by its form, or the code of its fault. */
export type ValueReading = { readonly value: ActionValue } | { readonly code: FaultCode };

/** The data of a site that a value is checked against; only the records that the type needs. */
export interface Surroundings {
  readonly locales: readonly string[]; // enabled for the site
  readonly members: ReadonlyMap<number, KnownRecord>;
  readonly fields: readonly CustomField[];
}

/** The complete declaration of an action type. */
export interface ActionType {
  readonly input: string; // name in docs/interface.md
  readonly example: unknown;
  readonly needs?: ReferenceKind; // kind of reference records that the check reads
  /** Converts a value to its stored form, checking only its form. */
  readonly read: (value: unknown) => ValueReading;
  /** The fault of a well-formed value on this site. */
  readonly check?: (value: ActionValue, site: Surroundings) => FaultCode | undefined;
  /** Whether the site has this type; absent: every site has it. */
  readonly exists?: (site: Surroundings) => boolean;
  /** The record that an action of this type links to. */
  readonly link?: {
    readonly rel: string; // name and class of the link
    readonly id: (value: ActionValue, fields: readonly CustomField[]) => number | undefined;
  };
}

const PRIORITIES = { lowest: 1, highest: 10 } as const;
const LABELS = 1000; // labels in one value at most

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

/** The types of docs/interface.md except `set-case-custom-N`, whose name varies. */
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

/** Every type by its name in docs/interface.md. */
export const ACTION_TYPES: ReadonlyMap<string, ActionType> = new Map([...FIXED, [`${CUSTOM}N`, custom('N')]]);

/** The kinds of reference records that the types need. */
export const NEEDED: readonly ReferenceKind[] = [
  ...new Set([...ACTION_TYPES.values()].flatMap(({ needs }) => needs ?? [])),
];

/** The type with this name; undefined if there is none. */
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
