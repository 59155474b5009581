import { type FactKind, OPENINGS } from '../../history/cases/case-row.ts';
import type { Segment } from '../../history/segments/segment.ts';
import type { Measure } from '../measures.ts';
import { creationsOf, openingsOf } from '../scan/creations.ts';
import { decidingHits } from '../scan/deciding.ts';
import { openIntervals, waitBegins } from '../scan/derived.ts';
import { firstRepliesOf } from '../scan/gather.ts';
import { POSITIVE } from '../scan/gather-ratings.ts';
import { firstsWithMacro } from '../scan/gather-resolves.ts';
import type { Hits } from '../scan/hits.ts';
import { judgePromises, KEPT_BY } from '../scan/verdicts.ts';
import { locateFacts, locateHandled, locateMoments, locateRows, locateSome, type View } from '../scan/view.ts';
import type { SlaMetric } from '../sla-policies.ts';

/**
 * Receives a unit of a measure: its row, its second since the segment's start, what it adds, and the index of its fact
 * (of the last one, if it has several) in the table of the fact's kind; −1 for a unit without a fact.
 */
export type Take = (row: number, second: number, value: number, fact: number) => void;

/** Passes the units of a measure in a segment to `take`, one by one. */
export type Units = (view: View, take: Take) => void;

/**
 * Finds the units of each measure in a cell. Units that add nothing are included, because they are in the denominators
 * of rates and means. The facts come from the same views as in reports, so the units add up to the cell. Time online
 * has no cases.
 */
export const UNITS: Readonly<Record<Exclude<Measure, 'onlineSeconds'>, Units>> = {
  creates: facts('created'),
  inboundCases: (view, take) => openings(view, OPENINGS.inbound, take),
  outboundCases: (view, take) => openings(view, OPENINGS.outbound, take),
  inbound: facts('inbound'),
  outbound: facts('outbound'),
  interactingCases, // a case adds the number of its messages
  responses: ones(responses),
  responseSeconds: responses,
  handledSeconds: handled,
  handledCases: ones(handled),
  resolves: facts('resolve'),
  resolvedCases: (view, take) => lastResolves(view, take, () => 1),
  resolutions: ones(resolutions),
  resolutionSeconds: resolutions,
  repliesToResolve: (view, take) => lastResolves(view, take, ({ value }) => value >> 1),
  firstContacts: (view, take) => lastResolves(view, take, ({ value }) => (value === 3 ? 1 : 0)),
  unanswered: (view, take) => lastResolves(view, take, ({ value }) => (value < 2 ? 1 : 0)),
  withMacro,
  reopens: facts('reopen'),
  views: facts('view'),
  macros: facts('macro'),
  labels: facts('label'),
  deletes: facts('delete'),
  repliesToWaits: ones(waits),
  waitSeconds: waits,
  ratedCases: (view, take) => ratings(view, take, () => 1),
  scores: (view, take) => ratings(view, take, (score) => score),
  positiveRatings: (view, take) => {
    const positive = POSITIVE[view.context.reference.rating];
    ratings(view, take, (score) => (score >= positive ? 1 : 0));
  },
  openCases,
  responsesInTime: (view, take) => kept(view, 'first_response', take),
  responsesTooLate: (view, take) => broken(view, 'first_response', take),
  repliesInTime: (view, take) => kept(view, 'reply', take),
  repliesTooLate: (view, take) => broken(view, 'reply', take),
  resolutionsInTime: (view, take) => kept(view, 'resolution', take),
  resolutionsTooLate: (view, take) => broken(view, 'resolution', take),
};

/** The same units, each of which adds 1. */
function ones(units: Units): Units {
  return (view, take) => units(view, (row, second, _, fact) => take(row, second, 1, fact));
}

function kept(view: View, metric: SlaMetric, take: Take): void {
  const { met } = judgePromises(view, metric);
  const { hits, facts } = locateFacts(view, KEPT_BY[metric]);
  const seconds = facts.seconds();
  eachHit(hits, (row, fact) => {
    if (met[fact] === 1) take(row, seconds[fact]!, 1, fact);
  });
}

function broken(view: View, metric: SlaMetric, take: Take): void {
  const { missed } = judgePromises(view, metric);
  eachHit(locateMoments(view, missed), (row, at) => take(row, missed.seconds[at]!, 1, -1));
}

function facts(kind: FactKind): Units {
  return (view, take) => {
    const { hits, facts } = locateFacts(view, kind);
    const seconds = facts.seconds();
    eachHit(hits, (row, fact) => take(row, seconds[fact]!, 1, fact));
  };
}

function eachHit({ items, rows, count }: Hits, visit: (row: number, item: number) => void): void {
  for (let k = 0; k < count; k += 1) visit(rows[items[k]!]!, items[k]!);
}

function openings(view: View, wanted: number, take: Take): void {
  const opened = view.segment.kept(openingsOf);
  facts('created')(view, (row, second, _, fact) => take(row, second, opened[row] === wanted ? 1 : 0, fact));
}

function responses(view: View, take: Take): void {
  const { segment } = view;
  const createdAt = segment.kept(creationsOf);
  const repliedAt = segment.facts('outbound').seconds();
  for (const hits of locateSome(view, 'outbound', segment.kept(firstRepliesOf))) {
    eachHit(hits, (row, reply) =>
      take(row, repliedAt[reply]!, secondsBetween(view, row, createdAt[row]!, repliedAt[reply]!), reply),
    );
  }
}

function waits(view: View, take: Take): void {
  const begins = view.segment.kept(waitBegins);
  const { hits, facts: replies } = locateFacts(view, 'outbound');
  const seconds = replies.seconds();
  eachHit(hits, (row, reply) => {
    const [begin, second] = [begins[reply]!, seconds[reply]!];
    if (begin >= 0) take(row, second, secondsBetween(view, row, begin, second), reply);
  });
}

/** Merges the units of each case into one: the sum of what they add, at the last of them. */
function byCase(view: View, units: Units, take: Take): void {
  const { rows } = view.segment.head;
  const sums = new Float64Array(rows);
  const seconds = new Float64Array(rows);
  const facts = new Int32Array(rows);
  units(view, (row, second, value, fact) => {
    sums[row]! += value;
    if (second < seconds[row]!) return;
    seconds[row] = second;
    facts[row] = fact;
  });
  for (let row = 0; row < rows; row += 1) if (sums[row]! > 0) take(row, seconds[row]!, sums[row]!, facts[row]!);
}

function interactingCases(view: View, take: Take): void {
  const messages: Units = (_, count) => {
    facts('inbound')(view, count);
    facts('outbound')(view, count);
  };
  byCase(view, messages, take);
}

/** The seconds that each case was handled, at the start of the last piece. */
function handled(view: View, take: Take): void {
  byCase(view, handledPieces, take);
}

function handledPieces(view: View, take: Take): void {
  const { segment, context } = view;
  const starts = segment.facts('handle').seconds();
  const from = context.lookup.range.min - segment.head.start;
  for (const { hits, intervals, seconds: lengths } of locateHandled(view)) {
    const begins = beginsOf(intervals, lengths, (interval) => Math.max(starts[interval]!, from));
    eachHit(hits, (row, piece) => take(row, begins[piece]!, lengths[piece]!, intervals[piece]!));
  }
}

/** The start of each piece: the pieces of an interval follow one another without gaps. */
function beginsOf(intervals: Int32Array, lengths: Float64Array, startOf: (interval: number) => number): Float64Array {
  const begins = new Float64Array(lengths.length);
  for (let piece = 0; piece < lengths.length; piece += 1) {
    const follows = piece > 0 && intervals[piece] === intervals[piece - 1];
    begins[piece] = follows ? begins[piece - 1]! + lengths[piece - 1]! : startOf(intervals[piece]!);
  }
  return begins;
}

/** A resolve that decides how its case counts. */
interface Decided {
  readonly value: number; // of the fact: 2 × replies before it + 1 if the 14 days after it were quiet
  readonly row: number;
  readonly fact: number;
  readonly entry: number; // index in the list of macros, if a dimension is macros
}

/** Takes the last resolve of each case in the cell. */
function lastResolves(view: View, take: Take, adds: (decided: Decided) => number): void {
  const { hits, facts: resolves } = locateFacts(view, 'resolve');
  const [seconds, values] = [resolves.seconds(), resolves.values()];
  for (const k of decidingHits(view, hits, new Int32Array(view.context.cells.size + 1))) {
    const fact = hits.items[k]!;
    const row = hits.rows[fact]!;
    take(row, seconds[fact]!, adds({ value: values[fact]!, row, fact, entry: hits.entries[k]! }), fact);
  }
}

function resolutions(view: View, take: Take): void {
  const createdAt = view.segment.kept(creationsOf);
  const measured: Take = (row, second, _, fact) => {
    if (createdAt[row]! >= 0) take(row, second, secondsBetween(view, row, createdAt[row]!, second), fact);
  };
  lastResolves(view, measured, () => 1);
}

function withMacro(view: View, take: Take): void {
  const { segment, context } = view;
  const isNoted = context.noted !== null;
  const firsts: ArrayLike<number> = isNoted ? segment.macroResolves() : segment.kept(firstsWithMacro);
  const offsets = segment.facts('resolve').offsets();
  lastResolves(view, take, ({ row, fact, entry }) => (fact - offsets[row]! >= firsts[isNoted ? entry : row]! ? 1 : 0));
}

/** Takes the last rating of each case in the cell. */
function ratings(view: View, take: Take, adds: (score: number) => number): void {
  const { hits, facts: rated } = locateFacts(view, 'rating');
  const [seconds, scores] = [rated.seconds(), rated.values()];
  for (const k of decidingHits(view, hits, new Int32Array(view.context.cells.size + 1))) {
    const fact = hits.items[k]!;
    take(hits.rows[fact]!, seconds[fact]!, adds(scores[fact]!), fact);
  }
}

/** Takes the cases that are open at the end of the window, at that instant. */
function openCases(view: View, take: Take): void {
  const { segment, selected, context } = view;
  const [instant] = context.instants;
  if (instant === undefined) return;
  const at = instant - segment.head.start;
  const open = rowsOpenAt(segment, at).filter((row) => selected.rows[row] === 1);
  const hits = locateRows(view, open, new Int32Array(open.length));
  eachHit(hits, (row) => take(row, at, 1, -1));
}

function rowsOpenAt(segment: Segment, second: number): Int32Array {
  const { rows, from, to } = segment.kept(openIntervals);
  return rows.filter((_, at) => from[at]! < second && (to[at]! < 0 || second <= to[at]!));
}

/** The seconds in [from, to), in working time if the report asks for it; 0 if `to` lies before `from`. */
const secondsBetween = (view: View, row: number, from: number, to: number): number =>
  view.elapsed === undefined ? Math.max(0, to - from) : view.elapsed(row, from, to);
