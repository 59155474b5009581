import type { Instant } from '../cases/event.ts';
import { isDigit, shortInstant } from '../cases/instant.ts';

/**
 * Stores ids of events as a template and numbers. Most ids are a fixed text and a running number, or a hash in
 * hexadecimal digits; as numbers they take a third of the bytes. The ids that an import makes for rows of a CSV contain
 * the event's instant.
 */

/** An id split into its template and its numbers. */
export interface IdParts {
  readonly template: string; // its last character is one of ENDS; `idJoiner` makes ids from it
  readonly numbers: readonly number[];
}

const UUID = /^(.*?)([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/s;
const HEX_FROM = 16; // fewest hexadecimal digits that count as a hash
const HEX_TO = 64; // most digits of a hash
const SAFE_DIGITS = 15; // a decimal number of so many digits is exact
const CHUNK = 12; // hexadecimal digits of one number: 48 bits
/** The last character of a template: what its numbers mean. */
const ENDS = { text: 't', number: 'n', textAt: 'T', numberAt: 'N', hex: 'h', uuid: 'u', plain: 'p' } as const;
const OWNER = '\u0000'; // replaces the owner's key in a template, so that all cases share the template
const INSTANT = '\u0001'; // replaces the event's instant in templates that end in `textAt` or `numberAt`
const INSTANT_LENGTH = 6; // characters of a short instant, at least

/**
 * Splits an id that may contain the owner's key and the event's instant. Mostly without a regular expression, which
 * most ids do not need.
 */
export function splitId(id: string, owner: string, at: Instant): IdParts {
  if (id.includes(OWNER)) return { template: id + ENDS.plain, numbers: [] };
  const { length } = id;
  const { digits, hex } = endOf(id);
  const uuid = hex >= 12 && id[length - 13] === '-' ? UUID.exec(id) : null;
  if (uuid) return { template: shorten(uuid[1] ?? '', owner) + ENDS.uuid, numbers: chunksOf(uuid.slice(2).join('')) };
  if (hex >= HEX_FROM && digits < HEX_FROM) {
    const size = Math.min(HEX_TO, hex - (hex % 4));
    const prefix = shorten(id.slice(0, length - size), owner);
    return { template: `${prefix}${size}${ENDS.hex}`, numbers: chunksOf(id.slice(length - size)) };
  }
  if (digits === 0) return { template: timeless(id, owner, at, [ENDS.text, ENDS.textAt]), numbers: [] };
  let start = length - Math.min(digits, SAFE_DIGITS);
  while (start < length - 1 && id[start] === '0') start += 1; // leading zeros belong to the template
  const prefix = timeless(id.slice(0, start), owner, at, [ENDS.number, ENDS.numberAt]);
  return { template: prefix, numbers: [Number(id.slice(start))] };
}

/** Counts the digits at the end of an id, and the hexadecimal digits at its end. */
function endOf(id: string): { readonly digits: number; readonly hex: number } {
  let at = id.length;
  while (at > 0 && isDigit(id.charCodeAt(at - 1))) at -= 1;
  const digits = id.length - at;
  while (at > 0 && (isDigit(id.charCodeAt(at - 1)) || isHexLetter(id.charCodeAt(at - 1)))) at -= 1;
  return { digits, hex: id.length - at };
}

const isHexLetter = (code: number): boolean => code >= 97 && code <= 102;

/** Returns a function that makes the ids of a template again from owner, instant and numbers. */
export function idJoiner(template: string): (owner: string, at: Instant, numbers: readonly number[]) => string {
  const text = template.slice(0, -1);
  const bodyOf = ownedText(text);
  const [start = '', rest = ''] = text.split(INSTANT);
  const [startOf, restOf] = [ownedText(start), ownedText(rest)];
  const timed = (owner: string, at: Instant): string => startOf(owner) + shortInstant(at) + restOf(owner);
  switch (template.at(-1)) {
    case ENDS.plain:
      return () => text;
    case ENDS.uuid:
      return (owner, _, numbers) => {
        const d = digitsOf(numbers, 32);
        return `${bodyOf(owner)}${d.slice(0, 8)}-${d.slice(8, 12)}-${d.slice(12, 16)}-${d.slice(16, 20)}-${d.slice(20)}`;
      };
    case ENDS.hex: {
      const length = Number(text.slice(-2));
      return (owner, _, numbers) => bodyOf(owner).slice(0, -2) + digitsOf(numbers, length);
    }
    case ENDS.number:
      return (owner, _, [number]) => bodyOf(owner) + number;
    case ENDS.numberAt:
      return (owner, at, [number]) => timed(owner, at) + number;
    case ENDS.textAt:
      return timed;
    default:
      return bodyOf;
  }
}

/** Returns a template's text with the owner's key in place. */
type OwnedText = (owner: string) => string;

function ownedText(text: string): OwnedText {
  const parts = text.split(OWNER);
  return (owner) => (parts.length === 1 ? text : parts.join(owner));
}

/** Whether ids of a template end in a running number. */
export const endsInNumber = (template: string): boolean =>
  template.endsWith(ENDS.number) || template.endsWith(ENDS.numberAt);

/** How many numbers an id of a template has. */
export function countNumbers(template: string): { readonly running: number; readonly hex: number } {
  if (endsInNumber(template)) return { running: 1, hex: 0 };
  const end = template.at(-1);
  if (end === ENDS.uuid) return { running: 0, hex: 3 };
  if (end === ENDS.hex) return { running: 0, hex: Math.ceil(Number(template.slice(-3, -1)) / CHUNK) };
  return { running: 0, hex: 0 };
}

function shorten(text: string, owner: string): string {
  return owner === '' || text === '' ? text : text.replaceAll(owner, OWNER);
}

/**
 * Makes a template from a text. If the text contains the event's instant, the instant is replaced and the template ends
 * in `timed`; else it ends in `end`.
 */
function timeless(text: string, owner: string, at: Instant, [end, timed]: readonly [string, string]): string {
  const instant = text.length < INSTANT_LENGTH || text.includes(INSTANT) ? undefined : shortInstant(at);
  const index = instant === undefined ? -1 : text.indexOf(instant);
  if (instant === undefined || index < 0) return shorten(text, owner) + end;
  const rest = text.slice(index + instant.length);
  return shorten(text.slice(0, index), owner) + INSTANT + shorten(rest, owner) + timed;
}

function chunksOf(digits: string): number[] {
  const numbers: number[] = [];
  for (let at = 0; at < digits.length; at += CHUNK) numbers.push(Number.parseInt(digits.slice(at, at + CHUNK), 16));
  return numbers;
}

function digitsOf(numbers: readonly number[], length: number): string {
  let digits = '';
  for (const number of numbers) {
    digits += number.toString(16).padStart(Math.min(CHUNK, length - digits.length), '0');
  }
  return digits;
}
