import { totalCell } from './cells.ts';
import type { Hits } from './hits.ts';
import type { View } from './view.ts';

/**
 * Returns the hits, and in a report with totals the same hits again in the cells for the total of all windows, where a
 * case also counts once. Makes room in the tally.
 */
export function withTotals({ context: { cells, room } }: View, hits: Hits): readonly Hits[] {
  if (!cells.total) return [hits];
  const totals = new Int32Array(hits.count);
  for (let k = 0; k < totals.length; k += 1) totals[k] = totalCell(cells, hits.cells[k]!);
  room(cells.size);
  return [hits, { ...hits, cells: totals }];
}
