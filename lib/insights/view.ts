import type { FactKind } from '../history/case-row.ts';
import type { Segment } from '../history/segment.ts';
import { type Axis, axisOf } from './axis.ts';
import type { Cells } from './cells.ts';
import { settle } from './cells.ts';
import { type Combos, combine } from './combos.ts';
import type { DimensionName } from './dimensions.ts';
import type { Hits } from './hits.ts';
import { createHits } from './hits.ts';
import { cutIntervals } from './intervals.ts';
import type { Facts, Target } from './locate.ts';
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
  /** The cells of the facts of a kind; valid until the next call with the same buffer. Room is made in the tally. */
  locate(kind: FactKind, buffer?: 0 | 1): Hits;
  /** The cells of some facts of a kind; a hit's fact is its place among them. */
  locateSome(kind: FactKind, chosen: Uint32Array): Hits;
  /** The cells of the pieces that windows cut handled intervals into, in batches; a hit's fact is a piece. */
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

const NO_ROOM = new Int32Array(0);

/** A report's view of a segment, of which the `selected` rows count. */
export function viewSegment(sight: Sight, segment: Segment, selected: Uint8Array, caseNumber: number): View {
  const { cells, dimensions, range, lookup, reference } = sight;
  const { start, end } = segment.head;
  const axes = [
    axisOf(segment, dimensions[0], cells, 0, reference),
    axisOf(segment, dimensions[1], cells, 1, reference),
  ] as const;
  settle(cells);
  const noted = dimensions[0] === 'macro' ? 0 : 1;
  let combined: Combos | undefined; // the same for every kind of fact whose members its case has
  const find = (facts: Facts, axes: Target['axes'], hits: Hits): Hits => {
    const combos = () => (combined ??= combine(axes, noted, selected, cells));
    locate(facts, { cells, axes, noted, selected, combos }, hits);
    sight.room(cells.size);
    return hits;
  };
  const found = new Set<FactKind>();
  const windowsOf = (kind: FactKind): Int32Array => {
    const known = sight.windows.get(kind) ?? NO_ROOM;
    if (found.has(kind)) return known;
    found.add(kind);
    const windows = findWindows(lookup, range, { start, end, column: segment.facts(kind).seconds() }, known);
    sight.windows.set(kind, windows);
    return windows;
  };
  const axesOf = (kind: FactKind): Target['axes'] => [axes[0](kind), axes[1](kind)];
  const ofSome = (axis: Axis, chosen: Uint32Array): Axis =>
    axis.level === 'fact' ? { ...axis, indices: pickFrom(axis.indices, chosen) } : axis;
  const findSome = (kind: FactKind, chosen: Uint32Array, windows: Int32Array): Hits => {
    const [one, two] = axesOf(kind);
    const rows = pickFrom(segment.facts(kind).rows(), chosen);
    return find({ rows, windows }, [ofSome(one, chosen), ofSome(two, chosen)], sight.buffers[0]);
  };
  return {
    segment,
    caseNumber,
    byMacro: dimensions.includes('macro'),
    locate: (kind, buffer = 0) => {
      const facts = { rows: segment.facts(kind).rows(), windows: windowsOf(kind) };
      return find(facts, axesOf(kind), sight.buffers[buffer]);
    },
    locateSome: (kind, chosen) => findSome(kind, chosen, pickFrom(windowsOf(kind), chosen)),
    *locateHandled() {
      const { seconds, values } = segment.facts('handle');
      const intervals = { base: start, starts: seconds(), lengths: values() };
      for (const pieces of cutIntervals(intervals, range, lookup)) {
        yield { hits: findSome('handle', pieces.intervals, pieces.windows), seconds: pieces.seconds };
      }
    },
  };
}

function pickFrom(values: ArrayLike<number>, chosen: Uint32Array): Int32Array {
  const picked = new Int32Array(chosen.length);
  for (let i = 0; i < chosen.length; i += 1) picked[i] = values[chosen[i]!]!;
  return picked;
}
