import type { Column } from '../history/byte-planes.ts';
import type { WindowLookup } from './lookup.ts';
import { windowOf } from './lookup.ts';
import type { Range } from './windows.ts';

/** Intervals of cases, those of row r at offsets[r] … offsets[r + 1] − 1. */
export interface Intervals {
  readonly offsets: Uint32Array;
  readonly base: number; // s since 1970 that `starts` count from
  readonly starts: Column;
  readonly lengths: Column; // s
}

/** Intervals clipped to the range and cut at the ends of windows: those of row r lie at offsets[r] … offsets[r + 1] − 1. */
export interface Pieces {
  readonly offsets: Uint32Array; // of every row; rows of other batches have none
  readonly intervals: Uint32Array; // by piece: the interval it is of
  readonly windows: Int32Array; // by piece
  readonly seconds: Float64Array; // by piece: its length, above 0
}

const BATCH = 2 ** 20; // pieces after which a batch ends: few long intervals can touch very many windows

/** Cuts the intervals of cases at the ends of windows, in batches of whole rows. */
export function* cutIntervals(all: Intervals, range: Range, lookup: WindowLookup): Generator<Pieces> {
  const { offsets, base, starts, lengths } = all;
  const rows = offsets.length - 1;
  for (let row = 0; row < rows; ) {
    const pieces = emptyPieces(rows);
    let count = 0;
    for (; row < rows && count < BATCH; row += 1) {
      for (let i = offsets[row]!; i < offsets[row + 1]!; i += 1) {
        const end = Math.min(starts[i]! + base + lengths[i]!, range.max);
        let from = Math.max(starts[i]! + base, range.min);
        if (from >= end) continue;
        for (let window = windowOf(lookup, from); from < end; window += 1) {
          const until = Math.min(end, lookup.ends[window]!);
          if (count === pieces.windows.length) growPieces(pieces);
          pieces.intervals[count] = i;
          pieces.windows[count] = window;
          pieces.seconds[count] = until - from;
          count += 1;
          from = until;
        }
      }
      pieces.offsets[row + 1] = count;
    }
    pieces.offsets.fill(count, row + 1);
    yield pieces;
  }
}

type Growing = { -readonly [K in keyof Pieces]: Pieces[K] };

const emptyPieces = (rows: number): Growing => ({
  offsets: new Uint32Array(rows + 1),
  intervals: new Uint32Array(rows),
  windows: new Int32Array(rows),
  seconds: new Float64Array(rows),
});

function growPieces(pieces: Growing): void {
  const { intervals, windows, seconds } = pieces;
  const size = 1024 + 2 * windows.length;
  pieces.intervals = new Uint32Array(size);
  pieces.intervals.set(intervals);
  pieces.windows = new Int32Array(size);
  pieces.windows.set(windows);
  pieces.seconds = new Float64Array(size);
  pieces.seconds.set(seconds);
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
