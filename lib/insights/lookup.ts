import type { Column } from '../history/byte-planes.ts';
import type { Range, Windows } from './windows.ts';

/**
 * Finds the window of a second: a table says which window is the first in each step of a power of two seconds, and from
 * there it is at most some windows further. So zones and changes of offset cost nothing in the inner loop.
 */
export interface WindowLookup {
  readonly origin: number; // s, start of the table
  readonly perStep: number; // steps a second, a power of two
  readonly bits: number; // of the seconds of a step
  readonly table: Int32Array; // step → the window its first second lies in
  readonly ends: Float64Array; // s: where each window ends; the last never does
  readonly narrowEnds: Int32Array; // s since `origin`, at most 2^31 − 1
}

const MOST_STEPS = 2 ** 18; // 1 MB
const STEPS_A_WINDOW = 32; // so few steps hold a window's end that the processor guesses right where it goes on

/** The lookup for windows; seconds before the first window or past the range must not be looked up. */
export function windowLookup({ starts }: Windows, max: number): WindowLookup {
  const ends = new Float64Array(starts.length).fill(Number.POSITIVE_INFINITY);
  ends.set(starts.subarray(1));
  const origin = starts[0] ?? 0;
  const span = starts.length === 0 ? 0 : Math.max(1, max - origin);
  let step = 1;
  while (step * STEPS_A_WINDOW * starts.length < span || span / step > MOST_STEPS) step *= 2;
  const table = new Int32Array(Math.ceil(span / step));
  let window = 0;
  for (let i = 0; i < table.length; i += 1) {
    while (origin + i * step >= ends[window]!) window += 1;
    table[i] = window;
  }
  const narrowEnds = new Int32Array(ends.length);
  for (let i = 0; i < ends.length; i += 1) narrowEnds[i] = Math.min(ends[i]! - origin, MOST_NARROW - 1);
  return { origin, perStep: 1 / step, bits: Math.log2(step), table, ends, narrowEnds };
}

/** The window of a second within the range. */
export function windowOf({ origin, perStep, table, ends }: WindowLookup, second: number): number {
  let window = table[Math.floor((second - origin) * perStep)]!;
  while (second >= ends[window]!) window += 1;
  return window;
}

/** The facts of a kind in a segment, row by row. */
export interface TimedFacts {
  readonly offsets: Column; // row r has the facts offsets[r] … offsets[r + 1] − 1
  readonly seconds: Column; // s since `start`
  readonly start: number; // s since 1970
  readonly end: number; // s since 1970; none lies past it
}

/**
 * The windows of the facts of `selected` rows, −1 outside the range, into their places of `windows`. This and the loops of
 * `locate` are where a report's time goes.
 */
export function findWindows(
  lookup: WindowLookup,
  range: Range,
  facts: TimedFacts,
  selected: Uint8Array,
  windows: Int32Array,
): void {
  const { origin } = lookup;
  const narrow = Math.max(facts.end, range.max) - origin < MOST_NARROW && origin - facts.start < MOST_NARROW;
  const find = narrow ? findNarrow : findWide;
  for (let row = 0; row < selected.length; row += 1) {
    if (selected[row] === 0) continue;
    const first = row;
    while (row < selected.length && selected[row] === 1) row += 1;
    find(lookup, range, facts, [facts.offsets[first]!, facts.offsets[row]!], windows);
  }
}

const MOST_NARROW = 2 ** 31; // s, 68 years: within them integers of 32 bits do, which take half the time

function findNarrow(
  { table, bits, narrowEnds, origin }: WindowLookup,
  range: Range,
  { seconds, start }: TimedFacts,
  [first, last]: readonly [number, number],
  windows: Int32Array,
): void {
  const [min, max, shift] = [range.min - origin, range.max - origin, start - origin];
  for (let fact = first; fact < last; fact += 1) {
    const second = (seconds[fact]! + shift) | 0;
    if (second < min || second >= max) {
      windows[fact] = -1;
      continue;
    }
    let window = table[second >> bits]!;
    while (second >= narrowEnds[window]!) window += 1;
    windows[fact] = window;
  }
}

function findWide(
  lookup: WindowLookup,
  { min, max }: Range,
  { seconds, start }: TimedFacts,
  [first, last]: readonly [number, number],
  windows: Int32Array,
): void {
  for (let fact = first; fact < last; fact += 1) {
    const second = seconds[fact]! + start;
    windows[fact] = second < min || second >= max ? -1 : windowOf(lookup, second);
  }
}
