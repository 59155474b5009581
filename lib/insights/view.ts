import type { FactKind } from '../history/case-row.ts';
import type { Segment } from '../history/segment.ts';
import { type Axis, axisOf } from './axis.ts';
import type { Cells } from './cells.ts';
import { settle, startOf } from './cells.ts';
import { chooseFacts } from './choose.ts';
import { type Combos, combine } from './combos.ts';
import type { DimensionName } from './dimensions.ts';
import type { Hits } from './hits.ts';
import { clearHits, createHits } from './hits.ts';
import { cutIntervals } from './intervals.ts';
import { locate, type Target } from './locate.ts';
import type { Times, WindowLookup } from './lookup.ts';
import { countByWindow, findWindows } from './lookup.ts';
import type { Reference } from './reference.ts';
import type { Selected } from './select.ts';

/** What the views of one scan share. */
export interface Sight {
  readonly lookup: WindowLookup;
  readonly cells: Cells;
  readonly dimensions: readonly [DimensionName | null, DimensionName | null];
  readonly reference: Reference;
  readonly buffers: readonly [Hits, Hits];
  readonly noted: 0 | 1 | null; // of which axis the hits are to note the entry of each in its case's list
  readonly room: (cells: number) => void;
}

export const createBuffers = (): Sight['buffers'] => [createHits(), createHits()];

/** A segment as a report sees it. */
export interface View {
  readonly sight: Sight;
  readonly segment: Segment;
  readonly selected: Selected;
  readonly caseNumber: number; // of row 0, from 1; rows of all segments of a scan are numbered on
  readonly axes: readonly [(kind: FactKind) => Axis, (kind: FactKind) => Axis];
  combos: Combos | undefined; // the same for every kind of fact whose members its case has; made when first asked for
}

/** A report's view of a segment, of which the `selected` rows count. */
export function viewSegment(sight: Sight, segment: Segment, selected: Selected, caseNumber: number): View {
  const { cells, dimensions, reference } = sight;
  const axes = [
    axisOf(segment, dimensions[0], cells, 0, reference),
    axisOf(segment, dimensions[1], cells, 1, reference),
  ] as const;
  settle(cells);
  return { sight, segment, selected, caseNumber, axes, combos: undefined };
}

/** The cells of the facts of a kind; valid until the next call with the same buffer. Room is made in the tally. */
export function locateFacts(view: View, kind: FactKind, buffer: 0 | 1 = 0): Hits {
  const hits = view.sight.buffers[buffer];
  const target = startHits(view, kind, hits);
  const listed = chooseFacts(view.segment.facts(kind), target.axes, view.selected, hits);
  return find(view, kind, target, listed, hits);
}

/** The cells of some facts of a kind, of selected rows. */
export function locateSome(view: View, kind: FactKind, facts: Int32Array): Hits {
  const hits = view.sight.buffers[0];
  const target = startHits(view, kind, hits);
  hits.items.set(facts);
  hits.count = facts.length;
  return find(view, kind, target, true, hits);
}

/** The cells of the pieces that windows cut handled intervals into, in batches. */
export function* locateHandled(view: View): Generator<{ readonly hits: Hits; readonly seconds: Float64Array }> {
  const { sight, segment, selected } = view;
  const table = segment.facts('handle');
  const hits = sight.buffers[0];
  const target = targetOf(view, 'handle');
  const intervals = { ...timesOf(segment, 'handle'), lengths: table.values(), rows: table.rows() };
  for (const { rows, facts, windows, seconds, count } of cutIntervals(intervals, selected.rows, sight.lookup)) {
    clearHits(hits, count, rows);
    hits.cells.set(windows.subarray(0, count));
    for (let piece = 0; piece < count; piece += 1) hits.items[piece] = piece;
    hits.count = count;
    locate(target, facts, hits);
    sight.room(sight.cells.size);
    yield { hits, seconds };
  }
}

/** Counts the facts of a kind into sums by cell, asked for when there is room, where cases are all alike; else says no. */
export function countAlike({ sight, segment, selected }: View, kind: FactKind, sums: () => Float64Array): boolean {
  const { cells, dimensions, lookup } = sight;
  if (dimensions[0] !== null || dimensions[1] !== null || !selected.all) return false;
  const first = startOf(cells, 0, 0);
  if (first < 0) return false;
  sight.room(cells.size);
  countByWindow(lookup, timesOf(segment, kind), first, sums());
  return true;
}

function timesOf(segment: Segment, kind: FactKind): Times {
  const { start, end } = segment.head;
  return { seconds: segment.facts(kind).seconds(), start, end };
}

function targetOf(view: View, kind: FactKind): Target {
  const { cells, noted } = view.sight;
  const axes = [view.axes[0](kind), view.axes[1](kind)] as const;
  if (axes[0].level === 'fact' || axes[1].level === 'fact') return { cells, noted, axes, combos: undefined };
  view.combos ??= combine(axes, noted, view.selected.rows, cells);
  return { cells, noted, axes, combos: view.combos };
}

function startHits(view: View, kind: FactKind, hits: Hits): Target {
  const { count, rows } = view.segment.facts(kind);
  clearHits(hits, count, rows());
  return targetOf(view, kind);
}

/** Locates the items of `hits`, or where not `listed` all facts. */
function find({ sight, segment }: View, kind: FactKind, target: Target, listed: boolean, hits: Hits): Hits {
  findWindows(sight.lookup, timesOf(segment, kind), listed, hits);
  locate(target, undefined, hits);
  sight.room(sight.cells.size);
  return hits;
}
