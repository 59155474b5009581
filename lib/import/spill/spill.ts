import { addTo } from '../../group-by.ts';
import { areTooMany, TooManyEvents } from '../../history/cases/most-events.ts';
import { hashOf, type Subject } from '../../history/cases/subject.ts';
import { openDiskBuckets } from './disk-buckets.ts';

/** Groups values by subject that are too many for memory: a temporary file holds them, spread by the subject's hash. */
export interface Spill<T> {
  add(value: T): void;
  /** Writes the values in memory to the file if they are many; await it between batches. */
  rest(): Promise<void>;
  /**
   * Yields groups of whole subjects, each of bounded size; the values of a subject keep their order. Throws
   * `TooManyEvents` if a subject has more than it may have.
   */
  groups(): AsyncGenerator<Map<Subject, T[]>>;
  close(): Promise<void>;
}

/** How a spill writes and reads values. */
export interface SpillForm<T> {
  readonly subjectOf: (value: T) => Subject;
  readonly write: (value: T) => string;
  readonly read: (written: Buffer) => T[]; // reads many values, one after the other
  readonly lineOf: (value: T) => number; // in its file
}

/** Limits in bytes of written values. */
export interface SpillBounds {
  readonly waiting: number; // in memory
  readonly group: number; // of one group; a single subject may have more
}

const BUCKET_BITS = 10;
const BUCKETS = 2 ** BUCKET_BITS;
/** About 100,000 events each. */
const SPILL_BOUNDS: SpillBounds = { waiting: 14_000_000, group: 6_000_000 };

/** Of values that become several events each. */
export const HELD_BOUNDS: SpillBounds = { waiting: 14_000_000, group: 2_000_000 };

/** Opens an empty spill; its temporary file is made in `folder`. */
export function openSpill<T>(folder: string, form: SpillForm<T>, bounds: SpillBounds = SPILL_BOUNDS): Spill<T> {
  const { subjectOf, write, read, lineOf } = form;
  const spread = openDiskBuckets({ folder, buckets: BUCKETS, waiting: bounds.waiting });

  async function grouped(
    parts: AsyncIterable<Buffer>,
    takes: (subject: Subject) => boolean,
  ): Promise<Map<Subject, T[]>> {
    const group = new Map<Subject, T[]>();
    for await (const part of parts) {
      for (const value of read(part)) {
        const subject = subjectOf(value);
        if (!group.has(subject) && !takes(subject)) continue;
        const values = addTo(group, subject, value);
        if (areTooMany(subject, values)) throw new TooManyEvents(subject, lineOf(value));
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
        // A bucket larger than a group is split into parts by hash, and read once for each part that has subjects. This
        // happens in files of over 100 million values, or if one subject is larger than a group.
        const left = new Set<number>();
        for (let part = 0; part < parts; part += 1) {
          if (part > 0 && !left.has(part)) continue;
          const takes = (subject: Subject): boolean => {
            const own = parts === 1 ? 0 : partOf(subject, parts);
            if (part === 0) left.add(own);
            return own === part;
          };
          const group = await grouped(spread.read(range), takes);
          if (group.size > 0) yield group;
        }
      }
    },
    close: spread.close,
  };
}

const bucketOf = (hash: number): number => hash >>> (32 - BUCKET_BITS);

/** Returns to which of the `parts` parts of its bucket a subject belongs. */
function partOf(subject: Subject, parts: number): number {
  const inBucket = (hashOf(subject) << BUCKET_BITS) >>> 0;
  return Math.floor((inBucket / 2 ** 32) * parts);
}
