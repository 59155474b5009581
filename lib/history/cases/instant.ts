import type { Instant } from './event.ts';

/** 2200-01-01T00:00:00Z in microseconds: from here on, a time is refused as a typing error. */
const END_OF_TIME = 7_258_118_400_000_000;
const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A date and time of day as written, before a time zone is applied. */
export interface WrittenTime {
  readonly year: number;
  readonly month: number; // 1…12
  readonly day: number; // 1…31
  readonly hour: number; // 0…23
  readonly minute: number;
  readonly second: number;
  readonly micros: number; // 0…999,999
}

/** Returns the microseconds since 1970 of a written time taken as UTC; undefined if the date or time does not exist. */
export function clockMicros({ year, month, day, hour, minute, second, micros }: WrittenTime): number | undefined {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = (DAYS_IN_MONTH[month - 1] ?? 0) + (leap && month === 2 ? 1 : 0);
  if (day < 1 || day > days || hour > 23 || minute > 59 || second > 59) return undefined;
  const past = year - 1;
  const leapDays = Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400) - 477; // since 1970
  const yearDays = (DAYS_BEFORE_MONTH[month - 1] ?? 0) + (leap && month > 2 ? 1 : 0) + day - 1;
  const seconds = ((year - 1970) * 365 + leapDays + yearDays) * 86_400 + hour * 3600 + minute * 60 + second;
  return seconds * 1_000_000 + micros;
}

/** Returns the instant if it lies in the years 1970…2199, else undefined. `clockMicros` does not check this. */
export function boundedInstant(micros: number | undefined): Instant | undefined {
  return micros !== undefined && micros >= 0 && micros < END_OF_TIME ? micros : undefined;
}

/** Returns the fraction of a second as microseconds; digits after the sixth are cut off. */
export function fractionMicros(digits: string | undefined): number {
  return digits === undefined ? 0 : Number(digits.slice(0, 6).padEnd(6, '0'));
}

/**
 * Returns the offset east of UTC, in microseconds, that `Z`, `+0200`, `+02:00` or `+02` means; undefined for other
 * texts.
 */
export function offsetMicros(text: string): number | undefined {
  if (text === 'Z' || text === 'z') return 0;
  const match = /^([+-])(\d\d):?(\d\d)?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, hours, minutes = '0'] = match;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -60_000_000 : 60_000_000) * (Number(hours) * 60 + Number(minutes));
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?([Zz]|[+-]\d\d(?::?\d\d)?)?$/;

/** Reads an ISO 8601 text: its written time, and its offset in microseconds if it has one. Undefined if it is none. */
export function readIso(text: string): { clock: WrittenTime; offset: number | undefined } | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction, zone] = match;
  const offset = zone === undefined ? undefined : offsetMicros(zone);
  if (zone !== undefined && offset === undefined) return undefined;
  const clock = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    micros: fractionMicros(fraction),
  };
  return { clock, offset };
}

/**
 * Parses ISO 8601 with an offset, years 1970-2199. Undefined if the text is not ISO 8601, has no offset or no valid
 * time.
 */
export function parseInstant(text: string): Instant | undefined {
  const quick = parseUsual(text);
  if (quick !== undefined) return quick;
  const read = readIso(text);
  if (read === undefined || read.offset === undefined) return undefined;
  const micros = clockMicros(read.clock);
  return micros === undefined ? undefined : boundedInstant(micros - read.offset);
}

/** Formats an instant as ISO 8601 in UTC, with only the digits of the fraction that are needed. */
export function formatInstant(at: Instant): string {
  const seconds = Math.floor(at / 1_000_000);
  const micros = at - seconds * 1_000_000;
  const fraction = micros === 0 ? '' : `.${String(micros).padStart(6, '0').replace(/0+$/, '')}`;
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}${fraction}Z`;
}

/** Formats an instant in few characters: seconds in base 36, and the fraction if it is not zero. */
export function shortInstant(at: Instant): string {
  const seconds = Math.floor(at / 1_000_000);
  const micros = at - seconds * 1_000_000;
  return micros === 0 ? seconds.toString(36) : `${seconds.toString(36)}.${String(micros).padStart(6, '0')}`;
}

/**
 * Parses the usual form, `YYYY-MM-DDTHH:MM:SS[.fraction]` with `Z` or `±HH:MM`. The regular expression takes three
 * times as long.
 */
function parseUsual(text: string): Instant | undefined {
  if (text[10] !== 'T' || text[4] !== '-' || text[7] !== '-' || text[13] !== ':' || text[16] !== ':') return undefined;
  let end = 19;
  let fraction = 0;
  if (text[19] === '.') {
    let unit = 100_000;
    for (end = 20; isDigit(text.charCodeAt(end)); end++) {
      fraction += unit * (text.charCodeAt(end) - 48);
      unit = Math.floor(unit / 10);
    }
    if (end === 20) return undefined;
  }
  const micros = clockMicros({
    year: pair(text, 0) * 100 + pair(text, 2),
    month: pair(text, 5),
    day: pair(text, 8),
    hour: pair(text, 11),
    minute: pair(text, 14),
    second: pair(text, 17),
    micros: fraction,
  });
  if (micros === undefined || Number.isNaN(micros)) return undefined;
  if (text.length === end + 1) return text[end] === 'Z' ? boundedInstant(micros) : undefined;
  const sign = text[end] === '+' ? 60_000_000 : text[end] === '-' ? -60_000_000 : Number.NaN;
  const hours = pair(text, end + 1);
  const minutes = pair(text, end + 4);
  if (text.length !== end + 6 || text[end + 3] !== ':' || hours > 23 || minutes > 59) return undefined;
  return boundedInstant(micros - sign * (hours * 60 + minutes));
}

/** Reads two digits at an index as a number; NaN for other characters. */
function pair(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** Whether a UTF-16 unit is one of 0…9. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
