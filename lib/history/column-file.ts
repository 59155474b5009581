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
  /** The deflated JSON, likewise. */
  text(name: string): Uint8Array | undefined;
}

const FORMAT = 2; // raised when bytes come to mean something else

type NumberEntry = readonly [name: string, count: number, divisor: number, ...sizes: number[]]; // bytes of each plane
const SIZES = 3; // the place of the first size
type JsonEntry = readonly [name: string, size: number]; // bytes

/** Checked by hand: a report opens hundreds of files with sixty columns each, for which zod takes five times as long. */
const entriesOf = <Entry>(fewest: number) =>
  z.custom<readonly Entry[]>((value) => Array.isArray(value) && value.every((entry) => isEntry(entry, fewest)));

const isEntry = (value: unknown, fewest: number): boolean =>
  Array.isArray(value) &&
  value.length >= fewest &&
  value.every((part, place) => (place === 0 ? typeof part === 'string' : Number.isSafeInteger(part)));

const Index = z.tuple([
  z.literal(FORMAT),
  z.unknown(), // the head
  entriesOf<NumberEntry>(SIZES),
  entriesOf<JsonEntry>(2),
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
  if (part.length === count) return part;
  const { buffer, byteOffset, length } = inflateRawSync(part, { chunkSize: Math.max(64, count + 1) });
  return new Uint8Array(buffer, byteOffset, length); // no Buffer: loops are compiled for one kind of array
}

/** Opens what `writeColumnFile` wrote; inflates nothing but the index, and each column when it is asked for. */
export function openColumnFile<Head>(bytes: Uint8Array, headSchema: z.ZodType<Head>): ColumnFile<Head> {
  const start = PREFIX + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const index: unknown = JSON.parse(inflateRawSync(bytes.subarray(PREFIX, start)).toString());
  const [, head, numberEntries, jsonEntries] = Index.parse(index);
  const columns = new Map<string, { readonly entry: NumberEntry; readonly start: number }>();
  const texts = new Map<string, Uint8Array>();
  let at = start;
  for (const entry of numberEntries) {
    columns.set(entry[0], { entry, start: at });
    for (let place = SIZES; place < entry.length; place += 1) at += Number(entry[place]);
  }
  for (const [name, size] of jsonEntries) {
    texts.set(name, bytes.subarray(at, at + size));
    at += size;
  }
  const planesOf = ([, count, , ...sizes]: NumberEntry, from: number): Uint8Array[] => {
    let next = from;
    return sizes.map((size) => {
      next += size;
      return unpackPlane(bytes.subarray(next - size, next), count);
    });
  };
  return {
    head: headSchema.parse(head),
    numbers(name) {
      const column = columns.get(name);
      if (column === undefined) return new Uint8Array(0);
      const { entry, start } = column;
      return fromPlanes({ count: entry[1], divisor: entry[2], planes: planesOf(entry, start) });
    },
    length: (name) => columns.get(name)?.entry[1] ?? 0,
    json(name) {
      const text = texts.get(name);
      return text && JSON.parse(inflateRawSync(text).toString());
    },
    text: (name) => texts.get(name),
  };
}
