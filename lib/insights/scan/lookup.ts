import type { Column } from '../../history/segments/byte-planes.ts';
import type { Range, Windows } from '../windows.ts';

/**
 * Finds the window of a second. A table has the first window of each step, a power of two of seconds; the window of any
 * second of the step is only a few further. So time zones and changes of offset cost nothing in the inner loop.
 */
export interface WindowLookup {
  readonly range: Range; // only seconds within it may be looked up
  readonly perStep: number; // steps per second
  readonly table: Int32Array; // by step since `range.min`: the window of its first second
  readonly ends: Float64Array; // s, the end of each window; infinite for the last
}

const MOST_STEPS = 2 ** 18; // 1 MB
const STEPS_A_WINDOW = 32; // so many that few steps contain a window's end, and the processor predicts the branch

/** Makes the lookup for windows that cover a range; they may begin before it and end after it. */
export function windowLookup({ starts }: Windows, range: Range): WindowLookup {
  const { min, max } = range;
  const ends = new Float64Array(starts.length).fill(Number.POSITIVE_INFINITY);
  ends.set(starts.subarray(1));
  const span = starts.length === 0 ? 0 : Math.max(1, max - min);
  let bits = 0;
  while (2 ** bits * STEPS_A_WINDOW * starts.length < span || span / 2 ** bits > MOST_STEPS) bits += 1;
  const table = new Int32Array(Math.ceil(span / 2 ** bits));
  let window = 0;
  while (ends[window]! <= min) window += 1; // skip windows before the range, which a report without dimensions has too
  for (let from = 0; from < table.length; window += 1) {
    const until = Math.min(table.length, Math.ceil((ends[window]! - min) / 2 ** bits));
    table.fill(window, from, until);
    from = until;
  }
  return { range, perStep: 1 / 2 ** bits, table, ends };
}

/** The window of a second within the range. */
export function windowOf({ range, perStep, table, ends }: WindowLookup, second: number): number {
  let window = table[Math.floor((second - range.min) * perStep)]!;
  while (second >= ends[window]!) window += 1;
  return window;
}

/** Returns a function that counts the instants at or before a second; `instants` rise. */
export function instantsReached(instants: Float64Array): (second: number) => number {
  const count = instants.length;
  const [first = Number.POSITIVE_INFINITY, last = Number.POSITIVE_INFINITY] = [instants[0], instants[count - 1]];
  if (first >= last) return (second) => (second < first ? 0 : count);
  const windows: Windows = { size: 'none', starts: instants, offsets: new Int32Array(count) };
  const lookup = windowLookup(windows, { min: first, max: last });
  return (second) => (second < first ? 0 : second >= last ? count : windowOf(lookup, second) + 1);
}

/** The times of the facts of a kind in a segment. */
export interface Times {
  readonly seconds: Column; // by fact, s since `start`
  readonly start: number; // s since 1970
}
