import type { Column } from '../../history/segments/byte-planes.ts';
import type { Range } from '../windows.ts';
import { copyInto } from './arrays.ts';
import type { Times, WindowLookup } from './lookup.ts';
import { windowOf } from './lookup.ts';

/** Intervals of time; `seconds` has their starts. */
export interface Intervals extends Times {
  readonly lengths: Column; // s, by interval
  readonly rows: Column; // by interval, rising
}

/** Pieces of intervals, clipped to the range and cut at the ends of windows, in the order of the intervals. */
export interface IntervalPieces {
  count: number;
  rows: Column; // by piece
  facts: Int32Array; // by piece: its interval
  windows: Int32Array; // by piece
  seconds: Float64Array; // by piece: its length, above 0
}

const BATCH = 2 ** 20; // pieces after which a batch ends, because a few long intervals can touch very many windows

/**
 * Cuts the intervals of the `selected` rows at the ends of windows, in batches of whole intervals. A batch is valid
 * until the next one.
 */
export function* cutIntervals(all: Intervals, selected: Uint8Array, lookup: WindowLookup): Generator<IntervalPieces> {
  const { lengths, rows } = all;
  const batch = emptyBatch(lengths.length, rows);
  for (let interval = 0; interval < lengths.length; interval += 1) {
    if (selected[rows[interval]!] === 1) cutInterval(all, interval, lookup, batch);
    if (batch.count < BATCH) continue;
    yield batch;
    batch.count = 0;
  }
  yield batch;
}

function cutInterval(
  { seconds, start, lengths, rows }: Intervals,
  interval: number,
  lookup: WindowLookup,
  batch: IntervalPieces,
): void {
  const { range, ends } = lookup;
  const begin = seconds[interval]! + start;
  const end = Math.min(begin + lengths[interval]!, range.max);
  let from = Math.max(begin, range.min);
  if (from >= end) return;
  for (let window = windowOf(lookup, from); from < end; window += 1) {
    const until = Math.min(end, ends[window]!);
    if (batch.count === batch.windows.length) enlarge(batch);
    batch.rows[batch.count] = rows[interval]!;
    batch.facts[batch.count] = interval;
    batch.windows[batch.count] = window;
    batch.seconds[batch.count] = until - from;
    batch.count += 1;
    from = until;
  }
}

/** Makes an array of the same type as `rows`, so that V8 compiles loops over both for one type. */
const roomLike = (rows: Column, room: number): Column =>
  rows instanceof Uint16Array ? new Uint16Array(room) : new Int32Array(room);

function emptyBatch(intervals: number, rows: Column): IntervalPieces {
  const room = Math.min(intervals + 1024, BATCH);
  return {
    count: 0,
    rows: roomLike(rows, room),
    facts: new Int32Array(room),
    windows: new Int32Array(room),
    seconds: new Float64Array(room),
  };
}

function enlarge(batch: IntervalPieces): void {
  const size = 2 * batch.count;
  batch.rows = copyInto(batch.rows, roomLike(batch.rows, size));
  batch.facts = copyInto(batch.facts, new Int32Array(size));
  batch.windows = copyInto(batch.windows, new Int32Array(size));
  batch.seconds = copyInto(batch.seconds, new Float64Array(size));
}

/** Calls `visit` for each window that a range overlaps, with the seconds of the overlap. */
export function eachWindowOverlap(
  range: Range,
  lookup: WindowLookup,
  visit: (window: number, seconds: number) => void,
): void {
  if (range.min >= range.max) return;
  let start = range.min;
  for (let window = windowOf(lookup, start); start < range.max; window += 1) {
    const end = Math.min(range.max, lookup.ends[window]!);
    visit(window, end - start);
    start = end;
  }
}
