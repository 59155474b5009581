import type { ZoneSpec } from '../zone.ts';
import { cutWindows, type Range, type WindowSize } from './windows.ts';

export const TIME_UNITS = ['hour', 'day', 'week', 'month'] as const satisfies readonly WindowSize[];
type RelativeUnit = (typeof TIME_UNITS)[number];

export const MOST_UNITS = 100_000; // in one relative time: 11 years of hours

/** The last whole units of a zone's clock before now. */
export interface RelativeTime {
  readonly last: number; // units, 1 … MOST_UNITS
  readonly unit: RelativeUnit;
  readonly includingCurrent: boolean; // the current unit is the last of them, so the range ends in the future
}

const LONGEST: Readonly<Record<RelativeUnit, number>> = { hour: 7200, day: 93_600, week: 694_800, month: 2_768_400 }; // s

/** Returns the range of a relative time at `now` (s since 1970); `weekStart` is 0 for Monday … 6 for Sunday. */
export function relativeRange(
  { last, unit, includingCurrent }: RelativeTime,
  zone: ZoneSpec,
  weekStart: number,
  now: number,
): Range {
  const startsIn = (range: Range): Float64Array => cutWindows(zone, unit, weekStart, range).starts;
  const [current, following] = startsIn({ min: now, max: now + 2 * LONGEST[unit] });
  if (current === undefined || following === undefined) throw new Error(`no ${unit} ends after ${now}`);
  const max = includingCurrent ? following : current;
  const min = startsIn({ min: max - (last + 1) * LONGEST[unit], max }).at(-last);
  if (min === undefined) throw new Error(`fewer than ${last} of a ${unit} before ${max}`);
  return { min, max };
}
