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
import { locate } from './locate.ts';
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
  const find = (kind: FactKind, items: Items, hits: Hits): Hits => {
    const target: Target = {
      ...{ cells, noted, selected, axes: [axes[0](kind), axes[1](kind)] },
      combos: () => (combined ??= combine(target.axes, noted, selected, cells)),
    };
    locate(items, target, hits);
    sight.room(cells.size);
    return hits;
  };
  const found = new Set<FactKind>();
  const windowsOf = (kind: FactKind): Int32Array => {
    const room = roomFor(sight.windows, kind, segment.facts(kind).seconds().length);
    if (!found.has(kind)) windowsOfRows(sight, segment, kind, selected, room);
    found.add(kind);
    return room;
  };
  return {
    segment,
    caseNumber,
    byMacro: dimensions.includes('macro'),
    selected,
    locate: (kind, buffer = 0) => {
      const items = { offsets: segment.facts(kind).offsets(), windows: windowsOf(kind), facts: undefined };
      return find(kind, items, sight.buffers[buffer]);
    },
    locateSome: (kind, offsets, facts) => {
      const all = windowsOf(kind);
      const windows = facts.map((fact) => all[fact]!);
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

/** Finds the windows of the facts of selected rows, of as many rows at once as follow each other. */
function windowsOfRows(
  { lookup, range }: Sight,
  segment: Segment,
  kind: FactKind,
  selected: Uint8Array,
  windows: Int32Array,
): void {
  const { start, end } = segment.head;
  const seconds = { start, end, column: segment.facts(kind).seconds() };
  const offsets = segment.facts(kind).offsets();
  for (let row = selected.indexOf(1); row >= 0; ) {
    const next = selected.indexOf(0, row);
    const after = next < 0 ? selected.length : next;
    findWindows(lookup, range, seconds, [offsets[row]!, offsets[after]!], windows);
    row = next < 0 ? -1 : selected.indexOf(1, next);
  }
}
