import { OPENINGS } from '../../history/cases/case-row.ts';
import type { Column } from '../../history/segments/byte-planes.ts';
import type { FactTable, Segment } from '../../history/segments/segment.ts';
import { secondsColumn } from '../../history/segments/segment-times.ts';

/** By row, the second of the case's creation since the segment's start; below 0 if it has none. */
export function creationsOf(segment: Segment): Column {
  const { rows, start, end } = segment.head;
  const created = segment.facts('created');
  return takeFirst(created, created.seconds(), -1, secondsColumn(end - start, rows));
}

/** By row, how the case was opened (`OPENINGS`). */
export function openingsOf(segment: Segment): Uint8Array {
  const created = segment.facts('created');
  return takeFirst(created, created.values(), OPENINGS.none, new Uint8Array(segment.head.rows));
}

/** Sets each row to the value of its first fact, or to `none`. */
function takeFirst<Into extends Column>(facts: FactTable, values: Column, none: number, byRow: Into): Into {
  const offsets = facts.offsets();
  for (let row = 0; row < byRow.length; row += 1) {
    const first = offsets[row]!;
    byRow[row] = first === offsets[row + 1] ? none : values[first]!;
  }
  return byRow;
}

/** By row, the first outbound fact of a case that an inbound interaction opened; below 0 for other cases. */
export function firstRepliesOf(segment: Segment): Int32Array {
  const openings = segment.kept(openingsOf);
  const outbounds = segment.facts('outbound').offsets();
  const replies = new Int32Array(openings.length);
  for (let row = 0; row < replies.length; row += 1) {
    const reply = outbounds[row]!;
    replies[row] = reply === outbounds[row + 1] || openings[row] !== OPENINGS.inbound ? -1 : reply;
  }
  return replies;
}
