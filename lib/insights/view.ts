import type { Column } from '../history/byte-planes.ts';
import type { FactKind } from '../history/case-row.ts';
import type { Segment } from '../history/segment.ts';
import { axisOf } from './axis.ts';
import type { Cells } from './cells.ts';
import { settle } from './cells.ts';
import { type Combos, combine } from './combos.ts';
import type { DimensionName } from './dimensions.ts';
import type { Hits, Items } from './hits.ts';
import { createHits } from './hits.ts';
import { cutIntervals } from './intervals.ts';
import type { Target } from './locate.ts';
import { countByCase, locate } from './locate.ts';
import type { WindowLookup } from './lookup.ts';
import { findWindows } from './lookup.ts';
import type { Reference } from './reference.ts';
import type { Range } from './windows.ts';

/** A segment as a report sees it. */
export interface View {
  readonly segment: Segment;
  readonly caseNumber: number; // of row 0, from 1; rows of all segments of a scan are numbered on
  readonly byMacro: boolean; // macro is one of the dimensions; hits then note the entry in the case's list of macros
  readonly selected: Uint8Array; // by row: 1 where the case counts
  /** The cells of the facts of a kind; valid until the next call with the same buffer. Room is made in the tally. */
  locate(kind: FactKind, buffer?: 0 | 1): Hits;
  /** Counts the facts of a kind into sums by cell, asked for when there is room; says no where `locate` has to be asked. */
  count(kind: FactKind, sums: () => Float64Array): boolean;
  /** The cells of some facts of a kind: of row r those at offsets[r] … offsets[r + 1] − 1 of `facts`. */
  locateSome(kind: FactKind, offsets: Column, facts: Int32Array): Hits;
  /** The cells of the pieces that windows cut handled intervals into, in batches. */
  locateHandled(): Generator<{ readonly hits: Hits; readonly seconds: Float64Array }>; // s by piece
}

/** What the views of one scan share. */
export interface Sight {
  readonly range: Range;
  readonly lookup: WindowLookup;
  readonly cells: Cells;
  readonly dimensions: readonly [DimensionName | null, DimensionName | null];
  readonly reference: Reference;
  readonly buffers: readonly [Hits, Hits];
  readonly windows: Map<FactKind, Int32Array>; // room for the windows of the facts of each kind
  readonly room: (cells: number) => void;
}

export const createBuffers = (): Pick<Sight, 'buffers' | 'windows'> => ({
  buffers: [createHits(), createHits()],
  windows: new Map(),
});

/** A report's view of a segment, of which the `selected` rows count. */
export function viewSegment(sight: Sight, segment: Segment, selected: Uint8Array, caseNumber: number): View {
  const { cells, dimensions, range, lookup, reference } = sight;
  const axes = [
    axisOf(segment, dimensions[0], cells, 0, reference),
    axisOf(segment, dimensions[1], cells, 1, reference),
  ] as const;
  settle(cells);
  const noted = dimensions[0] === 'macro' ? 0 : 1;
  let combined: Combos | undefined; // the same for every kind of fact whose members its case has
  const targetOf = (kind: FactKind): Target => {
    const both = [axes[0](kind), axes[1](kind)] as const;
    const combos = () => (combined ??= combine(both, noted, selected, cells));
    return { cells, noted, selected, axes: both, combos };
  };
  const find = (kind: FactKind, items: Items, hits: Hits): Hits => {
    locate(items, targetOf(kind), hits);
    sight.room(cells.size);
    return hits;
  };
  const found = new Set<FactKind>();
  const windowsOf = (kind: FactKind): Int32Array => {
    const room = roomFor(sight.windows, kind, segment.facts(kind).seconds().length);
    if (found.has(kind)) return room;
    const { offsets, seconds } = segment.facts(kind);
    const { start, end } = segment.head;
    findWindows(lookup, range, { offsets: offsets(), seconds: seconds(), start, end }, selected, room);
    found.add(kind);
    return room;
  };
  const all = (kind: FactKind): Items => ({
    offsets: segment.facts(kind).offsets(),
    windows: windowsOf(kind),
    facts: undefined,
  });
  return {
    segment,
    caseNumber,
    byMacro: dimensions.includes('macro'),
    selected,
    locate: (kind, buffer = 0) => find(kind, all(kind), sight.buffers[buffer]),
    count: (kind, sums) =>
      countByCase(all(kind), targetOf(kind), () => {
        sight.room(cells.size);
        return sums();
      }),
    locateSome: (kind, offsets, facts) => {
      const known = windowsOf(kind);
      const windows = facts.map((fact) => known[fact]!);
      return find(kind, { offsets, windows, facts }, sight.buffers[0]);
    },
    *locateHandled() {
      const { offsets, seconds, values } = segment.facts('handle');
      const intervals = { base: segment.head.start, offsets: offsets(), starts: seconds(), lengths: values() };
      for (const { items, seconds } of cutIntervals(intervals, selected, range, lookup)) {
        yield { hits: find('handle', items, sight.buffers[0]), seconds };
      }
    },
  };
}

function roomFor(rooms: Sight['windows'], kind: FactKind, facts: number): Int32Array {
  const known = rooms.get(kind);
  if (known !== undefined && known.length >= facts) return known;
  const room = new Int32Array(facts);
  rooms.set(kind, room);
  return room;
}
