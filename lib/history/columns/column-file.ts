import * as z from 'zod';
import { type Packed, unpackBits, unpackToScratch } from './bit-packing.ts';
import type { Column } from './byte-planes.ts';
import { deflateJson, inflateJson } from './deflated-json.ts';
import { packedIn, readNumbers, writeNumbers } from './number-column.ts';
import { parsedOnce } from './parsed-once.ts';
import { VarintReader, varints } from './varints.ts';

/** Named columns in one array of bytes, each readable by itself, so that a reader decodes only what it needs. */
export interface ColumnFile<Head> {
  readonly head: Head;
  /** Unsigned integers below 2^53, made anew unless they are bytes; none where there is no such column. */
  numbers(name: string): Column;
  /** The same for one who is done with them before the next are asked for: they may lie where those will. */
  passingNumbers(name: string): Column;
  /** How the numbers are packed; undefined where they are not, or there is no such column. */
  packed(name: string): Packed | undefined;
  /** How many numbers there are, without reading them. */
  length(name: string): number;
  /** Anything JSON can say; undefined where there is no such column. */
  json(name: string): unknown;
  /** The deflated JSON, likewise. */
  text(name: string): Uint8Array | undefined;
}

/**
 * Raised when bytes come to mean something else. It is the fourth byte of a file, after three zeros. Then come
 * integers: the lengths of the names and of the head; the names and the head; integers again: by column of numbers how many
 * it has and its bytes, by column of JSON its bytes; and the columns.
 */
const FORMAT = 4; // 4: leaves may hold versions (docs/design/versions.md)
const READ_FROM = 3;
const PREFIX = 4; // bytes

/** The names of columns, of which nearly all files of a kind have the same: read once, and by name their places. */
const namesIn = parsedOnce(
  z
    .tuple([z.array(z.string()), z.array(z.string())])
    .transform(([numbers, json]) => ({ numbers: placesOf(numbers), json: placesOf(json) })),
);

const placesOf = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.map((name, place) => [name, place]));

/** Writes columns, the same bytes for the same content. Columns without values are left out. */
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

/** Opens what `writeColumnFile` wrote; decodes nothing but the index, and each column when it is asked for. */
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
  const ends: number[] = []; // of columns, those of JSON after those of numbers
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
