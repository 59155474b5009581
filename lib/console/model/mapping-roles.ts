import { CASE_STATUSES } from '../../vocabulary.ts';
import type { Mapping } from './file-import.ts';

/** The meaning of a column: a path in the mapping, where a dot leads into an object. */
export type Role = string;

const ATTRIBUTES = ['status', 'channel', 'priority', 'company', 'labels'];
const CREATED = ['created.channel', 'created.priority', 'created.company', 'created.labels'];

const ROLES: Readonly<Record<string, readonly Role[]>> = {
  tickets: [
    ...['case', 'created', 'replied', 'assigned', 'solved', 'updated', 'agent', 'group', 'requester', 'submitter'],
    ...ATTRIBUTES,
  ],
  snapshots: ['case', 'at', 'actor.agent', 'agent', 'group', ...ATTRIBUTES],
  activities: ['case', 'at', 'activity', 'actor.agent', 'actor.group', ...CREATED],
  messages: ['case', 'at', 'direction', 'note', 'actor.agent', ...CREATED],
};

/** The roles that columns can have in a mapping of its kind; none for other kinds. */
export const rolesOf = ({ kind }: Mapping): readonly Role[] => ROLES[String(kind)] ?? [];

/** The roles that a mapping needs. */
const NEEDED: readonly Role[] = ['case', 'created', 'at', 'activity', 'direction'];
export const isNeeded = (role: Role): boolean => NEEDED.includes(role);

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const partOf = (value: unknown, name: string): unknown => (isFields(value) ? value[name] : undefined);

const givenTo = (mapping: Mapping, role: Role): unknown => role.split('.').reduce<unknown>(partOf, mapping);

/** The column that has a role; undefined if none has it. */
export function columnOf(mapping: Mapping, role: Role): string | undefined {
  const value = givenTo(mapping, role);
  const column = isFields(value) ? value.column : value;
  return typeof column === 'string' ? column : undefined;
}

/** The role of a column; the first if it has several. */
export const roleOf = (mapping: Mapping, column: string): Role | undefined =>
  rolesOf(mapping).find((role) => columnOf(mapping, role) === column);

/** Gives a role to a column, or none. The column loses its role before, and another column with the role loses it. */
export function withRole(mapping: Mapping, column: string, role: Role | undefined, values: readonly string[]): Mapping {
  const before = roleOf(mapping, column);
  const cleared = before === undefined || before === role ? mapping : withValue(mapping, before, undefined);
  return role === undefined ? cleared : withValue(cleared, role, given(givenTo(mapping, role), role, column, values));
}

/** The entry of a mapping for a column with a role; a time format in the entry before is kept. */
function given(before: unknown, role: Role, column: string, values: readonly string[]): unknown {
  const last = role.split('.').at(-1);
  if (last === 'status') return { column, table: tableOf(values, statusOf) };
  if (last === 'priority') return { column, table: tableOf(values, priorityOf), default: null };
  if (last === 'channel') return { column, usual: true };
  if (last === 'labels') return { column, split: values.some((value) => value.includes(',')) ? ',' : ' ' };
  if (role === 'direction') return { column, table: tableOf(values, directionOf), default: 'outbound' };
  return isFields(before) && 'format' in before ? { ...before, column } : column;
}

function withValue(mapping: Mapping, role: Role, value: unknown): Mapping {
  const [first = '', ...rest] = role.split('.');
  const inner = mapping[first];
  const next = rest.length === 0 ? value : withValue(isFields(inner) ? inner : {}, rest.join('.'), value);
  const { [first]: _, ...others } = mapping;
  const isEmpty = next === undefined || (isFields(next) && Object.keys(next).length === 0);
  return isEmpty ? others : { ...others, [first]: next };
}

/** A column whose values are translated one by one: the meaning of each value, and the meanings to choose from. */
export interface ValueTable {
  readonly role: Role;
  readonly column: string;
  readonly values: readonly (readonly [value: string, meaning: string])[]; // an empty meaning is none
  readonly choices: readonly string[];
}

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  status: CASE_STATUSES,
  priority: ['', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10'],
  direction: ['inbound', 'outbound'],
};
const SHOWN = 40; // values of a column, at most

/** The columns of a mapping whose values are translated one by one. */
export function valueTables(mapping: Mapping): ValueTable[] {
  return rolesOf(mapping).flatMap((role) => {
    const value = givenTo(mapping, role);
    const choices = CHOICES[role.split('.').at(-1) ?? ''];
    if (!isFields(value) || !isFields(value.table) || choices === undefined) return [];
    const values = Object.entries(value.table)
      .slice(0, SHOWN)
      .map(([each, meaning]) => [each, meaning === null ? '' : String(meaning)] as const);
    return [{ role, column: String(value.column), values, choices }];
  });
}

/** Changes the meaning of one value of a translated column. */
export function withMeaning(mapping: Mapping, role: Role, value: string, meaning: string): Mapping {
  const before = givenTo(mapping, role);
  if (!isFields(before) || !isFields(before.table)) return mapping;
  const isPriority = role.split('.').at(-1) === 'priority';
  const means = isPriority ? (meaning === '' ? null : Number(meaning)) : meaning;
  return withValue(mapping, role, { ...before, table: { ...before.table, [value]: means } });
}

function tableOf<T>(values: readonly string[], meaningOf: (value: string) => T): Record<string, T> {
  const all = [...new Set(values.filter((value) => value !== ''))];
  return Object.fromEntries(all.map((value) => [value, meaningOf(value)]));
}

function statusOf(value: string): string {
  if (/clos|done/i.test(value)) return 'closed';
  if (/solv|complet/i.test(value)) return 'resolved';
  if (/pend|wait|hold/i.test(value)) return 'pending';
  return /^new$/i.test(value) ? 'new' : 'open';
}

function priorityOf(value: string): number | null {
  if (/urgent|critical|blocker/i.test(value)) return 10;
  if (/high|major/i.test(value)) return 8;
  if (/low|minor/i.test(value)) return 2;
  return /normal|medium/i.test(value) ? 5 : null;
}

const directionOf = (value: string): string =>
  /^(in|inbound|incoming|customer|true|1)$/i.test(value) ? 'inbound' : 'outbound';
