import type { Hits } from './hits.ts';
import type { Tally } from './tally.ts';
import type { View } from './view.ts';

/**
 * Adds resolves. In each cell a case counts once, by its last resolve there (insights.md rule 14); so facts are walked
 * from the end, and the first one met decides.
 */
export function gatherResolves(view: View, tally: Tally): void {
  const hits = view.locate('resolve');
  const { cells, rows, count } = hits;
  const resolves = tally.sums('resolves');
  if (resolves) for (let k = 0; k < count; k += 1) resolves[cells[k]!]! += 1;
  const deciding = decidingHits(view, hits, tally);
  if (deciding.length === 0) return;
  const cases = tally.sums('resolvedCases');
  if (cases) for (const k of deciding) cases[cells[k]!]! += 1;
  addReplies(view, hits, deciding, tally);
  addResolutions(view, hits, deciding, tally);
  const withMacro = tally.sums('withMacro');
  if (withMacro) {
    const firstResolve = firstResolveWithMacro(view, hits);
    const offsets = view.segment.facts('resolve').offsets();
    for (const k of deciding) {
      if (hits.facts[k]! - offsets[rows[k]!]! >= firstResolve(k)) withMacro[cells[k]!]! += 1;
    }
  }
}

const OF_LAST_RESOLVE = [
  'resolvedCases',
  'resolutions',
  'resolutionSeconds',
  'repliesToResolve',
  'firstContacts',
  'unanswered',
  'withMacro',
] as const;

function decidingHits(view: View, { cells, rows, count }: Hits, tally: Tally): Int32Array {
  if (!OF_LAST_RESOLVE.some((measure) => tally.wants(measure))) return new Int32Array(0);
  const last = tally.lastCase('resolved');
  const deciding = new Int32Array(count);
  let found = 0;
  for (let k = count - 1; k >= 0; k -= 1) {
    const cell = cells[k]!;
    const number = view.caseNumber + rows[k]!;
    if (last[cell] === number) continue;
    last[cell] = number;
    deciding[found] = k;
    found += 1;
  }
  return deciding.subarray(0, found);
}

/** A resolve's value is 2 × replies before it + 1 if the 14 days after it were quiet. */
function addReplies(view: View, { cells, facts }: Hits, deciding: Int32Array, tally: Tally): void {
  const replies = tally.sums('repliesToResolve');
  const firstContacts = tally.sums('firstContacts');
  const unanswered = tally.sums('unanswered');
  if (replies === undefined && firstContacts === undefined && unanswered === undefined) return;
  const values = view.segment.facts('resolve').values();
  for (const k of deciding) {
    const value = values[facts[k]!]!;
    const cell = cells[k]!;
    if (replies) replies[cell]! += Math.floor(value / 2);
    if (firstContacts && value === 3) firstContacts[cell]! += 1;
    if (unanswered && value < 2) unanswered[cell]! += 1;
  }
}

function addResolutions(view: View, { cells, facts, rows }: Hits, deciding: Int32Array, tally: Tally): void {
  const counts = tally.sums('resolutions');
  const sums = tally.sums('resolutionSeconds');
  if (counts === undefined && sums === undefined) return;
  const created = view.segment.facts('created');
  const creations = created.offsets();
  const createdAt = created.seconds();
  const resolvedAt = view.segment.facts('resolve').seconds();
  for (const k of deciding) {
    const row = rows[k]!;
    const creation = creations[row]!;
    if (creations[row + 1] === creation) continue;
    const cell = cells[k]!;
    const took = resolvedAt[facts[k]!]! - createdAt[creation]!;
    if (counts) counts[cell]! += 1;
    if (sums && took > 0) sums[cell]! += took;
  }
}

/** Which resolve of a hit's case is the first to have the macro of the hit's cell before it; else any macro. */
function firstResolveWithMacro(view: View, { entries, rows }: Hits): (hit: number) => number {
  const resolves = view.segment.macroResolves();
  if (view.byMacro) return (k) => resolves[entries[k]!]!;
  const { offsets } = view.segment.list('macros');
  return (k) => {
    let first = Number.POSITIVE_INFINITY;
    for (let entry = offsets[rows[k]!]!; entry < offsets[rows[k]! + 1]!; entry += 1) {
      first = Math.min(first, resolves[entry]!);
    }
    return first;
  };
}
