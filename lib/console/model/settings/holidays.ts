/** A day without work, or all days from one to another, both included; dates are `YYYY-MM-DD`. */
export interface Holiday {
  readonly name?: string;
  readonly date?: string;
  readonly from?: string;
  readonly to?: string;
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
