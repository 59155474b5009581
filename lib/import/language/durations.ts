import { Rejection, shown } from '../../json-readers.ts';
import { keysOf } from '../../typed-object.ts';
import type { DurationUnit } from '../../vocabulary.ts';
import { ALL_LANGUAGES } from './languages.ts';
import { anyOf, hasSigns, wordPattern } from './word-pattern.ts';

/** The units that words name, and their seconds. */
const SECONDS = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400, weeks: 604_800 } as const;
type WordUnit = keyof typeof SECONDS;

const UNIT_WORDS = keysOf(SECONDS).map((unit) => ({
  unit,
  words: ALL_LANGUAGES.flatMap(({ units }) => units[unit]),
  whole: ALL_LANGUAGES.flatMap(({ units }) => (unit === 'hours' ? units.hours_alone : [])),
}));

/** A count and a word for its unit, of any language: the group of its word is named as the unit. */
const PARTS = new RegExp(
  `(?<count>\\d+(?:[.,]\\d+)?)\\s*(?:${UNIT_WORDS.map(({ unit, words, whole }) => `(?<${unit}>${unitSource([...words, ...whole])})`).join('|')})(?!\\p{Script=Latin}|\\p{Script=Cyrillic})\\.?`,
  'giu',
);
const AND = new RegExp(`,|${wordPattern(ALL_LANGUAGES.flatMap(({ units }) => units.and)).source}`, 'giu');

function unitSource(words: readonly string[]): string {
  return anyOf(words).replaceAll('\\*', '\\p{L}*');
}

/** Words in names of columns, in which a letter alone but `h` says nothing. */
const IN_NAMES = UNIT_WORDS.filter(({ unit }) => unit !== 'weeks').map(({ unit, words, whole }) => ({
  unit: unit as Exclude<WordUnit, 'weeks'>,
  words: wordPattern(
    words.filter((word) => word.length > 1 || word === 'h' || hasSigns(word)),
    'iu',
  ),
  whole: new Set(whole),
}));

/** The unit that a text names, such as `(min)`; `isWhole`: the text is nothing else. */
export function namedUnit(text: string, isWhole = false): DurationUnit | undefined {
  const name = text.trim();
  return IN_NAMES.find(({ words, whole }) => words.test(name) || (isWhole && whole.has(name)))?.unit;
}

/** Reads a duration in microseconds. Throws `Rejection`. */
export function durationMicros(text: string, unit: DurationUnit, column: string): number {
  const seconds = durationSeconds(text, unit);
  if (seconds !== undefined) return Math.round(seconds * 1_000_000);
  const written = WRITTEN[unit] ?? unit;
  throw new Rejection(`${column}: ${shown(text)} is not a duration in ${written}`);
}

const WRITTEN: Readonly<Partial<Record<DurationUnit, string>>> = {
  clock: 'hours:minutes:seconds',
  short_clock: 'minutes:seconds',
  words: 'words such as 3 hours 20 min',
};

/** Reads a duration in seconds; undefined if the text is not written in this unit. */
export function durationSeconds(text: string, unit: DurationUnit): number | undefined {
  if (unit === 'clock') return clockSeconds(text);
  if (unit === 'short_clock') return /^\d+:[0-5]\d$/.test(text) ? clockSeconds(`0:${text}`) : undefined;
  if (unit === 'words') return wordSeconds(text);
  const count = decimal(text);
  return count === undefined ? undefined : count * SECONDS[unit];
}

function clockSeconds(text: string): number | undefined {
  const match = /^(\d+):([0-5]?\d)(?::([0-5]?\d))?$/.exec(text);
  if (match === null) return undefined;
  const [, hours, minutes, seconds = 0] = match;
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}

/** Reads texts such as `3 hours 20 min`, `1d 2h`, `2 days, 4 hours and 5 minutes`. */
function wordSeconds(text: string): number | undefined {
  let seconds = 0;
  let parts = 0;
  for (const { groups = {} } of text.matchAll(PARTS)) {
    const number = decimal(groups.count ?? '');
    const unit = keysOf(SECONDS).find((name) => groups[name] !== undefined);
    if (number === undefined || unit === undefined) return undefined;
    seconds += number * SECONDS[unit];
    parts += 1;
  }
  return parts === 0 || text.replaceAll(PARTS, '').replaceAll(AND, '').trim() !== '' ? undefined : seconds;
}

/**
 * Reads a number from 0, with a point or a comma before its fraction. `1,234` is refused, because it is 1234 in one
 * country and 1.234 in another.
 */
function decimal(text: string): number | undefined {
  const isAmbiguous = /^[1-9]\d{0,2},\d{3}$/.test(text);
  return isAmbiguous || !/^\d+(?:[.,]\d+)?$/.test(text) ? undefined : Number(text.replace(',', '.'));
}
