import type { Column } from '../../history/columns/byte-planes.ts';
import type { Range, Windows } from '../windows.ts';
import type { Hits } from './hits.ts';

/**
 * Finds the window of a second. A table has the first window of each step, a power of two of seconds; the window of any
 * second of the step is only a few further. So time zones and changes of offset cost nothing in the inner loop.
 */
export interface WindowLookup {
  readonly range: Range; // only seconds within it may be looked up
  readonly perStep: number; // steps per second
  readonly bits: number; // a step is 2^bits seconds
  readonly table: Int32Array; // by step since `range.min`: the window of its first second
  readonly ends: Float64Array; // s, the end of each window; infinite for the last
  readonly narrowEnds: Int32Array; // the same in s since `range.min`, from 0 to 2^31 − 1
  readonly single: boolean; // no step contains the ends of two windows
}

const MOST_STEPS = 2 ** 18; // 1 MB
const STEPS_A_WINDOW = 32; // so many that few steps contain a window's end, and the processor predicts the branch
const MOST_NARROW = 2 ** 31; // s, 68 years: in shorter ranges 32-bit integers suffice, which take a third of the time

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
  let single = true;
  for (let from = 0; from < table.length; window += 1) {
    const until = Math.min(table.length, Math.ceil((ends[window]! - min) / 2 ** bits));
    if (until === from) single = false;
    table.fill(window, from, until);
    from = until;
  }
  if (ends[window]! < max) single = false; // the last step contains the end of a second window
  const narrowEnds = new Int32Array(ends.length);
  for (let at = 0; at < ends.length; at += 1) narrowEnds[at] = Math.max(0, Math.min(ends[at]! - min, MOST_NARROW - 1));
  return { range, perStep: 1 / 2 ** bits, bits, table, ends, narrowEnds, single };
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
  readonly end: number; // s since 1970; no fact is later
}

/**
 * Finds the windows of the items of `hits`, which are facts, or of all facts if none are `listed`. Leaves out facts
 * outside the range. The windows are stored in `hits.cells`.
 */
export function findWindows(lookup: WindowLookup, times: Times, listed: boolean, hits: Hits): void {
  if (!listed) hits.count = times.seconds.length;
  hits.count = isNarrow(lookup, times)
    ? findNarrow(lookup, times, listed, hits)
    : findAnywhere(lookup, times, listed, hits);
}

/** Adds 1 for each fact to the sum of its window; sums[start] is the sum of the first window. */
export function countByWindow(lookup: WindowLookup, times: Times, start: number, sums: Float64Array): void {
  if (isNarrow(lookup, times)) {
    countNarrow(lookup, times, start, sums);
    return;
  }
  const { min, max } = lookup.range;
  for (const second of times.seconds) {
    const at = times.start + second;
    if (at >= min && at < max) sums[start + windowOf(lookup, at)]! += 1;
  }
}

/** Whether 32-bit integers suffice, and the window of a second is the one in the table or the next. */
export function isNarrow({ range, single }: WindowLookup, { start, end }: Omit<Times, 'seconds'>): boolean {
  return single && Math.max(end, range.max) - range.min < MOST_NARROW && range.min - start < MOST_NARROW;
}

// In the narrow loops `| 0` tells V8 that a number is an integer. Otherwise it uses doubles, which takes twice as long.

function findNarrow(
  { table, bits, narrowEnds, range }: WindowLookup,
  { seconds, start }: Times,
  listed: boolean,
  { items, cells, count }: Hits,
): number {
  const shift = (start - range.min) | 0;
  const width = (range.max - range.min) | 0;
  let at = 0;
  for (let k = 0; k < count; k += 1) {
    const fact = listed ? items[k]! : k;
    const second = (seconds[fact]! + shift) | 0;
    if (second < 0 || second >= width) continue;
    const window = table[second >> bits]!;
    items[at] = fact;
    cells[at] = window + (second >= narrowEnds[window]! ? 1 : 0);
    at += 1;
  }
  return at;
}

function countNarrow(
  { table, bits, narrowEnds, range }: WindowLookup,
  { seconds, start }: Times,
  firstCell: number,
  sums: Float64Array,
): void {
  const shift = (start - range.min) | 0;
  const width = (range.max - range.min) | 0;
  const last = seconds.length;
  for (let fact = 0; fact < last; fact += 1) {
    const second = (seconds[fact]! + shift) | 0;
    if (second < 0 || second >= width) continue;
    let window = table[second >> bits]!;
    window += second >= narrowEnds[window]! ? 1 : 0;
    sums[firstCell + window]! += 1;
  }
}

function findAnywhere(
  lookup: WindowLookup,
  { seconds, start }: Times,
  listed: boolean,
  { items, cells, count }: Hits,
): number {
  const { min, max } = lookup.range;
  let at = 0;
  for (let k = 0; k < count; k += 1) {
    const fact = listed ? items[k]! : k;
    const second = seconds[fact]! + start;
    if (second < min || second >= max) continue;
    items[at] = fact;
    cells[at] = windowOf(lookup, second);
    at += 1;
  }
  return at;
}
