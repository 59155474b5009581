import { normalizeLocale } from '../access/locales.ts';
import type { CustomField, ReferenceEntry } from '../access/reference.ts';
import type { Explained, FaultCode } from '../fault-details.ts';
import { NAME_LENGTH, namesField, TEXT_SIZE, textField } from '../http/fields.ts';
import { takesOf } from '../http/takes.ts';
import { LINKED, type Linked } from '../resource/link.ts';
import type { ReferenceKind } from '../store/keys.ts';
import { GIVEN_STATUSES } from '../vocabulary.ts';
import type { ActionInput } from './action-input.ts';

type MemberInput = Extract<ActionInput, { kind: 'member' }>;

/** An action's value as stored and shown: a priority as text, an id as integer. */
export type ActionValue = string | number | readonly string[];

/** A value read by its form, or the code of its fault. */
type ValueReading = { readonly value: ActionValue } | { readonly code: FaultCode };

/** The data of a site that a value is checked against; only the records that the type needs. */
export interface Surroundings {
  readonly locales: readonly string[]; // enabled for the site
  readonly members: ReadonlyMap<number, ReferenceEntry>;
  readonly fields: readonly CustomField[];
}

/** The complete declaration of an action type. */
export interface ActionType {
  readonly label: string; // for people: `Set status`
  readonly input: ActionInput;
  readonly takes: string; // name in docs/interface.md
  readonly example: unknown;
  readonly needs?: ReferenceKind; // kind of reference records that the check reads
  /** Converts a value to its stored form, checking only its form. */
  readonly read: (value: unknown) => ValueReading;
  /** The fault of a well-formed value on this site. */
  readonly check?: (value: ActionValue, site: Surroundings) => FaultCode | undefined;
  /** What a value may be on this site, for people. */
  readonly allows: (site: Surroundings) => Explained;
  /** Whether the site has this type; absent: every site has it. */
  readonly exists?: (site: Surroundings) => boolean;
  /** What an action of this type links to. */
  readonly link?: {
    readonly to: Linked;
    readonly id: (value: ActionValue, site: Surroundings) => ActionValue | undefined;
  };
}

const PRIORITIES = { lowest: 1, highest: 10 } as const;
const LABELS = 1000; // labels in one value at most

const text = (label: string): ActionType => ({
  label,
  input: { kind: 'text' },
  takes: 'string',
  example: 'Thank you for writing.',
  read: readText,
  allows: () => A_TEXT,
});

const labels = (label: string): ActionType => ({
  label,
  input: { kind: 'labels' },
  takes: 'array of strings',
  example: ['billing', 'urgent'],
  read: readLabels,
  allows: () => ({ takes: takesOf(LABEL_LIST) }),
});

const priority: ActionType = {
  label: 'Set priority',
  input: { kind: 'choice', choices: Array.from({ length: PRIORITIES.highest }, (_, index) => String(index + 1)) },
  takes: 'integer',
  example: 8,
  read: (value) => {
    const number = readInteger(value);
    if (number === undefined || number < PRIORITIES.lowest || number > PRIORITIES.highest) return { code: 'invalid' };
    return { value: String(number) };
  },
  allows: () => ({ takes: `a whole number from ${PRIORITIES.lowest} to ${PRIORITIES.highest}` }),
};

const status: ActionType = {
  label: 'Set status',
  input: { kind: 'choice', choices: [...GIVEN_STATUSES] },
  takes: 'string',
  example: 'pending',
  read: (value) => {
    const match = GIVEN_STATUSES.find((word) => word === value);
    return match === undefined ? { code: 'invalid' } : { value: match };
  },
  allows: () => ({ noun: 'status', allowed: GIVEN_STATUSES }),
};

const language: ActionType = {
  label: 'Set language',
  input: { kind: 'language' },
  takes: 'string',
  example: 'en_us',
  read: (value) => {
    const locale = typeof value === 'string' ? normalizeLocale(value) : undefined;
    return locale === undefined ? { code: 'invalid' } : { value: locale };
  },
  check: (value, { locales }) => (locales.some((locale) => locale === value) ? undefined : 'invalid'),
  allows: ({ locales }) => ({ noun: 'language of the site', allowed: locales }),
};

/** A type whose value is the id of a record. */
const member = (label: string, of: MemberInput['of'], needs: 'agent' | 'group' | 'article'): ActionType => ({
  label,
  input: { kind: 'member', of },
  takes: 'integer',
  example: 42,
  needs,
  read: (value) => {
    const id = readInteger(value);
    return id === undefined ? { code: 'invalid' } : { value: id };
  },
  check: (value, { members }) => {
    const item = typeof value === 'number' ? members.get(value) : undefined;
    return item === undefined || item.deleted ? 'not_found' : undefined;
  },
  allows: () => ({ takes: `the id of one of the site's ${of}` }),
  link: { to: LINKED[needs], id: (value) => value },
});

/** `set-case-custom-N`: N is compared exactly with the names of the site's custom fields of cases. */
function custom(name: string): ActionType {
  const inUse = (fields: readonly CustomField[]) =>
    fields.find((field) => field.object === 'case' && field.name === name && !field.deleted);
  return {
    label: 'Set custom field',
    input: { kind: 'custom' },
    takes: 'custom',
    example: 'gold',
    needs: 'custom_field',
    read: readText,
    check: (value, { fields }) => {
      const values = inUse(fields)?.values ?? [];
      return values.length === 0 || values.some((choice) => choice === value) ? undefined : 'invalid';
    },
    allows: ({ fields }) => {
      const allowed = inUse(fields)?.values ?? [];
      return allowed.length === 0 ? A_TEXT : { noun: `value of ${name}`, allowed };
    },
    exists: ({ fields }) => inUse(fields) !== undefined,
    link: { to: LINKED.custom_field, id: (_, { fields }) => inUse(fields)?.id },
  };
}

/** The types of docs/interface.md except `set-case-custom-N`, whose name varies. */
const FIXED: ReadonlyMap<string, ActionType> = new Map([
  ['set-case-description', text('Set description')],
  ['set-case-labels', labels('Replace labels')],
  ['append-case-labels', labels('Add labels')],
  ['set-case-priority', priority],
  ['set-case-status', status],
  ['set-case-agent', member('Assign to agent', 'agents', 'agent')],
  ['set-case-group', member('Assign to group', 'groups', 'group')],
  ['append-case-article', member('Append article', 'articles', 'article')],
  ['set-case-quick-reply', text('Set quick reply')],
  ['set-case-outbound-email-subject', text('Set e-mail subject')],
  ['set-case-language', language],
  ['set-case-note', text('Add note')],
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

const A_TEXT = { takes: `a text of 1 to ${TEXT_SIZE} bytes` };
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
