import type { Faults } from '../errors.ts';
import type { Explained } from '../fault-details.ts';
import { isWellFormed } from '../text.ts';
import type { FilterCondition, Filters } from './definitions/filters.ts';
import { FILTER_ACTIONS, FILTER_MATCHES, FILTER_OBJECTS, isFilterObject } from './definitions/filters.ts';

const MOST_CONDITIONS = 1_000; // in all groups together; groups are limited to the same number
const MOST_IDS = 10_000; // in all conditions together

/** Reads `filters` of a report's body; a fault names its group and condition, as in `filters.0.1`. */
export function readFilters(sent: unknown, faults: Faults): Filters | null {
  if (sent === undefined || sent === null) return null;
  if (!Array.isArray(sent)) {
    faults.explain('invalid', ['filters'], { sent, takes: SOME_GROUPS });
    return null;
  }
  if (isTooLong(sent)) {
    faults.explain('too_long', ['filters'], {
      message: `filters hold more than ${MOST_CONDITIONS} conditions or ${MOST_IDS} ids.`,
    });
    return null;
  }
  return sent.map((group: unknown, index) => {
    if (Array.isArray(group)) return readGroup(group, index, faults);
    if (group === null) return []; // a Go client's empty group
    faults.explain('invalid', ['filters', index], { sent: group, takes: A_GROUP });
    return [];
  });
}

/** Whether filters exceed the limits; counted before any condition is read. */
function isTooLong(groups: readonly unknown[]): boolean {
  const conditions = groups.flatMap((group: unknown): unknown[] => (Array.isArray(group) ? group : []));
  const ids = conditions.reduce<number>((sum, sent) => {
    const last: unknown = Array.isArray(sent) ? sent.at(-1) : undefined;
    return sum + (Array.isArray(last) ? last.length : 0);
  }, 0);
  return groups.length > MOST_CONDITIONS || conditions.length > MOST_CONDITIONS || ids > MOST_IDS;
}

function readGroup(group: readonly unknown[], index: number, faults: Faults): FilterCondition[] {
  return group.flatMap((sent, position) => {
    const condition = readCondition(sent);
    if (condition === undefined) faults.explain('invalid', ['filters', index, position], hintOf(sent));
    return condition ?? [];
  });
}

/** Names the part of a condition that is wrong. */
function hintOf(sent: unknown): Explained {
  if (!Array.isArray(sent) || (sent.length !== 3 && sent.length !== 6)) return { message: FORMS };
  const [action, object, match]: readonly unknown[] = sent;
  if (!isAction(action)) return { sent: action, noun: 'action of a filter', allowed: FILTER_ACTIONS };
  if (!isFilterObject(object)) return { sent: object, noun: 'filter object', allowed: Object.keys(FILTER_OBJECTS) };
  if (sent.length === 6 && !isMatch(match ?? 'Is'))
    return { sent: match, noun: 'match of a filter', allowed: FILTER_MATCHES };
  return { message: FORMS };
}

const A_GROUP = 'a list of conditions such as ["Include", "Agents", [{"id": 5}]]';
const SOME_GROUPS = 'a list of groups, each a list of conditions such as ["Include", "Agents", [{"id": 5}]], or null';
const FORMS =
  'A condition is [action, object, ids] or [action, object, match, text, case sensitive, ids], ids as in [{"id": 5}].';

/** Reads a condition of three or six elements; null means the default of an optional one. Undefined if it is wrong. */
function readCondition(sent: unknown): FilterCondition | undefined {
  if (!Array.isArray(sent) || (sent.length !== 3 && sent.length !== 6)) return undefined;
  const elements: readonly unknown[] = sent;
  const [action, object] = elements;
  const [match, text, caseSensitive] = elements.slice(2, -1);
  const ids = elements.at(-1) ?? [];
  const sound =
    isAction(action) &&
    isFilterObject(object) &&
    isMatch(match ?? 'Is') &&
    isText(text ?? '') &&
    typeof (caseSensitive ?? false) === 'boolean' &&
    Array.isArray(ids) &&
    ids.every(isId);
  if (!sound) return undefined;
  return {
    action,
    object,
    match: isMatch(match) ? match : 'Is',
    text: isText(text) ? text : '',
    caseSensitive: caseSensitive === true,
    ids: ids.map(({ id }) => ({ id })),
  };
}

/** Filters as replies and stored records show them: every condition with six elements. */
export const showFilters = (filters: Filters): unknown[][][] =>
  filters.map((group) =>
    group.map(({ action, object, match, text, caseSensitive, ids }) => [
      action,
      object,
      match,
      text,
      caseSensitive,
      ids,
    ]),
  );

const isAction = (value: unknown): value is FilterCondition['action'] =>
  FILTER_ACTIONS.some((known) => known === value);
const isMatch = (value: unknown): value is FilterCondition['match'] => FILTER_MATCHES.some((known) => known === value);
/** Whether a value is a text that can be stored, with the promises of a site. */
const isText = (value: unknown): value is string => typeof value === 'string' && isWellFormed(value);
function isId(value: unknown): value is { id: string | number } {
  if (typeof value !== 'object' || value === null || !('id' in value)) return false;
  return isText(value.id) || Number.isSafeInteger(value.id);
}
