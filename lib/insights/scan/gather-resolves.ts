import type { Segment } from '../../history/segments/segment.ts';
import { identity } from './constant.ts';
import { countLocated } from './count.ts';
import { creationsOf } from './creations.ts';
import { decidingHits } from './deciding.ts';
import type { Hits } from './hits.ts';
import { withTotals } from './in-total.ts';
import { addSample, roomForSamples } from './samples.ts';
import type { Tally } from './tally.ts';
import { locateFacts, locateLast, type View } from './view.ts';

/**
 * Adds resolves. In each cell a case counts once, by its last resolve there (docs/rules.md 14). So the facts of a case
 * are walked from the end, and the first one met decides.
 */
export function gatherResolves(view: View, tally: Tally): void {
  const located = locateFacts(view, 'resolve');
  countLocated(located, tally.sums('resolves'));
  if (!OF_LAST_RESOLVE.some((measure) => tally.wants(measure))) return;
  const { hits, whole } = located;
  for (const each of withTotals(view, hits)) {
    if (each.count > 0) addLast(view, each, decidingHits(view, each, tally.lastCase('resolved')), tally);
  }
  if (whole === undefined) return;
  const last = locateLast(view, 'resolve', whole);
  for (const each of withTotals(view, last)) addLast(view, each, identity(each.count), tally);
}

/** Adds the measures of the resolves that decide. */
function addLast(view: View, hits: Hits, deciding: Int32Array, tally: Tally): void {
  const { cells } = hits;
  const cases = tally.sums('resolvedCases');
  if (cases) for (let at = 0; at < deciding.length; at += 1) cases[cells[deciding[at]!]!]! += 1;
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

/** A resolve's value is 2 × replies before it + 1 if the 14 days after it were quiet. */
function addReplies(view: View, { cells, items }: Hits, deciding: Int32Array, tally: Tally): void {
  const replies = tally.sums('repliesToResolve');
  const firstContacts = tally.sums('firstContacts');
  const unanswered = tally.sums('unanswered');
  if (replies === undefined && firstContacts === undefined && unanswered === undefined) return;
  const values = view.segment.facts('resolve').values();
  for (let at = 0; at < deciding.length; at += 1) {
    const k = deciding[at]!;
    const value = values[items[k]!]!;
    const cell = cells[k]!;
    if (replies) replies[cell]! += value >> 1;
    if (firstContacts) firstContacts[cell]! += value === 3 ? 1 : 0;
    if (unanswered) unanswered[cell]! += value < 2 ? 1 : 0;
  }
}

function addResolutions(view: View, { cells, items, rows }: Hits, deciding: Int32Array, tally: Tally): void {
  const counts = tally.sums('resolutions');
  const sums = tally.sums('resolutionSeconds');
  const { elapsed } = view;
  const samples = tally.samples('time_to_resolution');
  if (counts === undefined && sums === undefined) return;
  if (samples !== undefined) roomForSamples(samples, deciding.length);
  const createdAt = view.segment.kept(creationsOf);
  const resolvedAt = view.segment.facts('resolve').seconds();
  for (let at = 0; at < deciding.length; at += 1) {
    const k = deciding[at]!;
    const row = rows[items[k]!]!;
    const created = createdAt[row]!;
    if (created < 0) continue;
    const cell = cells[k]!;
    if (counts) counts[cell]! += 1;
    const resolved = resolvedAt[items[k]!]!;
    const seconds = elapsed === undefined ? Math.max(0, resolved - created) : elapsed(row, created, resolved);
    if (sums) sums[cell]! += seconds;
    if (samples) addSample(samples, cell, seconds);
  }
}

function addWithMacro(view: View, { cells, items, rows, entries }: Hits, deciding: Int32Array, tally: Tally): void {
  const sums = tally.sums('withMacro');
  if (sums === undefined) return;
  const noted = view.context.noted !== null;
  const firsts = noted ? view.segment.macroResolves() : view.segment.kept(firstsWithMacro);
  const offsets = view.segment.facts('resolve').offsets();
  for (let at = 0; at < deciding.length; at += 1) {
    const k = deciding[at]!;
    const row = rows[items[k]!]!;
    sums[cells[k]!]! += items[k]! - offsets[row]! >= firsts[noted ? entries[k]! : row]! ? 1 : 0;
  }
}

const NEVER = 2 ** 31 - 1;

/** By row, the index among the case's resolves of the first one with a macro before it. */
export function firstsWithMacro(segment: Segment): Int32Array {
  const { rows, count } = segment.list('macros');
  const resolves = segment.macroResolves();
  const rowOf = rows();
  const firsts = new Int32Array(segment.head.rows).fill(NEVER);
  for (let entry = 0; entry < count; entry += 1) {
    const row = rowOf[entry]!;
    firsts[row] = Math.min(firsts[row]!, resolves[entry]!);
  }
  return firsts;
}
