/** What a cell of a workbook shows: a number, a part of a hundred, a date, a time of day, or hours past 24. */
export type CellFormat = 'number' | 'percent' | 'date' | 'time' | 'elapsed';

/** Formats that workbooks name by a number alone: ECMA-376 part 1, 18.8.30, with those of East Asia. */
const BUILT_IN: readonly (readonly [CellFormat, first: number, last: number])[] = [
  ['percent', 9, 10],
  ['date', 14, 17],
  ['time', 18, 21],
  ['date', 22, 22],
  ['date', 27, 31],
  ['time', 32, 35],
  ['date', 36, 36],
  ['time', 45, 45],
  ['elapsed', 46, 46],
  ['time', 47, 47],
  ['date', 50, 54],
  ['time', 55, 56],
  ['date', 57, 58],
];

export const builtInFormat = (id: number): CellFormat =>
  BUILT_IN.find(([, first, last]) => id >= first && id <= last)?.[0] ?? 'number';

/** What a format of a person's own shows, such as `[$-409]d. mmm yyyy` or `[h]:mm`. */
export function writtenFormat(code: string): CellFormat {
  const [section = ''] = code.replaceAll(/"[^"]*"|\\.|[_*]./g, '').split(';');
  if (/\[(?:h+|m+|s+)\]/i.test(section)) return 'elapsed';
  const letters = section.replaceAll(/\[[^\]]*\]/g, '').toLowerCase();
  if (/general|standard/.test(letters)) return 'number';
  if (/[yd]/.test(letters)) return 'date';
  if (/[hs]/.test(letters)) return 'time';
  if (letters.includes('m')) return 'date';
  return letters.includes('%') ? 'percent' : 'number';
}

const DAY = 86_400; // seconds
const LEAP = 60; // 29 February 1900, which Excel has and no calendar: days before it are one later than they seem
const FIRST_DATES = 2_000; // days: a larger number is a moment, of which a format of times shows a part
const FROM_1904 = 1_462; // days between the two first days

export interface Days {
  readonly is1904: boolean;
}

/** The text that a cell shows: of a date, a local time to the second, and of a duration its hours. Empty: none. */
export function shownNumber(value: number, format: CellFormat, days: Days): string {
  if (format === 'percent') return percentText(value);
  if (format === 'number' || value < 0) return String(value);
  if (format === 'elapsed') return durationText(value * DAY);
  if (format === 'time' && value < FIRST_DATES) return durationText((value * DAY) % DAY);
  return value < 1 && !days.is1904 ? '' : momentText(value, days); // day 0 is shown as 1900-01-00
}

/** A part as a percentage: fractions are never exact. */
export const percentText = (value: number): string => `${Number((value * 100).toPrecision(12))}%`;

/** Hours, minutes and seconds; days are fractions, so that seconds are never exact. */
function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  const part = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${part(whole / 3600)}:${part((whole % 3600) / 60)}:${part(whole % 60)}`;
}

const FIRST_DAY = Date.UTC(1899, 11, 30); // ms

function momentText(value: number, { is1904 }: Days): string {
  const day = is1904 ? value + FROM_1904 : value < LEAP ? value + 1 : value;
  const ms = Math.round(day * DAY * 1000);
  const whole = Math.round(ms / 1000) * 1000;
  const at = new Date(FIRST_DAY + (Math.abs(ms - whole) < 5 ? whole : ms));
  if (Number.isNaN(at.getTime())) return String(value);
  const text = at.toISOString().slice(0, 23).replace('T', ' ');
  return text.endsWith('.000') ? text.slice(0, 19) : text;
}
