import type { CellSamples } from '../fields.ts';
import { tooManySamples } from '../too-large.ts';
import { grown } from './grown.ts';

/** Values met in cells, in the order in which they were met. */
export interface Samples {
  count: number;
  cells: Int32Array;
  values: Float64Array; // s
  readonly most: number; // values that there is memory for
  latest: { readonly cases: Int32Array; readonly places: Int32Array }; // by cell, where `addToCase` adds
}

const SAMPLE_BYTES = 20; // 12 in the order they are met, 8 by cell

/** No values yet, of which `bytes` hold as many as they do. */
export const createSamples = (bytes: number): Samples => ({
  count: 0,
  cells: new Int32Array(0),
  values: new Float64Array(0),
  latest: { cases: new Int32Array(0), places: new Int32Array(0) },
  most: Math.floor(bytes / SAMPLE_BYTES),
});

/** Makes room for some more values, which are added in one loop. Throws the 422 `too_large`. */
export function roomForSamples(samples: Samples, more: number): void {
  const needed = samples.count + more;
  if (needed <= samples.cells.length) return;
  if (needed > samples.most) throw tooManySamples(samples.most);
  const size = Math.min(samples.most, Math.max(1024, needed, 2 * samples.cells.length));
  samples.cells = grown(samples.cells, new Int32Array(size));
  samples.values = grown(samples.values, new Float64Array(size));
}

/** Adds a value where there is room. */
export function addSample(samples: Samples, cell: number, value: number): void {
  samples.cells[samples.count] = cell;
  samples.values[samples.count] = value;
  samples.count += 1;
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
    samples.values[places[cell]!]! += value;
    return;
  }
  cases[cell] = number;
  places[cell] = samples.count;
  addSample(samples, cell, value);
}

/** Adds the values of another scan, whose cell i is `cells[i]` here; below 0 where it is left out. Throws the 422 `too_large`. */
export function addSamples(samples: Samples, { offsets, values }: CellSamples, cells: Int32Array): void {
  roomForSamples(samples, values.length);
  for (let cell = 0; cell < cells.length; cell += 1) {
    if (cells[cell]! < 0) continue;
    for (let at = offsets[cell]!; at < offsets[cell + 1]!; at += 1) addSample(samples, cells[cell]!, values[at]!);
  }
}

/** By cell below `size` its place among the `filled` ones. */
export function placesIn(filled: Int32Array, size: number): Int32Array {
  const places = new Int32Array(size);
  for (let at = 0; at < filled.length; at += 1) places[filled[at]!] = at;
  return places;
}

/** The values by cell, all of which have a place. */
export function scatterSamples({ cells, values, count }: Samples, places: Int32Array, cellCount: number): CellSamples {
  const next = new Int32Array(cellCount + 1);
  for (let k = 0; k < count; k += 1) next[places[cells[k]!]! + 1]! += 1;
  for (let cell = 0; cell < cellCount; cell += 1) next[cell + 1]! += next[cell]!;
  const offsets = next.slice();
  const byCell = new Float64Array(count);
  for (let k = 0; k < count; k += 1) {
    const place = places[cells[k]!]!;
    byCell[next[place]!] = values[k]!;
    next[place]! += 1;
  }
  return { offsets, values: byCell };
}

/** The values of each cell rising, in their place: whole numbers from 0 on. */
export function sortSamples(samples: CellSamples): CellSamples {
  const { offsets, values } = samples;
  let spare = new Float64Array(0);
  for (let cell = 0; cell + 1 < offsets.length; cell += 1) {
    const [from, to] = [offsets[cell]!, offsets[cell + 1]!];
    if (to - from <= FEW) sortFew(values, from, to);
    else {
      if (spare.length < to - from) spare = new Float64Array(to - from);
      sortMany(values.subarray(from, to), spare);
    }
  }
  return samples;
}

const FEW = 48; // values that are sorted sooner by moving each to its place than digit by digit

function sortFew(values: Float64Array, from: number, to: number): void {
  for (let at = from + 1; at < to; at += 1) {
    const value = values[at]!;
    let place = at;
    for (; place > from && values[place - 1]! > value; place -= 1) values[place] = values[place - 1]!;
    values[place] = value;
  }
}

const DIGIT = 256;

/** Sorts by one digit after the other, from the lowest on: a third of the time of sorting by comparing two values at a time. */
function sortMany(values: Float64Array, spare: Float64Array): void {
  let largest = 0;
  for (let at = 0; at < values.length; at += 1) largest = Math.max(largest, values[at]!);
  let [from, to] = [values, spare.subarray(0, values.length)];
  for (let unit = 1; unit <= largest; unit *= DIGIT) {
    sortByDigit(from, to, 1 / unit);
    [from, to] = [to, from];
  }
  if (from !== values) values.set(from);
}

/** Brings values into the order of one of their digits, those alike in the order they had. */
function sortByDigit(from: Float64Array, to: Float64Array, scale: number): void {
  const next = new Int32Array(DIGIT + 1);
  for (let at = 0; at < from.length; at += 1) next[((from[at]! * scale) & (DIGIT - 1)) + 1]! += 1;
  for (let digit = 0; digit < DIGIT; digit += 1) next[digit + 1]! += next[digit]!;
  for (let at = 0; at < from.length; at += 1) {
    const value = from[at]!;
    const digit = (value * scale) & (DIGIT - 1);
    const place = next[digit]!;
    to[place] = value;
    next[digit] = place + 1;
  }
}
