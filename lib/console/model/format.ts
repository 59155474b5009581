import type { WindowSize } from './period.ts';

/** The text of a null value, which is not 0. */
export const NOTHING = '–';

const STEPS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Writes numbers, spans of time and dates in one language. */
export interface Format {
  /** A value in its unit: durations in their two largest units, rates with at most one decimal. */
  readonly value: (value: number | null, unit: string) => string;
  /** The exact value, with durations in seconds, for a title. */
  readonly exact: (value: number | null, unit: string) => string;
  /** A number with its sign. */
  readonly signed: (value: number) => string;
  /** A share of 1 in whole percent, with its sign. */
  readonly signedShare: (value: number) => string;
  /** The name of a window from its start, `2026-10-26 00:00:00`. */
  readonly window: (start: string, size: WindowSize) => string;
  /** The same, shortened for an axis. */
  readonly tick: (start: string, size: WindowSize) => string;
  readonly date: (local: string) => string;
  /** A range of local times, the end exclusive: its days, with the time where it does not end with a day. */
  readonly range: (from: string, until: string) => string;
  readonly moment: (local: string) => string;
  readonly count: (value: number) => string;
  readonly weekday: (day: number) => string; // 1 Monday … 7
}

/** Creates the formats of a language; without `locale` the browser's own. */
export function createFormat(locale?: string): Format {
  const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const signed = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
  const signedShare = new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  const units = new Map(
    STEPS.map(([unit]) => [
      unit,
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow', maximumFractionDigits: 0 }),
    ]),
  );
  const date = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
    return (local: string): string => formatter.format(asUtc(local));
  };
  const duration = (seconds: number): string => {
    const rounded = Math.round(seconds);
    const first = STEPS.findIndex(([, size]) => rounded >= size);
    const at = first < 0 ? STEPS.length - 1 : first;
    const [largest, size] = STEPS[at] ?? STEPS[3];
    const next = STEPS[at + 1];
    const head = units.get(largest)?.format(Math.floor(rounded / size)) ?? '';
    const rest = next && Math.floor((rounded % size) / next[1]);
    return next && rest ? `${head} ${units.get(next[0])?.format(rest)}` : head;
  };
  const value = (number: number | null, unit: string): string => {
    if (number === null) return NOTHING;
    if (unit === 'seconds') return duration(number);
    return unit === 'percent' ? percent.format(number / 100) : plain.format(number);
  };
  const starts = {
    hour: date({ weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }),
    day: date({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
    week: date({ day: 'numeric', month: 'short', year: 'numeric' }),
    month: date({ month: 'long', year: 'numeric' }),
  };
  const short = {
    hour: date({ hour: 'numeric', minute: '2-digit' }),
    day: date({ day: 'numeric', month: 'short' }),
    week: date({ day: 'numeric', month: 'short' }),
    month: date({ month: 'short', year: '2-digit' }),
  };
  const weekday = date({ weekday: 'short' });
  return {
    value,
    exact: (number, unit) =>
      number === null ? NOTHING : unit === 'seconds' ? `${plain.format(number)} s` : plain.format(number),
    signed: signed.format,
    signedShare: signedShare.format,
    window: (start, size) => (size === 'none' ? '' : starts[size](start)),
    tick: (start, size) => (size === 'none' ? '' : short[size](start)),
    date: date({ day: 'numeric', month: 'short', year: 'numeric' }),
    range: rangeFormat(locale, short.hour),
    moment: date({
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      second: '2-digit',
    }),
    count: (number) => plain.format(number),
    weekday: (day) => weekday(`2024-01-0${day}`), // 1 January 2024 was a Monday
  };
}

const DAY = 86_400_000; // ms

/** Writes ranges of local times in words; `timeOf` writes a time of day. */
function rangeFormat(locale: string | undefined, timeOf: (local: string) => string): Format['range'] {
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  const days = new Intl.DateTimeFormat(locale, day);
  const minutes = new Intl.DateTimeFormat(locale, { ...day, hour: 'numeric', minute: '2-digit' });
  return (from, until) => {
    const [first, end] = [asUtc(from), asUtc(until)];
    const startsDay = first % DAY === 0;
    if (startsDay && end % DAY === 0) return plainBlanks(days.formatRange(first, Math.max(first, end - 1000)));
    if (!startsDay || end - first < DAY) return plainBlanks(minutes.formatRange(first, end));
    return plainBlanks(`${days.formatRange(first, end)}, ${timeOf(until)}`);
  };
}

/** The narrow blanks that Intl writes, which some fonts of mails and spreadsheets lack, as plain ones. */
const plainBlanks = (written: string): string => written.replaceAll(/[\u2009\u202F]/g, ' ');

/** Reads a local time as UTC, in epoch ms: formatted as UTC again, it is not shifted by the browser's zone. */
export const asUtc = (local: string): number => {
  const text = local.replace(' ', 'T').slice(0, 19);
  return Date.parse(text.length === 10 ? `${text}T00:00:00Z` : `${text}Z`);
};

/** The name of a locale's language with its code, `German (de)`; the code alone if the browser has no name for it. */
export function languageName(locale: string, reader?: string): string {
  try {
    const names = new Intl.DisplayNames(reader, { type: 'language', fallback: 'none' });
    const name = names.of(locale.replaceAll('_', '-'));
    return name === undefined ? locale : `${name} (${locale})`;
  } catch {
    return locale;
  }
}
