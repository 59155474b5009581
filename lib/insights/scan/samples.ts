import type { CellSamples } from '../percentiles.ts';
import { tooManySamples } from '../too-large.ts';
import { grown } from './grown.ts';

/** Values met in cells, in the order in which they were met. */
interface SamplePart {
  count: number;
  readonly cells: Int32Array;
  readonly values: Float64Array; // s
}

/** All of them. What is full is left as it is: to copy values into larger arrays takes as long as to find them. */
export interface Samples {
  readonly full: SamplePart[];
  before: number; // values in what is full
  part: SamplePart;
  readonly most: number; // values that there is memory for
  latest: { readonly cases: Int32Array; readonly places: Int32Array }; // by cell, where `addToCase` adds
}

const SAMPLE_BYTES = 20; // 12 in the order they are met, 8 by cell
const PART = 2 ** 16; // values

const partOf = (size: number): SamplePart => ({
  count: 0,
  cells: new Int32Array(size),
  values: new Float64Array(size),
});

/** No values yet, of which `bytes` hold as many as they do. */
export const createSamples = (bytes: number): Samples => ({
  full: [],
  before: 0,
  part: partOf(0),
  latest: { cases: new Int32Array(0), places: new Int32Array(0) },
  most: Math.floor(bytes / SAMPLE_BYTES),
});

/** Makes room for some more values, which are added in one loop. Throws the 422 `too_large`. */
export function roomForSamples(samples: Samples, more: number): void {
  const { part, most } = samples;
  if (part.count + more <= part.cells.length) return;
  const count = samples.before + part.count;
  if (count + more > most) throw tooManySamples(most);
  samples.full.push(part);
  samples.before = count;
  samples.part = partOf(Math.min(most - count, Math.max(PART, more)));
}

/** Adds a value where there is room. */
export function addSample({ part }: Samples, cell: number, value: number): void {
  part.cells[part.count] = cell;
  part.values[part.count] = value;
  part.count += 1;
}

/**
 * Adds to the value that a case, a number from 1, has in a cell, where there is room for one more value. Cases come one after
 * another as far as each cell is concerned.
 */
export function addToCase(samples: Samples, cell: number, number: number, value: number): void {
  if (cell >= samples.latest.cases.length) {
    const { cases, places } = samples.latest;
    const size = Math.max(1024, 2 * (cell + 1));
    samples.latest = { cases: grown(cases, new Int32Array(size)), places: grown(places, new Int32Array(size)) };
  }
  const { cases, places } = samples.latest;
  if (cases[cell] === number) {
    addAt(samples, places[cell]!, value);
    return;
  }
  cases[cell] = number;
  places[cell] = samples.before + samples.part.count;
  addSample(samples, cell, value);
}

/** Adds to the value that was met as the `place`th, which is mostly one of the last. */
function addAt({ full, before, part }: Samples, place: number, value: number): void {
  let [start, at] = [before, full.length];
  while (place < start) {
    at -= 1;
    start -= full[at]!.count;
  }
  (full[at] ?? part).values[place - start]! += value;
}

/** Samples found elsewhere, and by cell of theirs the cell that they are to have; below 0 where they are left out. */
export interface FoundSamples {
  readonly found: CellSamples;
  readonly cells: Int32Array;
}

/** The samples of all, by place of their cell. */
export function joinSamples(parts: readonly FoundSamples[], places: Int32Array, cellCount: number): CellSamples {
  const next = new Int32Array(cellCount + 1);
  eachPlace(parts, places, (place, values) => {
    next[place + 1]! += values.length;
  });
  for (let cell = 0; cell < cellCount; cell += 1) next[cell + 1]! += next[cell]!;
  const offsets = next.slice();
  const joined = new Float64Array(offsets[cellCount]!);
  eachPlace(parts, places, (place, values) => {
    joined.set(values, next[place]!);
    next[place]! += values.length;
  });
  return { offsets, values: joined };
}

function eachPlace(
  parts: readonly FoundSamples[],
  places: Int32Array,
  visit: (place: number, values: Float64Array) => void,
): void {
  for (const { found, cells } of parts) {
    for (let cell = 0; cell < cells.length; cell += 1) {
      const [from, to] = [found.offsets[cell]!, found.offsets[cell + 1]!];
      if (from < to && cells[cell]! >= 0) visit(places[cells[cell]!]!, found.values.subarray(from, to));
    }
  }
}

/** By cell below `size` its place among the `filled` ones. */
export function placesIn(filled: Int32Array, size: number): Int32Array {
  const places = new Int32Array(size);
  for (let at = 0; at < filled.length; at += 1) places[filled[at]!] = at;
  return places;
}

/** The values by cell, all of which have a place. */
export function scatterSamples({ full, before, part }: Samples, places: Int32Array, cellCount: number): CellSamples {
  const parts = [...full, part];
  const next = new Int32Array(cellCount + 1);
  for (const each of parts) countPlaces(each, places, next);
  for (let cell = 0; cell < cellCount; cell += 1) next[cell + 1]! += next[cell]!;
  const offsets = next.slice();
  const byCell = new Float64Array(before + part.count);
  for (const each of parts) putInPlaces(each, places, next, byCell);
  return { offsets, values: byCell };
}

function countPlaces({ cells, count }: SamplePart, places: Int32Array, next: Int32Array): void {
  for (let k = 0; k < count; k += 1) next[places[cells[k]!]! + 1]! += 1;
}

function putInPlaces(
  { cells, values, count }: SamplePart,
  places: Int32Array,
  next: Int32Array,
  byCell: Float64Array,
): void {
  for (let k = 0; k < count; k += 1) {
    const place = places[cells[k]!]!;
    byCell[next[place]!] = values[k]!;
    next[place]! += 1;
  }
}
