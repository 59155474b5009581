import ICAL from 'ical.js';
import type { Holiday } from './holidays.ts';

/** What an `.ics` file says: its holidays, and the names of events that no holiday can be made of, each with why. */
export interface ReadFile {
  readonly holidays: readonly Holiday[];
  readonly left: readonly { readonly name: string; readonly why: 'hours' | 'repeats' | 'no date' }[];
}

const YEARS_AHEAD = 5; // of an event that repeats
const YEARS_BACK = 10;
const MOST_DAYS = 20_000; // that an event is followed for
const LONGEST_NAME = 255;

/** Reads an `.ics` file (RFC 5545); undefined if it is none. `year` is the present one, around which yearly events repeat. */
export function readIcs(text: string, year: number): ReadFile | undefined {
  const read = eventsOf(text)?.map((event) => holidaysOf(event, year));
  return (
    read && {
      holidays: read.flatMap((one) => ('holidays' in one ? one.holidays : [])),
      left: read.flatMap((one) => ('why' in one ? [one] : [])),
    }
  );
}

/** The events of all calendars of a file; undefined if it has no calendar. */
function eventsOf(text: string): readonly ICAL.Component[] | undefined {
  try {
    const parsed: readonly unknown[] = ICAL.parse(text.replace(/^\uFEFF/, ''));
    if (parsed.length === 0) return undefined;
    const all = typeof parsed[0] === 'string' ? [parsed] : parsed;
    const calendars = all.flatMap((each) => (Array.isArray(each) ? new ICAL.Component(each) : []));
    if (calendars.some(({ name }) => name !== 'vcalendar')) return undefined;
    return calendars.flatMap((calendar) => calendar.getAllSubcomponents('vevent'));
  } catch {
    return undefined;
  }
}

function holidaysOf(
  component: ICAL.Component,
  year: number,
): { readonly holidays: readonly Holiday[] } | ReadFile['left'][number] {
  const event = new ICAL.Event(component);
  const name = (event.summary ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME);
  const [start, end] = ['dtstart', 'dtend'].map((property) => timeOf(component.getFirstProperty(property)));
  if (start === undefined) return { name, why: 'no date' };
  if ([start, end].some((time) => time && !time.isDate && time.hour + time.minute + time.second > 0))
    return { name, why: 'hours' };
  const days = end === undefined ? 1 : Math.max(1, end.subtractDate(start).toSeconds() / 86_400); // the end is exclusive
  const starts = startsOf(component, event, year);
  if (starts === undefined) return { name, why: 'repeats' };
  const named = name === '' ? {} : { name };
  const holidays = starts.map((at): Holiday => {
    const last = at.clone();
    last.adjust(days - 1, 0, 0, 0);
    return days === 1 ? { date: shown(at), ...named } : { from: shown(at), to: shown(last), ...named };
  });
  return { holidays };
}

/** The time of a property; undefined for one that is in no calendar, such as 30 February, which is read as 2 March. */
function timeOf(property: ICAL.Property | null): ICAL.Time | undefined {
  const value = property?.getFirstValue();
  return value instanceof ICAL.Time && String(property?.jCal[3]).startsWith(shown(value)) ? value : undefined;
}

/** The days on which an event begins, around the present year; undefined for a rule that is not of years. */
function startsOf(component: ICAL.Component, event: ICAL.Event, year: number): readonly ICAL.Time[] | undefined {
  if (!event.isRecurring()) return [event.startDate];
  const rules = component.getAllProperties('rrule').map((rule) => rule.getFirstValue());
  // The library leaves the first day out where days are listed (RDATE).
  if (component.hasProperty('rdate') || !rules.every((rule) => rule instanceof ICAL.Recur && isYearly(rule)))
    return undefined;
  const { day } = event.startDate;
  const isByDate = !/BY(DAY|MONTHDAY)/.test(String(rules));
  const starts: ICAL.Time[] = [];
  const days = event.iterator();
  for (let count = 0; count < MOST_DAYS; count += 1) {
    const at: ICAL.Time | undefined = days.next();
    if (!at || at.year > year + YEARS_AHEAD) return starts;
    // The library has 29 February of other years on 1 March; the standard leaves it out.
    if (at.year >= year - YEARS_BACK && !(isByDate && at.day !== day)) starts.push(at.clone());
  }
  return undefined;
}

/** Whether a rule gives some days of a year: on a date, or as the fourth Thursday of a month. */
function isYearly({ freq, parts }: ICAL.Recur): boolean {
  const names = Object.keys(parts);
  if (freq !== 'YEARLY' || names.some((name) => !['BYMONTH', 'BYMONTHDAY', 'BYDAY'].includes(name))) return false;
  return !names.includes('BYDAY') || names.includes('BYMONTH');
}

const shown = ({ year, month, day }: ICAL.Time): string =>
  [String(year).padStart(4, '0'), ...[month, day].map((part) => String(part).padStart(2, '0'))].join('-');
