import { PROMISES } from '../measures.ts';
import type { SlaMetric } from '../sla-policies.ts';
import { countHits } from './count.ts';
import type { Tally } from './tally.ts';
import { judgePromises, KEPT_BY } from './verdicts.ts';
import { locateFacts, locateMoments, type View } from './view.ts';

/** Adds kept promises at the fact that kept them, and broken ones at the first second that is too late. */
export function gatherPromises(metric: SlaMetric, view: View, tally: Tally): void {
  const measures = PROMISES[metric];
  const { met, missed } = judgePromises(view, metric);
  if (tally.wants(measures.met)) addMet(metric, view, met, tally);
  if (!tally.wants(measures.missed)) return;
  const hits = locateMoments(view, missed);
  countHits(hits, tally.sums(measures.missed));
}

function addMet(metric: SlaMetric, view: View, met: Uint8Array, tally: Tally): void {
  const { facts, hits, whole } = locateFacts(view, KEPT_BY[metric], 0, false);
  const sums = tally.sums(PROMISES[metric].met)!;
  const { cells, items, count } = hits;
  for (let k = 0; k < count; k += 1) sums[cells[k]!]! += met[items[k]!]!;
  if (whole === undefined) return;
  const offsets = facts.offsets();
  for (let k = 0; k < whole.count; k += 1) {
    const row = whole.items[k]!;
    for (let fact = offsets[row]!; fact < offsets[row + 1]!; fact += 1) sums[whole.cells[k]!]! += met[fact]!;
  }
}
