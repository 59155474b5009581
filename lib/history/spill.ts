import { mkdirSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Incoming } from './merge.ts';
import { hashOf, type Subject, subjectOf } from './subject.ts';

/**
 * Events of a file too large for memory, spread by the hash of their subject, so that all of a case come out together.
 * They wait in memory until they are many and then in one temporary file, whose name is taken away at once: whatever
 * happens to the process, nothing stays behind.
 */
export interface Spill {
  readonly size: number; // events
  add(event: Incoming): void;
  /** Writes out what waits in memory where that is much; to be awaited between batches. */
  rest(): Promise<void>;
  /** The events by subject, in groups of whole subjects, each group's size bounded; those of one subject as they came. */
  groups(): AsyncGenerator<Map<Subject, Incoming[]>>;
  close(): Promise<void>;
}

const BUCKET_BITS = 10;
const BUCKETS = 2 ** BUCKET_BITS;
const WAITING = 100_000; // events in memory
const GROUP = 100_000; // events that are merged in one go

interface Chunk {
  readonly at: number; // byte in the file
  readonly length: number;
}

/** Opens an empty spill; `folder` takes its file. */
export function openSpill(folder: string, name: string): Spill {
  const waiting: Incoming[][] = Array.from({ length: BUCKETS }, () => []);
  const chunks: Chunk[][] = Array.from({ length: BUCKETS }, () => []);
  const sizes = new Float64Array(BUCKETS);
  let inMemory = 0;
  let size = 0;
  let file: FileHandle | undefined;
  let end = 0;

  async function write(): Promise<void> {
    if (file === undefined) {
      mkdirSync(folder, { recursive: true });
      const path = join(folder, `import-${name}`);
      file = await open(path, 'wx+');
      await unlink(path);
    }
    for (const [bucket, list] of waiting.entries()) {
      if (list.length === 0) continue;
      const bytes = Buffer.from(JSON.stringify(list));
      await file.write(bytes, 0, bytes.length, end);
      chunks[bucket]!.push({ at: end, length: bytes.length });
      end += bytes.length;
      waiting[bucket] = [];
    }
    inMemory = 0;
  }

  async function take(bucket: number, into: Map<Subject, Incoming[]>): Promise<void> {
    const put = (incoming: Incoming): void => {
      const subject = subjectOf(incoming.event);
      const list = into.get(subject);
      if (list) list.push(incoming);
      else into.set(subject, [incoming]);
    };
    for (const { at, length } of chunks[bucket]!) {
      const bytes = Buffer.alloc(length);
      await file!.read(bytes, 0, length, at);
      for (const incoming of JSON.parse(bytes.toString()) as Incoming[]) put(incoming);
    }
    for (const incoming of waiting[bucket]!) put(incoming);
    waiting[bucket] = [];
  }

  return {
    get size() {
      return size;
    },
    add(incoming) {
      const bucket = hashOf(subjectOf(incoming.event)) >>> (32 - BUCKET_BITS);
      waiting[bucket]!.push(incoming);
      sizes[bucket] = sizes[bucket]! + 1;
      inMemory += 1;
      size += 1;
    },
    async rest() {
      if (inMemory >= WAITING) await write();
    },
    async *groups() {
      let group = new Map<Subject, Incoming[]>();
      let events = 0;
      for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
        if (events > 0 && events + sizes[bucket]! > GROUP) {
          yield group;
          group = new Map();
          events = 0;
        }
        await take(bucket, group);
        events += sizes[bucket]!;
      }
      if (events > 0) yield group;
    },
    close: async () => file?.close(),
  };
}
