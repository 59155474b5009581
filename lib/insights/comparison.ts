import { clockAt, instantOf, type ZoneSpec } from '../zone.ts';
import { dateStart, type Range, type WindowSize } from './windows.ts';

export const COMPARED_PERIODS = ['previous_period', 'previous_year'] as const;
export type ComparedPeriod = (typeof COMPARED_PERIODS)[number];

/** A range with the size and time zone of its windows. */
interface CutRange extends Range {
  readonly size: WindowSize;
  readonly zone: ZoneSpec;
  readonly weekStart: number; // 0 Monday … 6 Sunday
}

const HOUR = 3600; // s
const DAY = 86_400;
const MONTHS_A_YEAR = 12;

/** Returns the range to compare a report's range with: both ends are moved back on the local clock. */
export function comparedRange(range: CutRange, period: ComparedPeriod): Range {
  const { zone, min, max } = range;
  const back =
    period === 'previous_year' ? (local: number) => moveMonths(local, -MONTHS_A_YEAR) : previousPeriod(range);
  const moved = (second: number): number => instantOf(zone, back(clockAt(zone, second)));
  const start = moved(min);
  return { min: start, max: Math.max(start, moved(max)) };
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
    return (local) => moveMonths(local, -months);
  }
  const unit = size === 'hour' ? HOUR : size === 'day' ? DAY : 7 * DAY;
  const start = (local: number): number =>
    size === 'hour' ? Math.floor(local / HOUR) * HOUR : dateStart(size, weekStart, local);
  const units = Math.max(1, (start(last) - start(first)) / unit + 1);
  return (local) => local - units * unit;
}

function monthOf(local: number): number {
  const date = new Date(local * 1000);
  return date.getUTCFullYear() * MONTHS_A_YEAR + date.getUTCMonth();
}

/** Moves a local time by whole months; a day that the new month lacks becomes its last day. */
function moveMonths(local: number, months: number): number {
  const date = new Date(local * 1000);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
  const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate();
  const inDay = local - Math.floor(local / DAY) * DAY;
  return first / 1000 + (Math.min(date.getUTCDate(), days) - 1) * DAY + inDay;
}
