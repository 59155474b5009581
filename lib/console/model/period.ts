/** The units of periods and windows, smallest first. */
const UNITS = ['hour', 'day', 'week', 'month'] as const;
export type Unit = (typeof UNITS)[number];

export type WindowSize = Unit | 'none';

/** The units of periods. */
export const PERIOD_UNITS = [...UNITS, 'quarter', 'year'] as const;
type PeriodUnit = (typeof PERIOD_UNITS)[number];

/** The time that a report covers: all time, the last whole units, or a range of local times in the zone of the report. */
export type Period =
  | { readonly kind: 'last'; readonly count: number; readonly unit: PeriodUnit; readonly current: boolean }
  | { readonly kind: 'all' }
  | { readonly kind: 'range'; readonly from: LocalTime; readonly until: LocalTime }; // `until` is exclusive

/** A local time in the report's zone: `2026-10-01` or `2026-10-01T09:00`. */
export type LocalTime = string;

const ALL = 'all';
const LAST = /^([1-9]\d{0,3})(h|d|w|m|q|y)(\+?)$/;
const LOCAL = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?)?$/;
const letterOf = (unit: PeriodUnit): string => unit.charAt(0);

/** The default period: four whole weeks. */
export const USUAL_PERIOD: Extract<Period, { kind: 'last' }> = { kind: 'last', count: 4, unit: 'week', current: false };

/** A period that the picker offers, and the key that chooses it. */
interface Preset {
  readonly key: string;
  readonly period: Exclude<Period, { kind: 'range' }>;
}

const preset = (key: string, count: number, unit: PeriodUnit, current = false): Preset => ({
  key,
  period: { kind: 'last', count, unit, current },
});

/** The periods that the picker offers, in its order; Plausible has the same keys for most of them. */
export const PRESETS: readonly Preset[] = [
  preset('d', 1, 'day', true),
  preset('e', 1, 'day'),
  preset('k', 1, 'week', true),
  preset('s', 1, 'week'),
  preset('m', 1, 'month', true),
  preset('p', 1, 'month'),
  preset('q', 1, 'quarter', true),
  preset('u', 1, 'quarter'),
  preset('y', 1, 'year', true),
  preset('z', 1, 'year'),
  preset('w', 7, 'day'),
  preset('f', 28, 'day'),
  preset('n', 90, 'day'),
  preset('v', 4, 'week'),
  preset('l', 12, 'month'),
  { key: 'a', period: { kind: 'all' } },
];

/** Writes a relative period for an address: `4w`, `1m+` if it includes the current unit, or `all`. */
export const writeLast = (period: Exclude<Period, { kind: 'range' }>): string =>
  period.kind === 'all' ? ALL : `${period.count}${letterOf(period.unit)}${period.current ? '+' : ''}`;

/** Reads what `writeLast` writes; undefined for anything else. */
export function readLast(text: string | null): Period | undefined {
  if (text === ALL) return { kind: 'all' };
  const [, count, letter, plus] = LAST.exec(text ?? '') ?? [];
  const unit = PERIOD_UNITS.find((each) => letterOf(each) === letter);
  return unit === undefined ? undefined : { kind: 'last', count: Number(count), unit, current: plus === '+' };
}

/** Reads a range; undefined unless both ends are local times in order. */
export function readRange(from: string | null, until: string | null): Period | undefined {
  if (from === null || until === null || !LOCAL.test(from) || !LOCAL.test(until)) return undefined;
  if (Number.isNaN(Date.parse(`${whole(from)}Z`)) || Number.isNaN(Date.parse(`${whole(until)}Z`))) return undefined;
  return whole(from) <= whole(until) ? { kind: 'range', from, until } : undefined;
}

/** The window size that suits a period: enough windows to see a trend, but few enough to read. */
export function suitingWindow(period: Period): WindowSize {
  const days = lengthInDays(period);
  if (days <= 2) return 'hour';
  if (days <= 35) return 'day';
  return days <= 190 ? 'week' : 'month';
}

const DAYS: Readonly<Record<PeriodUnit, number>> = { hour: 1 / 24, day: 1, week: 7, month: 31, quarter: 92, year: 366 };

function lengthInDays(period: Period): number {
  if (period.kind === 'all') return Number.POSITIVE_INFINITY;
  if (period.kind === 'last') return period.count * DAYS[period.unit];
  return (Date.parse(`${whole(period.until)}Z`) - Date.parse(`${whole(period.from)}Z`)) / 86_400_000;
}

/** A local time with all its parts, `2026-10-01T09:00:00`. */
export const whole = (local: LocalTime): string => `${local}${'T00:00:00'.slice(Math.max(0, local.length - 10))}`;

/** The last day that a range touches; its end is a local time, exclusive. */
export const lastDay = (until: LocalTime): LocalTime =>
  new Date(Date.parse(`${whole(until)}Z`) - 1000).toISOString().slice(0, 10);

export const dayAfter = (day: LocalTime): LocalTime =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

/** The whole days of a zone from one instant to another, both ISO 8601. */
export function daysBetween(first: string, last: string, zone: string): Extract<Period, { kind: 'range' }> {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return { kind: 'range', from: day.format(Date.parse(first)), until: dayAfter(day.format(Date.parse(last))) };
}

const MONTHS: Readonly<Partial<Record<PeriodUnit, number>>> = { month: 1, quarter: 3, year: 12 };

/**
 * The period of the same length whose last unit has a day: weeks begin on `weekStart` (0 Monday … 6 Sunday), and hours
 * are shown as days.
 */
export function periodUpTo(
  day: LocalTime,
  { count, unit }: Extract<Period, { kind: 'last' }>,
  weekStart: number,
): Extract<Period, { kind: 'range' }> {
  const date = new Date(`${day}T00:00:00Z`);
  const move = (days: number): void => void date.setUTCDate(date.getUTCDate() + days);
  const months = MONTHS[unit];
  if (months !== undefined) date.setUTCMonth(date.getUTCMonth() - (date.getUTCMonth() % months) + months, 1);
  else if (unit === 'week') move(7 - ((date.getUTCDay() + 6 - weekStart) % 7));
  else move(1);
  const until = date.toISOString().slice(0, 10);
  if (months !== undefined) date.setUTCMonth(date.getUTCMonth() - count * months);
  else move(-(unit === 'week' ? 7 * count : unit === 'day' ? count : Math.ceil(count / 24)));
  return { kind: 'range', from: date.toISOString().slice(0, 10), until };
}

/** The start of the window after the one that starts at a local time; windows begin at boundaries of their unit. */
export function nextWindow(start: LocalTime, size: Unit): LocalTime {
  const date = new Date(`${whole(start)}Z`);
  if (size === 'hour') date.setUTCHours(date.getUTCHours() + 1, 0, 0);
  else date.setUTCHours(0, 0, 0); // a day without midnight starts at 01:00, but also ends at the next midnight
  if (size === 'day') date.setUTCDate(date.getUTCDate() + 1);
  if (size === 'week') date.setUTCDate(date.getUTCDate() + 7);
  if (size === 'month') date.setUTCMonth(date.getUTCMonth() + 1, 1);
  return date.toISOString().slice(0, 19);
}
