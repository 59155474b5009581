import type { Column } from '../history/byte-planes.ts';
import type { WindowLookup } from './lookup.ts';
import { windowOf } from './lookup.ts';
import type { Range } from './windows.ts';

/** Intervals of time. */
export interface Intervals {
  readonly base: number; // s since 1970 that `starts` count from
  readonly starts: Column;
  readonly lengths: Column; // s
}

/** Intervals clipped to the range and cut at the ends of windows, in the order of the intervals. */
export interface Pieces {
  readonly intervals: Uint32Array; // by piece: the interval it is of
  readonly windows: Int32Array; // by piece
  readonly seconds: Float64Array; // by piece: its length, above 0
}

const BATCH = 2 ** 20; // pieces after which a batch ends: few long intervals can touch very many windows

/** Cuts intervals at the ends of windows, in batches of whole intervals. */
export function* cutIntervals(all: Intervals, range: Range, lookup: WindowLookup): Generator<Pieces> {
  const { base, starts, lengths } = all;
  for (let i = 0; i < starts.length; ) {
    let pieces = somePieces(Math.min(starts.length + 1024, BATCH));
    let count = 0;
    for (; i < starts.length && count < BATCH; i += 1) {
      const end = Math.min(starts[i]! + base + lengths[i]!, range.max);
      let from = Math.max(starts[i]! + base, range.min);
      if (from >= end) continue;
      for (let window = windowOf(lookup, from); from < end; window += 1) {
        const until = Math.min(end, lookup.ends[window]!);
        if (count === pieces.windows.length) pieces = somePieces(2 * count, pieces);
        pieces.intervals[count] = i;
        pieces.windows[count] = window;
        pieces.seconds[count] = until - from;
        count += 1;
        from = until;
      }
    }
    yield {
      intervals: pieces.intervals.subarray(0, count),
      windows: pieces.windows.subarray(0, count),
      seconds: pieces.seconds.subarray(0, count),
    };
  }
}

function somePieces(room: number, before?: Pieces): Pieces {
  const pieces = { intervals: new Uint32Array(room), windows: new Int32Array(room), seconds: new Float64Array(room) };
  if (before === undefined) return pieces;
  pieces.intervals.set(before.intervals);
  pieces.windows.set(before.windows);
  pieces.seconds.set(before.seconds);
  return pieces;
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
