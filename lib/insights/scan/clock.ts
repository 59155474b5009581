import { type DimensionName, dimensionNamed, type InstantPart } from '../definitions/dimensions.ts';
import type { Plan } from '../plan.ts';
import { cutWindows, type Windows } from '../windows.ts';
import { type Times, type WindowLookup, windowLookup, windowOf } from './lookup.ts';

/**
 * The local time in the zone of a report: its windows are cut so that the parts that its dimensions show stay the same
 * within each piece.
 */
export interface Clock {
  readonly pieces: Windows;
  readonly lookup: WindowLookup; // of pieces
  readonly windows: Int32Array; // the window of each piece
  readonly parts: Readonly<Record<InstantPart, Uint8Array>>; // the index of each piece's member, from 1
}

const HOUR = 3600; // s
const DAY = 86_400;

/**
 * Makes the clock of a report, undefined if no dimension is of instants. Windows are cut at every hour if a dimension
 * shows hours, else at midnight.
 */
export function clockOf({ request, windows, range }: Pick<Plan, 'request' | 'windows' | 'range'>): Clock | undefined {
  const shown = [instantPartOf(request.dimension1), instantPartOf(request.dimension2)];
  if (!shown.includes('hour') && !shown.includes('weekday')) return undefined;
  const size = shown.includes('hour') ? 'hour' : 'day';
  const hours = cutWindows(request.time.zone, 'hour', 0, range);
  const cuts = size === 'hour' ? hours.starts : firstOfDays(hours);
  const starts = mergedStarts(cuts, windows.starts, range.max);
  const count = starts.length;
  const pieces: Windows = { size, starts, offsets: new Int32Array(count) };
  const clock = {
    pieces,
    lookup: windowLookup(pieces, range),
    windows: new Int32Array(count),
    parts: { hour: new Uint8Array(count), weekday: new Uint8Array(count) },
  };
  let [hour, window] = [0, 0];
  for (let piece = 0; piece < count; piece += 1) {
    const start = starts[piece]!;
    while (hour + 1 < hours.starts.length && hours.starts[hour + 1]! <= start) hour += 1;
    while (window + 1 < windows.starts.length && windows.starts[window + 1]! <= start) window += 1;
    // A piece that begins before the first hour has no second of the range, so its parts do not matter.
    const local = start + (hours.offsets[hour] ?? 0);
    const day = Math.floor(local / DAY);
    const sinceMonday = day + 3; // 1970-01-01 was a Thursday
    clock.windows[piece] = window;
    clock.parts.hour[piece] = 1 + Math.floor((local - day * DAY) / HOUR);
    clock.parts.weekday[piece] = 1 + sinceMonday - 7 * Math.floor(sinceMonday / 7);
  }
  return clock;
}

/** The part of instants that a dimension shows; null without a dimension, undefined for one that is not of instants. */
export function instantPartOf(name: DimensionName | null): InstantPart | null | undefined {
  if (name === null) return null;
  const { members } = dimensionNamed(name);
  return members === 'hour' || members === 'weekday' ? members : undefined;
}

/** The starts of the hours in which a new day begins, and of the first one. */
function firstOfDays({ starts, offsets }: Windows): Float64Array {
  const dayOf = (hour: number): number => Math.floor((starts[hour]! + offsets[hour]!) / DAY);
  return starts.filter((_, hour) => hour === 0 || dayOf(hour) !== dayOf(hour - 1));
}

/** Merges two rising lists of instants, without duplicates and without those from `max` on. */
function mergedStarts(one: Float64Array, two: Float64Array, max: number): Float64Array {
  const merged = new Float64Array(one.length + two.length);
  let [a, b, count] = [0, 0, 0];
  while (a < one.length || b < two.length) {
    const first = a < one.length ? one[a]! : max;
    const second = b < two.length ? two[b]! : max;
    const start = Math.min(first, second);
    if (start >= max) break;
    merged[count] = start;
    a += first === start ? 1 : 0;
    b += second === start ? 1 : 0;
    count += 1;
  }
  return merged.subarray(0, count);
}

/** The index of each fact's member; 0 for a fact outside of the range. */
export function partsOf({ lookup, parts }: Clock, part: InstantPart, { seconds, start }: Times): Uint8Array {
  const { min, max } = lookup.range;
  const found = new Uint8Array(seconds.length);
  const byPiece = parts[part];
  for (let fact = 0; fact < found.length; fact += 1) {
    const second = seconds[fact]! + start;
    if (second >= min && second < max) found[fact] = byPiece[windowOf(lookup, second)]!;
  }
  return found;
}
