import type { FactKind } from '../history/case-row.ts';
import type { Segment } from '../history/segment.ts';
import { axisOf } from './axis.ts';
import type { Cells } from './cells.ts';
import { settle, startOf } from './cells.ts';
import { chooseFacts, listRows } from './choose.ts';
import { type Combos, combine } from './combos.ts';
import type { DimensionName } from './dimensions.ts';
import type { Hits } from './hits.ts';
import { clearHits, createHits } from './hits.ts';
import { cutIntervals } from './intervals.ts';
import type { Target } from './locate.ts';
import { locate } from './locate.ts';
import type { Times, WindowLookup } from './lookup.ts';
import { countByWindow, findWindows, isSwift } from './lookup.ts';
import type { Reference } from './reference.ts';
import { locateSwiftly } from './swift.ts';

/** A segment as a report sees it. */
export interface View {
  readonly segment: Segment;
  readonly caseNumber: number; // of row 0, from 1; rows of all segments of a scan are numbered on
  readonly byMacro: boolean; // macro is one of the dimensions
  readonly selected: Uint8Array; // by row: 1 where the case counts
  /** The cells of the facts of a kind; valid until the next call with the same buffer. Room is made in the tally. */
  locate(kind: FactKind, buffer?: 0 | 1): Hits;
  /** Counts the facts of a kind into sums by cell, asked for when there is room, where cases are all alike; else says no. */
  count(kind: FactKind, sums: () => Float64Array): boolean;
  /** The cells of some facts of a kind, of selected rows. */
  locateSome(kind: FactKind, facts: Int32Array): Hits;
  /** The cells of the pieces that windows cut handled intervals into, in batches. */
  locateHandled(): Generator<{ readonly hits: Hits; readonly seconds: Float64Array }>; // s by piece
}

/** What the views of one scan share. */
export interface Sight {
  readonly lookup: WindowLookup;
  readonly cells: Cells;
  readonly dimensions: readonly [DimensionName | null, DimensionName | null];
  readonly reference: Reference;
  readonly buffers: readonly [Hits, Hits];
  readonly noting: boolean; // the hits are to note the entry of each in the case's list of macros
  readonly room: (cells: number) => void;
}

export const createBuffers = (): Sight['buffers'] => [createHits(), createHits()];

/** A report's view of a segment, of which the `selected` rows count. */
export function viewSegment(sight: Sight, segment: Segment, selected: Uint8Array, caseNumber: number): View {
  const { cells, dimensions, lookup, reference } = sight;
  const axes = [
    axisOf(segment, dimensions[0], cells, 0, reference),
    axisOf(segment, dimensions[1], cells, 1, reference),
  ] as const;
  settle(cells);
  const byMacro = dimensions.includes('macro');
  const noted = sight.noting ? (dimensions[0] === 'macro' ? 0 : 1) : null;
  const chosen = listRows(selected);
  const swift = isSwift(lookup, segment.head);
  let combined: Combos | undefined; // the same for every kind of fact whose members its case has
  const targetOf = (kind: FactKind): Target => {
    const both = [axes[0](kind), axes[1](kind)] as const;
    const ofCases = both.every(({ level }) => level !== 'fact');
    return {
      cells,
      noted,
      axes: both,
      combos: ofCases ? (combined ??= combine(both, noted, selected, cells)) : undefined,
    };
  };
  const timesOf = (kind: FactKind): Times => {
    const { start, end } = segment.head;
    return { seconds: segment.facts(kind).seconds(), start, end };
  };
  const swiftly = (combos: Combos | undefined): combos is Combos => swift && combos?.blocks === true;

  /** Locates the items of `hits`, or where not `listed` all facts. */
  const find = (kind: FactKind, target: Target, listed: boolean, hits: Hits): Hits => {
    const times = timesOf(kind);
    if (swiftly(target.combos)) {
      locateSwiftly(lookup, times, target.combos, listed, hits);
    } else {
      findWindows(lookup, times, listed, hits);
      locate(target, undefined, hits);
    }
    sight.room(cells.size);
    return hits;
  };
  const start = (kind: FactKind, hits: Hits): Target => {
    const { count, rows } = segment.facts(kind);
    clearHits(hits, count, rows());
    return targetOf(kind);
  };
  return {
    segment,
    caseNumber,
    byMacro,
    selected,
    locate: (kind, buffer = 0) => {
      const hits = sight.buffers[buffer];
      const target = start(kind, hits);
      return find(kind, target, chooseFacts(segment.facts(kind), target.axes, chosen, hits), hits);
    },
    count: (kind, sums) => {
      if (dimensions[0] !== null || dimensions[1] !== null || !chosen.all) return false;
      const first = startOf(cells, 0, 0);
      if (first < 0) return false;
      sight.room(cells.size);
      countByWindow(lookup, timesOf(kind), first, sums());
      return true;
    },
    locateSome: (kind, facts) => {
      const hits = sight.buffers[0];
      const target = start(kind, hits);
      hits.items.set(facts);
      hits.count = facts.length;
      return find(kind, target, true, hits);
    },
    *locateHandled() {
      const table = segment.facts('handle');
      const hits = sight.buffers[0];
      const intervals = { ...timesOf('handle'), lengths: table.values(), rows: table.rows() };
      for (const { rows, facts, windows, seconds, count } of cutIntervals(intervals, selected, lookup)) {
        clearHits(hits, count, rows);
        hits.cells.set(windows.subarray(0, count));
        for (let piece = 0; piece < count; piece += 1) hits.items[piece] = piece;
        hits.count = count;
        locate(targetOf('handle'), facts, hits);
        sight.room(cells.size);
        yield { hits, seconds };
      }
    },
  };
}
