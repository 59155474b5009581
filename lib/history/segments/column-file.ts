import * as z from 'zod';
import { type Packed, unpackBits, unpackToScratch } from './bit-packing.ts';
import type { Column } from './byte-planes.ts';
import { deflateJson, inflateJson } from './deflated-json.ts';
import { packedIn, readNumbers, writeNumbers } from './number-column.ts';
import { parsedOnce } from './parsed-once.ts';
import { VarintReader, varints } from './varints.ts';

/** Named columns in one array of bytes. Each can be decoded alone, so a reader decodes only the columns it needs. */
export interface ColumnFile<Head> {
  readonly head: Head;
  /** Decodes a column of unsigned integers below 2^53; empty if there is no such column. */
  numbers(name: string): Column;
  /** Decodes likewise, but maybe into a shared buffer: the next call may overwrite the numbers. */
  passingNumbers(name: string): Column;
  /** Returns a column's packed bits; undefined if it is stored as planes or there is no such column. */
  packed(name: string): Packed | undefined;
  /** Returns how many numbers a column has, without decoding it. */
  length(name: string): number;
  /** Returns a column's JSON value; undefined if there is no such column. */
  json(name: string): unknown;
  /** Returns a column's JSON still deflated; undefined if there is no such column. */
  text(name: string): Uint8Array | undefined;
}

/**
 * The version of the format; it rises when the meaning of the bytes changes. A file begins with three zero bytes and
 * this one. Then follow two integers, the lengths in bytes of the names and of the head; the names; the head; for each
 * column of numbers how many it has and its length in bytes; for each column of JSON its length in bytes; and the
 * columns.
 */
const FORMAT = 4; // 4: leaves may hold versions (docs/design/versions.md)
const READ_FROM = 3; // oldest format that is still read
const PREFIX = 4; // bytes

/**
 * Parses the names of columns into their indexes. Nearly all files of a kind have the same names, so results are
 * cached.
 */
const namesIn = parsedOnce(
  z
    .tuple([z.array(z.string()), z.array(z.string())])
    .transform(([numbers, json]) => ({ numbers: placesOf(numbers), json: placesOf(json) })),
);

const placesOf = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.map((name, place) => [name, place]));

/** Writes columns; the same content gives the same bytes. Empty columns of numbers are left out. */
export function writeColumnFile(
  head: unknown,
  numbers: Readonly<Record<string, ArrayLike<number>>>,
  json: Readonly<Record<string, unknown>>,
): Uint8Array {
  const filled = Object.entries(numbers).filter(([, values]) => values.length > 0);
  const columns = filled.map(([, values]) => writeNumbers(values));
  const texts = Object.values(json).map(deflateJson);
  const names = deflateJson([filled.map(([name]) => name), Object.keys(json)]);
  const headText = Buffer.from(JSON.stringify(head));
  return Buffer.concat([
    Uint8Array.of(0, 0, 0, FORMAT),
    varints([names.length, headText.length]),
    names,
    headText,
    varints(filled.flatMap(([, values], place) => [values.length, columns[place]!.length])),
    varints(texts.map(({ length }) => length)),
    ...columns,
    ...texts,
  ]);
}

/** Opens the bytes of `writeColumnFile`: decodes the names and lengths now, and a column on each request. */
export function openColumnFile<Head>(bytes: Uint8Array, headSchema: z.ZodType<Head>): ColumnFile<Head> {
  const format = bytes[PREFIX - 1]!;
  if (format < READ_FROM || format > FORMAT) throw new Error(`this version does not read columns of format ${format}`);
  const index = new VarintReader(bytes, PREFIX);
  const namesLength = index.next();
  const headLength = index.next();
  const headStart = index.at + namesLength;
  const places = namesIn(bytes.subarray(index.at, headStart));
  const head = Buffer.from(bytes.buffer, bytes.byteOffset + headStart, headLength).toString();
  index.at = headStart + headLength;
  const counts: number[] = [];
  const ends: number[] = []; // end of each column; columns of JSON follow those of numbers
  let end = 0;
  for (let column = 0; column < places.numbers.size; column += 1) {
    counts.push(index.next());
    ends.push((end += index.next()));
  }
  for (let text = 0; text < places.json.size; text += 1) ends.push((end += index.next()));
  const start = index.at;
  const part = (place: number): Uint8Array => bytes.subarray(start + (ends[place - 1] ?? 0), start + ends[place]!);
  const text = (name: string): Uint8Array | undefined => {
    const place = places.json.get(name);
    return place === undefined ? undefined : part(counts.length + place);
  };
  const column = <V>(name: string, read: (bytes: Uint8Array, count: number) => V): V | undefined => {
    const place = places.numbers.get(name);
    return place === undefined ? undefined : read(part(place), counts[place]!);
  };
  const numbers = (name: string, unpack: typeof unpackBits): Column =>
    column(name, (bytes, count) => readNumbers(bytes, count, unpack)) ?? new Uint8Array(0);
  return {
    head: headSchema.parse(JSON.parse(head)),
    numbers: (name) => numbers(name, unpackBits),
    passingNumbers: (name) => numbers(name, unpackToScratch),
    packed: (name) => column(name, packedIn),
    length: (name) => column(name, (_, count) => count) ?? 0,
    json(name) {
      const deflated = text(name);
      return deflated && inflateJson(deflated);
    },
    text,
  };
}
