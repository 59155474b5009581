import type { Hits } from './hits.ts';
import type { View } from './view.ts';

/**
 * The hits that decide how their case counts in their cell: its last one there. So hits are walked from the end. `last` has by
 * cell the mark of the case that came last, which is its number times `sign`.
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
