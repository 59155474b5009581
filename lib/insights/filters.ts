import type { CustomValue } from '../history/cases/case-row.ts';
import { CASE_STATUSES } from '../history/cases/event.ts';
import type { Attribute, ListAttribute } from '../history/segments/segment-columns.ts';
import type { Member, NamedKind, Reference } from './reference.ts';
import { customMember, customName } from './reference.ts';

export const FILTER_ACTIONS = ['Include', 'Exclude'] as const;
export const FILTER_MATCHES = ['Is', 'Contains'] as const;

/** What a filter object is of a case as it is now, how its members are named, and what it makes of time online. */
export interface FilterObject {
  readonly meaning: string; // one sentence
  readonly extension?: true; // not of the original interface
  readonly attribute?: Attribute;
  readonly list?: ListAttribute;
  readonly names: NamedKind | 'digits' | 'customFields';
  readonly online: 'agent' | 'group' | null; // null: a filter of cases, which time online does not have
}

/** The filter objects (docs/insights.md). */
export const FILTER_OBJECTS = {
  Channels: { attribute: 'channel', names: 'channels', online: null, meaning: 'The channel of the case.' },
  Groups: { attribute: 'group', names: 'groups', online: 'group', meaning: 'The group assigned now.' },
  Agents: { attribute: 'agent', names: 'agents', online: 'agent', meaning: 'The agent assigned now.' },
  Labels: { list: 'labels', names: 'labels', online: null, meaning: 'A label that the case has now.' },
  'Custom Fields': {
    list: 'customValues',
    names: 'customFields',
    online: null,
    meaning: 'A value of a custom field that the case has now.',
  },
  Priorities: { attribute: 'priority', names: 'digits', online: null, meaning: 'The priority now, 1 to 10.' },
  Macros: { list: 'macros', names: 'macros', online: null, meaning: 'A macro ever applied to the case.' },
  Companies: { attribute: 'company', names: 'companies', online: null, meaning: 'The company of the case now.' },
  Statuses: {
    attribute: 'status',
    names: 'digits',
    online: null,
    meaning: 'The status now: new, open, pending, resolved or closed.',
    extension: true,
  },
  'CSat Score': { attribute: 'score', names: 'digits', online: null, meaning: 'The last rating of the case.' },
} as const satisfies Record<string, FilterObject>;

export type FilterObjectName = keyof typeof FILTER_OBJECTS;

/** One condition, every element present. */
export interface Condition {
  readonly action: (typeof FILTER_ACTIONS)[number];
  readonly object: FilterObjectName;
  readonly match: (typeof FILTER_MATCHES)[number];
  readonly text: string;
  readonly caseSensitive: boolean;
  readonly ids: readonly { readonly id: string | number }[];
}

/** At least one group must hold, in a group all conditions; no groups: everything counts. */
export type Filters = readonly (readonly Condition[])[];

/** What a condition compares with, made once: thousands of ids meet thousands of members. */
interface Wanted {
  readonly ids: ReadonlySet<string>;
  readonly text: string; // folded, where case does not matter
}

const prepared = new WeakMap<Condition, Wanted>();

function wantedBy(condition: Condition): Wanted {
  const known = prepared.get(condition);
  if (known !== undefined) return known;
  const { ids, text } = condition;
  const wanted = { ids: new Set(ids.map(({ id }) => String(id))), text: fold(condition, text) };
  prepared.set(condition, wanted);
  return wanted;
}

const fold = ({ caseSensitive }: Condition, text: string): string => (caseSensitive ? text : text.toLowerCase());

/** Whether the member of a condition's object is what the condition asks for; `Exclude` is not looked at. */
export function memberMatches(condition: Condition, member: Member, name: () => string): boolean {
  const { ids, text } = wantedBy(condition);
  if (ids.has(String(member))) return true;
  if (text === '' || (condition.match === 'Is' && ids.size > 0)) return false;
  const named = fold(condition, name());
  return condition.match === 'Is' ? named === text : named.includes(text);
}

/** The member that an integer of the dictionary of a filter object stands for. */
export const memberOf = (object: FilterObjectName, integer: number): Member =>
  object === 'Statuses' ? (CASE_STATUSES[integer] ?? integer) : integer;

/** The name of a member of a filter object; one that no reference record has brought is named by its id. */
export function memberName(reference: Reference, object: FilterObjectName, member: Member): string {
  const { names } = FILTER_OBJECTS[object];
  if (names === 'digits' || names === 'customFields') return String(member);
  return reference.names[names].get(Number(member)) ?? String(member);
}

/** Whether a value of a custom field is what a condition asks for. */
export function customMatches(condition: Condition, reference: Reference, value: CustomValue): boolean {
  return memberMatches(condition, customMember(reference, value), () => customName(reference, value));
}
