import type { Column } from '../history/byte-planes.ts';
import type { Range, Windows } from './windows.ts';

/**
 * Finds the window of a second: a table says which window is the first in each step of a power of two seconds, and from
 * there it is at most some windows further. So zones and changes of offset cost nothing in the inner loop.
 */
export interface WindowLookup {
  readonly origin: number; // s, start of the table
  readonly perStep: number; // steps a second, a power of two
  readonly table: Int32Array; // step → the window its first second lies in
  readonly ends: Float64Array; // s: where each window ends; the last never does
}

const MOST_STEPS = 2 ** 18; // 1 MB

/** The lookup for windows; seconds before the first window or past the range must not be looked up. */
export function windowLookup({ starts }: Windows, max: number): WindowLookup {
  const ends = new Float64Array(starts.length).fill(Number.POSITIVE_INFINITY);
  ends.set(starts.subarray(1));
  const origin = starts[0] ?? 0;
  const span = starts.length === 0 ? 0 : Math.max(1, max - origin);
  let step = 1;
  while (step * 4 * starts.length < span || span / step > MOST_STEPS) step *= 2;
  const table = new Int32Array(Math.ceil(span / step));
  let window = 0;
  for (let i = 0; i < table.length; i += 1) {
    while (origin + i * step >= ends[window]!) window += 1;
    table[i] = window;
  }
  return { origin, perStep: 1 / step, table, ends };
}

/** The window of a second within the range. */
export function windowOf({ origin, perStep, table, ends }: WindowLookup, second: number): number {
  let window = table[Math.floor((second - origin) * perStep)]!;
  while (second >= ends[window]!) window += 1;
  return window;
}

/** The windows of a column of seconds counted from `base`, −1 outside the range; in `reuse` where that is long enough. */
export function findWindows(
  lookup: WindowLookup,
  { min, max }: Range,
  base: number,
  seconds: Column,
  reuse: Int32Array,
): Int32Array {
  const into = reuse.length < seconds.length ? new Int32Array(seconds.length) : reuse;
  const { origin, perStep, table, ends } = lookup;
  const single = ends.length === 1;
  for (let i = 0; i < seconds.length; i += 1) {
    const second = seconds[i]! + base;
    if (second < min || second >= max) {
      into[i] = -1;
    } else if (single) {
      into[i] = 0;
    } else {
      let window = table[((second - origin) * perStep) | 0]!; // fewer than 2^31 steps, so this cuts off as floor does
      while (second >= ends[window]!) window += 1;
      into[i] = window;
    }
  }
  return into;
}
