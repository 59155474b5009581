import type { Column } from '../history/byte-planes.ts';
import type { Segment } from '../history/segment.ts';
import { secondsColumn } from '../history/segment-times.ts';

/** By row the second of its case's creation, since the segment's start; below 0 where there is none. */
export function creationsOf(segment: Segment): Column {
  const { rows, start, end } = segment.head;
  const created = segment.facts('created');
  const offsets = created.offsets();
  const seconds = created.seconds();
  const byRow = secondsColumn(end - start, rows);
  for (let row = 0; row < rows; row += 1) {
    const creation = offsets[row]!;
    byRow[row] = creation === offsets[row + 1] ? -1 : seconds[creation]!;
  }
  return byRow;
}
