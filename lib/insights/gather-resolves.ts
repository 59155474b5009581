import type { Hits } from './hits.ts';
import type { Tally } from './tally.ts';
import type { View } from './view.ts';

/**
 * Adds resolves. In each cell a case counts once, by its last resolve there (insights.md rule 14); so the facts of a case
 * are walked from the end, and the first one met decides.
 */
export function gatherResolves(view: View, tally: Tally): void {
  const hits = view.locate('resolve');
  const { cells, count } = hits;
  const resolves = tally.sums('resolves');
  if (resolves) for (let k = 0; k < count; k += 1) resolves[cells[k]!]! += 1;
  if (!OF_LAST_RESOLVE.some((measure) => tally.wants(measure))) return;
  const deciding = decidingHits(view, hits, tally.lastCase('resolved'));
  const cases = tally.sums('resolvedCases');
  if (cases) for (const k of deciding.hits) cases[cells[k]!]! += 1;
  addReplies(view, hits, deciding, tally);
  addResolutions(view, hits, deciding, tally);
  addWithMacro(view, hits, deciding, tally);
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

/** The hits that decide how a case counts in a cell, beside the rows they are of. */
interface Deciding {
  readonly hits: Int32Array;
  readonly rows: Int32Array;
}

function decidingHits({ caseNumber, selected }: View, { offsets, cells, count }: Hits, last: Int32Array): Deciding {
  const hits = new Int32Array(count);
  const rows = new Int32Array(count);
  let found = 0;
  for (let row = 0; row < selected.length; row += 1) {
    const start = offsets[row]!;
    for (let k = offsets[row + 1]! - 1; k >= start; k -= 1) {
      const cell = cells[k]!;
      if (last[cell] === caseNumber + row) continue;
      last[cell] = caseNumber + row;
      hits[found] = k;
      rows[found] = row;
      found += 1;
    }
  }
  return { hits: hits.subarray(0, found), rows: rows.subarray(0, found) };
}

/** A resolve's value is 2 × replies before it + 1 if the 14 days after it were quiet. */
function addReplies(view: View, { cells, items }: Hits, { hits }: Deciding, tally: Tally): void {
  const replies = tally.sums('repliesToResolve');
  const firstContacts = tally.sums('firstContacts');
  const unanswered = tally.sums('unanswered');
  if (replies === undefined && firstContacts === undefined && unanswered === undefined) return;
  const values = view.segment.facts('resolve').values();
  for (const k of hits) {
    const value = values[items[k]!]!;
    const cell = cells[k]!;
    if (replies) replies[cell]! += Math.floor(value / 2);
    if (firstContacts && value === 3) firstContacts[cell]! += 1;
    if (unanswered && value < 2) unanswered[cell]! += 1;
  }
}

function addResolutions(view: View, { cells, items }: Hits, { hits, rows }: Deciding, tally: Tally): void {
  const counts = tally.sums('resolutions');
  const sums = tally.sums('resolutionSeconds');
  if (counts === undefined && sums === undefined) return;
  const created = view.segment.facts('created');
  const creations = created.offsets();
  const createdAt = created.seconds();
  const resolvedAt = view.segment.facts('resolve').seconds();
  for (let at = 0; at < hits.length; at += 1) {
    const row = rows[at]!;
    const creation = creations[row]!;
    if (creations[row + 1] === creation) continue;
    const cell = cells[hits[at]!]!;
    const took = resolvedAt[items[hits[at]!]!]! - createdAt[creation]!;
    if (counts) counts[cell]! += 1;
    if (sums && took > 0) sums[cell]! += took;
  }
}

function addWithMacro(view: View, { cells, items, entries }: Hits, { hits, rows }: Deciding, tally: Tally): void {
  const sums = tally.sums('withMacro');
  if (sums === undefined) return;
  const first = firstResolveWithMacro(view);
  const offsets = view.segment.facts('resolve').offsets();
  for (let at = 0; at < hits.length; at += 1) {
    const k = hits[at]!;
    const row = rows[at]!;
    if (items[k]! - offsets[row]! >= first(row, entries[k]!)) sums[cells[k]!]! += 1;
  }
}

/** Which resolve of a case is the first to have the macro of the entry before it; where macro is no dimension, any. */
function firstResolveWithMacro(view: View): (row: number, entry: number) => number {
  const resolves = view.segment.macroResolves();
  if (view.byMacro) return (_, entry) => resolves[entry]!;
  const { offsets } = view.segment.list('macros');
  return (row) => {
    let first = Number.POSITIVE_INFINITY;
    for (let entry = offsets[row]!; entry < offsets[row + 1]!; entry += 1) first = Math.min(first, resolves[entry]!);
    return first;
  };
}
