import type { DurationName } from '../definitions/durations.ts';
import type { Measure } from '../definitions/measures.ts';
import { createSamples, type Samples } from './samples.ts';

/** The sums of each cell, and the last case that was counted in it. Arrays have room for all cells numbered so far. */
export interface Tally {
  /** The sums of a wanted measure by cell. Ask again after more cells were numbered. */
  sums(measure: Measure): Float64Array;
  /** The values of a wanted duration. */
  samples(duration: DurationName): Samples;
  /** By cell, the number of the last case counted, from 1; one array for each name of `remembering`. */
  lastCase(name: string): Int32Array;
  /** Releases the buffers for another tally; call once. */
  close(): void;
}

const SMALL = 2 ** 18; // bytes up to which a buffer is doubled; after that it gets its full size

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
  readonly remembering: readonly string[]; // what the last case is remembered for
  readonly cells: { readonly size: number }; // the numbered cells, which may become more
  readonly mostCells: number; // if cells are added bit by bit
  readonly sampleBytes: number; // for all samples together
}

/** Creates an empty tally. */
export function createTally(size: TallySize, spare = createSpareSums()): Tally {
  const names: TallyNames = { measures: [...size.measures], remembering: size.remembering };
  const share = size.sampleBytes / size.samples.size;
  const samples = new Map([...size.samples].map((duration) => [duration, createSamples(share)]));
  let sums = layOut(spare.bytes, names);
  spare.bytes = new ArrayBuffer(0);
  const bytes = bytesOf(names);
  let used = 0;
  const grow = (): void => {
    const cells = size.cells.size;
    if (cells > sums.capacity) {
      // Only the written part of a large buffer takes memory, so it gets its full size at once. If it were doubled
      // again and again, each old one would be left to the garbage collector.
      const few = Math.max(cells, Math.min(size.mostCells, 2 * sums.capacity));
      const capacity = few * bytes <= SMALL ? few : Math.max(cells, size.mostCells);
      const larger = layOut(new ArrayBuffer(capacity * bytes), names);
      for (const [index, array] of larger.arrays.entries()) array.set(sums.arrays[index]!.subarray(0, used));
      sums = larger;
    }
    used = Math.max(used, cells);
  };
  return {
    sums: (measure) => {
      grow();
      return wanted(sums.of.get(measure), measure);
    },
    samples: (duration) => wanted(samples.get(duration), duration),
    lastCase: (name) => {
      grow();
      return wanted(sums.last.get(name), name);
    },
    close: () => {
      for (const array of sums.arrays) array.fill(0, 0, used);
      if (sums.bytes.byteLength > spare.bytes.byteLength) spare.bytes = sums.bytes;
      sums = layOut(new ArrayBuffer(0), names);
      used = 0;
    },
  };
}

function wanted<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`the report does not ask for ${name}`);
  return found;
}

interface TallyNames {
  readonly measures: readonly Measure[];
  readonly remembering: readonly string[];
}

/** The arrays of a tally, in one buffer: first the sums of each measure, then the last cases. */
interface TallyArrays {
  readonly bytes: ArrayBuffer;
  readonly capacity: number; // cells, the length of each array
  readonly of: ReadonlyMap<Measure, Float64Array>;
  readonly last: ReadonlyMap<string, Int32Array>;
  readonly arrays: readonly (Float64Array | Int32Array)[]; // all of them
}

function layOut(bytes: ArrayBuffer, names: TallyNames): TallyArrays {
  const { measures, remembering } = names;
  const each = bytesOf(names);
  const capacity = each === 0 ? 0 : Math.floor(bytes.byteLength / each);
  const of = new Map(measures.map((measure, at) => [measure, new Float64Array(bytes, 8 * at * capacity, capacity)]));
  const lastAt = 8 * measures.length * capacity;
  const last = new Map(
    remembering.map((name, at) => [name, new Int32Array(bytes, lastAt + 4 * at * capacity, capacity)]),
  );
  return { bytes, capacity, of, last, arrays: [...of.values(), ...last.values()] };
}

const bytesOf = ({ measures, remembering }: TallyNames): number => 8 * measures.length + 4 * remembering.length;

/** The bytes that a cell takes, including its index in a result. */
export const cellBytes = (measures: number, remembering: number): number => 8 * measures + 4 * remembering + 4;
