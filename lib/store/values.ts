import { byCodePoint, isWellFormed } from '../text.ts';
import { keyOf } from './batches.ts';
import { Refused } from './faults.ts';
import type { Key } from './keys.ts';
import type { BatchedWrite, Item, QueryOptions, Write } from './table.ts';

const DIGITS = 38; // significant digits of a number
const LARGEST = 126; // digits of a whole number
const SMALLEST = 1e-130; // a number nearer to 0 is refused
const LEVELS = 31; // of nested lists and maps; the item itself is the first of DynamoDB's 32
const LONGEST_KEY = { pk: 2048, sk: 1024 } as const; // bytes of UTF-8

/** Throws `Refused` for a key that is empty, too long or not a string. */
export function checkKey(key: Key): void {
  for (const name of ['pk', 'sk'] as const) {
    const value: unknown = key[name];
    if (typeof value !== 'string') throw new Refused(`the key's ${name} is not a string`);
    if (!isWellFormed(value)) throw new Refused(`the key's ${name} has half a character`);
    if (value === '') throw new Refused(`the key's ${name} is empty`);
    if (value.length * 3 > LONGEST_KEY[name] && Buffer.byteLength(value) > LONGEST_KEY[name])
      throw new Refused(`the key's ${name} is longer than ${LONGEST_KEY[name]} bytes`);
  }
}

/** Throws `Refused` if the first sort key of a query comes after the last one. */
export function checkRange({ from, to }: QueryOptions): void {
  if (from !== undefined && to !== undefined && byCodePoint(from, to) > 0)
    throw new Refused('the range of a query ends before it begins');
}

/**
 * Throws `Refused` if an item, its key included, holds a value outside DynamoDB's limits or of a type that we do not
 * store (sets, dates, class instances). `undefined` is left out when an item is written.
 */
export function checkValues(item: Item): void {
  checkKey(item);
  for (const name in item) checkValue(item[name], name, 0);
}

function checkValue(value: unknown, name: string, level: number): void {
  if (typeof value === 'string') {
    if (!isWellFormed(value)) throw refused(name, 'is a text with half a character');
  } else if (typeof value === 'number') checkNumber(value, name);
  else if (typeof value === 'bigint') checkDigits(value, name);
  else if (typeof value === 'object' && value !== null) checkInside(value, name, level + 1);
  else if (typeof value === 'function' || typeof value === 'symbol') throw refused(name, `is a ${typeof value}`);
}

function checkNumber(value: number, name: string): void {
  if (!Number.isFinite(value)) throw refused(name, `is ${value}`);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) throw refused(name, 'is a number past 2^53: use a bigint');
  if (value !== 0 && Math.abs(value) < SMALLEST) throw refused(name, 'is a number too near to 0');
}

function checkDigits(value: bigint, name: string): void {
  const digits = String(value).replace('-', '');
  if (digits.replace(/0+$/, '').length > DIGITS || digits.length > LARGEST)
    throw refused(name, `is a number of more than ${DIGITS} digits`);
}

function checkInside(value: object, name: string, level: number): void {
  if (value instanceof Uint8Array) return;
  if (level > LEVELS) throw refused(name, `is deeper than ${LEVELS} levels`);
  if (Array.isArray(value)) for (const one of value) checkValue(one, name, level);
  else if (isPlain(value)) for (const one of Object.values(value)) checkValue(one, name, level);
  else throw refused(name, `is a ${value.constructor.name}`);
}

const isPlain = (value: object): boolean => value.constructor === undefined || value.constructor.name === 'Object';

const refused = (name: string, why: string): Refused => new Refused(`the attribute ${name} ${why}`);

/** Throws `Refused` if no table accepts the write's key or item. */
export function checkWrite(write: Write | BatchedWrite): void {
  if ('put' in write) checkValues(write.put);
  else checkKey(keyOf(write));
}
