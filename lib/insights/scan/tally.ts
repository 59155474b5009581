import type { DurationName } from '../durations.ts';
import type { Measure } from '../measures.ts';
import { createSamples, type Samples } from './samples.ts';

/** What has been added up in each cell, and the last case that was counted in it. */
export interface Tally {
  /** Makes room for cells below `cells`; arrays got before are stale then. */
  room(cells: number): void;
  wants(measure: Measure): boolean;
  /** The sums of a measure by cell; undefined for one that is not wanted. */
  sums(measure: Measure): Float64Array | undefined;
  /** The values of a duration; undefined for one that is not wanted. */
  samples(duration: DurationName): Samples | undefined;
  /** By cell the number of the last case counted, from 1; stale likewise. */
  lastCase(distinct: Distinct): Int32Array;
  /** The same for each of some neighbouring rows by itself, so that these need not come one after another. */
  caseMarks(): CaseMarks;
  /** Releases the buffers, which another tally may use from then on; call once. */
  close(): void;
}

/** last[(row % rows) × stride + cell]: the last case counted in the cell, of those with the same remainder. */
export interface CaseMarks {
  readonly last: Int32Array;
  readonly rows: number; // a power of two
  readonly stride: number;
}

const MARKS = 2 ** 17; // of 4 bytes: what stays in a processor's cache

const SMALL = 2 ** 18; // bytes of a buffer that is left for a larger one

/** What counts cases once: they come one after another, so one comparison a fact makes the count exact. */
export type Distinct = 'handled' | 'resolved';

/** Zeros that the tallies of a thread add up in one after the other: large ones would each leave theirs to the collector. */
export interface SpareSums {
  bytes: ArrayBuffer; // none while a tally has them
}

export const createSpareSums = (): SpareSums => ({ bytes: new ArrayBuffer(0) });

/** What a tally is to hold. */
export interface TallySize {
  readonly measures: Iterable<Measure>;
  readonly samples: ReadonlySet<DurationName>;
  readonly cells: number; // at most, where they come bit by bit
  readonly sampleBytes: number; // for all samples together
}

/** A tally of nothing yet. */
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
  let stride = 0; // of the marks: the cells in use with some to spare, though there may be room for many more
  return {
    room: (cells) => {
      if (cells > sums.capacity) {
        // Of a large buffer only what is written takes memory; one twice as large, again and again, leaves each to the collector.
        const few = Math.max(cells, Math.min(most, 2 * sums.capacity));
        const capacity = few * bytes <= SMALL ? few : Math.max(cells, most);
        const larger = layOut(new ArrayBuffer(capacity * bytes), measures);
        for (const [place, array] of larger.arrays.entries()) array.set(sums.arrays[place]!.subarray(0, used));
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
      // What is left in the marks are numbers of earlier cases, so it does not matter where they stand.
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

/** What a tally adds up in: sums of each measure, then the last cases, each as many as there is room for cells. */
interface Sums {
  readonly bytes: ArrayBuffer;
  readonly capacity: number;
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

/** Bytes a cell takes for these measures, the marks of the last cases included. */
export const cellBytes = (measures: number): number => sumBytes(measures) + 4;
