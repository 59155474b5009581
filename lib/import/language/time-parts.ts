import { clockMicros, fractionMicros, offsetMicros } from '../../history/cases/instant.ts';
import { ALL_LANGUAGES, type Language } from './languages.ts';
import { anyOf } from './word-pattern.ts';

/** A text's written time in microseconds, taken as UTC (undefined: no such date), and its offset if it has one. */
export interface TimeOfCell {
  readonly wall: number | undefined;
  readonly offset: number | undefined;
}

/** The texts of a written time's parts, by the names of the groups of a pattern. */
export type TimeParts = Readonly<Record<string, string | undefined>>;

/** Abbreviations of zones that mean one offset, in minutes east of UTC. `CST`, `IST`, `BST` and others mean several. */
const ZONE_NAMES: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  WET: 0,
  WEST: 60,
  CET: 60,
  CEST: 120,
  EET: 120,
  EEST: 180,
  MSK: 180,
  JST: 540,
  KST: 540,
  EST: -300,
  EDT: -240,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  AKST: -540,
  AKDT: -480,
  HST: -600,
};

/** Abbreviations of zones that mean several offsets, or one in one country. Other capitals may be words for AM and PM. */
const SEVERAL_ZONES = new Set(
  'ADT AEDT AEST AET AKT AMT AST AT AWST ACST ACDT BRST BRT BST CAT CST CT EAT ECT ET GST HKT ICT IDT IST MT NDT NST NT NZDT NZST NZT PHT PKT PT SAST SGT SST WAT WIB WITA'.split(
    ' ',
  ),
);

/** Whether letters are of a zone that means several offsets. */
export const isUnclearZone = (text: string): boolean => SEVERAL_ZONES.has(text);

/** The offset of an abbreviation in microseconds east of UTC; undefined if it means none or several. */
export const offsetOfName = (name: string): number | undefined =>
  Object.hasOwn(ZONE_NAMES, name) ? (ZONE_NAMES[name] ?? 0) * 60_000_000 : undefined;

const spellings = (word: string): string[] => [word, word.toUpperCase(), word[0]?.toUpperCase() + word.slice(1)];
const halves = (part: 'am' | 'pm'): string[] => ALL_LANGUAGES.flatMap(({ clock }) => clock[part].flatMap(spellings));
const AFTERNOON = new Set(halves('pm'));

/** The words of all languages for AM and PM, and those that stand before or after a time of day. */
export const HALVES = anyOf([...halves('am'), ...halves('pm')]);
const clockWords = (part: 'before' | 'after'): string =>
  anyOf(ALL_LANGUAGES.flatMap(({ clock }) => clock[part].flatMap(spellings)));
export const [BEFORE_CLOCK, AFTER_CLOCK] = [clockWords('before'), clockWords('after')];

const dateWords = (part: keyof Language['dates']): string => anyOf(ALL_LANGUAGES.flatMap(({ dates }) => dates[part]));
export const [JOINERS, ORDINALS] = [dateWords('joiners'), dateWords('ordinals')];

/** The names of the months in all languages, January first: in lower case, without a point. */
export const MONTH_NAMES: readonly (readonly string[])[] = Array.from({ length: 12 }, (_, month) => [
  ...new Set(ALL_LANGUAGES.flatMap(({ months }) => months[month] ?? [])),
]);
const NUMBERS = new Map(MONTH_NAMES.flatMap((names, index) => names.map((name) => [name, index + 1] as const)));

/** The number 1…12 of a month's name, in capitals or not, with or without a point; undefined for other words. */
export const monthNamed = (name: string): number | undefined =>
  NUMBERS.get(name.normalize('NFC').toLowerCase().replace(/\.$/, ''));

const [BUDDHIST, BUDDHIST_YEARS] = [543, [2_443, 2_743]] as const; // of which 1900 to 2200 are the years

/** The year of two or four digits: 70-99 are 1970-1999, and 2569 is 2026 of the Buddhist calendar. */
function yearOf(text: string): number {
  const year = Number(text);
  if (text.length === 2) return year < 70 ? 2_000 + year : 1_900 + year;
  return year >= BUDDHIST_YEARS[0] && year <= BUDDHIST_YEARS[1] ? year - BUDDHIST : year;
}

const NO_HOUR = 24; // which no day has

/** The hour 0…23. Some programs write AM and PM beside hours of a clock with 24. */
function hourOf({ hour, hour12, half }: TimeParts): number {
  const isLate = half !== undefined && AFTERNOON.has(half.replaceAll(/[\u00a0\u202f]/g, ' '));
  if (hour12 !== undefined) {
    const shown = Number(hour12);
    return shown < 1 || shown > 12 ? NO_HOUR : (shown % 12) + (isLate ? 12 : 0);
  }
  const shown = Number(hour ?? 0);
  if (half === undefined) return shown;
  return shown > 12 ? (isLate ? shown : NO_HOUR) : (shown % 12) + (isLate ? 12 : 0);
}

/** Reads the parts of a written time; `month` is 0 for a name that no month has. */
export function readParts(parts: TimeParts, day: number, month: number): TimeOfCell {
  const { year = '', minute, second, fraction, offset, zone } = parts;
  const east = offset !== undefined ? offsetMicros(offset) : zone === undefined ? undefined : offsetOfName(zone);
  if ((offset ?? zone) !== undefined && east === undefined) return { wall: undefined, offset: 0 };
  const clock = { hour: hourOf(parts), minute: Number(minute ?? 0), second: Number(second ?? 0) };
  return {
    wall: clockMicros({ year: yearOf(year), month, day, ...clock, micros: fractionMicros(fraction) }),
    offset: east,
  };
}

const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10]; // Arabic, Persian, Devanagari, Bengali, Thai, full width
const OTHER_DIGIT = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\uff10-\uff19]/g;

/** A text with the digits of ASCII in place of those of other scripts. */
export function withAsciiDigits(text: string): string {
  return text.replace(OTHER_DIGIT, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code));
  });
}
