import { isJsonObject } from './json.ts';
import { isWellFormed } from './text.ts';

/** A record as parsed from JSON, not checked yet. */
export type JsonFields = Readonly<Record<string, unknown>>;

/** Why a record is refused: one line that names the field and the value. */
export class Rejection extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Rejection';
  }
}

/** Longest name, in code points (docs/interface.md, 413). */
export const MAX_NAME = 255;
/** Longest text, such as a description, in bytes of UTF-8 (docs/interface.md, 413). */
const MAX_TEXT = 65_536;
/** Most members of a list such as an event's labels. */
export const MAX_LIST = 1_000;

/** Returns a value as JSON for a message, cut to 80 characters. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** Reads a required field; throws `Rejection` if the key is absent. */
export function required<T>(
  raw: JsonFields,
  name: string,
  read: (value: unknown, name: string) => T,
  path: string = name, // the field's path in the record, for messages
): T {
  const value = raw[name];
  if (value === undefined) throw new Rejection(`${path} is missing`);
  return read(value, path);
}

/** Reads an optional field: undefined for an absent key, null for null, else the reader's result. */
export function optional<T>(
  raw: JsonFields,
  name: string,
  read: (value: unknown, name: string) => T,
  path: string = name, // the field's path in the record, for messages
): T | null | undefined {
  const value = raw[name];
  return value === undefined || value === null ? value : read(value, path);
}

/** Reads an object inside a record. */
export function objectOf(value: unknown, name: string): JsonFields {
  if (isJsonObject(value)) return { ...value };
  throw new Rejection(`${name}: ${shown(value)} is not an object`);
}

/** Makes a reader that also accepts null, which clears a value (docs/import.md). */
export function nullable<T>(read: (value: unknown, name: string) => T): (value: unknown, name: string) => T | null {
  return (value, name) => (value === null ? null : read(value, name));
}

/** Reads an integer from 0 to 2^53-1, given as number or digits. Channel codes may be 0. */
export function code(value: unknown, name: string): number {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
  throw new Rejection(`${name}: ${shown(value)} is not an id (a whole number from 0 or its digits)`);
}

/** Reads a member's id: an integer from 1 to 2^53-1, given as number or digits. */
export function member(value: unknown, name: string): number {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 1) return number;
  throw new Rejection(`${name}: ${shown(value)} is not an id (a positive whole number or its digits)`);
}

/** Reads a list of members' ids as a set: ascending, each once. */
export function memberSet(value: unknown, name: string): readonly number[] {
  const list = listOf(member)(value, name);
  return list.length < 2 ? list : [...new Set(list)].sort((a, b) => a - b);
}

/** Makes a reader of lists of at most 1,000 elements; a rejection names the element's index. */
export function listOf<T>(read: (value: unknown, name: string) => T): (value: unknown, name: string) => readonly T[] {
  return (value, name) => {
    if (!Array.isArray(value)) throw new Rejection(`${name}: ${shown(value)} is not a list`);
    if (value.length > MAX_LIST) throw new Rejection(`${name}: more than ${MAX_LIST} elements`);
    return value.map((element, index) => read(element, `${name}[${index}]`));
  };
}

/** Makes a reader of whole numbers from `min` to `max`, both inclusive. */
export function between(min: number, max: number): (value: unknown, name: string) => number {
  return (value, name) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    throw new Rejection(`${name}: ${shown(value)} is not a whole number from ${min} to ${max}`);
  };
}

/** Makes a reader that accepts exactly the given words. */
export function oneOf<const T extends string>(words: readonly T[]): (value: unknown, name: string) => T {
  return (value, name) => {
    const word = words.find((known) => known === value);
    if (word === undefined) throw new Rejection(`${name}: ${shown(value)} is none of ${words.join(', ')}`);
    return word;
  };
}

export function bool(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') throw new Rejection(`${name}: ${shown(value)} is neither true nor false`);
  return value;
}

/** Makes a reader of texts of at most `maxBytes` bytes of UTF-8. */
export function text(maxBytes: number = MAX_TEXT): (value: unknown, name: string) => string {
  return (value, name) => {
    if (typeof value !== 'string') throw new Rejection(`${name}: ${shown(value)} is not a text`);
    if (value.length > maxBytes || (value.length * 3 > maxBytes && Buffer.byteLength(value) > maxBytes)) {
      throw new Rejection(`${name}: longer than ${maxBytes} bytes`);
    }
    return wellFormed(value, name);
  };
}

/** Reads a name: not blank, at most 255 code points. */
export function name(value: unknown, field: string): string {
  const given = text()(value, field);
  if (given.trim() === '') throw new Rejection(`${field} is blank`);
  if (given.length > MAX_NAME && [...given].length > MAX_NAME) {
    throw new Rejection(`${field}: longer than ${MAX_NAME} characters`);
  }
  return given;
}

/** Throws `Rejection` for a text with half a character. */
export function wellFormed(value: string, field: string): string {
  if (!isWellFormed(value)) throw new Rejection(`${field}: ${shown(value)} holds half a character`);
  return value;
}
