import type { Percent } from './definitions/durations.ts';

/** Values by cell: those of cell i are at the indexes offsets[i] … offsets[i + 1] − 1. */
export interface CellSamples {
  readonly offsets: Int32Array;
  readonly values: Float64Array; // whole seconds
}

/** The percentile of each cell's values, which `sortSamples` has sorted for it; `nothing` for a cell without values. */
export function percentiles({ offsets, values }: CellSamples, percent: Percent, nothing: number): Float64Array {
  const found = new Float64Array(offsets.length - 1);
  for (let cell = 0; cell < found.length; cell += 1) {
    const [from, to] = [offsets[cell]!, offsets[cell + 1]!];
    found[cell] = from === to ? nothing : percentile(values, percent, from, to);
  }
  return found;
}

/**
 * The percentile of the sorted values in [from, to), of which there is at least one, by linear interpolation between
 * closest ranks. Whole seconds give whole hundredths, so nothing is rounded.
 */
export function percentile(sorted: Float64Array, percent: Percent, from = 0, to = sorted.length): number {
  const hundredths = percent * (to - from - 1);
  const rank = rankOf(percent, to - from);
  const low = sorted[from + rank]!;
  const high = sorted[Math.min(from + rank + 1, to - 1)]!;
  return (100 * low + (hundredths - 100 * rank) * (high - low)) / 100;
}

/** The rank at or below a percent of `count` values, from 0. */
const rankOf = (percent: Percent, count: number): number => Math.floor((percent * (count - 1)) / 100);

/**
 * Sorts the values of each cell, whole numbers from 0 on, only so far that each value that the percentiles read is at
 * its index in the sorted order. Returns the same arrays, changed in place.
 */
export function sortSamples(samples: CellSamples, percents: readonly Percent[]): CellSamples {
  const { offsets, values } = samples;
  let spare = new Float64Array(0);
  for (let cell = 0; cell + 1 < offsets.length; cell += 1) {
    const [from, to] = [offsets[cell]!, offsets[cell + 1]!];
    if (to - from <= FEW) {
      sortFew(values, from, to);
      continue;
    }
    if (spare.length < to - from) spare = new Float64Array(to - from);
    sortAround(values.subarray(from, to), ranksRead(percents, to - from), spare);
  }
  return samples;
}

const FEW = 48; // up to so many values an insertion sort is faster than cutting into parts

function sortFew(values: Float64Array, from: number, to: number): void {
  for (let at = from + 1; at < to; at += 1) {
    const value = values[at]!;
    let index = at;
    for (; index > from && values[index - 1]! > value; index -= 1) values[index] = values[index - 1]!;
    values[index] = value;
  }
}

/** The ranks that `percentile` reads among `count` values. */
const ranksRead = (percents: readonly Percent[], count: number): readonly number[] =>
  percents.flatMap((percent) => {
    const rank = rankOf(percent, count);
    return [rank, Math.min(rank + 1, count - 1)];
  });

const PARTS = 2 ** 8;

/**
 * Puts the right value at each of `ranks`: cuts the values into parts by size, then sorts only the parts that contain a
 * rank in the same way. For three percentiles of 1,700 values this takes three fifths of the time of a radix sort of
 * them all.
 */
function sortAround(values: Float64Array, ranks: readonly number[], spare: Float64Array): void {
  if (values.length <= FEW) {
    sortFew(values, 0, values.length);
    return;
  }
  const [least, largest] = extremes(values);
  if (least === largest) return;
  const scale = PARTS / (largest - least + 1);
  const starts = cutIntoParts(values, least, scale, spare);
  for (const part of new Set(ranks.map((rank) => ((values[rank]! - least) * scale) | 0))) {
    const [start, end] = [starts[part]!, starts[part + 1]!];
    const within = ranks.filter((rank) => rank >= start && rank < end).map((rank) => rank - start);
    sortAround(values.subarray(start, end), within, spare);
  }
}

function extremes(values: Float64Array): [least: number, largest: number] {
  let [least, largest] = [values[0]!, values[0]!];
  for (let at = 1; at < values.length; at += 1) {
    const value = values[at]!;
    least = Math.min(least, value);
    largest = Math.max(largest, value);
  }
  return [least, largest];
}

/**
 * Orders the values by part, with `scale` parts for each second above `least`; returns the start of each part and the
 * end of the last.
 */
function cutIntoParts(values: Float64Array, least: number, scale: number, spare: Float64Array): Int32Array {
  const next = new Int32Array(PARTS + 1);
  for (let at = 0; at < values.length; at += 1) next[(((values[at]! - least) * scale) | 0) + 1]! += 1;
  for (let part = 0; part < PARTS; part += 1) next[part + 1]! += next[part]!;
  const starts = next.slice();
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at]!;
    const part = ((value - least) * scale) | 0;
    const index = next[part]!;
    spare[index] = value;
    next[part] = index + 1;
  }
  values.set(spare.subarray(0, values.length));
  return starts;
}
