import type { Segment } from '../history/segment.ts';
import { ATTRIBUTES } from '../history/segment-columns.ts';
import type { Condition, Filters } from './filters.ts';
import { customMatches, FILTER_OBJECTS, type FilterObject, memberMatches, memberName } from './filters.ts';
import type { Reference } from './reference.ts';

/** Which rows of a segment count: 1 for each that is not superseded and passes the filters. */
export function selectRows(
  segment: Segment,
  dead: Iterable<number>,
  filters: Filters | null,
  reference: Reference,
): Uint8Array {
  const selected = new Uint8Array(segment.head.rows);
  if (filters === null || filters.length === 0) selected.fill(1);
  for (const group of filters ?? []) {
    const passed = new Uint8Array(selected.length).fill(1);
    for (const condition of group) keep(passed, segment, condition, reference);
    for (let row = 0; row < selected.length; row += 1) selected[row]! |= passed[row]!;
  }
  for (const row of dead) selected[row] = 0;
  return selected;
}

/** Sets the rows to 0 that a condition turns away. */
function keep(rows: Uint8Array, segment: Segment, condition: Condition, reference: Reference): void {
  const object: FilterObject = FILTER_OBJECTS[condition.object];
  const wanted = wantedIndices(segment, condition, reference);
  const kept = condition.action === 'Include' ? 1 : 0;
  if (object.attribute !== undefined) {
    const column = segment.attribute(object.attribute);
    for (let row = 0; row < rows.length; row += 1) if (wanted[column[row]!] !== kept) rows[row] = 0;
  }
  if (object.list !== undefined) {
    const { offsets, members } = segment.list(object.list);
    const column = members();
    for (let row = 0; row < rows.length; row += 1) {
      let found = 0;
      for (let entry = offsets[row]!; entry < offsets[row + 1]!; entry += 1) found |= wanted[column[entry]!]!;
      if (found !== kept) rows[row] = 0;
    }
  }
}

/** By index of the condition's dictionary 1 where the member is what the condition asks for. */
function wantedIndices(segment: Segment, condition: Condition, reference: Reference): Uint8Array {
  const object: FilterObject = FILTER_OBJECTS[condition.object];
  if (object.list === 'customValues') {
    return indices(segment.customValues(), (value) => customMatches(condition, reference, value));
  }
  const dictionary = object.list ?? (object.attribute && ATTRIBUTES[object.attribute]);
  return indices(dictionary ? segment.dictionary(dictionary) : [], (member) =>
    memberMatches(condition, member, () => memberName(reference, condition.object, member)),
  );
}

const indices = <T>(members: readonly T[], matches: (member: T) => boolean): Uint8Array =>
  Uint8Array.of(0, ...members.map((member) => (matches(member) ? 1 : 0)));
