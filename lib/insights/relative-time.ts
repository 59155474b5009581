import { clockAt, type ZoneSpec } from '../zone.ts';
import { cutWindows, type Range } from './windows.ts';

export const TIME_UNITS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
type RelativeUnit = (typeof TIME_UNITS)[number];

export const MOST_UNITS = 100_000; // in one relative time: 11 years of hours

/** The last whole units of a zone's clock before now. */
export interface RelativeTime {
  readonly last: number; // units, 1 … MOST_UNITS
  readonly unit: RelativeUnit;
  readonly includingCurrent: boolean; // the current unit is the last of them, so the range ends in the future
}

const LONGEST: Readonly<Record<RelativeUnit, number>> = {
  ...{ hour: 7200, day: 93_600, week: 694_800, month: 2_768_400, quarter: 8_035_200, year: 31_708_800 }, // s
};

/** The months of the units that are several. */
export const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

/** Returns the range of a relative time at `now` (s since 1970); `weekStart` is 0 for Monday … 6 for Sunday. */
export function relativeRange(
  { last, unit, includingCurrent }: RelativeTime,
  zone: ZoneSpec,
  weekStart: number,
  now: number,
): Range {
  const startsIn = (range: Range): Float64Array => unitStarts(unit, zone, weekStart, range);
  const [current, following] = startsIn({ min: now, max: now + 2 * LONGEST[unit] });
  if (current === undefined || following === undefined) throw new Error(`no ${unit} ends after ${now}`);
  const max = includingCurrent ? following : current;
  const min = startsIn({ min: max - (last + 1) * LONGEST[unit], max }).at(-last);
  if (min === undefined) throw new Error(`fewer than ${last} of a ${unit} before ${max}`);
  return { min, max };
}

/** The starts of the units that a range touches, of the first one too where it lies before the range. */
function unitStarts(unit: RelativeUnit, zone: ZoneSpec, weekStart: number, range: Range): Float64Array {
  if (unit !== 'quarter' && unit !== 'year') return cutWindows(zone, unit, weekStart, range).starts;
  const { starts } = cutWindows(zone, 'month', weekStart, { min: range.min - LONGEST[unit], max: range.max });
  // A month may begin after midnight, where the clock was set forward then.
  const begins = starts.filter((start) => new Date(clockAt(zone, start) * 1000).getUTCMonth() % MONTHS[unit] === 0);
  return begins.slice(
    Math.max(
      0,
      begins.findLastIndex((start) => start <= range.min),
    ),
  );
}
