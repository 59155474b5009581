import type { Segment } from '../../history/segments/segment.ts';
import { ATTRIBUTES } from '../../history/segments/segment-columns.ts';
import { memoize } from '../../memo.ts';
import { customMatches, memberMatches, memberName, memberOf } from '../definitions/filter-match.ts';
import type { FilterCondition, Filters } from '../definitions/filters.ts';
import { FILTER_OBJECTS, type FilterObject } from '../definitions/filters.ts';
import type { Reference } from '../reference.ts';

/** The rows of a segment that count: they are not superseded and pass the filters. */
export interface SelectedRows {
  readonly rows: Uint8Array; // by row: 1 if the case counts
  readonly all: boolean;
  readonly list: Int32Array; // the rows that count, rising; may be empty if all count
}

export type SelectRows = (segment: Segment, dead: readonly number[]) => SelectedRows;

const NO_ROWS = new Int32Array(0);

const NO_LIMIT = (): void => undefined;

/** Prepares filters for one segment after the other; `onTime` throws past the deadline. */
export function rowSelector(filters: Filters | null, reference: Reference, onTime = NO_LIMIT): SelectRows {
  const groups = (filters ?? []).map((group) => group.map((condition) => keeper(condition, reference, onTime)));
  return (segment, dead) => {
    if (groups.length === 0 && dead.length === 0) {
      return { rows: new Uint8Array(segment.head.rows).fill(1), all: true, list: NO_ROWS };
    }
    const selected = passing(segment, groups[0] ?? []);
    for (const others of groups.slice(1)) {
      const passed = passing(segment, others);
      for (let row = 0; row < selected.length; row += 1) selected[row]! |= passed[row]!;
    }
    for (const row of dead) selected[row] = 0;
    return listRows(selected);
  };
}

function listRows(rows: Uint8Array): SelectedRows {
  const list = new Int32Array(rows.length + 1);
  let count = 0;
  for (let row = 0; row < rows.length; row += 1) {
    list[count] = row;
    count += rows[row]!;
  }
  return { rows, all: count === rows.length, list: list.subarray(0, count) };
}

/** Marks the rows that pass all conditions of a group. */
function passing(segment: Segment, group: readonly RowFilter[]): Uint8Array {
  const rows = new Uint8Array(segment.head.rows).fill(1);
  for (const keep of group) keep(rows, segment);
  return rows;
}

/** Sets to 0 the rows of a segment that fail a condition. */
type RowFilter = (rows: Uint8Array, segment: Segment) => void;

function keeper(condition: FilterCondition, reference: Reference, onTime: () => void): RowFilter {
  const { attribute, list }: FilterObject = FILTER_OBJECTS[condition.object];
  const wantedOf = wantedIndices(condition, reference, onTime);
  const inverted = condition.action === 'Include' ? 0 : 1; // an exclusive or with 1 inverts the match
  return (rows, segment) => {
    onTime();
    const wanted = wantedOf(segment);
    if (attribute !== undefined) {
      const column = segment.attribute(attribute);
      for (let row = 0; row < rows.length; row += 1) rows[row]! &= wanted[column[row]!]! ^ inverted;
    }
    if (list !== undefined) {
      const found = new Uint8Array(rows.length);
      const { members, rows: rowsOf, count } = segment.list(list);
      const [column, rowOf] = [members(), rowsOf()];
      for (let entry = 0; entry < count; entry += 1) found[rowOf[entry]!]! |= wanted[column[entry]!]!;
      for (let row = 0; row < rows.length; row += 1) rows[row]! &= found[row]! ^ inverted;
    }
  };
}

/** Returns a function that marks, by dictionary index of a segment, the members that match the condition with 1. */
function wantedIndices(
  condition: FilterCondition,
  reference: Reference,
  onTime: () => void,
): (segment: Segment) => Uint8Array {
  const { attribute, list }: FilterObject = FILTER_OBJECTS[condition.object];
  if (list === 'customValues') {
    return (segment) => indices(segment.customValues(), (value) => customMatches(condition, reference, value), onTime);
  }
  const dictionary = list ?? (attribute && ATTRIBUTES[attribute]);
  // Every segment has the same members again.
  const matches = memoize((integer: number): boolean => {
    const member = memberOf(condition.object, integer);
    return memberMatches(condition, member, () => memberName(reference, condition.object, member));
  });
  return (segment) => indices(dictionary ? segment.dictionary(dictionary) : [], matches, onTime);
}

const CHECKED = 4096; // members between two checks of the deadline

function indices<T>(members: readonly T[], matches: (member: T) => boolean, onTime: () => void): Uint8Array {
  const wanted = new Uint8Array(members.length + 1); // index 0 means no member, which never matches
  for (const [at, member] of members.entries()) {
    if (at % CHECKED === CHECKED - 1) onTime();
    wanted[at + 1] = matches(member) ? 1 : 0;
  }
  return wanted;
}
