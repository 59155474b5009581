import type { CellSamples } from '../percentiles.ts';
import { tooManySamples } from '../too-large.ts';
import { copyInto } from './arrays.ts';

/** Values with their cells, in the order in which they were met. */
interface SamplePart {
  count: number;
  readonly cells: Int32Array;
  readonly values: Float64Array; // s
}

/** All values of a duration. Full parts are kept, because copying values takes as long as finding them. */
export interface Samples {
  readonly full: SamplePart[];
  before: number; // values in full parts
  part: SamplePart; // the part that is being filled
  readonly most: number; // the limit of values
  latest: { readonly cases: Int32Array; readonly indexes: Int32Array }; // by cell: the last case, and the index of its value
}

const SAMPLE_BYTES = 20; // 12 for a value with its cell, and 8 in the result
const PART = 2 ** 16; // values

const partOf = (size: number): SamplePart => ({
  count: 0,
  cells: new Int32Array(size),
  values: new Float64Array(size),
});

/** Creates empty samples, limited to the values that `bytes` hold. */
export const createSamples = (bytes: number): Samples => ({
  full: [],
  before: 0,
  part: partOf(0),
  latest: { cases: new Int32Array(0), indexes: new Int32Array(0) },
  most: Math.floor(bytes / SAMPLE_BYTES),
});

/** Makes room for `more` values, which are then added in one loop. Throws the 422 `too_large`. */
export function roomForSamples(samples: Samples, more: number): void {
  const { part, most } = samples;
  if (part.count + more <= part.cells.length) return;
  const count = samples.before + part.count;
  if (count + more > most) throw tooManySamples(most);
  samples.full.push(part);
  samples.before = count;
  samples.part = partOf(Math.min(most - count, Math.max(PART, more)));
}

/** Adds a value; the caller has made room for it. */
export function addSample({ part }: Samples, cell: number, value: number): void {
  part.cells[part.count] = cell;
  part.values[part.count] = value;
  part.count += 1;
}

/**
 * Adds to the value that a case, a number from 1, has in a cell; the caller has made room for one more value. In each
 * cell the values of a case come one after another.
 */
export function addToCase(samples: Samples, cell: number, number: number, value: number): void {
  if (cell >= samples.latest.cases.length) {
    const { cases, indexes } = samples.latest;
    const size = Math.max(1024, 2 * (cell + 1));
    samples.latest = { cases: copyInto(cases, new Int32Array(size)), indexes: copyInto(indexes, new Int32Array(size)) };
  }
  const { cases, indexes } = samples.latest;
  if (cases[cell] === number) {
    addAt(samples, indexes[cell]!, value);
    return;
  }
  cases[cell] = number;
  indexes[cell] = samples.before + samples.part.count;
  addSample(samples, cell, value);
}

/**
 * Adds to the value at an index among all values. It searches from the end, since the value is mostly one of the last.
 */
function addAt({ full, before, part }: Samples, index: number, value: number): void {
  let [start, at] = [before, full.length];
  while (index < start) {
    at -= 1;
    start -= full[at]!.count;
  }
  (full[at] ?? part).values[index - start]! += value;
}

/** The samples of a result, and the new number of each of its cells; below 0 for a cell that is left out. */
export interface ResultSamples {
  readonly found: CellSamples;
  readonly cells: Int32Array;
}

/** Merges samples; `indexes` has the index of each cell in the result. */
export function joinSamples(parts: readonly ResultSamples[], indexes: Int32Array, cellCount: number): CellSamples {
  const next = new Int32Array(cellCount + 1);
  eachCell(parts, indexes, (index, values) => {
    next[index + 1]! += values.length;
  });
  for (let cell = 0; cell < cellCount; cell += 1) next[cell + 1]! += next[cell]!;
  const offsets = next.slice();
  const joined = new Float64Array(offsets[cellCount]!);
  eachCell(parts, indexes, (index, values) => {
    joined.set(values, next[index]!);
    next[index]! += values.length;
  });
  return { offsets, values: joined };
}

function eachCell(
  parts: readonly ResultSamples[],
  indexes: Int32Array,
  visit: (index: number, values: Float64Array) => void,
): void {
  for (const { found, cells } of parts) {
    for (let cell = 0; cell < cells.length; cell += 1) {
      const [from, to] = [found.offsets[cell]!, found.offsets[cell + 1]!];
      if (from < to && cells[cell]! >= 0) visit(indexes[cells[cell]!]!, found.values.subarray(from, to));
    }
  }
}

/** By cell below `size`, its index among the `filled` cells. */
export function indexesIn(filled: Int32Array, size: number): Int32Array {
  const indexes = new Int32Array(size);
  for (let at = 0; at < filled.length; at += 1) indexes[filled[at]!] = at;
  return indexes;
}

/** All parts of samples, in order. */
export const sampleParts = ({ full, part }: Samples): readonly SamplePart[] => [...full, part];

/** Groups the values by cell; `indexes` has the index of each cell in the result. */
export function scatterSamples(samples: Samples, indexes: Int32Array, cellCount: number): CellSamples {
  const { before, part } = samples;
  const parts = sampleParts(samples);
  const next = new Int32Array(cellCount + 1);
  for (const each of parts) countValues(each, indexes, next);
  for (let cell = 0; cell < cellCount; cell += 1) next[cell + 1]! += next[cell]!;
  const offsets = next.slice();
  const byCell = new Float64Array(before + part.count);
  for (const each of parts) scatterValues(each, indexes, next, byCell);
  return { offsets, values: byCell };
}

function countValues({ cells, count }: SamplePart, indexes: Int32Array, next: Int32Array): void {
  for (let k = 0; k < count; k += 1) next[indexes[cells[k]!]! + 1]! += 1;
}

function scatterValues(
  { cells, values, count }: SamplePart,
  indexes: Int32Array,
  next: Int32Array,
  byCell: Float64Array,
): void {
  for (let k = 0; k < count; k += 1) {
    const index = indexes[cells[k]!]!;
    byCell[next[index]!] = values[k]!;
    next[index]! += 1;
  }
}
