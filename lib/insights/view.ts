import type { FactKind } from '../history/case-row.ts';
import type { Segment } from '../history/segment.ts';
import type { Cells } from './cells.ts';
import { numberMember, settle } from './cells.ts';
import type { DimensionName } from './dimensions.ts';
import { DIMENSIONS } from './dimensions.ts';
import type { Hits } from './hits.ts';
import { createHits } from './hits.ts';
import { cutIntervals } from './intervals.ts';
import type { Axis, Facts, Target } from './locate.ts';
import { locate } from './locate.ts';
import type { WindowLookup } from './lookup.ts';
import { findWindows } from './lookup.ts';
import type { Reference } from './reference.ts';
import { customMember } from './reference.ts';
import type { Range } from './windows.ts';

/** A segment as a report sees it. */
export interface View {
  readonly segment: Segment;
  readonly caseNumber: number; // of row 0, from 1; rows of all segments of a scan are numbered on
  readonly byMacro: boolean; // macro is one of the dimensions; hits then note the entry in the case's list of macros
  /**
   * The cells of the facts of a kind; valid until the next call with the same buffer. `ends` replaces where each row's
   * facts end. Room for the cells is made in the tally.
   */
  locate(kind: FactKind, buffer?: 0 | 1, ends?: Uint32Array): Hits;
  /** The cells of the pieces that windows cut handled intervals into; a hit's fact is a piece. */
  locateHandled(): { readonly hits: Hits; readonly seconds: Float64Array }; // s by piece
}

/** What the views of one scan share. */
export interface Sight {
  readonly range: Range;
  readonly lookup: WindowLookup;
  readonly cells: Cells;
  readonly dimensions: readonly [DimensionName | null, DimensionName | null];
  readonly reference: Reference;
  readonly buffers: readonly [Hits, Hits];
  readonly room: (cells: number) => void;
}

export const createBuffers = (): readonly [Hits, Hits] => [createHits(), createHits()];

/** A report's view of a segment, of which the `selected` rows count. */
export function viewSegment(sight: Sight, segment: Segment, selected: Uint8Array, caseNumber: number): View {
  const { cells, dimensions, range, lookup } = sight;
  const axis = (place: 0 | 1): ((kind: FactKind) => Axis) => {
    const name = dimensions[place];
    if (name === null) return () => NO_AXIS;
    const numbers = memberNumbers(segment, sight, place, name);
    return (kind) => findAxis(segment, kind, name, numbers);
  };
  const axes = [axis(0), axis(1)] as const;
  settle(cells);
  const noted = dimensions[0] === 'macro' ? 0 : 1;
  const base = segment.head.start;
  const find = (facts: Facts, axes: Target['axes'], hits: Hits): Hits => {
    locate(facts, { cells, axes, noted, selected }, hits);
    sight.room(cells.size);
    return hits;
  };
  return {
    segment,
    caseNumber,
    byMacro: dimensions.includes('macro'),
    locate: (kind, buffer = 0, ends) => {
      const { offsets, seconds } = segment.facts(kind);
      const hits = sight.buffers[buffer];
      const windows = findWindows(lookup, range, base, seconds(), hits.windows);
      hits.windows = windows;
      return find(
        { starts: offsets, ends: ends ?? offsets.subarray(1), windows },
        [axes[0](kind), axes[1](kind)],
        hits,
      );
    },
    locateHandled: () => {
      const { offsets, seconds, values } = segment.facts('handle');
      const pieces = cutIntervals({ offsets, base, starts: seconds(), lengths: values() }, range, lookup);
      const ofPieces = (axis: Axis): Axis =>
        axis.level === 'fact' ? { ...axis, column: pieces.intervals.map((fact) => axis.column[fact]!) } : axis;
      const facts = { starts: pieces.offsets, ends: pieces.offsets.subarray(1), windows: pieces.windows };
      const hits = find(facts, [ofPieces(axes[0]('handle')), ofPieces(axes[1]('handle'))], sight.buffers[0]);
      return { hits, seconds: pieces.seconds };
    },
  };
}

const NOTHING = new Uint32Array(0);
const NO_AXIS: Axis = { level: 'none', column: NOTHING, offsets: NOTHING, numbers: new Int32Array(0) };

function findAxis(segment: Segment, kind: FactKind, name: DimensionName, numbers: Int32Array): Axis {
  const source = DIMENSIONS[name].source(kind);
  if (source.of === 'case') {
    return { level: 'case', column: segment.attribute(source.attribute), offsets: NOTHING, numbers };
  }
  if (source.of === 'list') {
    const { offsets, members } = segment.list(source.list);
    return { level: 'list', column: members(), offsets, numbers };
  }
  return { level: 'fact', column: segment.facts(kind)[source.column](), offsets: NOTHING, numbers };
}

/** By index of the dimension's dictionary the number of the member in the report's cells. */
function memberNumbers(segment: Segment, { cells, reference }: Sight, place: 0 | 1, name: DimensionName): Int32Array {
  const { members } = DIMENSIONS[name];
  const dictionary =
    members === 'customValues'
      ? segment.customValues().map((value) => customMember(reference, value))
      : segment.dictionary(members);
  return Int32Array.from([-1, ...dictionary.map((member) => numberMember(cells.dimensions[place], member))]);
}
