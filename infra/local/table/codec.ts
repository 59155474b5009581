import { crc32 } from 'node:zlib';
import { Damaged } from '../../../lib/store/faults.ts';
import type { Key } from '../../../lib/store/keys.ts';
import type { Item } from '../../../lib/store/table.ts';
import { sizeOf } from './size.ts';

/**
 * An item's value in the database:
 *
 *     size as DynamoDB counts it (u32) | length of the text (u32) | text | bytes | sum (u32)
 *
 * The text is the JSON of `[attributes, specials]`: the attributes without pk and sk, which are in the key, with `null`
 * for values that JSON cannot hold; `specials` has the path and content of each of these. All binary values follow the
 * text. The sum is the CRC-32 of the key and all before it. Items of 1.1 have none: their size is compared instead.
 */
const HEAD = 8;
const SUM = 4;

/** The path of a value that JSON cannot hold, and the length of its bytes or the digits of an integer past 2^53. */
type Special = readonly [path: readonly (string | number)[], what: number | string];

/** The text of an item, parsed. */
type Written = [attributes: Record<string, unknown>, specials?: readonly Special[]];

export interface Encoded {
  readonly bytes: Buffer;
  readonly size: number; // as DynamoDB counts
}

/** Encodes an item that has passed `checkValues`, stored under `keyBytes`; drops undefined values. */
export function encodeItem(item: Item, keyBytes: Uint8Array): Encoded {
  const { pk: _, sk: __, ...attributes } = item;
  const specials: Special[] = [];
  const parts: Uint8Array[] = [];

  function plain(value: unknown, path: readonly (string | number)[]): unknown {
    if (typeof value === 'bigint') return plainInteger(value, path);
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof Uint8Array) {
      specials.push([path, value.length]);
      parts.push(value);
      return null;
    }
    if (Array.isArray(value))
      return value.filter((one) => one !== undefined).map((one, index) => plain(one, [...path, index]));
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one, [...path, name])]));
  }

  function plainInteger(value: bigint, path: readonly (string | number)[]): number | null {
    if (Number.isSafeInteger(Number(value))) return Number(value);
    specials.push([path, String(value)]);
    return null;
  }

  const stored = plain(attributes, []);
  const text = Buffer.from(JSON.stringify(specials.length === 0 ? [stored] : [stored, specials]));
  const head = Buffer.allocUnsafe(HEAD);
  const size = sizeOf(item);
  head.writeUInt32LE(size, 0);
  head.writeUInt32LE(text.length, 4);
  const sum = Buffer.allocUnsafe(SUM);
  const all = [head, text, ...parts];
  sum.writeUInt32LE(all.reduce((before, part) => crc32(part, before), crc32(keyBytes)));
  return { bytes: Buffer.concat([...all, sum]), size };
}

/** The size of an item as DynamoDB counts it, read from its stored bytes; 0 without an item. */
export const storedSize = (stored: Buffer | undefined): number => stored?.readUInt32LE(0) ?? 0;

/**
 * Decodes an item, stored under `keyBytes`. Its binary values are views of `stored`, so the caller must not reuse that
 * buffer. Throws `Damaged` if the bytes are not those that were written: every read, copy and condition comes by here.
 */
export function decodeItem(key: Key, keyBytes: Uint8Array, stored: Buffer): Item {
  try {
    return decode(key, keyBytes, stored);
  } catch (cause) {
    throw new Damaged(key, cause);
  }
}

function decode(key: Key, keyBytes: Uint8Array, stored: Buffer): Item {
  const end = HEAD + stored.readUInt32LE(4);
  const written: unknown = JSON.parse(stored.toString('utf8', HEAD, end));
  if (!isWritten(written)) throw new Error('no item');
  const [attributes, specials = []] = written;
  let at = end;
  for (const [path, what] of specials) {
    const isInteger = typeof what === 'string';
    put(attributes, path, isInteger ? BigInt(what) : new Uint8Array(stored.buffer, stored.byteOffset + at, what));
    if (!isInteger) at += what;
  }
  const item = Object.assign(attributes, { pk: key.pk, sk: key.sk });
  if (!isWhole(item, keyBytes, stored, at)) throw new Error('its sum is another');
  return item;
}

/** Whether bytes are as they were written; `end` is where the item's values end. */
const isWhole = (item: Item, keyBytes: Uint8Array, stored: Buffer, end: number): boolean =>
  stored.length === end
    ? sizeOf(item) === storedSize(stored)
    : stored.length === end + SUM && stored.readUInt32LE(end) === crc32(stored.subarray(0, end), crc32(keyBytes));

const isWritten = (value: unknown): value is Written =>
  Array.isArray(value) && typeof value[0] === 'object' && value[0] !== null;

function put(into: Record<string | number, unknown>, path: readonly (string | number)[], value: unknown): void {
  let inside = into;
  for (const step of path.slice(0, -1)) inside = inside[step] as typeof inside;
  inside[path.at(-1) ?? ''] = value;
}

/** An item reduced to its key and the given attributes. */
export function pickAttributes(item: Item, attributes: readonly string[] | undefined): Item {
  if (attributes === undefined) return item;
  const named = attributes.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]] as const]));
  return { pk: item.pk, sk: item.sk, ...Object.fromEntries(named) };
}
