import { constants, deflateRawSync, inflateRawSync, type ZlibOptions } from 'node:zlib';
import * as z from 'zod';
import type { Column } from './byte-planes.ts';
import { fromPlanes, toPlanes } from './byte-planes.ts';

/** Named columns in one array of bytes, each deflated by itself, so that a reader inflates only what it needs. */
export interface ColumnFile<Head> {
  readonly head: Head;
  /** Unsigned integers below 2^53; none where there is no such column. */
  numbers(name: string): Column;
  /** Anything JSON can say; undefined where there is no such column. */
  json(name: string): unknown;
}

const FORMAT = 1; // raised when bytes come to mean something else

const Index = z.tuple([
  z.literal(FORMAT),
  z.unknown(), // the head
  z.array(z.tuple([z.string(), z.int(), z.int(), z.int(), z.int()])), // numbers: name, count, divisor, planes, bytes
  z.array(z.tuple([z.string(), z.int()])), // JSON: name, bytes
]);

const PREFIX = 4; // bytes that hold the length of the index, little-endian

/**
 * Wide columns are times, whose low bytes are noise: looking for repetitions in them takes thrice as long and makes them
 * 2 % larger, and small blocks follow the change from one plane to the next.
 */
const NOISE: ZlibOptions = { strategy: constants.Z_RLE, memLevel: 6 };

/** Writes columns, the same bytes for the same content. Columns without values are left out. */
export function writeColumnFile(
  head: unknown,
  numbers: Readonly<Record<string, ArrayLike<number>>>,
  json: Readonly<Record<string, unknown>>,
): Uint8Array {
  const parts: Uint8Array[] = [];
  const add = (bytes: Uint8Array, options?: ZlibOptions): number => {
    if (bytes.length === 0) return 0;
    const deflated = deflateRawSync(bytes, options);
    parts.push(deflated);
    return deflated.length;
  };
  const numberEntries = Object.entries(numbers)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => {
      const { count, divisor, planes, bytes } = toPlanes(values);
      return [name, count, divisor, planes, add(bytes, planes > 1 ? NOISE : undefined)];
    });
  const jsonEntries = Object.entries(json).map(([name, value]) => [name, add(Buffer.from(JSON.stringify(value)))]);
  const index = deflateRawSync(JSON.stringify([FORMAT, head, numberEntries, jsonEntries]));
  const prefix = Buffer.alloc(PREFIX);
  prefix.writeUInt32LE(index.length);
  return Buffer.concat([prefix, index, ...parts]);
}

/** Opens what `writeColumnFile` wrote; inflates nothing but the index, and each column when it is asked for. */
export function openColumnFile<Head>(bytes: Uint8Array, headSchema: z.ZodType<Head>): ColumnFile<Head> {
  const start = PREFIX + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const index: unknown = JSON.parse(inflateRawSync(bytes.subarray(PREFIX, start)).toString());
  const [, head, numberEntries, jsonEntries] = Index.parse(index);
  const columns = new Map<string, () => Column>();
  const values = new Map<string, () => unknown>();
  let at = start;
  const take = (size: number): (() => Buffer) => {
    const part = bytes.subarray(at, at + size);
    at += size;
    return () => (size === 0 ? Buffer.alloc(0) : inflateRawSync(part));
  };
  for (const [name, count, divisor, planes, size] of numberEntries) {
    const inflate = take(size);
    columns.set(name, () => fromPlanes({ count, divisor, planes, bytes: inflate() }));
  }
  for (const [name, size] of jsonEntries) {
    const inflate = take(size);
    values.set(name, () => JSON.parse(inflate().toString()));
  }
  return {
    head: headSchema.parse(head),
    numbers: (name) => columns.get(name)?.() ?? new Uint32Array(0),
    json: (name) => values.get(name)?.(),
  };
}
