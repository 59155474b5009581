import type { Hits } from './hits.ts';
import type { View } from './view.ts';

/**
 * Returns the hits that decide how a case counts in a cell: its last one there, found by walking from the end. `last`
 * has, by cell, the mark of the case met last: its number times `sign`, so that two measures can share the array.
 */
export function decidingHits(
  { caseNumber }: View,
  { cells, items, rows, count }: Hits,
  last: Int32Array,
  sign: 1 | -1 = 1,
): Int32Array {
  const deciding = new Int32Array(count);
  let found = 0;
  for (let k = count - 1; k >= 0; k -= 1) {
    const cell = cells[k]!;
    const mark = sign * (caseNumber + rows[items[k]!]!);
    deciding[found] = k;
    found += last[cell] === mark ? 0 : 1;
    last[cell] = mark;
  }
  return deciding.subarray(0, found);
}
