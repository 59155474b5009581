import { type Clock, clockMicros } from '../../history/cases/instant.ts';

interface Digits {
  readonly part: keyof Clock;
  readonly least: number; // digits
  readonly most: number;
}

const LETTERS: ReadonlyMap<string, Digits> = new Map([
  ['yyyy', { part: 'year', least: 4, most: 4 }],
  ['MM', { part: 'month', least: 2, most: 2 }],
  ['M', { part: 'month', least: 1, most: 2 }],
  ['dd', { part: 'day', least: 2, most: 2 }],
  ['d', { part: 'day', least: 1, most: 2 }],
  ['HH', { part: 'hour', least: 2, most: 2 }],
  ['H', { part: 'hour', least: 1, most: 2 }],
  ['mm', { part: 'minute', least: 2, most: 2 }],
  ['m', { part: 'minute', least: 1, most: 2 }],
  ['ss', { part: 'second', least: 2, most: 2 }],
  ['s', { part: 'second', least: 1, most: 2 }],
]);
const FRACTION = /^S+$/;
const FRACTION_DIGITS: Digits = { part: 'micros', least: 1, most: 9 };

const ZERO = 48;

/**
 * Reads texts of a format that has digits and what stands between them alone, as most have: the clock in microseconds as
 * if it were UTC. Undefined for a text that a regular expression, which takes five times as long, must decide on.
 * Undefined instead of a reader: the format has more than digits.
 */
export function digitReader(format: string): ((text: string) => number | undefined) | undefined {
  const steps = stepsOf(format);
  return steps && ((text) => read(text, steps));
}

/** A step is some digits or the code of a character that stands for itself. */
type Step = Digits | number;

function stepsOf(format: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  for (const [letters] of format.matchAll(/([A-Za-z])\1*|./gs)) {
    const digits = FRACTION.test(letters) ? FRACTION_DIGITS : LETTERS.get(letters);
    if (digits === undefined && /[A-Za-z[\]']/.test(letters)) return undefined;
    steps.push(digits ?? letters.charCodeAt(0));
  }
  return steps;
}

function read(text: string, steps: readonly Step[]): number | undefined {
  const clock = { year: Number.NaN, month: 1, day: Number.NaN, hour: 0, minute: 0, second: 0, micros: 0 };
  let at = 0;
  for (const step of steps) {
    if (typeof step === 'number') {
      if (text.charCodeAt(at) !== step) return undefined;
      at += 1;
      continue;
    }
    const from = at;
    let value = 0;
    for (; at < from + step.most; at += 1) {
      const digit = text.charCodeAt(at) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    if (at < from + step.least) return undefined;
    clock[step.part] = step.part === 'micros' ? microsOf(value, at - from) : value;
  }
  return at === text.length ? clockMicros(clock) : undefined;
}

/** Digits of a second's fraction as microseconds, further ones cut off. */
const microsOf = (value: number, digits: number): number =>
  digits > 6 ? Math.floor(value / 10 ** (digits - 6)) : value * 10 ** (6 - digits);
