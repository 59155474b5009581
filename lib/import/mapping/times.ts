import type { Instant } from '../../history/cases/event.ts';
import { boundedInstant, clockMicros, fractionMicros, offsetMicros, readIso } from '../../history/cases/instant.ts';
import { Rejection, shown } from '../../json-readers.ts';
import { recordOf } from '../../typed-object.ts';
import { ImportFault } from '../formats/import-fault.ts';
import { type ZoneReader, zoneReader } from '../formats/zone.ts';
import { monthNamed } from './month-names.ts';

/** Reads a text as an instant; throws `Rejection` that names the field. */
export type TimeReader = (text: string, field: string) => Instant;

/** A text's written time in microseconds, taken as UTC, and its offset if it has one; undefined: not in this format. */
type Reading = { readonly wall: number | undefined; readonly offset: number | undefined } | undefined;

/** Formats of times that are numbers, and the microseconds of their unit. */
const EPOCH_UNITS = new Map([
  ['epoch_seconds', 1_000_000],
  ['epoch_milliseconds', 1_000],
  ['epoch_microseconds', 1],
]);

const WORD = '[^\\d\\s.,:;/()+-]';

/** Abbreviations of zones that mean one offset, in minutes east of UTC. `CST`, `IST`, `BST` and others mean several. */
const ZONE_NAMES: Readonly<Record<string, number>> = {
  ...{ UTC: 0, GMT: 0, WET: 0, WEST: 60, CET: 60, CEST: 120, EET: 120, EEST: 180, MSK: 180, JST: 540, KST: 540 },
  ...{ EST: -300, EDT: -240, CDT: -300, MST: -420, MDT: -360, PST: -480, PDT: -420, AKST: -540, AKDT: -480, HST: -600 },
};

/** Whether an abbreviation of a zone means one offset. */
export const isZoneName = (text: string): boolean => Object.hasOwn(ZONE_NAMES, text);

/** The words for AM and PM, in any of the languages. */
export const HALVES = '[AaPp]\\.?[ \\u00a0\\u202f]?[Mm]\\.?|午前|午後|上午|下午|오전|오후|fm|em|ÖÖ|ÖS|dop\\.|odp\\.';

/** Whether a word for AM or PM is that for PM. */
export const isAfternoon = (half: string): boolean => /^(?:p|午後|下午|오후|em|ÖS|odp)/i.test(half);

/** The letters of a format (Unicode TR 35, as in Java) and the pattern of each; longer ones first. */
const LETTERS: readonly (readonly [letters: string, part: string, pattern: string])[] = [
  ['yyyy', 'year', '\\d{4}'],
  ['yy', 'shortYear', '\\d{2}'],
  ['MMMM', 'monthName', `${WORD}{3,}\\.?`],
  ['MMM', 'monthName', `${WORD}{3,}\\.?`],
  ['MM', 'month', '\\d{2}'],
  ['M', 'month', '\\d{1,2}'],
  ['dd', 'day', '\\d{2}'],
  ['d', 'day', '\\d{1,2}'],
  ['HH', 'hour', '\\d{2}'],
  ['H', 'hour', '\\d{1,2}'],
  ['hh', 'hour12', '\\d{2}'],
  ['h', 'hour12', '\\d{1,2}'],
  ['a', 'half', HALVES],
  ['mm', 'minute', '\\d{2}'],
  ['m', 'minute', '\\d{1,2}'],
  ['ss', 'second', '\\d{2}'],
  ['s', 'second', '\\d{1,2}'],
  ['S', 'fraction', '\\d{1,9}'],
  ['X', 'offset', '(?:[Zz]|[+-]\\d{2}(?::?\\d{2})?)'],
  ['zzzz', '', '[^()]+'],
  ['z', 'zoneName', '[A-Z]{3,4}'],
  ['E', '', `${WORD}{1,}\\.?`],
];

/** The parts of a time that letters stand for. */
const DATE_PARTS = ['year', 'shortYear', 'month', 'monthName', 'day'] as const;
const TIME_PARTS = ['hour', 'hour12', 'half', 'minute', 'second', 'fraction', 'offset', 'zoneName'] as const;
const PARTS = [...DATE_PARTS, ...TIME_PARTS];
type Part = (typeof PARTS)[number];

/** Whether texts of a format always have an offset, so that they need no zone. */
export function carriesOffset(format: string): boolean {
  return EPOCH_UNITS.has(format) || /[Xz]/.test(format.replaceAll(/'[^']*'|\[[^\]]*\]/g, ''));
}

/**
 * Compiles time formats, which are tried in order, and the zone of texts without an offset.
 * A format is `iso`, `epoch_seconds` (`_milliseconds`, `_microseconds`), `excel` (a serial number) or letters such as `d/M/yyyy HH:mm[:ss[.SSS]]`.
 * Throws `ImportFault` for a format or zone that does not exist.
 * It caches no texts: the readers of cells keep the last one, and a map of more took a quarter of a CSV's processor time.
 */
export function timeReader(formats: readonly string[], zone: string | undefined): TimeReader {
  const clock = { readers: formats.map(compile), local: zone === undefined ? undefined : zoneReader(zone), formats };
  return (text, field) => resolve(text, field, clock);
}

/** Compiled formats and zone. */
interface Clock {
  readonly formats: readonly string[];
  readonly readers: readonly ((text: string) => Reading)[]; // one for each format
  readonly local: ZoneReader | undefined; // zone of texts without an offset
}

function resolve(text: string, field: string, { readers, local, formats }: Clock): Instant {
  for (const read of readers) {
    const reading = read(text);
    if (reading === undefined) continue;
    const { wall, offset } = reading;
    if (offset === undefined && local === undefined) {
      throw new Rejection(`${field}: ${shown(text)} has no offset, and the mapping names no zone`);
    }
    const at = wall === undefined ? undefined : offset === undefined ? local?.(wall) : wall - offset;
    const bounded = boundedInstant(at);
    if (bounded !== undefined) return bounded;
    throw new Rejection(`${field}: ${shown(text)} is not a time that exists in the years 1970 to 2199`);
  }
  throw new Rejection(`${field}: ${shown(text)} is not a time in the format ${formats.join(' or ')}`);
}

function compile(format: string): (text: string) => Reading {
  if (format === 'iso') return readIsoText;
  if (format === 'excel') return readSerial;
  const unit = EPOCH_UNITS.get(format);
  if (unit !== undefined) return (text) => readEpoch(text, unit);
  const { pattern, parts } = translate(format);
  const groups = recordOf(PARTS, (part) => parts.indexOf(part) + 1);
  return (text) => {
    const match = pattern.exec(text);
    return match === null ? undefined : readParts(match, groups);
  };
}

function readIsoText(text: string): Reading {
  const read = readIso(text.length === 10 ? `${text}T00:00` : text);
  return read && { wall: clockMicros(read.clock), offset: read.offset };
}

function readEpoch(text: string, unit: number): Reading {
  const match = /^(\d{1,16})(?:\.(\d{1,9}))?$/.exec(text);
  if (match === null) return undefined;
  return { wall: Number(match[1]) * unit + Math.floor((fractionMicros(match[2]) * unit) / 1_000_000), offset: 0 };
}

/** Reads a spreadsheet's serial number: days since 30 December 1899, to the second. */
function readSerial(text: string): Reading {
  if (!/^\d{5}(?:[.,]\d+)?$/.test(text)) return undefined;
  return { wall: Math.round((Number(text.replace(',', '.')) - 25_569) * 86_400) * 1_000_000, offset: undefined };
}

/**
 * Translates a format into a regular expression, with the part of each group. `[…]` is optional, `'…'` is literal text.
 */
function translate(format: string): { pattern: RegExp; parts: readonly string[] } {
  const parts: string[] = [];
  let pattern = '';
  let depth = 0;
  for (let at = 0; at < format.length; ) {
    const rest = format.slice(at);
    const quoted = /^'([^']*)'/.exec(rest);
    const letters = /^([A-Za-z])\1*/.exec(rest)?.[0];
    if (quoted) {
      pattern += escaped(quoted[1] === '' ? "'" : (quoted[1] ?? ''));
      at += quoted[0].length;
    } else if (letters !== undefined) {
      pattern += groupOf(letters, format, parts);
      at += letters.length;
    } else {
      if (rest[0] === '[') depth += 1;
      if (rest[0] === ']') depth -= 1;
      if (depth < 0) break;
      pattern += rest[0] === '[' ? '(?:' : rest[0] === ']' ? ')?' : escaped(rest[0] ?? '');
      at += 1;
    }
  }
  if (depth !== 0) throw new ImportFault(`The time format "${format}" has brackets that do not match.`);
  if (!parts.some((part) => part === 'year' || part === 'shortYear') || !parts.includes('day')) {
    throw new ImportFault(`The time format "${format}" lacks year or day: write, for example, "yyyy-MM-dd HH:mm:ss".`);
  }
  return { pattern: new RegExp(`^${pattern}$`), parts };
}

function groupOf(letters: string, format: string, parts: string[]): string {
  const known = LETTERS.find(([name]) => name === letters || (/^[SXE]$/.test(name) && name === letters[0]));
  if (known === undefined) {
    throw new ImportFault(
      `The time format "${format}" has unknown letters "${letters}": known are ${LETTERS.map(([name]) => name).join(', ')}; put other text between single quotes.`,
    );
  }
  const [, part, pattern] = known;
  if (part === '') return pattern;
  if (parts.includes(part)) throw new ImportFault(`The time format "${format}" names the ${part} twice.`);
  parts.push(part);
  return `(${pattern})`;
}

/** Reads the parts of a match; `groups` says which group holds each part, 0 if the format lacks it. */
const offsetOfName = (name: string): number | undefined =>
  isZoneName(name) ? (ZONE_NAMES[name] ?? 0) * 60_000_000 : undefined;

function readParts(match: RegExpExecArray, groups: Readonly<Record<Part, number>>): Reading {
  const text = (group: number): string | undefined => (group === 0 ? undefined : match[group]);
  const number = (group: number, absent: number): number => Number(text(group) ?? absent);
  const [shortYear, monthName, hour12, zone] = [
    text(groups.shortYear),
    text(groups.monthName),
    text(groups.hour12),
    text(groups.offset),
  ];
  const named = text(groups.zoneName);
  const offset = zone !== undefined ? offsetMicros(zone) : named === undefined ? undefined : offsetOfName(named);
  if ((zone ?? named) !== undefined && offset === undefined) return { wall: undefined, offset: 0 };
  const wall = clockMicros({
    year: shortYear === undefined ? number(groups.year, Number.NaN) : fullYear(Number(shortYear)),
    month: monthName === undefined ? number(groups.month, 1) : monthOf(monthName),
    day: number(groups.day, Number.NaN),
    hour: hour12 === undefined ? number(groups.hour, 0) : hourOf(Number(hour12), text(groups.half)),
    minute: number(groups.minute, 0),
    second: number(groups.second, 0),
    micros: fractionMicros(text(groups.fraction)),
  });
  return { wall, offset };
}

/** Returns the full year of two digits: 70-99 are 1970-1999. */
export function fullYear(short: number): number {
  return short < 70 ? 2000 + short : 1900 + short;
}

/** Returns the number 1…12 of a month's name, short or long, in any of the languages; for other words 0, which no date has. */
function monthOf(name: string): number {
  return monthNamed(name) ?? monthNamed(name.normalize('NFC').slice(0, 3)) ?? 0;
}

/** Converts an hour from 1 to 12 with AM or PM to 0…23; returns 24, which no day has, for other hours. */
function hourOf(hour: number, half: string | undefined): number {
  if (hour < 1 || hour > 12) return 24;
  return (hour % 12) + (half !== undefined && isAfternoon(half) ? 12 : 0);
}

const SPACE = '[ \\u00a0\\u202f]'; // some programs write a narrow or no-break space before AM and PM

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&').replaceAll(' ', SPACE);
}
