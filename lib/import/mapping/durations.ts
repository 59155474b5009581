import { certain } from '../../certain.ts';
import { Rejection, shown } from '../../json-readers.ts';
import type { DurationUnit } from '../../vocabulary.ts';

const SECONDS = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const;
/** The seconds of each unit, by the first letter of its English name. */
const LETTERS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
const PARTS = /(\d+(?:[.,]\d+)?)\s*(w|weeks?|d|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?)\b\.?/gi;

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
  const parts = [...text.matchAll(PARTS)];
  const rest = text.replaceAll(PARTS, '').replaceAll(/,|\band\b/gi, '');
  if (parts.length === 0 || rest.trim() !== '') return undefined;
  let seconds = 0;
  for (const [, count = '', name = ''] of parts) {
    const number = decimal(count);
    if (number === undefined) return undefined;
    seconds += number * certain(LETTERS[name.charAt(0).toLowerCase()]);
  }
  return seconds;
}

/**
 * Reads a number from 0, with a point or a comma before its fraction. `1,234` is refused, because it is 1234 in one
 * country and 1.234 in another.
 */
function decimal(text: string): number | undefined {
  const isAmbiguous = /^[1-9]\d{0,2},\d{3}$/.test(text);
  return isAmbiguous || !/^\d+(?:[.,]\d+)?$/.test(text) ? undefined : Number(text.replace(',', '.'));
}
