import type { FileHandle } from 'node:fs/promises';
import { openNameless } from './nameless-file.ts';

/**
 * Texts spread over buckets, more of them than memory holds. They wait in one array of bytes, where the garbage
 * collector has no work with them, and then lie in a file without a name, bucket after bucket each time it is written:
 * so neighbouring buckets are read together.
 */
export interface Spread {
  add(bucket: number, text: string | Uint8Array): void; // or its bytes in UTF-8
  /** Writes out what waits in memory where that is much; to be awaited between batches. */
  rest(): Promise<void>;
  /** Neighbouring buckets together as long as they take at most so many bytes. Empty ends are left out. */
  ranges(most: number): Generator<BucketRange>;
  /** The texts of the buckets from the first to before the last one, in UTF-8, joined to a few; each bucket's as they came. */
  read(range: Pick<BucketRange, 'first' | 'last'>): Promise<Buffer[]>;
  close(): Promise<void>;
}

export interface BucketRange {
  readonly first: number;
  readonly last: number; // exclusive
  readonly size: number; // bytes, more than asked for where it is a single bucket
}

export interface SpreadOptions {
  readonly folder: string; // for the file
  readonly buckets: number;
  readonly waiting: number; // bytes in memory
}

const FIRST_BYTES = 65_536; // of memory; more when they are full

export function openSpread({ folder, buckets, waiting: most }: SpreadOptions): Spread {
  const sizes = new Float64Array(buckets);
  const writes: Float64Array[] = []; // of each: the byte at which each bucket begins, then where the last one ends
  const waiting: Waiting[] = []; // neighbours of one bucket are one
  const memory = openMemory();
  let end = 0; // of the file
  let file: FileHandle | undefined;

  async function write(): Promise<void> {
    const { starts, bytes } = byBucket(memory.take(), waiting, buckets);
    writes.push(starts.map((start) => end + start));
    end += bytes.length;
    waiting.length = 0;
    file ??= await openNameless(folder);
    await file.appendFile(bytes);
  }

  return {
    add(bucket, text) {
      sizes[bucket]! += memory.add(text);
      const last = waiting.at(-1);
      if (last?.bucket === bucket) last.end = memory.used();
      else waiting.push({ bucket, end: memory.used() });
    },
    async rest() {
      if (memory.used() >= most) await write();
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
    async read({ first, last }) {
      if (memory.used() > 0) await write();
      memory.free(); // as a rule nothing is added any more
      const parts: Buffer[] = [];
      for (const starts of writes) {
        const at = starts[first]!;
        const bytes = Buffer.allocUnsafe(starts[last]! - at);
        if (bytes.length === 0) continue;
        const { bytesRead } = await file!.read(bytes, 0, bytes.length, at);
        if (bytesRead < bytes.length) throw new Error('the temporary file is shorter than what was written to it');
        parts.push(bytes);
      }
      return parts;
    },
    close: async () => file?.close(),
  };
}

/** Bytes in memory, one text after the other, with room for more. */
function openMemory() {
  let memory = Buffer.allocUnsafe(FIRST_BYTES);
  let used = 0;

  function makeRoom(bytes: number): void {
    if (used + bytes <= memory.length) return;
    const larger = Buffer.allocUnsafe(2 * (used + bytes));
    memory.copy(larger, 0, 0, used);
    memory = larger;
  }

  return {
    used: () => used,
    /** Returns how many bytes the text takes. */
    add(text: string | Uint8Array): number {
      makeRoom(3 * text.length); // UTF-8 takes no more
      let length = text.length;
      if (typeof text === 'string') length = memory.write(text, used);
      else memory.set(text, used);
      used += length;
      return length;
    },
    /** What it holds, until the next text is added. */
    take(): Buffer {
      const bytes = memory.subarray(0, used);
      used = 0;
      return bytes;
    },
    free(): void {
      memory = Buffer.alloc(0);
    },
  };
}

/** Texts of one bucket in memory, from where those before them end. */
interface Waiting {
  readonly bucket: number;
  end: number;
}

/** What waits, bucket after bucket, and where each begins. */
function byBucket(
  memory: Buffer,
  waiting: readonly Waiting[],
  buckets: number,
): { starts: Float64Array; bytes: Buffer } {
  const lengths = new Float64Array(buckets);
  for (const [place, { bucket, end }] of waiting.entries()) lengths[bucket]! += end - (waiting[place - 1]?.end ?? 0);
  const starts = new Float64Array(buckets + 1);
  for (let bucket = 0; bucket < buckets; bucket += 1) starts[bucket + 1] = starts[bucket]! + lengths[bucket]!;
  const bytes = Buffer.allocUnsafe(memory.length);
  const next = starts.slice();
  let from = 0;
  for (const { bucket, end } of waiting) {
    memory.copy(bytes, next[bucket]!, from, end);
    next[bucket]! += end - from;
    from = end;
  }
  return { starts, bytes };
}
