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
