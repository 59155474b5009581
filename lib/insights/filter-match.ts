import type { CustomValue } from '../history/cases/case-row.ts';
import { CASE_STATUSES } from '../vocabulary.ts';
import { FILTER_OBJECTS, type FilterCondition, type FilterObjectName } from './filters.ts';
import { customMember, customName, type Member, type Reference } from './reference.ts';

/** What a condition compares with, made once: thousands of ids meet thousands of members. */
interface Wanted {
  readonly ids: ReadonlySet<string>;
  readonly text: string; // folded, where case does not matter
}

const prepared = new WeakMap<FilterCondition, Wanted>();

function wantedBy(condition: FilterCondition): Wanted {
  const known = prepared.get(condition);
  if (known !== undefined) return known;
  const { ids, text } = condition;
  const wanted = { ids: new Set(ids.map(({ id }) => String(id))), text: fold(condition, text) };
  prepared.set(condition, wanted);
  return wanted;
}

const FOLDED = 100_000; // names a process remembers folded: a thousand conditions meet the same ones
const folded = new Map<string, string>();

function fold({ caseSensitive }: FilterCondition, text: string): string {
  if (caseSensitive) return text;
  const known = folded.get(text);
  if (known !== undefined) return known;
  if (folded.size >= FOLDED) folded.clear();
  const lower = text.toLowerCase();
  folded.set(text, lower);
  return lower;
}

/** Whether the member of a condition's object is what the condition asks for; `Exclude` is not looked at. */
export function memberMatches(condition: FilterCondition, member: Member, name: () => string): boolean {
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
export function customMatches(condition: FilterCondition, reference: Reference, value: CustomValue): boolean {
  return memberMatches(condition, customMember(reference, value), () => customName(reference, value));
}
