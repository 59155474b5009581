import type { FactKind } from '../../history/cases/case-row.ts';
import type { SecondSpan } from '../../history/segments/agent-facts.ts';
import type { FactTable, Segment } from '../../history/segments/segment.ts';
import { type Axes, type Axis, type AxisContext, axesOf } from './axis.ts';
import { growPairTable, pairStart } from './cells.ts';
import { type Chosen, chooseFacts, mayCount } from './choose.ts';
import type { Clock } from './clock.ts';
import { type Combos, makeCombos } from './combos.ts';
import { identity } from './constant.ts';
import type { Hits } from './hits.ts';
import { clearHits, createHits } from './hits.ts';
import { cutIntervals, type Pieces, type SparePieces, secondsOfRows } from './intervals.ts';
import { locate, locateAlike, type Target } from './locate.ts';
import type { Times, WindowLookup } from './lookup.ts';
import { countByWindow, findWindows, windowOf } from './lookup.ts';
import type { Promises } from './promises.ts';
import type { Selected } from './select.ts';
import { createSpareSums, type SpareSums } from './tally.ts';
import {
  canBeWhole,
  lastFacts,
  mostAreWhole,
  splitWholeCases,
  takeFacts,
  type Whole,
  type WholeTally,
} from './whole.ts';
import { type Elapsed, elapsedIn, type WorkClocks } from './work-clocks.ts';

/** The data that the views of one scan share. */
export interface ScanContext extends AxisContext {
  readonly lookup: WindowLookup;
  readonly buffers: Buffers;
  readonly noted: 0 | 1 | null; // the axis whose hits store their entry in the list of their case
  readonly instants: Float64Array; // s, rising: when the backlog of each window that has begun is counted
  readonly begun: boolean; // whether a range with windows has begun, so that their total has the backlog of the last
  readonly reached: (second: number) => number; // how many instants lie at or before a second
  readonly work: WorkClocks | undefined; // if durations are measured in working time
  readonly promises: Promises;
  readonly room: (cells: number) => void; // makes room in the tally
  readonly kinds: readonly FactKind[]; // the kinds of facts that the report reads
  readonly whole: WholeTally;
}

/** The buffers that the scans of a thread share. Hits are valid only while a segment is added. */
export interface Buffers {
  readonly facts: readonly [Hits, Hits]; // two, because one measure reads two kinds of facts
  readonly cases: Hits; // whole cases
  readonly ofWhole: Hits; // facts of whole cases
  readonly sums: SpareSums;
  readonly pieces: SparePieces;
}

export const createBuffers = (): Buffers => ({
  facts: [createHits(), createHits()],
  cases: createHits(),
  ofWhole: createHits(),
  sums: createSpareSums(),
  pieces: { pieces: undefined },
});

/** Instants without a fact, each with the row of its case. */
export interface Moments {
  readonly rows: Int32Array;
  readonly seconds: Float64Array; // since the segment's start
}

/** A segment as a scan sees it. */
export interface View {
  readonly context: ScanContext;
  readonly segment: Segment;
  readonly selected: Selected;
  readonly caseNumber: number; // of row 0; the rows of all segments of a scan are numbered from 1
  readonly axes: readonly [Axes, Axes];
  readonly elapsed: Elapsed | undefined; // if durations are measured in working time
  combos: Combos | undefined; // for all kinds of facts whose members are of cases; made on first use
  whole: Whole | null | undefined; // made on first use; null if facts are located one by one
}

/** Makes the view of a segment; undefined if it is known beforehand that none of its facts counts. */
export function viewSegment(
  context: ScanContext,
  segment: Segment,
  select: () => Selected,
  caseNumber: number,
): View | undefined {
  const { cells, kinds } = context;
  const axes = [axesOf(context, segment, 0), axesOf(context, segment, 1)] as const;
  const agent = axes[0].agent ?? axes[1].agent;
  if (agent !== undefined && !mayCount(segment, kinds, agent, spanIn(context, segment))) return undefined;
  growPairTable(cells);
  const elapsed = context.work && elapsedIn(context.work, segment);
  return { context, segment, selected: select(), caseNumber, axes, elapsed, combos: undefined, whole: undefined };
}

/** The hits of the facts of a kind, except the facts of whole cases. */
export interface Located {
  readonly facts: FactTable;
  readonly hits: Hits;
  readonly whole: Hits | undefined; // the hits of whole cases, with rows as items; undefined if cases are not split off
}

/**
 * Locates the facts of a kind, if `ordered` those of a case together and rising in time. The hits are valid until the
 * next call with the same `buffer`. Makes room in the tally.
 */
export function locateFacts(view: View, kind: FactKind, buffer: 0 | 1 = 0, ordered = true): Located {
  const { context, segment, selected } = view;
  const facts = segment.facts(kind);
  const hits = context.buffers.facts[buffer];
  const target = startHits(view, kind, hits);
  const whole = wholeOf(view, target);
  const rows = whole?.others ?? selected;
  const chosen = chooseFacts(facts, { axes: target.axes, rows, within: spanIn(context, segment), ordered }, hits);
  find(view, target, { kind, chosen, hits });
  return { facts, hits, whole: whole?.hits };
}

/** Locates the last resolve or rating of each whole case. */
export const locateLast = (view: View, kind: keyof typeof LAST, whole: Hits): Hits =>
  locateOfWhole(view, view.segment.facts(kind), whole, view.segment.kept(LAST[kind]));

/** By row, its last fact of a kind. */
const LAST = {
  resolve: (segment: Segment): Int32Array => lastFacts(segment.facts('resolve')),
  rating: (segment: Segment): Int32Array => lastFacts(segment.facts('rating')),
};

/** The pairs of members that cases have; all dimensions of the report must be of cases. */
export function combosOf(view: View): Combos {
  const { combos } = targetOf(view, 'created');
  if (combos === undefined) throw new Error('a backlog needs dimensions of cases');
  view.context.room(view.context.cells.size);
  return combos;
}

/** Locates cases in given windows, by the members of the cases; items are indexes in `rows`. */
export function locateRows(view: View, rows: Int32Array, windows: Int32Array): Hits {
  return locateInWindows(view, targetOf(view, 'created'), rows, windows);
}

function locateInWindows({ context }: View, target: Target, rows: Int32Array, windows: ArrayLike<number>): Hits {
  const hits = context.buffers.facts[0];
  clearHits(hits, rows.length);
  hits.rows = rows;
  hits.count = rows.length;
  hits.items.set(identity(rows.length));
  hits.cells.set(windows);
  locate(target, undefined, hits);
  context.room(context.cells.size);
  return hits;
}

/** Locates instants without a fact, all of which are within the range; items are indexes in `rows`. */
export function locateMoments(view: View, { rows, seconds }: Moments): Hits {
  const { context, segment } = view;
  const { lookup, clock } = context;
  const at = seconds.map((second) => second + segment.head.start);
  const target = targetOf(view, 'created');
  const axes = [momentAxis(target.axes[0], clock, at), momentAxis(target.axes[1], clock, at)] as const;
  return locateInWindows(
    view,
    { ...target, axes },
    rows,
    at.map((second) => windowOf(lookup, second)),
  );
}

/** Locates one fact of each whole case; `chosen` has the fact by row, below 0 for none. */
function locateOfWhole({ context }: View, facts: FactTable, whole: Hits, chosen: Int32Array): Hits {
  const hits = context.buffers.ofWhole;
  clearHits(hits, whole.count);
  hits.rows = facts.rows();
  takeFacts(whole, chosen, hits);
  return hits;
}

/** Locates at most one fact of each case; `facts` has it by row, below 0 for none. Hits of whole cases come last. */
export function locateSome(view: View, kind: FactKind, facts: Int32Array): readonly Hits[] {
  const hits = view.context.buffers.facts[0];
  const target = startHits(view, kind, hits);
  const whole = wholeOf(view, target);
  const { rows } = whole?.others ?? view.selected;
  const { items } = hits;
  for (let row = 0; row < rows.length; row += 1) {
    const fact = facts[row]!;
    items[hits.count] = fact;
    hits.count += rows[row]! & ~(fact >> 31);
  }
  find(view, target, { kind, chosen: 'listed', hits });
  return whole === undefined ? [hits] : [hits, locateOfWhole(view, view.segment.facts(kind), whole.hits, facts)];
}

/** The hits of handled time. */
interface Handled {
  readonly hits: Hits;
  readonly seconds: Float64Array; // by item
  readonly intervals: Int32Array; // by item: its interval; empty for whole cases
  readonly whole: boolean; // one hit has all handled time of a case in a cell, which may be 0
}

const NO_INTERVALS = new Int32Array(0);

/** Cuts handled intervals at the ends of windows and locates the pieces, in batches. */
export function* locateHandled(view: View): Generator<Handled> {
  const { context, segment, selected } = view;
  const table = segment.facts('handle');
  const hits = context.buffers.facts[0];
  const target = targetOf(view, 'handle');
  const intervals = { ...timesOf(segment, 'handle'), lengths: table.values(), rows: table.rows() };
  const whole = wholeOf(view, target);
  if (whole !== undefined) {
    yield { hits: whole.hits, seconds: segment.kept(handledOf), intervals: NO_INTERVALS, whole: true };
  }
  const { rows: rowsToCut } = whole?.others ?? selected;
  const { clock } = context;
  for (const pieces of cutIntervals(intervals, rowsToCut, clock?.lookup ?? context.lookup, context.buffers.pieces)) {
    const { rows, facts, windows, seconds, count } = pieces;
    clearHits(hits, count);
    hits.rows = rows;
    for (let piece = 0; piece < count; piece += 1) {
      hits.cells[piece] = clock === undefined ? windows[piece]! : clock.windows[windows[piece]!]!;
      hits.items[piece] = piece;
    }
    hits.count = count;
    if (clock === undefined) locate(target, facts, hits);
    else
      locate(
        { ...target, axes: [pieceAxis(target.axes[0], pieces, clock), pieceAxis(target.axes[1], pieces, clock)] },
        undefined,
        hits,
      );
    context.room(context.cells.size);
    yield { hits, seconds, intervals: facts, whole: false };
  }
}

/** Turns an axis of intervals into an axis of their pieces, each of which lies within one piece of the clock. */
function pieceAxis(axis: Axis, { facts, windows, count }: Pieces, { parts }: Clock): Axis {
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

/** By row, the handled seconds of the case. */
function handledOf(segment: Segment): Float64Array {
  const handled = segment.facts('handle');
  return secondsOfRows({ lengths: handled.values(), rows: handled.rows() }, segment.head.rows);
}

/**
 * Counts the facts of a kind by window if there are no dimensions and all cases count; otherwise returns false. It
 * calls `sums` after it has made room.
 */
export function countAlike({ context, segment, selected }: View, kind: FactKind, sums: () => Float64Array): boolean {
  const { cells, dimensions, lookup } = context;
  if (dimensions[0] !== null || dimensions[1] !== null || !selected.all) return false;
  const first = pairStart(cells, 0, 0);
  if (first < 0) return false;
  context.room(cells.size);
  countByWindow(lookup, timesOf(segment, kind), first, sums());
  return true;
}

/** The range of the report, in seconds since the segment's start. */
const spanIn = ({ lookup: { range } }: ScanContext, { head }: Segment): SecondSpan => ({
  from: range.min - head.start,
  to: range.max - head.start,
});

function timesOf(segment: Segment, kind: FactKind): Times {
  const { start, end } = segment.head;
  return { seconds: segment.facts(kind).seconds(), start, end };
}

function targetOf(view: View, kind: FactKind): Target {
  const { cells, noted } = view.context;
  const axes = [view.axes[0].of(kind), view.axes[1].of(kind)] as const;
  if (axes[0].level === 'fact' || axes[1].level === 'fact') return { cells, noted, axes, combos: undefined };
  view.combos ??= makeCombos(axes, noted, view.selected.rows, cells);
  return { cells, noted, axes, combos: view.combos };
}

/** The whole cases of the segment; undefined if facts must be located one by one. */
function wholeOf(view: View, target: Target): Whole | undefined {
  if (target.combos === undefined) return undefined;
  if (view.whole === undefined) view.whole = findWhole(view, target) ?? null;
  return view.whole ?? undefined;
}

function findWhole({ context, segment, selected }: View, target: Target): Whole | undefined {
  const { kinds, lookup, whole, buffers } = context;
  if (!mostAreWhole(whole) || !canBeWhole(segment, kinds.map(segment.facts), lookup)) return undefined;
  const hits = buffers.cases;
  const times = { starts: segment.starts(), ends: segment.ends(kinds), start: segment.head.start };
  const others = splitWholeCases(times, selected, lookup, hits);
  whole.cases += hits.count + others.list.length;
  whole.others += others.list.length;
  locate(target, undefined, hits);
  context.room(context.cells.size);
  return { hits, others };
}

function startHits(view: View, kind: FactKind, hits: Hits): Target {
  clearHits(hits, view.segment.facts(kind).count);
  return targetOf(view, kind);
}

/** Locates the items of `hits`, or all facts if all were chosen. */
function find(
  { context, segment }: View,
  target: Target,
  { kind, chosen, hits }: { readonly kind: FactKind; readonly chosen: Chosen; readonly hits: Hits },
): void {
  if (chosen !== 'all' && hits.count === 0) return;
  hits.rows = segment.facts(kind).rows();
  findWindows(context.lookup, timesOf(segment, kind), chosen !== 'all', hits);
  if (chosen !== 'alike' || !locateAlike(target, hits)) locate(target, undefined, hits);
  context.room(context.cells.size);
}
