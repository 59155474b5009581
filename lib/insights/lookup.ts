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
  readonly narrowEnds: Int32Array; // s since `origin`, at most 2^31 − 1
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
  const narrowEnds = new Int32Array(ends.length);
  for (let i = 0; i < ends.length; i += 1) narrowEnds[i] = Math.min(ends[i]! - origin, MOST_NARROW - 1);
  return { origin, perStep: 1 / step, table, ends, narrowEnds };
}

/** The window of a second within the range. */
export function windowOf({ origin, perStep, table, ends }: WindowLookup, second: number): number {
  let window = table[Math.floor((second - origin) * perStep)]!;
  while (second >= ends[window]!) window += 1;
  return window;
}

/** A column of seconds since 1970, counted from `start`; none lies past `end`. */
export interface Seconds {
  readonly start: number; // s
  readonly end: number; // s
  readonly column: Column; // s since `start`
}

/** The windows of a column of seconds, −1 outside the range; in `reuse` where that is long enough. */
export function findWindows(lookup: WindowLookup, range: Range, seconds: Seconds, reuse: Int32Array): Int32Array {
  const { column, start, end } = seconds;
  const into = reuse.length < column.length ? new Int32Array(column.length) : reuse;
  const { origin } = lookup;
  const narrow = Math.max(end, range.max) - origin < MOST_NARROW && origin - start < MOST_NARROW;
  if (narrow) findNarrow(lookup, range.min - origin, range.max - origin, start - origin, column, into);
  else findWide(lookup, range, start, column, into);
  return into;
}

const MOST_NARROW = 2 ** 31; // s, 68 years: within them integers of 32 bits do, which take half the time

function findNarrow(lookup: WindowLookup, min: number, max: number, shift: number, column: Column, into: Int32Array) {
  const { table, perStep, narrowEnds } = lookup;
  const bits = -Math.log2(perStep);
  for (let i = 0; i < column.length; i += 1) {
    const second = (column[i]! + shift) | 0;
    if (second < min || second >= max) {
      into[i] = -1;
      continue;
    }
    let window = table[second >> bits]!;
    while (second >= narrowEnds[window]!) window += 1;
    into[i] = window;
  }
}

function findWide(lookup: WindowLookup, { min, max }: Range, base: number, column: Column, into: Int32Array): void {
  for (let i = 0; i < column.length; i += 1) {
    const second = column[i]! + base;
    into[i] = second < min || second >= max ? -1 : windowOf(lookup, second);
  }
}
