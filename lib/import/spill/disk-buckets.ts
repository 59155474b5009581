import type { FileHandle } from 'node:fs/promises';
import { openTextBytes } from './text-bytes.ts';
import { openUnlinkedFile } from './unlinked-file.ts';

/**
 * Collects texts in buckets, more than memory holds. Texts wait in one array of bytes, which makes no work for the
 * garbage collector. Each time it is full it is appended to a file without a name, sorted by bucket: so neighbouring
 * buckets can be read together.
 */
export interface DiskBuckets {
  add(bucket: number, text: string | Uint8Array): void; // a text, or its bytes in UTF-8
  /** Writes the texts in memory to the file if they are many; await it between batches. */
  rest(): Promise<void>;
  /**
   * Yields ranges of neighbouring buckets with at most `most` bytes together; buckets without texts may be left out.
   */
  ranges(most: number): Generator<BucketRange>;
  /**
   * Reads the texts of a range, in UTF-8, joined into a few buffers of at most `waiting` bytes and a text; the texts of
   * a bucket keep their order.
   */
  read(range: Pick<BucketRange, 'first' | 'last'>): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

interface BucketRange {
  readonly first: number;
  readonly last: number; // exclusive
  readonly size: number; // bytes; a single bucket may have more than the limit
}

export interface DiskBucketsOptions {
  readonly folder: string; // for the file
  readonly buckets: number;
  readonly waiting: number; // bytes in memory
}

export function openDiskBuckets({ folder, buckets, waiting: most }: DiskBucketsOptions): DiskBuckets {
  const sizes = new Float64Array(buckets);
  const writes: Float64Array[] = []; // for each write: the offset in the file of each bucket, then the end of the last
  const waiting: Waiting[] = []; // consecutive texts of the same bucket share an entry
  const memory = openTextBytes();
  let end = 0; // of the file
  let file: FileHandle | undefined;

  async function write(): Promise<void> {
    const { starts, bytes } = byBucket(memory.take(), waiting, buckets);
    writes.push(starts.map((start) => end + start));
    end += bytes.length;
    waiting.length = 0;
    file ??= await openUnlinkedFile(folder);
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
    async *read({ first, last }) {
      if (memory.used() > 0) await write();
      memory.free(); // mostly no more texts are added after the first read
      for (const starts of writes) {
        const at = starts[first]!;
        const bytes = Buffer.allocUnsafe(starts[last]! - at);
        if (bytes.length === 0) continue;
        const { bytesRead } = await file!.read(bytes, 0, bytes.length, at);
        if (bytesRead < bytes.length) throw new Error('the temporary file is shorter than what was written to it');
        yield bytes;
      }
    },
    close: async () => file?.close(),
  };
}

/** Texts of one bucket in memory; they begin where the entry before ends. */
interface Waiting {
  readonly bucket: number;
  end: number; // byte, exclusive
}

/** Sorts the bytes in memory by bucket; returns them and where each bucket begins. */
function byBucket(
  memory: Buffer,
  waiting: readonly Waiting[],
  buckets: number,
): { starts: Float64Array; bytes: Buffer } {
  const lengths = new Float64Array(buckets);
  for (const [index, { bucket, end }] of waiting.entries()) lengths[bucket]! += end - (waiting[index - 1]?.end ?? 0);
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
