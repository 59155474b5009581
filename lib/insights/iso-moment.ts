import { clockMicros, fractionMicros, offsetMicros } from '../history/cases/instant.ts';

/** An instant as it was written. */
export interface Moment {
  readonly second: number; // s since 1970, rounded down
  readonly offset: number; // s east of UTC, as sent
}

const DAY = 86_400_000_000; // microseconds
const WHOLE = /^([^Tt ]+)[Tt ]([\d:.,]+)([Zz]|[+-]\d\d(?::?\d\d)?)$/;
const CALENDAR = /^(\d{4})(-?)(\d\d)\2(\d\d)$/;
const WEEK = /^(\d{4})(-?)[Ww](\d\d)\2(\d)$/;
const ORDINAL = /^(\d{4})-?(\d{3})$/;
const CLOCK = /^(\d\d)(?:(:?)(\d\d)(?:\2(\d\d)(?:[.,](\d+))?)?)?$/;

/** The form of all instants that `readMoment` reads, for OpenAPI: without the bounds of months, days and hours. */
export const MOMENT_FORM =
  /^([0-9]{4}-?([0-9]{2}-?[0-9]{2}|[Ww][0-9]{2}-?[0-9]|[0-9]{3}))[Tt ][0-9]{2}(:?[0-9]{2}(:?[0-9]{2}([.,][0-9]+)?)?)?([Zz]|[+-][0-9]{2}(:?[0-9]{2})?)$/;

/**
 * Reads an ISO 8601 instant with an offset in each of the standard's forms: basic and extended; calendar, week and
 * ordinal dates; whole hours; 24:00 as the end of a day. Undefined if the text is none.
 */
export function readMoment(text: string): Moment | undefined {
  const [, date = '', clock = '', zone = ''] = WHOLE.exec(text) ?? [];
  const [day, time, offset] = [readDay(date), readClock(clock), offsetMicros(zone)];
  if (day === undefined || time === undefined || offset === undefined) return undefined;
  return { second: Math.floor((day + time - offset) / 1_000_000), offset: offset / 1_000_000 };
}

/** The start of a date as if in UTC; microseconds since 1970. */
function readDay(text: string): number | undefined {
  const [, calendarYear, , month, day] = CALENDAR.exec(text) ?? [];
  if (calendarYear !== undefined) return dayOf(Number(calendarYear), Number(month), Number(day));
  const [, weekYear, , week, weekday] = WEEK.exec(text) ?? [];
  if (weekYear !== undefined) return dayOfWeek(Number(weekYear), Number(week), Number(weekday));
  const [, year, nth] = ORDINAL.exec(text) ?? [];
  return year === undefined ? undefined : within(Number(year), dayOf(Number(year), 1, 1), Number(nth) - 1);
}

const dayOf = (year: number, month: number, day: number): number | undefined =>
  clockMicros({ year, month, day, hour: 0, minute: 0, second: 0, micros: 0 });

/** The first day of a year, moved by days, if it is still in that year. */
function within(year: number, first: number | undefined, days: number): number | undefined {
  const next = dayOf(year + 1, 1, 1);
  if (first === undefined || next === undefined || days < 0) return undefined;
  const day = first + days * DAY;
  return day < next ? day : undefined;
}

/** Weeks begin on Monday; the first one of a year is the one with 4 January. */
function dayOfWeek(year: number, week: number, weekday: number): number | undefined {
  const [first, next] = [firstMonday(year), firstMonday(year + 1)];
  if (first === undefined || next === undefined || week < 1 || weekday < 1 || weekday > 7) return undefined;
  const day = first + ((week - 1) * 7 + weekday - 1) * DAY;
  return day < next ? day : undefined;
}

function firstMonday(year: number): number | undefined {
  const fourth = dayOf(year, 1, 4);
  if (fourth === undefined) return undefined;
  const sinceMonday = (((fourth / DAY + 3) % 7) + 7) % 7; // 1970-01-01 was a Thursday
  return fourth - sinceMonday * DAY;
}

/** The time of day in microseconds; 24:00 is the end of the day. */
function readClock(text: string): number | undefined {
  const [, hour, , minute = '0', second = '0', fraction] = CLOCK.exec(text) ?? [];
  if (hour === undefined) return undefined;
  const micros = fractionMicros(fraction);
  if (hour === '24') return Number(minute) + Number(second) + micros === 0 ? DAY : undefined;
  return clockMicros({
    year: 1970,
    month: 1,
    day: 1,
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    micros,
  });
}
