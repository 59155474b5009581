/** A day without work, or all days from one to another, both included; dates are `YYYY-MM-DD`. */
export interface Holiday {
  readonly name?: string;
  readonly date?: string;
  readonly from?: string;
  readonly to?: string;
}

/** What an `.ics` file says: its holidays, and the names of events that no holiday can be made of, each with why. */
export interface ReadFile {
  readonly holidays: readonly Holiday[];
  readonly left: readonly { readonly name: string; readonly why: 'hours' | 'repeats' | 'no date' }[];
}

export const LARGEST_FILE = 1024 * 1024; // bytes
const YEARS_AHEAD = 5; // of an event that repeats every year
const YEARS_BACK = 10;
const DAY = 86_400_000; // ms

type Event = ReadonlyMap<string, string>;

/** Reads an `.ics` file (RFC 5545); undefined if it is none. `year` is the present one, around which yearly events repeat. */
export function readIcs(text: string, year: number): ReadFile | undefined {
  if (!/^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text)) return undefined;
  const read = eventsOf(text).map((event) => holidaysOf(event, year));
  return {
    holidays: read.flatMap((one) => ('holidays' in one ? one.holidays : [])),
    left: read.flatMap((one) => ('why' in one ? [one] : [])),
  };
}

/** The properties of each event; of a parameter only `VALUE=DATE-TIME` would matter, and the value shows it too. */
function eventsOf(text: string): readonly Event[] {
  const events: Map<string, string>[] = [];
  let depth = 0; // of components inside an event, such as an alarm
  let event: Map<string, string> | undefined;
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([\w-]+)(?:;(?:[^":]|"[^"]*")*)?:(.*)$/.exec(line) ?? [];
    const key = name.toUpperCase();
    const kind = value.trim().toUpperCase();
    if (key === 'BEGIN' && kind === 'VEVENT') event = new Map();
    else if (key === 'END' && kind === 'VEVENT' && event) {
      events.push(event);
      event = undefined;
    } else if (key === 'BEGIN') depth += 1;
    else if (key === 'END') depth = Math.max(0, depth - 1);
    else if (event && depth <= 1 && key !== '') event.set(key, [event.get(key), value].filter(Boolean).join(','));
  }
  return events;
}

const unescaped = (text: string): string =>
  text.replace(/\\([nN,;\\])/g, (_, sign: string) => (/n/i.test(sign) ? ' ' : sign));

/** A name of one line, as holidays have it. */
const nameOf = (event: Event): string =>
  unescaped(event.get('SUMMARY') ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 255);

function holidaysOf(event: Event, year: number): { readonly holidays: readonly Holiday[] } | ReadFile['left'][number] {
  const name = nameOf(event);
  const [start, end] = [dayOf(event.get('DTSTART')), dayOf(event.get('DTEND'))];
  if (start === 'hours' || end === 'hours') return { name, why: 'hours' };
  if (start === undefined) return { name, why: 'no date' };
  const length = end === undefined || end <= start ? 1 : (end - start) / DAY; // the end is exclusive
  const rule = event.get('RRULE');
  const starts = rule === undefined ? [start] : yearly(start, rule, year);
  if (starts === undefined || event.has('RDATE')) return { name, why: 'repeats' };
  const except = new Set((event.get('EXDATE') ?? '').split(',').map(dayOf));
  const named = name === '' ? {} : { name };
  const holidays = starts
    .filter((at) => !except.has(at))
    .map((at) =>
      length === 1 ? { date: shown(at), ...named } : { from: shown(at), to: shown(at + (length - 1) * DAY), ...named },
    );
  return { holidays };
}

/** The day of a date, in epoch ms; `hours` for a time of day. */
function dayOf(value: string | undefined): number | 'hours' | undefined {
  const [, year, month, day, time] = /^(\d{4})(\d\d)(\d\d)(T\d{6}Z?)?$/.exec(value?.trim() ?? '') ?? [];
  if (time !== undefined && !/^T000000/.test(time)) return 'hours';
  const at = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(at) || shown(at) !== `${year}-${month}-${day}` ? undefined : at;
}

const shown = (at: number): string => new Date(at).toISOString().slice(0, 10);

const KNOWN = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYMONTH', 'BYMONTHDAY', 'BYDAY', 'WKST'];
const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** The days of an event that repeats every year, on a date or as the fourth Thursday of a month; undefined otherwise. */
function yearly(start: number, rule: string, now: number): readonly number[] | undefined {
  const parts = new Map(
    rule
      .toUpperCase()
      .split(';')
      .map((part): [string, string] => {
        const [name = '', value = ''] = part.split('=');
        return [name, value];
      }),
  );
  if ([...parts.keys()].some((name) => !KNOWN.includes(name))) return undefined;
  if (parts.get('FREQ') !== 'YEARLY' || (parts.get('INTERVAL') ?? '1') !== '1') return undefined;
  const first = new Date(start);
  const month = Number(parts.get('BYMONTH') ?? first.getUTCMonth() + 1);
  const by = parts.get('BYDAY');
  if (by !== undefined && (!parts.has('BYMONTH') || parts.has('BYMONTHDAY'))) return undefined;
  const date = Number(parts.get('BYMONTHDAY') ?? first.getUTCDate());
  const inYear = by === undefined ? (year: number) => dateIn(year, month, date) : nth(month, by);
  if (inYear === undefined || !(month >= 1 && month <= 12) || !(date >= 1)) return undefined;
  const until = dayOf(parts.get('UNTIL')?.slice(0, 8)) ?? Number.POSITIVE_INFINITY;
  const count = Number(parts.get('COUNT') ?? Number.POSITIVE_INFINITY);
  const from = first.getUTCFullYear();
  const years = Array.from({ length: Math.max(0, now + YEARS_AHEAD - from + 1) }, (_, nth) => from + nth);
  const days = years.map(inYear).filter((at) => at !== undefined && at >= start && at <= Number(until));
  return days
    .slice(0, count)
    .flatMap((at) => (at !== undefined && new Date(at).getUTCFullYear() >= now - YEARS_BACK ? [at] : []));
}

/** A date of a year; undefined on 29 February of most years. */
function dateIn(year: number, month: number, day: number): number | undefined {
  const at = Date.UTC(year, month - 1, day);
  return new Date(at).getUTCMonth() === month - 1 ? at : undefined;
}

/** The fourth Thursday (`4TH`), or the last Monday (`-1MO`), of a month in a year. */
function nth(month: number, by: string): ((year: number) => number | undefined) | undefined {
  const [, count = '', day = ''] = /^([+-]?[1-5])(SU|MO|TU|WE|TH|FR|SA)$/.exec(by) ?? [];
  if (count === '') return undefined;
  return (year) => {
    const days = Array.from({ length: 31 }, (_, place) => dateIn(year, month, place + 1)).flatMap((at) =>
      at !== undefined && new Date(at).getUTCDay() === DAYS.indexOf(day) ? [at] : [],
    );
    return days.at(Number(count) > 0 ? Number(count) - 1 : Number(count));
  };
}

/** Holidays as lines that a person edits: `2026-12-25 Christmas`, or `2026-12-24..2026-12-31 Between the years`. */
export const holidayLines = (holidays: readonly Holiday[]): string =>
  holidays
    .map(({ name, date, from, to }) => [date ?? `${from}..${to}`, name].filter((part) => part !== undefined).join(' '))
    .join('\n');

/** The holidays of such lines; a line that begins with no date is left for the service to refuse. */
export function readHolidayLines(lines: string): readonly Holiday[] {
  return lines.split('\n').flatMap((line) => {
    const [, first = '', , last, name] = /^(\S+?)(\.\.(\S+))?(?:\s+(.*?))?\s*$/.exec(line.trim()) ?? [];
    if (first === '') return [];
    const named = name ? { name } : {};
    return [last === undefined ? { date: first, ...named } : { from: first, to: last, ...named }];
  });
}

/** Periods of a day as a person edits them: `09:00-12:00, 13:00-17:00`. */
export const hoursText = (periods: readonly (readonly string[])[]): string =>
  periods.map((period) => period.join('-')).join(', ');

/** The periods of such a text; what is none is left for the service to refuse. */
export const readHours = (text: string): readonly (readonly string[])[] =>
  text
    .split(',')
    .map((period) => period.trim())
    .filter((period) => period !== '')
    .map((period) => period.split(/\s*[-–]\s*/));
