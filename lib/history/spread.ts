import type { FileHandle } from 'node:fs/promises';
import { openNameless } from './nameless-file.ts';

/**
 * Values spread over buckets, more of them than memory holds. They wait in memory until they are many and then lie in a
 * file without a name, as JSON, bucket after bucket each time: so neighbouring buckets are read together.
 */
export interface Spread<T> {
  /** Takes a value; `size` is about its characters. */
  add(bucket: number, value: T, size: number): void;
  /** Writes out what waits in memory where that is much; to be awaited between batches. */
  rest(): Promise<void>;
  /** Neighbouring buckets together as long as their values' sizes add up to at most so much. Empty ends are left out. */
  ranges(most: number): Generator<BucketRange>;
  /** The values of the buckets from the first to before the last one, each bucket's as they came; those that `takes` picks. */
  read(range: Pick<BucketRange, 'first' | 'last'>, takes?: (value: T) => boolean): Promise<T[]>;
  close(): Promise<void>;
}

export interface BucketRange {
  readonly first: number;
  readonly last: number; // exclusive
  readonly size: number; // more than asked for where it is a single bucket
}

export interface SpreadOptions {
  readonly folder: string; // for the file
  readonly buckets: number;
  readonly waiting: number; // size of what waits in memory
}

export function openSpread<T>({ folder, buckets, waiting: most }: SpreadOptions): Spread<T> {
  const waiting: T[][] = Array.from({ length: buckets }, () => []);
  const sizes = new Float64Array(buckets);
  const writes: Float64Array[] = []; // of each: the byte at which each bucket begins, then where the last one ends
  let inMemory = 0;
  let end = 0; // of the file
  let file: FileHandle | undefined;

  async function write(): Promise<void> {
    const texts = waiting.map((values) => Buffer.from(values.length === 0 ? '' : `${listed(values)},`));
    const starts = new Float64Array(buckets + 1);
    for (const [bucket, { length }] of texts.entries()) {
      starts[bucket] = end;
      end += length;
      waiting[bucket] = [];
    }
    starts[buckets] = end;
    inMemory = 0;
    writes.push(starts);
    file ??= await openNameless(folder);
    await file.appendFile(Buffer.concat(texts));
  }

  return {
    add(bucket, value, size) {
      waiting[bucket]!.push(value);
      sizes[bucket] = sizes[bucket]! + size;
      inMemory += size;
    },
    async rest() {
      if (inMemory >= most) await write();
    },
    *ranges(most) {
      let [first, size] = [0, 0];
      for (const [bucket, more] of sizes.entries()) {
        if (size > 0 && size + more > most) {
          yield { first, last: bucket, size };
          [first, size] = [bucket, 0];
        }
        size += more;
      }
      if (size > 0) yield { first, last: buckets, size };
    },
    async read({ first, last }, takes) {
      const parts: T[][] = [];
      const take = (values: T[]) => parts.push(takes === undefined ? values : values.filter(takes));
      for (const starts of writes) {
        const at = starts[first]!;
        const bytes = Buffer.allocUnsafe(starts[last]! - at);
        if (bytes.length === 0) continue;
        await file!.read(bytes, 0, bytes.length, at);
        take(JSON.parse(`[${bytes.toString('utf8', 0, bytes.length - 1)}]`));
      }
      for (const values of waiting.slice(first, last)) take(values);
      return parts.flat();
    },
    close: async () => file?.close(),
  };
}

/** A list's JSON without its brackets. */
const listed = (values: readonly unknown[]): string => JSON.stringify(values).slice(1, -1);
