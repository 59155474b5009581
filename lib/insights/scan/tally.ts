import type { DurationName } from '../durations.ts';
import type { Measure } from '../measures.ts';
import { createSamples, type Samples } from './samples.ts';

/** The sums of each cell, and the last case that was counted in it. */
export interface Tally {
  /** Makes room for cells below `cells`. Arrays that were returned before may be stale afterwards. */
  room(cells: number): void;
  wants(measure: Measure): boolean;
  /** The sums of a measure by cell; undefined if the measure is not wanted. */
  sums(measure: Measure): Float64Array | undefined;
  /** The values of a duration; undefined if they are not wanted. */
  samples(duration: DurationName): Samples | undefined;
  /** By cell, the number of the last case counted, from 1. */
  lastCase(distinct: Distinct): Int32Array;
  /** The same separately for each of some neighbouring rows, so that the facts of these may come in any order. */
  caseMarks(): CaseMarks;
  /** Releases the buffers for another tally; call once. */
  close(): void;
}

/** last[(row % rows) × stride + cell] is the last case counted in the cell among the cases with the same remainder. */
export interface CaseMarks {
  readonly last: Int32Array;
  readonly rows: number; // a power of two
  readonly stride: number;
}

const MARKS = 2 ** 17; // marks of 4 bytes each: as many as stay in a processor's cache

const SMALL = 2 ** 18; // bytes up to which a buffer is doubled; after that it gets its full size

/**
 * The counts of distinct cases. Cases come one after another, so one comparison for each fact makes the count exact.
 */
export type Distinct = 'handled' | 'resolved';

/**
 * A buffer of zeros that the tallies of a thread use one after the other. Otherwise each large tally would leave its
 * buffer to the garbage collector.
 */
export interface SpareSums {
  bytes: ArrayBuffer; // empty while a tally uses the buffer
}

export const createSpareSums = (): SpareSums => ({ bytes: new ArrayBuffer(0) });

/** The content and the limits of a tally. */
export interface TallySize {
  readonly measures: Iterable<Measure>;
  readonly samples: ReadonlySet<DurationName>;
  readonly cells: number; // the limit, if cells are added bit by bit
  readonly sampleBytes: number; // for all samples together
}

/** Creates an empty tally. */
export function createTally(size: TallySize, spare = createSpareSums()): Tally {
  const measures = [...size.measures];
  const most = size.cells;
  const share = size.sampleBytes / size.samples.size;
  const samples = new Map([...size.samples].map((duration) => [duration, createSamples(share)]));
  let sums = layOut(spare.bytes, measures);
  spare.bytes = new ArrayBuffer(0);
  const bytes = sumBytes(measures.length);
  let used = 0;
  let marks = new Int32Array(0);
  let stride = 0; // of the marks: the cells in use and some more, but not all that there is room for
  return {
    room: (cells) => {
      if (cells > sums.capacity) {
        // Only the written part of a large buffer takes memory, so it gets its full size at once. If it were doubled
        // again and again, each old one would be left to the garbage collector.
        const few = Math.max(cells, Math.min(most, 2 * sums.capacity));
        const capacity = few * bytes <= SMALL ? few : Math.max(cells, most);
        const larger = layOut(new ArrayBuffer(capacity * bytes), measures);
        for (const [index, array] of larger.arrays.entries()) array.set(sums.arrays[index]!.subarray(0, used));
        sums = larger;
      }
      used = Math.max(used, cells);
    },
    wants: (measure) => sums.of.has(measure),
    sums: (measure) => sums.of.get(measure),
    samples: (duration) => samples.get(duration),
    lastCase: (distinct) => sums.last[distinct],
    caseMarks: () => {
      if (used > stride) stride = Math.max(used, Math.min(most, 2 * stride));
      let rows = 1;
      while (2 * rows * stride <= MARKS) rows *= 2;
      // Old marks are numbers of earlier cases, which never match again, so they need not be moved or cleared.
      if (marks.length < rows * stride) marks = new Int32Array(rows * stride);
      return { last: marks, rows, stride };
    },
    close: () => {
      for (const array of sums.arrays) array.fill(0, 0, used);
      if (sums.bytes.byteLength > spare.bytes.byteLength) spare.bytes = sums.bytes;
      sums = layOut(new ArrayBuffer(0), measures);
      used = 0;
    },
  };
}

/** The arrays of a tally, in one buffer: first the sums of each measure, then the last cases. */
interface Sums {
  readonly bytes: ArrayBuffer;
  readonly capacity: number; // cells, the length of each array
  readonly of: ReadonlyMap<Measure, Float64Array>;
  readonly last: Readonly<Record<Distinct, Int32Array>>;
  readonly arrays: readonly (Float64Array | Int32Array)[]; // all of them
}

function layOut(bytes: ArrayBuffer, measures: readonly Measure[]): Sums {
  const capacity = Math.floor(bytes.byteLength / sumBytes(measures.length));
  const of = new Map(measures.map((measure, at) => [measure, new Float64Array(bytes, 8 * at * capacity, capacity)]));
  const lastAt = 8 * measures.length * capacity;
  const last = {
    handled: new Int32Array(bytes, lastAt, capacity),
    resolved: new Int32Array(bytes, lastAt + 4 * capacity, capacity),
  };
  return { bytes, capacity, of, last, arrays: [...of.values(), last.handled, last.resolved] };
}

const sumBytes = (measures: number): number => 8 * measures + 8;

/** The bytes that a cell takes with so many measures, including its marks of the last cases. */
export const cellBytes = (measures: number): number => sumBytes(measures) + 4;
