import { totalCell } from './cells.ts';
import type { Hits } from './hits.ts';
import type { View } from './view.ts';

/**
 * Hits in their windows, and in a report with totals the same ones in all windows together: there too a case is counted once,
 * by its last resolve or rating of all. Room is made in the tally.
 */
export function withTotals({ context: { cells, room } }: View, hits: Hits): readonly Hits[] {
  if (!cells.total) return [hits];
  const totals = new Int32Array(hits.count);
  for (let k = 0; k < totals.length; k += 1) totals[k] = totalCell(cells, hits.cells[k]!);
  room(cells.size);
  return [hits, { ...hits, cells: totals }];
}
