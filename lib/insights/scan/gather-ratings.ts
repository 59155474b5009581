import { identity } from './constant.ts';
import { decidingHits } from './deciding.ts';
import type { Hits } from './hits.ts';
import { withTotals } from './in-total.ts';
import type { Tally } from './tally.ts';
import { locateFacts, locateLast, type View } from './view.ts';

/** The lowest positive score, by the site's rating scale. */
export const POSITIVE = { yes_no: 1, four_star: 3 } as const;

/** Adds ratings. In each cell a case counts once, by its last rating there. */
export function gatherRatings(view: View, tally: Tally): void {
  const { hits, whole } = locateFacts(view, 'rating');
  // Resolves use the same array with marks above 0, so ratings use marks below 0.
  for (const each of withTotals(view, hits)) {
    if (each.count > 0) addRatings(view, each, decidingHits(view, each, tally.lastCase('resolved'), -1), tally);
  }
  if (whole === undefined) return;
  const last = locateLast(view, 'rating', whole);
  for (const each of withTotals(view, last)) addRatings(view, each, identity(each.count), tally);
}

function addRatings(view: View, { cells, items }: Hits, deciding: Int32Array, tally: Tally): void {
  const scores = view.segment.facts('rating').values();
  const positive = POSITIVE[view.context.reference.rating];
  const [counts, sums, positives] = [tally.sums('ratedCases'), tally.sums('scores'), tally.sums('positiveRatings')];
  for (let at = 0; at < deciding.length; at += 1) {
    const k = deciding[at]!;
    const cell = cells[k]!;
    const score = scores[items[k]!]!;
    if (counts) counts[cell]! += 1;
    if (sums) sums[cell]! += score;
    if (positives) positives[cell]! += score >= positive ? 1 : 0;
  }
}
