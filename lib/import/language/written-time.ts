import { clockMicros, readIso } from '../../history/cases/instant.ts';
import {
  AFTER_CLOCK,
  BEFORE_CLOCK,
  HALVES,
  isUnclearZone,
  JOINERS,
  monthNamed,
  ORDINALS,
  offsetOfName,
  readParts,
  type TimeOfCell,
  type TimeParts,
  withAsciiDigits,
} from './time-parts.ts';

/** Whether the day or the month stands first in dates that write both as numbers. */
export type DateOrder = 'day' | 'month';

/** A text that is a time, and how it is written. */
export interface TimeText {
  readonly form: 'iso' | 'written' | 'year_first'; // year_first: with a year of two digits
  readonly hasZone: boolean;
  readonly hasHalf: boolean; // AM or PM
  readonly letters: string | undefined; // of a zone, where several zones have them
  readonly pair: readonly [first: number, second: number] | undefined; // day and month, or month and day, as numbers
  readonly isDotted: boolean; // the pair is separated by dots
  readonly day: number; // microseconds if the day stands first; UTC if the text has a zone, else as if it were; NaN: no such date
  readonly month: number; // the same if the month stands first
}

const HALF = `(?:${HALVES})`;
const TIME_OF_DAY = '(?<hour>\\d{1,2})[:.h](?<minute>\\d{2})(?:[:.](?<second>\\d{2})(?:[.,](?<fraction>\\d{1,9}))?)?';
const CLOCK = `(?:,? (?:${BEFORE_CLOCK}) |,? |T|, | - )?(?:(?<pre>${HALF}) ?)?${TIME_OF_DAY}(?: ?(?<post>${HALF}))?(?: (?:${AFTER_CLOCK}))?`;
const ZONE = '(?:(?:GMT|UTC)?(?<offset>[+-]\\d{2}(?::?\\d{2})?)(?: \\([^()]+\\))?|(?<zone>[Zz]|[A-Z]{2,5}))';
const NAME = '[^\\d\\s.,:;/()+-]{3,}\\.?';
const WEEKDAY = '(?:(?<weekday>[^\\d\\s.,:;/()+-]{1,}\\.?),? )?';
const JOINT = `(?:${JOINERS})`;
const DAY = `(?<day>\\d{1,2})(?:${ORDINALS})?`;
const YEAR_FIRST =
  '(?<year>\\d{4})(?:[-/.]|\\. |年|년 ?)(?<month>\\d{1,2})(?:[-/.]|\\. |月|월 ?)(?<day>\\d{1,2})(?:\\.|日|일)?';
const datePattern = (date: string): RegExp => new RegExp(`^${WEEKDAY}${date}(?:${CLOCK}(?: ?${ZONE})?)?$`, 'u');

/** The ways in which times are written, beside ISO 8601: no text fits two of them. */
const PATTERNS = [
  datePattern(YEAR_FIRST),
  datePattern('(?<first>\\d{1,2})(?<sep>[-/.]|\\. )(?<other>\\d{1,2})(?:[-/.]|\\. )(?<year>\\d{4}|\\d{2})\\.?'),
  datePattern(`${DAY}(?:\\.? | ${JOINT} |-|/|\\.)(?<name>${NAME})(?:,? | ${JOINT} |-|/)(?<year>\\d{4}|\\d{2})`),
  datePattern(`(?<name>${NAME})[ -]${DAY}(?:,? |-)(?<year>\\d{4})`),
  new RegExp(`^${WEEKDAY}(?<name>${NAME}) ${DAY} ${TIME_OF_DAY}(?: ${ZONE})? (?<year>\\d{4})$`, 'u'), // C and Java
];
const SHORT_YEAR_FIRST = datePattern(YEAR_FIRST.replace('{4}', '{2}'));

const LONGEST = 100; // characters

/**
 * Reads a text as a time; undefined if it is none. Numbers that count from an epoch are no times here.
 * `isYearFirst`: of dates with years of two digits, as `26-03-01`.
 */
export function writtenTime(given: string, isYearFirst = false): TimeText | undefined {
  const usual = usualTime(given);
  if (usual !== undefined) return usual;
  const text = withAsciiDigits(given);
  if (text.length < 6 || text.length > LONGEST || !/\d/.test(text)) return undefined;
  const exact = readExact(text);
  if (exact !== undefined)
    return exact.wall === undefined ? undefined : isoText(exact.wall - (exact.offset ?? 0), exact);
  const plain = text.replaceAll(/[ \u00a0\u202f]+/g, ' ');
  const short = isYearFirst ? SHORT_YEAR_FIRST.exec(plain)?.groups : undefined;
  const shortYear = short && timeOfParts(short, 'year_first');
  if (shortYear !== undefined) return shortYear;
  for (const pattern of PATTERNS) {
    const parts = pattern.exec(plain)?.groups;
    const time = parts && timeOfParts(parts, 'written');
    if (time !== undefined) return time;
  }
  return undefined;
}

/** RFC 9557's zone in brackets says again what the offset says. */
const BRACKETS = /(?<=[Zz]|[+-]\d{2}:?\d{2})\[[^[\]]+\]$/;
const [BASIC_DAY, BASIC_SECONDS] = [/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})/, /(T\d{2}:\d{2})(\d{2})/];
const DOT_NET = /^\\?\/?Date\((\d{1,15})(?:[+-]\d{4})?\)\\?\/?$/;

/** Reads what standards and programs write for each other: ISO 8601 and RFC 9557, `20260302T080000Z`, `/Date(1772438400000)/`. */
export function readExact(given: string): TimeOfCell | undefined {
  const text = given.endsWith(']') ? given.replace(BRACKETS, '') : given;
  const [, millis] = DOT_NET.exec(text) ?? [];
  if (millis !== undefined) return { wall: Number(millis) * 1_000, offset: 0 };
  const basic = text.replace(BASIC_DAY, '$1-$2-$3T$4:$5').replace(BASIC_SECONDS, '$1:$2');
  const iso = readIso(basic.length === 10 ? `${basic}T00:00` : basic);
  return iso && { wall: clockMicros(iso.clock), offset: iso.offset };
}

const isoText = (at: number, { offset }: Pick<TimeOfCell, 'offset'>): TimeText => ({
  form: 'iso',
  hasZone: offset !== undefined,
  hasHalf: false,
  letters: undefined,
  pair: undefined,
  isDotted: false,
  day: at,
  month: at,
});

/** Reads `2026-03-01 09:00[:00]`. Most files write so: of 60 MB with five times a row it saves a second of two. */
function usualTime(text: string): TimeText | undefined {
  const { length } = text;
  if ((length !== 16 && length !== 19) || text[4] !== '-' || text[7] !== '-' || text[13] !== ':') return undefined;
  if ((text[10] !== ' ' && text[10] !== 'T') || (length === 19 && text[16] !== ':')) return undefined;
  const wall = clockMicros({
    year: digits(text, 0) * 100 + digits(text, 2),
    month: digits(text, 5),
    day: digits(text, 8),
    hour: digits(text, 11),
    minute: digits(text, 14),
    second: length === 19 ? digits(text, 17) : 0,
    micros: 0,
  });
  return wall === undefined || Number.isNaN(wall) ? undefined : isoText(wall, { offset: undefined });
}

/** Returns the number of two digits; NaN for other characters. */
function digits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

function timeOfParts(parts: TimeParts, form: TimeText['form']): TimeText | undefined {
  const { name, first, other, weekday, pre, post, zone, offset } = parts;
  const month = name === undefined ? Number(parts.month) : monthNamed(name);
  if (month === undefined) return undefined;
  if (weekday !== undefined && name === undefined && first === undefined && parts.month === undefined) return undefined;
  const pair = first === undefined ? undefined : ([Number(first), Number(other)] as const);
  if (pair !== undefined && (Math.max(...pair) > 31 || Math.min(...pair) < 1 || Math.min(...pair) > 12))
    return undefined;
  const isUnclear = zone !== undefined && isUnclearZone(zone);
  const isUtc = zone === 'Z' || zone === 'z';
  if (zone !== undefined && !isUnclear && !isUtc && offsetOfName(zone) === undefined) return undefined;
  const half = pre ?? post;
  const known: TimeParts = {
    ...parts,
    half,
    zone: isUnclear || isUtc ? undefined : zone,
    offset: isUtc ? 'Z' : offset,
  };
  const at = (day: number, inYear: number): number => {
    const reading = readParts(known, day, inYear);
    return reading.wall === undefined ? Number.NaN : reading.wall - (reading.offset ?? 0);
  };
  const [a, b] = pair ?? [Number(parts.day), month];
  const [byDay, byMonth] = pair === undefined ? [at(a, b), at(a, b)] : [at(a, b), at(b, a)];
  return {
    form,
    pair,
    day: byDay,
    month: byMonth,
    hasHalf: half !== undefined,
    hasZone: known.zone !== undefined || known.offset !== undefined,
    letters: isUnclear ? zone : undefined,
    isDotted: pair !== undefined && (parts.sep ?? '').startsWith('.'),
  };
}
