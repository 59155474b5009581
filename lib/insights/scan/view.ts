import type { FactKind } from '../../history/cases/case-row.ts';
import type { SecondSpan } from '../../history/segments/agent-facts.ts';
import type { Segment } from '../../history/segments/segment.ts';
import { memoize } from '../../memo.ts';
import type { Elapsed, Facts, LocatedFacts, MeasuredSegment, OneOfCase } from '../definitions/measure.ts';
import { judgePromises, type Moments } from '../definitions/verdicts.ts';
import type { SlaMetric } from '../promises/sla-policies.ts';
import { identity } from './arrays.ts';
import { type Axes, type Axis, type AxisContext, axesOf } from './axis.ts';
import { growPairTable } from './cells.ts';
import { type AgentSearch, chooseFacts } from './choose-facts.ts';
import type { Clock } from './clock.ts';
import { type Combos, makeCombos } from './combos.ts';
import { clearHits, createHits, type Hits } from './hits.ts';
import { cutIntervals, type IntervalPieces } from './intervals.ts';
import { findWindows, type LocateTarget, locate } from './locate.ts';
import { type Times, type WindowLookup, windowOf } from './lookup.ts';
import type { Promises } from './promises.ts';
import type { SelectedRows } from './select-cases.ts';
import { createSpareSums, type SpareSums } from './tally.ts';
import { elapsedIn, type WorkClocks } from './work-clocks.ts';

/** The data that the views of one scan share. */
export interface ScanContext extends AxisContext {
  readonly lookup: WindowLookup;
  readonly buffers: Buffers;
  readonly noted: 0 | 1 | null; // the axis whose hits store their entry in the list of their case
  readonly work: WorkClocks | undefined; // if durations are measured in working time
  readonly promises: Promises;
  readonly agentSearch: AgentSearch | undefined;
  readonly kinds: readonly FactKind[]; // the kinds of facts that the report reads
  readonly backlog: BacklogInstants; // none if the report does not ask for it
}

/** The instants at which the backlog of a report is counted. */
export interface BacklogInstants {
  readonly instants: Float64Array; // s, rising: one for each window that has begun
  readonly begun: boolean; // whether a range with windows has begun, so that their total has the backlog of the last
  reached(second: number): number; // how many instants lie at or before a second
}

/** The buffers that the scans of a thread share. Hits are valid only while a segment is added. */
export interface Buffers {
  readonly hitsOf: (name: string) => Hits; // by the facts that they are of
  readonly sums: SpareSums;
}

export const createBuffers = (): Buffers => ({
  hitsOf: memoize(createHits),
  sums: createSpareSums(),
});

/** A segment as a scan sees it. */
export interface SegmentView extends MeasuredSegment {
  readonly context: ScanContext;
  readonly selected: SelectedRows;
  readonly caseNumber: number; // of row 0; the rows of all segments of a scan are numbered from 1
  readonly axes: readonly [Axes, Axes];
  readonly located: Map<string, LocatedHits>;
  combos: Combos | undefined; // for all kinds of facts whose members are of cases; made on first use
}

/** Facts with the cells in which they count. The items of the hits are facts, or pieces of intervals. */
export interface LocatedHits extends LocatedFacts {
  readonly hits: Hits;
  readonly facts: Int32Array | undefined; // by item: its fact, −1 for none; undefined if the items are the facts
  seconds(): ArrayLike<number>; // by item, since the segment's start
}

/** Makes the view of a segment; undefined if it is known beforehand that none of its facts counts. */
export function viewSegment(
  context: ScanContext,
  segment: Segment,
  select: () => SelectedRows,
  caseNumber: number,
): SegmentView | undefined {
  const axes = [axesOf(context, segment, 0), axesOf(context, segment, 1)] as const;
  const agent = axes[0].agent ?? axes[1].agent;
  const { agentSearch, kinds } = context;
  if (agent !== undefined && agentSearch?.mayHave(segment, kinds, agent, spanIn(context, segment)) === false)
    return undefined;
  growPairTable(context.cells);
  const selected = select();
  const { reference } = context;
  return {
    context,
    segment,
    selected,
    caseNumber,
    axes,
    reference,
    elapsed: context.work === undefined ? byTheClock : elapsedIn(context.work, segment),
    byMacro: context.noted !== null,
    located: new Map(),
    combos: undefined,
    verdicts: memoize((metric: SlaMetric) => {
      const lateFrom = context.promises.of(segment, metric);
      const { range } = context.lookup;
      return judgePromises({ segment, metric, selected: selected.rows, lateFrom, range, now: reference.now });
    }),
  };
}

const byTheClock: Elapsed = (_, from, to) => Math.max(0, to - from);

/**
 * Locates facts in batches, each with one list of facts for each kind. In each list rows rise. A batch is valid until
 * the next one, the lists of whole segments as long as the view.
 */
export function locatedIn(view: SegmentView, facts: Facts): Iterable<readonly LocatedHits[]> {
  if ('late' in facts) return [[locateMoments(view, view.verdicts(facts.late).missed)]];
  if (facts.kinds.includes('handle')) return locateHandled(view);
  return [facts.kinds.map((kind) => locateKind(view, kind, facts.only))];
}

const NO_LENGTHS = new Float64Array(0);

function locateKind(view: SegmentView, kind: FactKind, only: OneOfCase | undefined): LocatedHits {
  const name = `${kind} ${only?.name ?? ''}`;
  const known = view.located.get(name);
  if (known !== undefined) return known;
  const { context, segment, selected } = view;
  const table = segment.facts(kind);
  const hits = context.buffers.hitsOf(name);
  clearHits(hits, table.count);
  const target = targetOf(view, kind);
  const choice = {
    axes: target.axes,
    rows: selected,
    only: only && segment.kept(only),
    within: spanIn(context, segment),
    agentSearch: context.agentSearch,
  };
  const isListed = chooseFacts(table, choice, hits);
  if (!isListed || hits.count > 0) {
    hits.rows = table.rows();
    findWindows(context.lookup, timesOf(segment, kind), isListed, hits);
    locate(target, undefined, hits);
  }
  const located = { hits, rows: hits.rows, lengths: NO_LENGTHS, facts: undefined, seconds: table.seconds };
  view.located.set(name, located);
  return located;
}

/** The pairs of members that cases have; all dimensions of the report must be of cases. */
export function combosOf(view: SegmentView): Combos {
  const axes = [view.axes[0].of('created'), view.axes[1].of('created')] as const;
  if (axes.some(({ level }) => level === 'fact')) throw new Error('a backlog needs dimensions of cases');
  view.combos ??= makeCombos(axes, view.context.noted, view.context.cells);
  return view.combos;
}

/** Locates cases in the first window, by the members of the cases; items are indexes in `rows`. */
export function locateRows(view: SegmentView, rows: Int32Array): Hits {
  const hits = view.context.buffers.hitsOf('rows');
  clearHits(hits, rows.length);
  hits.rows = rows;
  hits.count = rows.length;
  hits.items.set(identity(rows.length));
  hits.cells.fill(0, 0, rows.length);
  locate(targetOf(view, 'created'), undefined, hits);
  return hits;
}

/** Locates instants without a fact, all of which are within the range. */
function locateMoments(view: SegmentView, { rows, seconds }: Moments): LocatedHits {
  const { context, segment } = view;
  const { lookup, clock } = context;
  const at = seconds.map((second) => second + segment.head.start);
  const { axes, ...target } = targetOf(view, 'created');
  const hits = context.buffers.hitsOf('moments');
  clearHits(hits, rows.length);
  hits.rows = rows;
  hits.count = rows.length;
  hits.items.set(identity(rows.length));
  for (let k = 0; k < at.length; k += 1) hits.cells[k] = windowOf(lookup, at[k]!);
  locate({ ...target, axes: [momentAxis(axes[0], clock, at), momentAxis(axes[1], clock, at)] }, undefined, hits);
  return { hits, rows, lengths: NO_LENGTHS, facts: new Int32Array(rows.length).fill(-1), seconds: () => seconds };
}

/** Cuts handled intervals at the ends of windows and locates the pieces, in batches. */
function* locateHandled(view: SegmentView): Generator<[LocatedHits]> {
  const { context, segment, selected } = view;
  const table = segment.facts('handle');
  const hits = context.buffers.hitsOf('handle');
  const target = targetOf(view, 'handle');
  const intervals = { ...timesOf(segment, 'handle'), lengths: table.values(), rows: table.rows() };
  const { clock, lookup } = context;
  for (const pieces of cutIntervals(intervals, selected.rows, clock?.lookup ?? lookup)) {
    const { rows, facts, windows, seconds, count } = pieces;
    clearHits(hits, count);
    hits.rows = rows;
    hits.count = count;
    hits.items.set(identity(count));
    for (let k = 0; k < count; k += 1) hits.cells[k] = clock === undefined ? windows[k]! : clock.windows[windows[k]!]!;
    if (clock === undefined) locate(target, facts, hits);
    else {
      const axes = [pieceAxis(target.axes[0], pieces, clock), pieceAxis(target.axes[1], pieces, clock)] as const;
      locate({ ...target, axes }, undefined, hits);
    }
    const from = lookup.range.min - segment.head.start;
    const startOf = (interval: number): number => Math.max(intervals.seconds[interval]!, from);
    yield [{ hits, rows, lengths: seconds, facts, seconds: () => beginsOf(pieces, startOf) }];
  }
}

/** The start of each piece: the pieces of an interval follow one another without gaps. */
function beginsOf({ facts, seconds, count }: IntervalPieces, startOf: (interval: number) => number): Float64Array {
  const begins = new Float64Array(count);
  for (let piece = 0; piece < count; piece += 1) {
    const follows = piece > 0 && facts[piece] === facts[piece - 1];
    begins[piece] = follows ? begins[piece - 1]! + seconds[piece - 1]! : startOf(facts[piece]!);
  }
  return begins;
}

/** Turns an axis of intervals into an axis of their pieces, each of which lies within one piece of the clock. */
function pieceAxis(axis: Axis, { facts, windows, count }: IntervalPieces, { parts }: Clock): Axis {
  if (axis.level !== 'fact') return axis;
  const { part, indices: ofIntervals, numbers } = axis;
  const indices = new Int32Array(count);
  for (let piece = 0; piece < count; piece += 1) {
    indices[piece] = part === undefined ? ofIntervals[facts[piece]!]! : parts[part][windows[piece]!]!;
  }
  return { level: 'fact', numbers, indices, offsets: axis.offsets, rows: axis.rows };
}

/**
 * Turns an axis of parts of the local time into an axis of given instants (s since 1970); returns other axes unchanged.
 */
function momentAxis(axis: Axis, clock: Clock | undefined, instants: Float64Array): Axis {
  if (axis.part === undefined || clock === undefined) return axis;
  const shown = clock.parts[axis.part];
  return { ...axis, indices: Int32Array.from(instants, (second) => shown[windowOf(clock.lookup, second)]!) };
}

/** The range of the report, in seconds since the segment's start. */
const spanIn = ({ lookup: { range } }: ScanContext, { head }: Segment): SecondSpan => ({
  from: range.min - head.start,
  to: range.max - head.start,
});

function timesOf(segment: Segment, kind: FactKind): Times {
  return { seconds: segment.facts(kind).seconds(), start: segment.head.start };
}

function targetOf(view: SegmentView, kind: FactKind): LocateTarget {
  const { cells, noted } = view.context;
  const axes = [view.axes[0].of(kind), view.axes[1].of(kind)] as const;
  const isSilent = axes.every(({ silent }) => silent === true);
  if (isSilent || axes.some(({ level }) => level === 'fact')) return { cells, noted, axes, combos: undefined };
  view.combos ??= makeCombos(axes, noted, cells);
  return { cells, noted, axes, combos: view.combos };
}
