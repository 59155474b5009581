import type { Calendar } from '../../access/calendars.ts';
import { CALENDAR_DAYS } from '../../vocabulary.ts';
import { modulo, spansBetween } from '../../zone.ts';

/** The working time of a calendar between two seconds, as plain data: spans of work, and the seconds before each. */
export interface WorkTime {
  readonly from: number; // s since 1970, where the spans begin to be known
  readonly to: number; // s, exclusive
  readonly starts: Float64Array; // s, rising
  readonly ends: Float64Array; // s, exclusive
  readonly before: Float64Array; // s worked since `from` when the span starts
  readonly steps: Int32Array; // by STEP seconds since `from`: the last span that starts before that step ends, or −1
}

const DAY = 86_400; // s
const STEP = 2 ** 14; // s

/**
 * The working time of a calendar in [from, to). A second is worked if, when it begins, the clock of the calendar's zone
 * shows a date that is no holiday and a time within a period of that weekday (docs/rules.md 29). So an hour that the
 * clock shows twice counts twice, and an hour that it skips does not count.
 */
export function workTime(calendar: Calendar, from: number, to: number): WorkTime {
  const starts: number[] = [];
  const ends: number[] = [];
  const week = weekOf(calendar);
  const isHoliday = holidaysOf(calendar);
  for (const { start, end, offset } of spansBetween({ name: calendar.timeZone }, from, to)) {
    const [first, last] = [Math.max(start, from), Math.min(end, to)];
    for (let day = Math.floor((first + offset) / DAY); day * DAY - offset < last; day += 1) {
      if (isHoliday(day)) continue;
      for (const period of week[modulo(day + 3, 7)]!) {
        const begins = Math.max(first, day * DAY + period.from - offset);
        const stops = Math.min(last, day * DAY + period.to - offset);
        if (begins >= stops) continue;
        if (ends.at(-1) === begins) ends[ends.length - 1] = stops;
        else {
          starts.push(begins);
          ends.push(stops);
        }
      }
    }
  }
  return indexed({ from, to, starts: Float64Array.from(starts), ends: Float64Array.from(ends) });
}

function indexed({ from, to, starts, ends }: Pick<WorkTime, 'from' | 'to' | 'starts' | 'ends'>): WorkTime {
  const before = new Float64Array(starts.length);
  for (let span = 1; span < starts.length; span += 1) {
    before[span] = before[span - 1]! + ends[span - 1]! - starts[span - 1]!;
  }
  const steps = new Int32Array(Math.ceil((to - from) / STEP) + 1);
  let span = -1;
  for (let step = 0; step < steps.length; step += 1) {
    while (span + 1 < starts.length && starts[span + 1]! < from + (step + 1) * STEP) span += 1;
    steps[step] = span;
  }
  return { from, to, starts, ends, before, steps };
}

/** A period of work within a day, in seconds since midnight; `to` is exclusive. */
interface Hours {
  readonly from: number;
  readonly to: number;
}

/** The periods of work of each weekday, from Monday on. */
const weekOf = ({ hours }: Calendar): readonly (readonly Hours[])[] =>
  CALENDAR_DAYS.map((day) => (hours[day] ?? []).map(([from, to]) => ({ from: secondsOf(from), to: secondsOf(to) })));

const secondsOf = (clock: string): number => Number(clock.slice(0, 2)) * 3600 + Number(clock.slice(3)) * 60;

const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / (DAY * 1000);

/** Returns a test of whether a day, counted from 1970-01-01, is a holiday. */
function holidaysOf({ holidays }: Calendar): (day: number) => boolean {
  const ranges = holidays.map((each) =>
    'date' in each ? { from: dayOf(each.date), to: dayOf(each.date) } : { from: dayOf(each.from), to: dayOf(each.to) },
  );
  return (day) => ranges.some(({ from, to }) => day >= from && day <= to);
}

/** The index of the last span that starts at or before a second; −1 if there is none. */
function spanAt({ from, starts, steps }: WorkTime, second: number): number {
  let span = steps[Math.floor((second - from) / STEP)]!;
  while (span >= 0 && starts[span]! > second) span -= 1;
  return span;
}

/** The seconds worked from `time.from` to `second`. */
export function worked(time: WorkTime, second: number): number {
  const span = spanAt(time, second);
  if (span < 0) return 0;
  return time.before[span]! + Math.min(second, time.ends[span]!) - time.starts[span]!;
}

/** The seconds worked in [from, to); 0 if `to` lies before `from`. */
export const workedBetween = (time: WorkTime, from: number, to: number): number =>
  from < to ? worked(time, to) - worked(time, from) : 0;

/**
 * The first second at which `seconds`, at least 1, have been worked since `from`; Infinity if that lies beyond
 * `time.to`. The search starts at `from` with steps that double, since most promises are short.
 */
export function whenWorked(time: WorkTime, from: number, seconds: number): number {
  const { starts, before } = time;
  const wanted = worked(time, from) + seconds;
  let low = Math.max(0, spanAt(time, from));
  let high = low;
  for (let step = 1; high < starts.length && workedUpTo(time, high) < wanted; step *= 2) {
    low = high + 1;
    high += step;
  }
  high = Math.min(high, starts.length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (workedUpTo(time, middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low === starts.length ? Number.POSITIVE_INFINITY : starts[low]! + wanted - before[low]!;
}

/** The seconds worked from `time.from` to the end of a span. */
const workedUpTo = ({ starts, ends, before }: WorkTime, span: number): number =>
  before[span]! + ends[span]! - starts[span]!;
