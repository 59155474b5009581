import { type FactKind, OPENINGS } from '../../history/cases/case-row.ts';
import type { Column } from '../../history/columns/byte-planes.ts';
import type { Segment } from '../../history/segments/segment.ts';
import { type Measure, PROMISES } from '../measures.ts';
import { SLA_METRICS } from '../sla-policies.ts';
import { countHits, countLocated } from './count.ts';
import { creationsOf, openingsOf } from './creations.ts';
import { gatherOpen } from './gather-open.ts';
import { gatherPromises } from './gather-promises.ts';
import { gatherRatings } from './gather-ratings.ts';
import { gatherReplies } from './gather-replies.ts';
import { gatherResolves } from './gather-resolves.ts';
import type { Hits } from './hits.ts';
import { withTotals } from './in-total.ts';
import { addSample, addToCase, roomForSamples, type Samples } from './samples.ts';
import type { CaseMarks, Tally } from './tally.ts';
import { countAlike, locateFacts, locateHandled, locateSome, type View } from './view.ts';
import { countWithEither } from './whole.ts';

/** Adds facts of a segment to the measures that count them. */
export interface Gatherer {
  readonly measures: readonly Measure[]; // it runs when one of them is wanted
  gather(view: View, tally: Tally): void;
}

/** The gatherers of all measures of cases. */
export const GATHERERS: readonly Gatherer[] = [
  { measures: ['creates', 'inboundCases', 'outboundCases'], gather: gatherCreated },
  { measures: ['inbound', 'outbound', 'interactingCases'], gather: gatherInteractions },
  { measures: ['responses', 'responseSeconds'], gather: gatherResponses },
  { measures: ['handledSeconds', 'handledCases'], gather: gatherHandled },
  {
    measures: [
      'resolves',
      'resolvedCases',
      'resolutions',
      'resolutionSeconds',
      'repliesToResolve',
      'firstContacts',
      'unanswered',
      'withMacro',
    ],
    gather: gatherResolves,
  },
  { measures: ['repliesToWaits', 'waitSeconds'], gather: gatherReplies },
  { measures: ['ratedCases', 'scores', 'positiveRatings'], gather: gatherRatings },
  { measures: ['openCases'], gather: gatherOpen },
  ...SLA_METRICS.map((metric) => ({
    measures: Object.values(PROMISES[metric]),
    gather: (view: View, tally: Tally) => gatherPromises(metric, view, tally),
  })),
  counter('reopens', 'reopen'),
  counter('views', 'view'),
  counter('macros', 'macro'),
  counter('labels', 'label'),
  counter('deletes', 'delete'),
];

function counter(measure: Measure, kind: FactKind): Gatherer {
  return { measures: [measure], gather: (view, tally) => countFacts(view, kind, tally, measure) };
}

/** Counts the facts of a kind for a measure that is only their number. */
function countFacts(view: View, kind: FactKind, tally: Tally, measure: Measure): void {
  if (countAlike(view, kind, () => tally.sums(measure)!)) return;
  const located = locateFacts(view, kind, 0, false); // may replace the sums by larger ones, so read these after it
  countLocated(located, tally.sums(measure));
}

function gatherCreated(view: View, tally: Tally): void {
  if (!tally.wants('inboundCases') && !tally.wants('outboundCases')) {
    countFacts(view, 'created', tally, 'creates');
    return;
  }
  const located = locateFacts(view, 'created');
  countLocated(located, tally.sums('creates'));
  const { facts, hits, whole } = located;
  const [inbound, outbound] = [tally.sums('inboundCases'), tally.sums('outboundCases')];
  countOpenings(hits, facts.values(), inbound, outbound);
  if (whole !== undefined) countOpenings(whole, view.segment.kept(openingsOf), inbound, outbound);
}

/** What a case adds, by its opening: adding 0 is faster than a branch that the processor mispredicts. */
const BY_OPENING = { inbound: [0, 0, 0], outbound: [0, 0, 0] };
BY_OPENING.inbound[OPENINGS.inbound] = 1;
BY_OPENING.outbound[OPENINGS.outbound] = 1;

function countOpenings(
  { cells, items, count }: Hits,
  openings: Column,
  inboundSums: Float64Array | undefined,
  outboundSums: Float64Array | undefined,
): void {
  const { inbound, outbound } = BY_OPENING;
  for (let k = 0; k < count; k += 1) {
    const cell = cells[k]!;
    const opening = openings[items[k]!]!;
    if (inboundSums) inboundSums[cell]! += inbound[opening]!;
    if (outboundSums) outboundSums[cell]! += outbound[opening]!;
  }
}

function gatherInteractions(view: View, tally: Tally): void {
  if (!tally.wants('interactingCases')) {
    if (tally.wants('inbound')) countFacts(view, 'inbound', tally, 'inbound');
    if (tally.wants('outbound')) countFacts(view, 'outbound', tally, 'outbound');
    return;
  }
  const inbound = locateFacts(view, 'inbound', 0);
  const outbound = locateFacts(view, 'outbound', 1);
  countLocated(inbound, tally.sums('inbound'));
  countLocated(outbound, tally.sums('outbound'));
  const outbounds = withTotals(view, outbound.hits);
  for (const [index, hits] of withTotals(view, inbound.hits).entries()) {
    countInteracting(view, hits, outbounds[index]!, tally);
  }
  if (inbound.whole === undefined) return;
  for (const whole of withTotals(view, inbound.whole)) {
    countWithEither(whole, inbound.facts, outbound.facts, tally.sums('interactingCases')!);
  }
}

function countInteracting({ caseNumber }: View, inbound: Hits, outbound: Hits, tally: Tally): void {
  const into = { caseNumber, marks: tally.caseMarks(), sums: tally.sums('interactingCases')! };
  for (let round = 0; round < Math.max(inbound.rounds.length, outbound.rounds.length); round += 1) {
    countEither(roundOf(inbound, round), roundOf(outbound, round), into);
  }
}

/** The sums of a measure that counts each case once in a cell, with the marks of the cases counted so far. */
interface CaseCount {
  readonly caseNumber: number; // of the segment's first row
  readonly marks: CaseMarks;
  readonly sums: Float64Array; // by cell
}

type HitRange = readonly [Hits, first: number, end: number];

const roundOf = (hits: Hits, round: number): HitRange => [
  hits,
  hits.rounds[round - 1] ?? (round === 0 ? 0 : hits.count),
  hits.rounds[round] ?? hits.count,
];

/**
 * Counts the cases of two kinds of hits, each case once in a cell. It takes some rows of one kind, then the same rows
 * of the other: a merge row by row would have branches that the processor mispredicts.
 */
function countEither(one: HitRange, two: HitRange, into: CaseCount): void {
  const { rows } = into.marks;
  let [, a] = one;
  let [, b] = two;
  while (a < one[2] && b < two[2]) {
    const row = Math.min(rowAt(one, a), rowAt(two, b));
    const until = row - (row & (rows - 1)) + rows;
    a = countUntil(one, a, until, into);
    b = countUntil(two, b, until, into);
  }
  countUntil(one, a, EVERY_ROW, into);
  countUntil(two, b, EVERY_ROW, into);
}

const EVERY_ROW = 2 ** 31 - 1;

const rowAt = ([{ rows, items }]: HitRange, at: number): number => rows[items[at]!]!;

/**
 * Counts the cases of the hits from `from` on with rows below `until`, each case once in a cell. Returns the index of
 * the first hit that it does not count.
 */
function countUntil(
  [{ cells, items, rows }, , end]: HitRange,
  from: number,
  until: number,
  { caseNumber, marks, sums }: CaseCount,
): number {
  const { last, stride } = marks;
  const mask = marks.rows - 1;
  let at = from;
  for (; at < end; at += 1) {
    const row = rows[items[at]!]!;
    if (row >= until) break;
    const cell = cells[at]!;
    const mark = (row & mask) * stride + cell;
    const number = caseNumber + row;
    sums[cell]! += last[mark] === number ? 0 : 1;
    last[mark] = number;
  }
  return at;
}

/** Adds the first reply of each case that an inbound interaction opened. */
function gatherResponses(view: View, tally: Tally): void {
  const { segment, elapsed } = view;
  const createdAt = segment.kept(creationsOf);
  const repliedAt = segment.facts('outbound').seconds();
  for (const hits of locateSome(view, 'outbound', segment.kept(firstRepliesOf))) {
    countHits(hits, tally.sums('responses'));
    const sums = tally.sums('responseSeconds');
    const samples = tally.samples('time_to_first_response');
    if (sums === undefined && samples === undefined) continue;
    const { cells, items, rows, count } = hits;
    if (samples) roomForSamples(samples, count);
    for (let k = 0; k < count; k += 1) {
      const row = rows[items[k]!]!;
      const [created, replied] = [createdAt[row]!, repliedAt[items[k]!]!];
      const waited = elapsed === undefined ? Math.max(0, replied - created) : elapsed(row, created, replied);
      if (sums) sums[cells[k]!]! += waited;
      if (samples) addSample(samples, cells[k]!, waited);
    }
  }
}

/** By row, the first outbound fact of a case that an inbound interaction opened; below 0 for other cases. */
export function firstRepliesOf(segment: Segment): Int32Array {
  const openings = segment.kept(openingsOf);
  const outbounds = segment.facts('outbound').offsets();
  const replies = new Int32Array(openings.length);
  for (let row = 0; row < replies.length; row += 1) {
    const reply = outbounds[row]!;
    replies[row] = reply === outbounds[row + 1] || openings[row] !== OPENINGS.inbound ? -1 : reply;
  }
  return replies;
}

function gatherHandled(view: View, tally: Tally): void {
  for (const { hits, seconds, whole } of locateHandled(view)) {
    const { cells, items, count } = hits;
    const sums = tally.sums('handledSeconds');
    if (sums) for (let k = 0; k < count; k += 1) sums[cells[k]!]! += seconds[items[k]!]!;
    for (const each of withTotals(view, hits)) {
      const samples = tally.samples('handle_time');
      if (samples !== undefined) sampleHandled(view, each, seconds, samples);
      const cases = tally.sums('handledCases');
      const marks = { last: tally.lastCase('handled'), rows: 1, stride: 0 }; // one row, since rows come one after another
      if (whole) countHandled(each, seconds, cases);
      else if (cases) countUntil([each, 0, count], 0, EVERY_ROW, { caseNumber: view.caseNumber, marks, sums: cases });
    }
  }
}

/** Adds the handled seconds of each case in each cell as one value: the sum of its pieces there. */
function sampleHandled({ caseNumber }: View, hits: Hits, seconds: Float64Array, samples: Samples): void {
  const { cells, items, rows, count } = hits;
  roomForSamples(samples, count);
  for (let k = 0; k < count; k += 1) {
    const spent = seconds[items[k]!]!;
    if (spent === 0) continue;
    addToCase(samples, cells[k]!, caseNumber + rows[items[k]!]!, spent);
  }
}

/** Adds 1 for each hit with handled time to the sum of its cell, if there are sums. */
function countHandled({ cells, items, count }: Hits, seconds: Float64Array, sums: Float64Array | undefined): void {
  if (sums) for (let k = 0; k < count; k += 1) sums[cells[k]!]! += seconds[items[k]!]! > 0 ? 1 : 0;
}
