/** A day without work, or all days from one to another, both included; dates are `YYYY-MM-DD`. */
export interface Holiday {
  readonly name?: string;
  readonly date?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Holidays from the first to the last. */
export const byDate = (holidays: readonly Holiday[]): readonly Holiday[] => {
  const first = ({ date, from }: Holiday): string => date ?? from ?? '';
  return [...holidays].sort((a, b) => first(a).localeCompare(first(b)));
};

/** How a language writes a day: its parts in their order, and what stands between them. */
export interface DayForm {
  readonly order: readonly Part[];
  readonly between: string;
}

type Part = 'year' | 'month' | 'day';
const PARTS: readonly Part[] = ['year', 'month', 'day'];

/** The form of days of a language; without `locale` the browser's own. */
export function dayForm(locale?: string): DayForm {
  const parts = new Intl.DateTimeFormat(locale, {
    calendar: 'gregory',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
    .formatToParts(0)
    .map(({ type, value }) => ({ part: PARTS.find((each) => each === type), value }));
  const order = parts.flatMap(({ part }) => part ?? []);
  const marks = parts.map(({ value }) => /[./-]/.exec(value)?.[0]);
  return { order, between: marks.find((mark) => mark !== undefined) ?? '-' };
}

/** A day, `YYYY-MM-DD`, in that form; any other text as it is. */
function writeDay(day: string, { order, between }: DayForm): string {
  const [, year = '', month = '', date = ''] = ISO.exec(day) ?? [];
  return year === '' ? day : order.map((part) => ({ year, month, day: date })[part]).join(between);
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)$/;
const DAY = String.raw`\d{1,4}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{1,4}`;
const LINE = new RegExp(String.raw`^(${DAY})\.?(?:\s*(?:\.\.|[–—-]|\bto\b)\s*(${DAY})\.?)?(?:\s+(.*))?$`);

/** A day as it is typed, in the order of a form, or with the year of four digits first. Undefined for what is none. */
function readDay(typed: string, { order }: DayForm): string | undefined {
  const numbers = typed.split(/[./-]/).map((number) => number.trim());
  const yearFirst = /^\d{4}$/.test(numbers[0] ?? '');
  const partOf = (part: Part): string => numbers[(yearFirst ? PARTS : order).indexOf(part)] ?? '';
  const year = partOf('year').length === 2 ? `20${partOf('year')}` : partOf('year');
  const day = [year, partOf('month').padStart(2, '0'), partOf('day').padStart(2, '0')].join('-');
  const at = new Date(`${day}T00:00:00Z`);
  return ISO.test(day) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? day : undefined;
}

/** Holidays as lines that a person edits: `12/25/2026 Christmas`, or `12/24/2026..12/31/2026 Between the years`. */
export const holidayLines = (holidays: readonly Holiday[], form: DayForm): string =>
  holidays
    .map(({ name, date, from, to }) => {
      const days = date === undefined ? [from, to] : [date];
      const written = days.map((day) => writeDay(day ?? '', form)).join('..');
      return name === undefined ? written : `${written} ${name}`;
    })
    .join('\n');

/** The holidays of such lines; what begins with no day is left for the service to refuse. */
export const readHolidayLines = (lines: string, form: DayForm): readonly Holiday[] =>
  lines.split('\n').flatMap((line) => (line.trim() === '' ? [] : [readLine(line.trim(), form)]));

function readLine(line: string, form: DayForm): Holiday {
  const [, first, last, name] = LINE.exec(line) ?? [];
  const from = first && readDay(first, form);
  const to = last && readDay(last, form);
  if (!from || (last && !to)) return { date: line };
  const named = name ? { name } : {};
  return to ? { from, to, ...named } : { date: from, ...named };
}

/** What the service refused in such lines, in sentences with the number of each line and what stands there. */
export function holidayFaults(lines: string, refused: string, form: DayForm): readonly string[] {
  const example = writeDay('2026-12-25', form);
  const placed = lines.split('\n').flatMap((line, index) => {
    const typed = line.trim();
    return typed === '' ? [] : [{ typed, place: `Line ${index + 1}, “${typed}”` }];
  });
  const faults = placed.flatMap(({ typed, place }) => {
    const { date, from = '', to = '' } = readLine(typed, form);
    if (date !== undefined && !ISO.test(date))
      return [`${place}, begins with no day of the calendar: write days as ${example}.`];
    return to < from ? [`${place}, ends before it begins.`] : [];
  });
  if (faults.length > 0) return faults;
  return [refused.replace(/\bholidays\[(\d+)\](\.\w+)?/, (path, index) => placed[Number(index)]?.place ?? path)];
}

/** How to write holidays, with an example of each. */
export const holidaysHint = (form: DayForm): string => {
  const [one, ...more] = ['2026-12-25', '2026-12-24', '2026-12-31'].map((day) => writeDay(day, form));
  return `One on each line: ${one} Christmas, or ${more.join('..')} Between the years.`;
};

/** Periods of a day as a person edits them: `09:00-12:00, 13:00-17:00`. */
export const hoursText = (periods: readonly (readonly string[])[]): string =>
  periods.map((period) => period.join('-')).join(', ');

/**
 * The periods of such a text, as people type them: `9am-5pm`, `9-17`, `09:00–12:00; 13–17`. What is none is left for the
 * service to refuse.
 */
export const readHours = (text: string): readonly (readonly string[])[] =>
  text
    .split(/[,;]|\band\b/)
    .map((period) => period.trim())
    .filter((period) => period !== '')
    .map((period) => readPeriod(period.split(/\s*(?:[-–—]|\bto\b)\s*/)));

const CLOCK = /^(\d{1,2})(?:[:.h](\d\d)|h)?\s*(?:([ap])\.?m\.?)?$/i;

/** The ends of a period; `9-5pm` begins in the morning, as it would end before it began. */
function readPeriod(ends: readonly string[]): readonly string[] {
  const [, first, , half] = CLOCK.exec(ends[0] ?? '') ?? [];
  const [, last, , lastHalf] = CLOCK.exec(ends[1] ?? '') ?? [];
  const isSame = half === undefined && lastHalf !== undefined && Number(first) % 12 < Number(last) % 12;
  return ends.map((end, index) =>
    clockText(end, index === 0 && half === undefined && lastHalf ? (isSame ? lastHalf : 'a') : undefined),
  );
}

function clockText(typed: string, usual: string | undefined): string {
  const [, hour, minute = '00', half = usual] = CLOCK.exec(typed) ?? [];
  if (hour === undefined) return typed;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return `${String(hours).padStart(2, '0')}:${minute}`;
}
