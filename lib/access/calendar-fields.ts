import * as z from 'zod';
import { listOf, name, objectOf, Rejection, shown } from '../json-readers.ts';
import { CALENDAR_DAYS } from '../vocabulary.ts';
import type { CalendarDay, Holiday, Period } from './calendars.ts';

/** Reads the working hours of a calendar: at least one period, and the periods of a day in order, without overlap. */
export function workingHours(value: unknown, field: string): Readonly<Partial<Record<CalendarDay, readonly Period[]>>> {
  const raw = objectOf(value, field);
  const hours: Partial<Record<CalendarDay, readonly Period[]>> = {};
  for (const [day, periods] of Object.entries(raw)) {
    const calendarDay = CALENDAR_DAYS.find((each) => each === day);
    if (calendarDay === undefined)
      throw new Rejection(`${field}: ${shown(day)} is none of ${CALENDAR_DAYS.join(', ')}`);
    hours[calendarDay] = inOrder(listOf(period)(periods, `${field}.${day}`), `${field}.${day}`);
  }
  if (Object.values(hours).every((periods) => periods.length === 0))
    throw new Rejection(`${field}: has no hours of work`);
  return hours;
}

function period(value: unknown, field: string): Period {
  if (!Array.isArray(value) || value.length !== 2) {
    throw new Rejection(`${field}: ${shown(value)} is not a period such as ["09:00", "17:00"]`);
  }
  const [from, to] = [clock(value[0], `${field}[0]`), clock(value[1], `${field}[1]`)];
  if (from >= to) throw new Rejection(`${field}: ${shown(value)} does not end after it begins, on the same day`);
  return [from, to];
}

function clock(value: unknown, field: string): string {
  if (typeof value === 'string' && /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/.test(value)) return value;
  throw new Rejection(`${field}: ${shown(value)} is not a time of day from 00:00 to 24:00`);
}

function inOrder(periods: readonly Period[], field: string): readonly Period[] {
  for (const [index, [from]] of periods.entries()) {
    const before = periods[index - 1];
    if (before !== undefined && from < before[1]) {
      throw new Rejection(`${field}[${index}]: ${shown(periods[index])} overlaps or comes before ${shown(before)}`);
    }
  }
  return periods;
}

/** Reads a holiday: one date, or a range of dates. */
export function holiday(value: unknown, field: string): Holiday {
  const raw = objectOf(value, field);
  const named = raw.name === undefined || raw.name === null ? {} : { name: name(raw.name, `${field}.name`) };
  if (raw.date !== undefined) return { date: date(raw.date, `${field}.date`), ...named };
  const [from, to] = [date(raw.from, `${field}.from`), date(raw.to, `${field}.to`)];
  if (from > to) throw new Rejection(`${field}: ${from} lies after ${to}`);
  return { from, to, ...named };
}

function date(value: unknown, field: string): string {
  const { success, data } = z.iso.date().safeParse(value);
  if (success) return data;
  throw new Rejection(`${field}: ${shown(value)} is not a date such as 2026-12-25`);
}
