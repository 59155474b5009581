import type { Span, ZoneSpec } from '../zone.ts';
import { modulo, offsetAt, spansBetween } from '../zone.ts';

export const WINDOW_SIZES = ['none', 'hour', 'day', 'week', 'month'] as const;
export type WindowSize = (typeof WINDOW_SIZES)[number];

/** The meaning of each window size, one sentence each. */
export const WINDOW_MEANINGS: Readonly<Record<WindowSize, string>> = {
  none: 'The whole range is one window.',
  hour: 'From one full hour of the clock to the next.',
  day: 'From midnight to midnight; 23 or 25 hours where summer time changes.',
  week: 'Seven days from the day on which weeks begin for the site.',
  month: 'A month of the calendar.',
};

const DAY = 86_400;
/** The length of a window in seconds, without changes of offset; of the longest month. */
const LENGTH = { none: Number.POSITIVE_INFINITY, hour: 3600, day: DAY, week: 7 * DAY, month: 31 * DAY } as const;
const LONGEST_WINDOW = 33 * DAY; // s, a month with its changes of offset

/** A range of time: [min, max) in whole seconds since 1970. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The range of all facts: records are accepted from 1970 to 2199 only. */
export const ALL_TIME: Range = { min: 0, max: 7_258_118_400 };

/** Windows that tile a range, as plain data. */
export interface Windows {
  readonly size: WindowSize;
  readonly starts: Float64Array; // s, rising; the first may lie before the range
  readonly offsets: Int32Array; // s east of UTC at each start
}

export const NO_WINDOWS: Windows = { size: 'none', starts: new Float64Array(0), offsets: new Int32Array(0) };

/** Estimates the number of windows of a range without cutting it: at most one too high. */
export function countWindows(size: WindowSize, { min, max }: Range): number {
  return size === 'none' ? 1 : Math.floor((max - min) / LENGTH[size]);
}

/** Cuts a range into windows (docs/rules.md 2 and 23); `weekStart` is 0 for Monday … 6 for Sunday. */
export function cutWindows(zone: ZoneSpec, size: WindowSize, weekStart: number, range: Range): Windows {
  if (size === 'none') return { size, starts: Float64Array.of(range.min), offsets: new Int32Array(1) };
  if (range.min >= range.max) return { size, starts: new Float64Array(0), offsets: new Int32Array(0) };
  const spans = spansBetween(zone, range.min - LONGEST_WINDOW, range.max);
  const starts = size === 'hour' ? hourStarts(spans, range) : dateStarts(spans, size, weekStart, range);
  return { size, starts: Float64Array.from(starts), offsets: offsetsOf(spans, starts) };
}

/**
 * Returns a function from a window's index to its `window_time`: its start on the zone's clocks, `YYYY-MM-DD HH:MM:SS`;
 * null for size `none`.
 */
export function windowTimes({ size, starts, offsets }: Windows): (index: number) => string | null {
  if (size === 'none') return () => null;
  let day = Number.NaN;
  let date = ''; // the text of `day`, computed once a day because it takes longer than all the rest
  let second = Number.NaN; // of the day
  let clock = ''; // the text of `second`, which is the same on most days
  return (index) => {
    const local = starts[index]! + offsets[index]!;
    if (Math.floor(local / DAY) !== day) {
      day = Math.floor(local / DAY);
      date = clockText(day * DAY).slice(0, 10);
    }
    if (local - day * DAY !== second) {
      second = local - day * DAY;
      clock = `${twoDigits(second / 3600)}:${twoDigits((second / 60) % 60)}:${twoDigits(second % 60)}`;
    }
    return `${date} ${clock}`;
  };
}

/** The offset of a zone in whole minutes, as RFC 3339 shows it; in seconds east of UTC. */
export const shownOffset = (zone: ZoneSpec, second: number): number => Math.floor(offsetAt(zone, second) / 60) * 60;

/** An instant as RFC 3339 with the zone's offset, `±HH:MM` and never `Z`. */
export function zonedTime(zone: ZoneSpec, second: number): string {
  const offset = shownOffset(zone, second);
  const sign = offset < 0 ? '-' : '+';
  const size = Math.abs(offset) / 60;
  return `${clockText(second + offset)}${sign}${twoDigits(size / 60)}:${twoDigits(size % 60)}`;
}

const twoDigits = (value: number): string => (value < 10 ? `0${Math.floor(value)}` : String(Math.floor(value)));

/** A local time as `YYYY-MM-DDTHH:MM:SS`. */
const clockText = (local: number): string => new Date(local * 1000).toISOString().slice(0, -5);

/** An hour ends when the clock's hour or the zone's offset changes. */
function hourStarts(spans: readonly Span[], { min, max }: Range): number[] {
  const starts: number[] = [];
  for (const { start, end, offset } of spans) {
    if (end <= min) continue;
    const hourOf = (second: number): number => Math.floor((second + offset) / 3600) * 3600 - offset;
    for (let at = Math.max(start, hourOf(Math.max(start, min))); at < Math.min(end, max); at = hourOf(at) + 3600) {
      starts.push(at);
    }
  }
  return starts;
}

/** Days, weeks and months begin at the first instant at which the clock has reached their date. */
function dateStarts(spans: readonly Span[], size: 'day' | 'week' | 'month', weekStart: number, range: Range): number[] {
  let span = 0;
  const firstInstant = (local: number): number => {
    while (span + 1 < spans.length && local >= spans[span]!.end + spans[span]!.offset) span += 1;
    return Math.max(spans[span]!.start, local - spans[span]!.offset);
  };
  const atMin = spans.find(({ end }) => end > range.min)!;
  let local = dateStart(size, weekStart, range.min + atMin.offset);
  // If the clock was set back over midnight, `min` may still be in the window of the date before, so begin there.
  local = dateStart(size, weekStart, local - 1);
  const starts: number[] = [];
  for (let start = firstInstant(local); start < range.max; start = firstInstant(local)) {
    if (start <= range.min || start === starts.at(-1)) starts.pop(); // the last one ends by `min`, or its date was skipped
    starts.push(start);
    local = nextDateStart(size, local);
  }
  return starts;
}

/** The start of the date, week or month of a local time. */
export function dateStart(size: 'day' | 'week' | 'month', weekStart: number, local: number): number {
  const day = Math.floor(local / DAY);
  if (size === 'day') return day * DAY;
  if (size === 'week') return (day - modulo(day + 3 - weekStart, 7)) * DAY; // 1970-01-01 was a Thursday
  return (day - (new Date(day * DAY * 1000).getUTCDate() - 1)) * DAY;
}

function nextDateStart(size: 'day' | 'week' | 'month', local: number): number {
  if (size === 'day') return local + DAY;
  if (size === 'week') return local + 7 * DAY;
  return dateStart('month', 0, local + 31 * DAY);
}

function offsetsOf(spans: readonly Span[], starts: readonly number[]): Int32Array {
  const offsets = new Int32Array(starts.length);
  let span = 0;
  for (let i = 0; i < starts.length; i += 1) {
    while (span + 1 < spans.length && starts[i]! >= spans[span]!.end) span += 1;
    offsets[i] = spans[span]!.offset;
  }
  return offsets;
}
