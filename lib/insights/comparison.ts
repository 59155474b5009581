import { clockAt, instantOf, type ZoneSpec } from '../zone.ts';
import { MONTHS, type RelativeTime } from './relative-time.ts';
import { dateStart, type Range, type WindowSize } from './windows.ts';

export const COMPARED_PERIODS = ['previous_period', 'previous_year'] as const;
export type ComparedPeriod = (typeof COMPARED_PERIODS)[number];

/** A range with the size and time zone of its windows, and the moment of the request. */
interface CutRange extends Range {
  readonly now: number; // s since 1970
  readonly relative?: Pick<RelativeTime, 'last' | 'unit'> | undefined; // the relative time that the range was read from
  readonly size: WindowSize;
  readonly zone: ZoneSpec;
  readonly weekStart: number; // 0 Monday … 6 Sunday
}

const HOUR = 3600; // s
const DAY = 86_400;
const MONTHS_A_YEAR = 12;
const LENGTHS = { hour: HOUR, day: DAY, week: 7 * DAY } as const;

/**
 * Returns the range to compare a report's range with: both ends are moved back on the local clock. Where the range is
 * still running, the range to compare with ends at the same moment: as much before its own end on the local clock, or
 * for a relative time at the present moment, moved back likewise.
 */
export function comparedRange(range: CutRange, period: ComparedPeriod): Range {
  const { zone, min, max, now, relative } = range;
  const back = moveBack(range, period);
  const moved = (second: number): number => instantOf(zone, back(clockAt(zone, second)));
  const [start, end] = [moved(min), moved(max)];
  if (max <= now) return { min: start, max: Math.max(start, end) };
  const left = clockAt(zone, max) - clockAt(zone, now);
  const reached = relative === undefined ? instantOf(zone, clockAt(zone, end) - left) : moved(now);
  return { min: start, max: Math.max(start, Math.min(end, reached)) };
}

function moveBack(range: CutRange, period: ComparedPeriod): (local: number) => number {
  const { relative } = range;
  const lacking: LackingDay = relative === undefined ? 'last day' : 'end';
  if (period === 'previous_year') return (local) => moveMonths(local, -MONTHS_A_YEAR, lacking);
  if (relative === undefined) return previousPeriod(range);
  const { last, unit } = relative;
  if (unit === 'hour' || unit === 'day' || unit === 'week') return (local) => local - last * LENGTHS[unit];
  return (local) => moveMonths(local, -last * MONTHS[unit], lacking);
}

/**
 * Returns a function that moves a local time back by the length of a range: by the number of window units that the
 * range touches, or without windows by the local seconds between its ends.
 */
function previousPeriod({ zone, size, weekStart, min, max }: CutRange): (local: number) => number {
  const [first, last] = [clockAt(zone, min), clockAt(zone, max - 1)];
  if (min === max) return (local) => local;
  if (size === 'none') {
    const length = clockAt(zone, max) - first;
    return (local) => local - length;
  }
  if (size === 'month') {
    const months = Math.max(1, monthOf(last) - monthOf(first) + 1);
    return (local) => moveMonths(local, -months, 'last day');
  }
  const unit = LENGTHS[size];
  const start = (local: number): number =>
    size === 'hour' ? Math.floor(local / HOUR) * HOUR : dateStart(size, weekStart, local);
  const units = Math.max(1, (start(last) - start(first)) / unit + 1);
  return (local) => local - units * unit;
}

function monthOf(local: number): number {
  const date = new Date(local * 1000);
  return date.getUTCFullYear() * MONTHS_A_YEAR + date.getUTCMonth();
}

/** What a day becomes that a month lacks: the month's last day, or its end. */
type LackingDay = 'last day' | 'end';

/** Moves a local time by whole months. */
function moveMonths(local: number, months: number, lacking: LackingDay): number {
  const date = new Date(local * 1000);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
  const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate();
  if (lacking === 'end' && date.getUTCDate() > days) return first / 1000 + days * DAY;
  const inDay = local - Math.floor(local / DAY) * DAY;
  return first / 1000 + (Math.min(date.getUTCDate(), days) - 1) * DAY + inDay;
}
