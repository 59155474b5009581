import type { Instant } from '../../history/cases/event.ts';
import { boundedInstant, fractionMicros } from '../../history/cases/instant.ts';
import { Rejection, shown } from '../../json-readers.ts';
import { ImportFault } from '../formats/import-fault.ts';
import { type ZoneReader, zoneReader } from '../formats/zone.ts';
import { HALVES, monthNamed, readParts, type TimeOfCell, withAsciiDigits } from './time-parts.ts';
import { escaped } from './word-pattern.ts';
import { type DateOrder, readExact, writtenTime } from './written-time.ts';

/** Reads a text as an instant; throws `Rejection` that names the field. */
export type TimeReader = (text: string, field: string) => Instant;

/** Reads a text in a format; undefined: it is not in this format. */
export type FormatReader = (text: string) => TimeOfCell | undefined;

/** Formats of times that are numbers, and the microseconds of their unit. */
const EPOCH_UNITS = new Map([
  ['epoch_seconds', 1_000_000],
  ['epoch_milliseconds', 1_000],
  ['epoch_microseconds', 1],
]);

const written =
  (order: DateOrder, isYearFirst = false): FormatReader =>
  (text) => {
    const time = writtenTime(text, isYearFirst);
    if (time === undefined || isYearFirst !== (time.form === 'year_first')) return undefined;
    const at = time[order];
    return { wall: Number.isNaN(at) ? undefined : at, offset: time.hasZone ? 0 : undefined };
  };

/** Formats with a name. The last three are all ways of writing a time that the product knows (`written-time.ts`). */
const NAMED: ReadonlyMap<string, FormatReader> = new Map([
  ['iso', readExact],
  ['excel', readSerial],
  ['year_first', written('day', true)],
  ['day_first', written('day')],
  ['month_first', written('month')],
]);

/** The letters of a format (Unicode TR 35, as in Java), the part of each and its pattern; longer ones first. */
const WORD = '[^\\d\\s.,:;/()+-]';
const LETTERS: readonly (readonly [letters: string, part: string, pattern: string])[] = [
  ['yyyy', 'year', '\\d{4}'],
  ['yy', 'year', '\\d{2}'],
  ['MMMM', 'name', `${WORD}{3,}\\.?`],
  ['MMM', 'name', `${WORD}{3,}\\.?`],
  ['MM', 'month', '\\d{2}'],
  ['M', 'month', '\\d{1,2}'],
  ['dd', 'day', '\\d{2}'],
  ['d', 'day', '\\d{1,2}'],
  ['HH', 'hour', '\\d{2}'],
  ['H', 'hour', '\\d{1,2}'],
  ['hh', 'hour12', '\\d{2}'],
  ['h', 'hour12', '\\d{1,2}'],
  ['a', 'half', HALVES.replaceAll(' ', '[ \\u00a0\\u202f]')],
  ['mm', 'minute', '\\d{2}'],
  ['m', 'minute', '\\d{1,2}'],
  ['ss', 'second', '\\d{2}'],
  ['s', 'second', '\\d{1,2}'],
  ['S', 'fraction', '\\d{1,9}'],
  ['X', 'offset', '(?:[Zz]|[+-]\\d{2}(?::?\\d{2})?)'],
  ['zzzz', '', '[^()]+'],
  ['z', 'zone', '[A-Z]{3,4}'],
  ['E', '', `${WORD}{1,}\\.?`],
];

/** Whether texts of a format may do without a zone: they always have an offset, or those that have none say so. */
export function carriesOffset(format: string): boolean {
  return EPOCH_UNITS.has(format) || /[Xz]/.test(format.replaceAll(/'[^']*'|\[[^\]]*\]/g, ''));
}

/** Whether a format has texts with an offset and others without one. */
export const mayCarryOffset = (format: string): boolean => NAMED.has(format) && format !== 'excel';

/**
 * Compiles time formats, which are tried in order, and the zone of texts without an offset.
 * A format is `iso`, `epoch_seconds` (`_milliseconds`, `_microseconds`), `excel` (a serial number), `day_first` or
 * `month_first` (a date as people write it), or letters such as `d/M/yyyy HH:mm[:ss[.SSS]]`.
 * Throws `ImportFault` for a format or zone that does not exist.
 * It caches no texts: the readers of cells keep the last one, and a map of more took a quarter of a CSV's processor time.
 */
export function timeReader(formats: readonly string[], zone: string | undefined): TimeReader {
  const local = zone === undefined ? undefined : zoneReader(zone);
  const clock = { readers: formats.map(formatReader), local, formats };
  return (text, field) => resolve(withAsciiDigits(text), field, clock);
}

/** Compiled formats and zone. */
interface Clock {
  readonly formats: readonly string[];
  readonly readers: readonly FormatReader[]; // one for each format
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

/** Compiles a format. Throws `ImportFault` if it does not exist. */
export function formatReader(format: string): FormatReader {
  const named = NAMED.get(format);
  if (named !== undefined) return named;
  const unit = EPOCH_UNITS.get(format);
  if (unit !== undefined) return (text) => readEpoch(text, unit);
  const pattern = translate(format);
  return (text) => {
    const parts = pattern.exec(text)?.groups;
    return (
      parts &&
      readParts(parts, Number(parts.day), parts.name === undefined ? Number(parts.month ?? 1) : monthOf(parts.name))
    );
  };
}

function readEpoch(text: string, unit: number): TimeOfCell | undefined {
  const match = /^(\d{1,16})(?:\.(\d{1,9}))?$/.exec(text);
  if (match === null) return undefined;
  return { wall: Number(match[1]) * unit + Math.floor((fractionMicros(match[2]) * unit) / 1_000_000), offset: 0 };
}

/** Reads a spreadsheet's serial number: days since 30 December 1899, to the second. */
function readSerial(text: string): TimeOfCell | undefined {
  if (!/^\d{5}(?:[.,]\d+)?$/.test(text)) return undefined;
  return { wall: Math.round((Number(text.replace(',', '.')) - 25_569) * 86_400) * 1_000_000, offset: undefined };
}

/** Translates a format into a regular expression with a group for each part. `[…]` is optional, `'…'` is literal text. */
function translate(format: string): RegExp {
  const parts = new Set<string>();
  let pattern = '';
  let depth = 0;
  for (let at = 0; at < format.length; ) {
    const rest = format.slice(at);
    const quoted = /^'([^']*)'/.exec(rest);
    const letters = /^([A-Za-z])\1*/.exec(rest)?.[0];
    if (quoted) {
      pattern += withAnySpace(quoted[1] === '' ? "'" : (quoted[1] ?? ''));
      at += quoted[0].length;
    } else if (letters !== undefined) {
      pattern += groupOf(letters, format, parts);
      at += letters.length;
    } else {
      if (rest[0] === '[') depth += 1;
      if (rest[0] === ']') depth -= 1;
      if (depth < 0) break;
      pattern += rest[0] === '[' ? '(?:' : rest[0] === ']' ? ')?' : withAnySpace(rest[0] ?? '');
      at += 1;
    }
  }
  if (depth !== 0) throw new ImportFault(`The time format "${format}" has brackets that do not match.`);
  if (!parts.has('year') || !parts.has('day')) {
    throw new ImportFault(`The time format "${format}" lacks year or day: write, for example, "yyyy-MM-dd HH:mm:ss".`);
  }
  return new RegExp(`^${pattern}$`);
}

function groupOf(letters: string, format: string, parts: Set<string>): string {
  const known = LETTERS.find(([name]) => name === letters || (/^[SXE]$/.test(name) && name === letters[0]));
  if (known === undefined) {
    throw new ImportFault(
      `The time format "${format}" has unknown letters "${letters}": known are ${LETTERS.map(([name]) => name).join(', ')}; put other text between single quotes.`,
    );
  }
  const [, part, pattern] = known;
  if (part === '') return pattern;
  if (parts.has(part)) throw new ImportFault(`The time format "${format}" names the ${part} twice.`);
  parts.add(part);
  return `(?<${part}>${pattern})`;
}

/** Returns the number 1…12 of a month's name, short or long, in any of the languages; for other words 0, which no date has. */
function monthOf(name: string): number {
  return monthNamed(name) ?? monthNamed(name.normalize('NFC').slice(0, 3)) ?? 0;
}

/** Quotes a text; some programs write a narrow or no-break space before AM and PM. */
const withAnySpace = (text: string): string => escaped(text).replaceAll(' ', '[ \\u00a0\\u202f]');
