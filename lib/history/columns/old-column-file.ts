import * as z from 'zod';
import type { Column } from './byte-planes.ts';
import type { ColumnFile } from './column-file.ts';
import { inflateJson } from './deflated-json.ts';
import { readPlanes } from './number-column.ts';

/** Bytes of each plane. */
type NumberEntry = readonly [name: string, count: number, divisor: number, ...sizes: number[]];

const Index = z.tuple([
  z.literal(2),
  z.unknown(), // the head
  z.array(z.tuple([z.string(), z.int(), z.int()], z.int()).transform((entry): NumberEntry => entry)),
  z.array(z.tuple([z.string(), z.int()])), // by column of JSON its bytes
]);

const PREFIX = 4; // bytes that hold the length of the index, little-endian

/** Opens a file of format 2, as tables have them that were filled before there was format 3. */
export function openOldColumnFile<Head>(bytes: Uint8Array, headSchema: z.ZodType<Head>): ColumnFile<Head> {
  let at = PREFIX + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const [, head, entries, jsonEntries] = Index.parse(inflateJson(bytes.subarray(PREFIX, at)));
  const columns = new Map<string, { readonly entry: NumberEntry; readonly start: number }>();
  for (const entry of entries) {
    const [name, , , ...sizes] = entry;
    columns.set(name, { entry, start: at });
    at += sizes.reduce((sum, size) => sum + size, 0);
  }
  const texts = new Map<string, Uint8Array>();
  for (const [name, size] of jsonEntries) {
    texts.set(name, bytes.subarray(at, at + size));
    at += size;
  }
  const numbers = (name: string): Column => {
    const column = columns.get(name);
    if (column === undefined) return new Uint8Array(0);
    const [, count, divisor, ...sizes] = column.entry;
    return readPlanes(bytes, column.start, { count, divisor, sizes });
  };
  return {
    head: headSchema.parse(head),
    numbers,
    passingNumbers: numbers,
    packed: () => undefined,
    length: (name) => columns.get(name)?.entry[1] ?? 0,
    json(name) {
      const text = texts.get(name);
      return text && inflateJson(text);
    },
    text: (name) => texts.get(name),
  };
}
