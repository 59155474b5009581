import { constants, deflateRawSync, inflateRawSync, type ZlibOptions } from 'node:zlib';
import * as z from 'zod';
import type { Column } from './byte-planes.ts';
import { fromPlanes, toPlanes } from './byte-planes.ts';

/** Named columns in one array of bytes, each deflated by itself, so that a reader inflates only what it needs. */
export interface ColumnFile<Head> {
  readonly head: Head;
  /** Unsigned integers below 2^53, made anew unless they are bytes; none where there is no such column. */
  numbers(name: string): Column;
  /** How many numbers there are, without reading them. */
  length(name: string): number;
  /** Anything JSON can say; undefined where there is no such column. */
  json(name: string): unknown;
}

const FORMAT = 2; // raised when bytes come to mean something else

const Index = z.tuple([
  z.literal(FORMAT),
  z.unknown(), // the head
  z.array(z.tuple([z.string(), z.int(), z.int()], z.int())), // numbers: name, count, divisor, bytes of each plane
  z.array(z.tuple([z.string(), z.int()])), // JSON: name, bytes
]);

const PREFIX = 4; // bytes that hold the length of the index, little-endian

/** A plane that deflate makes little smaller lies as it is: that costs 3 % of the bytes and saves a third of inflating. */
const WORTH_DEFLATING = 0.8; // of the plane's size

/**
 * Wide columns are times, whose low bytes are noise: looking for repetitions in them takes thrice as long and makes them
 * 2 % larger.
 */
const NOISE: ZlibOptions = { strategy: constants.Z_RLE, memLevel: 6 };

/** Writes columns, the same bytes for the same content. Columns without values are left out. */
export function writeColumnFile(
  head: unknown,
  numbers: Readonly<Record<string, ArrayLike<number>>>,
  json: Readonly<Record<string, unknown>>,
): Uint8Array {
  const parts: Uint8Array[] = [];
  const add = (part: Uint8Array): number => {
    parts.push(part);
    return part.length;
  };
  const numberEntries = Object.entries(numbers)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => {
      const { count, divisor, planes } = toPlanes(values);
      const options = planes.length > 1 ? NOISE : {};
      return [name, count, divisor, ...planes.map((plane) => add(packPlane(plane, options)))];
    });
  const jsonEntries = Object.entries(json).map(([name, value]) => [name, add(deflateRawSync(JSON.stringify(value)))]);
  const index = deflateRawSync(JSON.stringify([FORMAT, head, numberEntries, jsonEntries]));
  const prefix = Buffer.alloc(PREFIX);
  prefix.writeUInt32LE(index.length);
  return Buffer.concat([prefix, index, ...parts]);
}

function packPlane(plane: Uint8Array, options: ZlibOptions): Uint8Array {
  const deflated = deflateRawSync(plane, options);
  return deflated.length < WORTH_DEFLATING * plane.length ? deflated : plane;
}

/** `count` bytes that `packPlane` packed; said beforehand, they are inflated without a copy. */
function unpackPlane(part: Uint8Array, count: number): Uint8Array {
  return part.length === count ? part : inflateRawSync(part, { chunkSize: Math.max(64, count + 1) });
}

/** Opens what `writeColumnFile` wrote; inflates nothing but the index, and each column when it is asked for. */
export function openColumnFile<Head>(bytes: Uint8Array, headSchema: z.ZodType<Head>): ColumnFile<Head> {
  const start = PREFIX + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const index: unknown = JSON.parse(inflateRawSync(bytes.subarray(PREFIX, start)).toString());
  const [, head, numberEntries, jsonEntries] = Index.parse(index);
  const columns = new Map<string, { readonly count: number; readonly read: () => Column }>();
  const values = new Map<string, () => unknown>();
  let at = start;
  const take = (size: number): Uint8Array => bytes.subarray(at, (at += size));
  for (const [name, count, divisor, ...sizes] of numberEntries) {
    const parts = sizes.map(take);
    const read = (): Column => fromPlanes({ count, divisor, planes: parts.map((part) => unpackPlane(part, count)) });
    columns.set(name, { count, read });
  }
  for (const [name, size] of jsonEntries) {
    const part = take(size);
    values.set(name, () => JSON.parse(inflateRawSync(part).toString()));
  }
  return {
    head: headSchema.parse(head),
    numbers: (name) => columns.get(name)?.read() ?? new Uint8Array(0),
    length: (name) => columns.get(name)?.count ?? 0,
    json: (name) => values.get(name)?.(),
  };
}
