import { hashOf, type Subject } from '../../history/cases/subject.ts';
import { openSpread } from './spread.ts';

/** Values of a file too large for memory, spread by the hash of their subject, so that all of one come out together. */
export interface Spill<T> {
  add(value: T): void;
  /** Writes out what waits in memory where that is much; to be awaited between batches. */
  rest(): Promise<void>;
  /** The values by subject, in groups of whole subjects, each group's size bounded; those of one subject as they came. */
  groups(): AsyncGenerator<Map<Subject, T[]>>;
  close(): Promise<void>;
}

/** How values lie in a spill. */
export interface SpillForm<T> {
  readonly subjectOf: (value: T) => Subject;
  readonly write: (value: T) => string;
  readonly read: (written: Buffer) => T[]; // of many values, one after the other
}

/** In bytes of what is written. */
export interface SpillBounds {
  readonly waiting: number; // in memory
  readonly group: number; // merged in one go; a single case may be larger
}

const BUCKET_BITS = 10;
const BUCKETS = 2 ** BUCKET_BITS;
/** About 100,000 events each. */
export const SPILL_BOUNDS: SpillBounds = { waiting: 14_000_000, group: 6_000_000 };

/** Opens an empty spill; `folder` takes its file, which has no name. */
export function openSpill<T>(folder: string, form: SpillForm<T>, bounds: SpillBounds = SPILL_BOUNDS): Spill<T> {
  const { subjectOf, write, read } = form;
  const spread = openSpread({ folder, buckets: BUCKETS, waiting: bounds.waiting });

  function grouped(parts: readonly Buffer[], takes: (subject: Subject) => boolean): Map<Subject, T[]> {
    const group = new Map<Subject, T[]>();
    for (const part of parts) {
      for (const value of read(part)) {
        const subject = subjectOf(value);
        const list = group.get(subject);
        if (list) list.push(value);
        else if (takes(subject)) group.set(subject, [value]);
      }
    }
    return group;
  }

  return {
    add: (value) => spread.add(bucketOf(hashOf(subjectOf(value))), write(value)),
    rest: spread.rest,
    async *groups() {
      for (const range of spread.ranges(bounds.group)) {
        const parts = Math.ceil(range.size / bounds.group);
        // A bucket that outgrows a group is read once for each of its parts that has subjects: in files of over 100 million
        // values, and where one subject has more than a group.
        const left = new Set<number>();
        for (let part = 0; part < parts; part += 1) {
          if (part > 0 && !left.has(part)) continue;
          const takes = (subject: Subject): boolean => {
            const own = parts === 1 ? 0 : partOf(subject, parts);
            if (part === 0) left.add(own);
            return own === part;
          };
          const group = grouped(await spread.read(range), takes);
          if (group.size > 0) yield group;
        }
      }
    },
    close: spread.close,
  };
}

const bucketOf = (hash: number): number => hash >>> (32 - BUCKET_BITS);

/** Which of so many parts of its bucket a subject belongs to. */
function partOf(subject: Subject, parts: number): number {
  const inBucket = (hashOf(subject) << BUCKET_BITS) >>> 0;
  return Math.floor((inBucket / 2 ** 32) * parts);
}
