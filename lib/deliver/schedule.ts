import { isAhead } from '../ahead.ts';
import { WEEK_DAYS, type WeekDay } from '../vocabulary.ts';
import { clockAt, instantOf, type ZoneSpec } from '../zone.ts';

/** When something is due: each hour, or at a time of the site's clock each day, week or month. */
export interface Schedule {
  readonly every: 'hour' | 'day' | 'week' | 'month';
  readonly at: string; // `07:30`; of no use each hour
  readonly weekday: WeekDay; // each week
  readonly day: number; // each month: 1 … 31; a month that is shorter has its last day
}

/** One due time. */
export interface Due {
  readonly key: string; // the date on the site's clock, or the hour in UTC; larger for later ones
  readonly at: number; // epoch ms
}

/** What decides whether the last due time is still to be done. */
export interface DoneBefore {
  readonly since: number; // epoch ms; due times up to then do not count
  readonly done: string; // the key of the last due time that was done; empty: none yet
}

const DAY = 86_400; // s
const HOUR = 3_600_000; // ms
const LOOK_BACK = 63; // days; more than two months, so that a monthly due time lies among them

/**
 * The due time to be done now: the last one, unless it is done. Those before it are left out: after a pause nobody wants
 * a mail for each day of it. One date has one due time, so a change of the zone or of the time repeats none.
 */
export function dueNow(schedule: Schedule, zone: string, before: DoneBefore, now: number): Due | undefined {
  const { since, done } = withoutAhead(before, now);
  const due = lastDue(schedule, { name: zone }, now);
  return due.at > since && isAfter(due, done) ? due : undefined;
}

/** Whether a due time is later than one that was done. One date may have both a day's and an hour's: `since` tells them apart. */
const isAfter = ({ key }: Due, done: string): boolean => key.length !== done.length || key > done;

const ZONES = 14 * HOUR; // that a date begins before UTC's at most: the site may have been moved from there

/**
 * What a clock that was ahead left is void: with it nothing would be due until that time comes. One that is set back
 * by less than an hour repeats no hour, and by less than half a day no date.
 */
const withoutAhead = ({ since, done }: DoneBefore, now: number): DoneBefore => ({
  since: isAhead(since, now, HOUR) ? 0 : since,
  done: isAhead(beginOf(done), now, done.endsWith('Z') ? HOUR : ZONES) ? '' : done,
});

/** When the hour or the date of a key begins in UTC, in epoch ms. */
const beginOf = (key: string): number => Date.parse(key.endsWith('Z') ? key.replace('Z', ':00Z') : key);

/** The due time that is done next: the one to be done now, or the first after `now`. */
export function nextDue(schedule: Schedule, zone: string, stored: DoneBefore, now: number): Due {
  const before = withoutAhead(stored, now);
  const due = dueNow(schedule, zone, before, now);
  if (due !== undefined) return due;
  if (schedule.every === 'hour') return dueHour(now + HOUR);
  const today = dateOf({ name: zone }, now);
  for (let date = today; date <= today + LOOK_BACK; date += 1) {
    const next = dueOn(schedule, { name: zone }, date);
    if (next !== undefined && next.at > now && isAfter(next, before.done)) return next;
  }
  throw new Error(`nothing is due ${schedule.every}ly`);
}

/**
 * The last due time up to `now` (epoch ms). A time that the clock skips is moved on by what is skipped; one that it shows
 * twice is the first (as `instantOf`).
 */
function lastDue(schedule: Schedule, zone: ZoneSpec, now: number): Due {
  if (schedule.every === 'hour') return dueHour(now);
  const today = dateOf(zone, now);
  for (let date = today; date >= today - LOOK_BACK; date -= 1) {
    const due = dueOn(schedule, zone, date);
    if (due !== undefined && due.at <= now) return due;
  }
  throw new Error(`nothing is due ${schedule.every}ly`);
}

/** The hour that a moment (epoch ms) lies in, as a due time. */
function dueHour(moment: number): Due {
  const at = Math.floor(moment / HOUR) * HOUR;
  return { key: `${new Date(at).toISOString().slice(0, 13)}Z`, at };
}

/** The date (days since 1970) that the clock of a zone shows. */
const dateOf = (zone: ZoneSpec, moment: number): number => Math.floor(clockAt(zone, Math.floor(moment / 1000)) / DAY);

/** The due time of a date (days since 1970); undefined if it has none. */
function dueOn(schedule: Schedule, zone: ZoneSpec, date: number): Due | undefined {
  if (!isDueOn(schedule, date)) return undefined;
  const [hours = 0, minutes = 0] = schedule.at.split(':').map(Number);
  const at = instantOf(zone, date * DAY + hours * 3600 + minutes * 60) * 1000;
  return { key: new Date(date * DAY * 1000).toISOString().slice(0, 10), at };
}

/** Whether a date (days since 1970) is one of the schedule's. */
function isDueOn({ every, weekday, day }: Schedule, date: number): boolean {
  if (every === 'week') return WEEK_DAYS[(date + THURSDAY) % 7] === weekday;
  if (every !== 'month') return true;
  const own = new Date(date * DAY * 1000);
  const last = new Date(Date.UTC(own.getUTCFullYear(), own.getUTCMonth() + 1, 0)).getUTCDate();
  return own.getUTCDate() === Math.min(day, last);
}

const THURSDAY = 3; // 1 January 1970
