import type { FactKind } from '../history/case-row.ts';
import type { Hits } from './hits.ts';
import type { Measure } from './measures.ts';
import type { Tally } from './tally.ts';
import type { Located, View } from './view.ts';
import { countWhole } from './whole.ts';

/** Adds the number of facts of a kind to a measure, if it is wanted. */
export function countLocated(view: View, kind: FactKind, located: Located, tally: Tally, measure: Measure): void {
  const sums = tally.sums(measure);
  countHits(located.hits, sums);
  if (located.whole !== undefined && sums !== undefined) countWhole(located.whole, view.segment.facts(kind), sums);
}

/** Adds 1 for each hit to sums by cell, if these are wanted. */
export function countHits({ cells, count }: Hits, sums: Float64Array | undefined): void {
  if (sums === undefined) return;
  for (let k = 0; k < count; k += 1) sums[cells[k]!]! += 1;
}
