import type { CustomValue } from '../../history/cases/case-row.ts';
import { memoize, memoizeSome } from '../../memo.ts';
import { CASE_STATUSES } from '../../vocabulary.ts';
import { customMember, customName, type Member, type Reference } from '../reference.ts';
import { FILTER_OBJECTS, type FilterCondition, type FilterObjectName } from './filters.ts';

/** The values that a condition compares with, made once: thousands of ids may be compared with thousands of members. */
interface ComparedValues {
  readonly ids: ReadonlySet<string>;
  readonly text: string; // in lower case unless the condition is case-sensitive
}

const comparedBy = memoize((condition: FilterCondition): ComparedValues => {
  const { ids, text } = condition;
  return { ids: new Set(ids.map(({ id }) => String(id))), text: fold(condition, text) };
}, new WeakMap());

const MOST_FOLDED = 100_000; // names cached in lower case: a thousand conditions may compare the same ones
const lower = memoizeSome(MOST_FOLDED, (text: string) => text.toLowerCase());

const fold = ({ caseSensitive }: FilterCondition, text: string): string => (caseSensitive ? text : lower(text));

/** Whether a member of the condition's object has one of its ids or matches its text. The caller applies `Exclude`. */
export function memberMatches(condition: FilterCondition, member: Member, name: () => string): boolean {
  const { ids, text } = comparedBy(condition);
  if (ids.has(String(member))) return true;
  if (text === '' || (condition.match === 'Is' && ids.size > 0)) return false;
  const named = fold(condition, name());
  return condition.match === 'Is' ? named === text : named.includes(text);
}

/** The member that an integer in the dictionary of a filter object stands for. */
export const memberOf = (object: FilterObjectName, integer: number): Member =>
  object === 'Statuses' ? (CASE_STATUSES[integer] ?? integer) : integer;

/** The name of a member of a filter object; its id if no reference record names it. */
export function memberName(reference: Reference, object: FilterObjectName, member: Member): string {
  const { names } = FILTER_OBJECTS[object];
  if (names === 'digits' || names === 'customFields') return String(member);
  return reference.names[names].get(Number(member)) ?? String(member);
}

/** Whether a value of a custom field matches a condition. The caller applies `Exclude`. */
export function customMatches(condition: FilterCondition, reference: Reference, value: CustomValue): boolean {
  return memberMatches(condition, customMember(reference, value), () => customName(reference, value));
}
