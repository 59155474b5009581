import type { Column } from '../history/byte-planes.ts';
import type { WindowLookup } from './lookup.ts';
import { windowOf } from './lookup.ts';
import type { Range } from './windows.ts';

/** Intervals clipped to the range and cut at the ends of windows: those of row r lie at offsets[r] … offsets[r + 1] − 1. */
export interface Pieces {
  readonly offsets: Uint32Array;
  readonly intervals: Uint32Array; // by piece: the interval it is of
  readonly windows: Int32Array; // by piece
  readonly seconds: Float64Array; // by piece: its length, above 0
}

/** Intervals of cases, those of row r at offsets[r] … offsets[r + 1] − 1. */
export interface Intervals {
  readonly offsets: Uint32Array;
  readonly base: number; // s since 1970 that `starts` count from
  readonly starts: Column;
  readonly lengths: Column; // s
}

/** Cuts the intervals of cases at the ends of windows. */
export function cutIntervals(
  { offsets, base, starts, lengths }: Intervals,
  range: Range,
  lookup: WindowLookup,
): Pieces {
  const intervals: number[] = [];
  const windows: number[] = [];
  const seconds: number[] = [];
  const cut = new Uint32Array(offsets.length);
  for (let row = 0; row + 1 < offsets.length; row += 1) {
    for (let i = offsets[row]!; i < offsets[row + 1]!; i += 1) {
      const from = starts[i]! + base;
      spread(
        { min: Math.max(from, range.min), max: Math.min(from + lengths[i]!, range.max) },
        lookup,
        (window, part) => {
          intervals.push(i);
          windows.push(window);
          seconds.push(part);
        },
      );
    }
    cut[row + 1] = intervals.length;
  }
  return {
    offsets: cut,
    intervals: Uint32Array.from(intervals),
    windows: Int32Array.from(windows),
    seconds: Float64Array.from(seconds),
  };
}

/** Gives each window that a range of seconds touches the seconds of it that lie there. */
export function spread(range: Range, lookup: WindowLookup, visit: (window: number, seconds: number) => void): void {
  if (range.min >= range.max) return;
  let start = range.min;
  for (let window = windowOf(lookup, start); start < range.max; window += 1) {
    const end = Math.min(range.max, lookup.ends[window]!);
    visit(window, end - start);
    start = end;
  }
}
