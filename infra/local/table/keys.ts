import type { Key } from '../../../lib/store/keys.ts';

const HEAD = 2; // bytes that hold the length of pk

/**
 * The bytes of a key: length of pk, pk, sk. Items of a partition lie together so, in the order of the bytes of their sort
 * keys; the order of partitions is of no use to anybody. The longest key, 3,074 bytes, fits a page of 8 KB (environment.ts).
 */
export function encodeKey({ pk, sk }: Key): Buffer {
  const length = Buffer.byteLength(pk);
  const bytes = Buffer.allocUnsafe(HEAD + length + Buffer.byteLength(sk));
  bytes.writeUInt16BE(length, 0);
  bytes.write(pk, HEAD);
  bytes.write(sk, HEAD + length);
  return bytes;
}

/** The key that such bytes stand for. */
export function decodeKey(bytes: Buffer): Key {
  const end = HEAD + bytes.readUInt16BE(0);
  return { pk: bytes.toString('utf8', HEAD, end), sk: bytes.toString('utf8', end) };
}

/** Where the keys of a partition begin and end whose sort keys begin with `prefix`; the end is exclusive. */
export function keyRange(pk: string, prefix = ''): { readonly start: Buffer; readonly end: Buffer } {
  const start = encodeKey({ pk, sk: prefix });
  const end = Buffer.concat([start, Buffer.of(0xff)]); // no byte of UTF-8 is 0xff
  return { start, end };
}

/** Likewise those whose sort keys lie between two, both included; the end is exclusive. */
export function keysBetween(pk: string, from = '', to?: string): { readonly start: Buffer; readonly end: Buffer } {
  const end = to === undefined ? keyRange(pk).end : Buffer.concat([encodeKey({ pk, sk: to }), Buffer.of(0)]);
  return { start: encodeKey({ pk, sk: from }), end };
}

/** Where items begin: a key's first two bytes are never both zero, and what is no item lies there. */
export const FIRST_KEY: Buffer = Buffer.of(0, 1);
