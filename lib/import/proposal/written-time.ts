import { clockMicros, fractionMicros, offsetMicros, readIso } from '../../history/cases/instant.ts';
import { monthNamed } from '../mapping/month-names.ts';
import { fullYear, HALVES, isAfternoon, isZoneName } from '../mapping/times.ts';

/** Whether the day or the month stands first in dates that write both as numbers. */
export type DateOrder = 'day' | 'month';

/** A text that is a time, and how it is written. */
export interface TimeText {
  readonly form: string; // a format of `timeReader`; `{1}` and `{2}` stand for day and month, in the file's order
  readonly hasZone: boolean;
  readonly pair: readonly [first: number, second: number] | undefined; // day and month, or month and day, as numbers
  readonly isDotted: boolean; // the pair is separated by dots
  readonly day: number; // microseconds if the day stands first; UTC if the text has a zone, else as if it were; NaN: no such date
  readonly month: number; // the same if the month stands first
}

const CLOCK = `(?<gap>,? |T|, | - )?(?:(?<pre>${HALVES})(?<pregap> ?))?(?<hour>\\d{1,2})(?<colon>[:.h])(?<minute>\\d{2})(?:(?<colon2>[:.])(?<second>\\d{2})(?:(?<point>[.,])(?<fraction>\\d{1,9}))?)?(?:(?<postgap> ?)(?<post>${HALVES}))?`;
const ZONE =
  '(?<zonegap> ?)(?:(?<prefix>GMT|UTC)?(?<offset>[+-]\\d{2}(?::?\\d{2})?)(?<remark> \\([^()]+\\))?|(?<zone>[Zz]|[A-Z]{2,5}))';
const NAME = '[^\\d\\s.,:;/()+-]{3,}\\.?';
const WEEKDAY = '(?:(?<weekday>[^\\d\\s.,:;/()+-]{1,}\\.?)(?<daygap>,? ))?';
const YEAR_FIRST =
  '(?<year>\\d{4})(?<sep1>[-/.]|\\. |年|년 ?)(?<month>\\d{1,2})(?<sep2>[-/.]|\\. |月|월 ?)(?<day>\\d{1,2})(?<sep3>\\.|日|일)?';
const DATES = [
  YEAR_FIRST,
  '(?<first>\\d{1,2})(?<sep1>[-/.]|\\. )(?<other>\\d{1,2})(?<sep2>[-/.]|\\. )(?<year>\\d{4}|\\d{2})(?<sep3>\\.)?',
  `(?<lead>)(?<day>\\d{1,2})(?<sep1>\\.? | de |-|/|\\.)(?<name>${NAME})(?<sep2>,? | de |-|/)(?<year>\\d{4}|\\d{2})`,
  `(?<name>${NAME})(?<sep1> |-)(?<day>\\d{1,2})(?<sep2>,? |-)(?<year>\\d{4})`,
];
const datePattern = (date: string): RegExp => new RegExp(`^${WEEKDAY}${date}(?:${CLOCK}(?:${ZONE})?)?$`, 'u');
const PATTERNS = DATES.map(datePattern);
const SHORT_YEAR_FIRST = [datePattern(YEAR_FIRST.replace('{4}', '{2}'))];

/**
 * Reads a text as a time; undefined if it is none. Numbers that count from an epoch are no times here.
 * `isYearFirst`: of dates with years of two digits, as `26-03-01`.
 */
export function writtenTime(text: string, isYearFirst = false): TimeText | undefined {
  if (text.length < 6 || text.length > 60 || !/\d/.test(text)) return undefined;
  const usual = usualTime(text);
  if (usual !== undefined) return usual;
  const iso = readIso(text.length === 10 ? `${text}T00:00` : text.replace(/^([\d-]{10}) /, '$1T'));
  if (iso !== undefined) return isoTime(iso);
  const plain = text.replaceAll(/[\u00a0\u202f]/g, ' ');
  for (const date of isYearFirst ? [...SHORT_YEAR_FIRST, ...PATTERNS] : PATTERNS) {
    const parts = date.exec(plain)?.groups;
    const found = parts && timeOfParts(parts);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isoTime({ clock, offset }: NonNullable<ReturnType<typeof readIso>>): TimeText | undefined {
  const wall = clockMicros(clock);
  return wall === undefined ? undefined : isoText(wall - (offset ?? 0), offset !== undefined);
}

const isoText = (at: number, hasZone: boolean): TimeText => ({
  form: 'iso',
  hasZone,
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
  return wall === undefined || Number.isNaN(wall) ? undefined : isoText(wall, false);
}

/** Returns the number of two digits; NaN for other characters. */
function digits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

type Parts = Readonly<Record<string, string | undefined>>;

/** Quotes letters in the text between the parts of a format. */
const literal = (text = ''): string => (/[A-Za-z]/.test(text) ? text.replaceAll(/[A-Za-z]+/g, "'$&'") : text);

function timeOfParts(parts: Parts): TimeText | undefined {
  const { name, first, other } = parts;
  const month = name === undefined ? undefined : monthNamed(name);
  if (name !== undefined && month === undefined) return undefined;
  if (parts.weekday !== undefined && name === undefined && first === undefined && parts.month === undefined)
    return undefined;
  const pair = first === undefined ? undefined : ([Number(first), Number(other)] as const);
  if (pair !== undefined && (Math.max(...pair) > 31 || Math.min(...pair) < 1 || Math.min(...pair) > 12))
    return undefined;
  const zone = zoneOf(parts);
  if (zone === undefined) return undefined;
  const half = parts.pre ?? parts.post;
  const shown = Number(parts.hour ?? 0);
  const hour = half === undefined ? shown : (shown % 12) + (isAfternoon(half) ? 12 : 0);
  const shortYear = parts.year?.length === 2;
  const year = shortYear ? fullYear(Number(parts.year)) : Number(parts.year);
  const micros = (order: DateOrder): number => {
    const [a, b] = pair ?? [Number(parts.day), month ?? Number(parts.month)];
    const [day, inYear] = order === 'day' || pair === undefined ? [a, b] : [b, a];
    const clock = { hour, minute: Number(parts.minute ?? 0), second: Number(parts.second ?? 0) };
    const wall = clockMicros({ year, month: inYear, day, ...clock, micros: fractionMicros(parts.fraction) });
    return wall === undefined ? Number.NaN : wall - (zone.offset ?? 0);
  };
  return {
    form: `${dateForm(parts, shortYear)}${clockForm(parts)}${zone.form}`,
    hasZone: zone.offset !== undefined,
    pair,
    isDotted: pair !== undefined && (parts.sep1 ?? '').startsWith('.'),
    day: micros('day'),
    month: micros('month'),
  };
}

function dateForm(parts: Parts, shortYear: boolean): string {
  const { name, first, weekday, daygap, sep1, sep2, sep3 } = parts;
  const year = shortYear ? 'yy' : 'yyyy';
  const [a, b, c] = [literal(sep1), literal(sep2), literal(sep3)];
  const before = weekday === undefined ? '' : `EEE${literal(daygap)}`;
  if (first !== undefined) return `${before}{1}${a}{2}${b}${year}${c}`;
  if (name === undefined) return `${before}${year}${a}M${b}d${c}`;
  return `${before}${parts.lead === undefined ? `MMM${a}d` : `d${a}MMM`}${b}${year}`;
}

function clockForm(parts: Parts): string {
  if (parts.hour === undefined) return '';
  const colon = literal(parts.colon);
  const hour = parts.pre !== undefined || parts.post !== undefined ? 'h' : 'H';
  const before = parts.pre === undefined ? '' : `a${parts.pregap ?? ''}`;
  const after = parts.post === undefined ? '' : `${parts.postgap ?? ''}a`;
  return `${literal(parts.gap)}${before}${hour}${colon}mm[${parts.colon2 ?? ':'}ss[${parts.point ?? '.'}SSS]]${after}`;
}

/** Abbreviations of zones that mean several offsets, or one in one country. Other capitals may be words for AM and PM. */
const SEVERAL_ZONES = new Set(
  'ADT AEDT AEST AET AKT AMT AST AT AWST ACST ACDT BRST BRT BST CAT CST CT EAT ECT ET GST HKT HST ICT IDT IST MT NDT NST NT NZDT NZST NZT PHT PKT PT SAST SGT SST WAT WIB WITA'.split(
    ' ',
  ),
);

function zoneOf({
  zonegap = '',
  prefix = '',
  offset,
  remark,
  zone,
}: Parts): { readonly form: string; readonly offset: number | undefined } | undefined {
  if (offset !== undefined) {
    const form = `${zonegap}${literal(prefix)}X${remark === undefined ? '' : ' (zzzz)'}`;
    return { form, offset: offsetMicros(offset) };
  }
  if (zone === undefined) return { form: '', offset: undefined };
  if (zone === 'Z' || zone === 'z') return { form: `${zonegap}X`, offset: 0 };
  if (isZoneName(zone)) return { form: `${zonegap}z`, offset: 0 };
  return SEVERAL_ZONES.has(zone) ? { form: `${zonegap}${literal(zone)}`, offset: undefined } : undefined;
}
