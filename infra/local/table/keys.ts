import type { Key } from '../../../lib/store/keys.ts';

const HEAD = 2; // bytes for the length of pk

/**
 * Encodes a key: length of pk, pk, sk. So the items of a partition are neighbours, in the order of their sort keys'
 * bytes; the order of partitions does not matter. The longest key, 3,074 bytes, fits in a page of 8 KB (database.ts).
 */
export function encodeKey({ pk, sk }: Key): Buffer {
  const length = Buffer.byteLength(pk);
  const bytes = Buffer.allocUnsafe(HEAD + length + Buffer.byteLength(sk));
  bytes.writeUInt16BE(length, 0);
  bytes.write(pk, HEAD);
  bytes.write(sk, HEAD + length);
  return bytes;
}

/** Decodes a key. */
export function decodeKey(bytes: Buffer): Key {
  const end = HEAD + bytes.readUInt16BE(0);
  return { pk: bytes.toString('utf8', HEAD, end), sk: bytes.toString('utf8', end) };
}

/** The range of a partition's keys whose sort keys begin with `prefix`; `end` is exclusive. */
export function keyRange(pk: string, prefix = ''): { readonly start: Buffer; readonly end: Buffer } {
  const start = encodeKey({ pk, sk: prefix });
  const end = Buffer.concat([start, Buffer.of(0xff)]); // no byte of UTF-8 is 0xff
  return { start, end };
}

/** The range of a partition's keys whose sort keys are from `from` to `to`, both inclusive; `end` is exclusive. */
export function keysBetween(pk: string, from = '', to?: string): { readonly start: Buffer; readonly end: Buffer } {
  const end = to === undefined ? keyRange(pk).end : Buffer.concat([encodeKey({ pk, sk: to }), Buffer.of(0)]);
  return { start: encodeKey({ pk, sk: from }), end };
}

/** The start of the items: a key's first two bytes are never both zero, and entries that are not items sort before. */
export const FIRST_KEY: Buffer = Buffer.of(0, 1);
