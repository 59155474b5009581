import type { CaseRow } from '../../../lib/history/cases/case-row.ts';
import type { Segment } from '../../../lib/history/segments/segment.ts';
import { rowReader } from '../../../lib/history/segments/segment-rows.ts';

/** Reads all rows of a segment, in its order. */
export function segmentRows(segment: Segment): CaseRow[] {
  const read = rowReader(segment);
  return segment.keys().map((_, row) => read(row));
}
