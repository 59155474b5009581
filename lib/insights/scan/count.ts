import type { Hits } from './hits.ts';
import type { Located } from './view.ts';
import { countWhole } from './whole.ts';

/** Adds the number of located facts to the sums of their cells, if there are sums. */
export function countLocated({ facts, hits, whole }: Located, sums: Float64Array | undefined): void {
  countHits(hits, sums);
  if (whole !== undefined && sums !== undefined) countWhole(whole, facts, sums);
}

/** Adds 1 for each hit to the sum of its cell, if there are sums. */
export function countHits({ cells, count }: Hits, sums: Float64Array | undefined): void {
  if (sums === undefined) return;
  for (let k = 0; k < count; k += 1) sums[cells[k]!]! += 1;
}
