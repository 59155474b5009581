import type { Column } from '../history/byte-planes.ts';
import type { Items } from './hits.ts';
import type { WindowLookup } from './lookup.ts';
import { windowOf } from './lookup.ts';
import type { Range } from './windows.ts';

/** Intervals of time, row by row. */
export interface Intervals {
  readonly base: number; // s since 1970 that `starts` count from
  readonly offsets: Column; // row r has the intervals offsets[r] … offsets[r + 1] − 1
  readonly starts: Column;
  readonly lengths: Column; // s
}

/** Intervals clipped to the range and cut at the ends of windows, in the order of the intervals. */
export interface Pieces {
  readonly items: Items; // its facts are the intervals
  readonly seconds: Float64Array; // by piece: its length, above 0
}

const BATCH = 2 ** 20; // pieces after which a batch ends: few long intervals can touch very many windows

/** Cuts the intervals of the `selected` rows at the ends of windows, in batches of whole intervals. */
export function* cutIntervals(
  all: Intervals,
  selected: Uint8Array,
  range: Range,
  lookup: WindowLookup,
): Generator<Pieces> {
  const { base, offsets, starts, lengths } = all;
  let batch = newBatch(selected.length, starts.length);
  for (let row = 0; row < selected.length; row += 1) {
    batch.offsets[row] = batch.count;
    if (selected[row] === 0) continue;
    for (let i = offsets[row]!; i < offsets[row + 1]!; i += 1) {
      const end = Math.min(starts[i]! + base + lengths[i]!, range.max);
      let from = Math.max(starts[i]! + base, range.min);
      if (from >= end) continue;
      for (let window = windowOf(lookup, from); from < end; window += 1) {
        const until = Math.min(end, lookup.ends[window]!);
        addPiece(batch, i, window, until - from);
        from = until;
      }
      if (batch.count < BATCH) continue;
      yield toPieces(batch, row);
      batch = newBatch(selected.length, starts.length);
    }
  }
  yield toPieces(batch, selected.length - 1);
}

interface Batch {
  count: number;
  readonly offsets: Uint32Array;
  facts: Int32Array;
  windows: Int32Array;
  seconds: Float64Array;
}

function newBatch(rows: number, intervals: number): Batch {
  const room = Math.min(intervals + 1024, BATCH);
  return {
    count: 0,
    offsets: new Uint32Array(rows + 1),
    facts: new Int32Array(room),
    windows: new Int32Array(room),
    seconds: new Float64Array(room),
  };
}

function addPiece(batch: Batch, fact: number, window: number, seconds: number): void {
  const { count } = batch;
  if (count === batch.windows.length) {
    batch.facts = enlarge(batch.facts, new Int32Array(2 * count));
    batch.windows = enlarge(batch.windows, new Int32Array(2 * count));
    batch.seconds = enlarge(batch.seconds, new Float64Array(2 * count));
  }
  batch.facts[count] = fact;
  batch.windows[count] = window;
  batch.seconds[count] = seconds;
  batch.count += 1;
}

function enlarge<T extends Int32Array | Float64Array>(before: T, after: T): T {
  after.set(before);
  return after;
}

/** The pieces of a batch that ends in a row; rows after it have none. */
function toPieces({ count, offsets, facts, windows, seconds }: Batch, lastRow: number): Pieces {
  offsets.fill(count, lastRow + 1);
  return { items: { offsets, windows, facts }, seconds };
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
