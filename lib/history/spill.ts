import type { HistoryEvent } from './event.ts';
import type { Incoming } from './merge.ts';
import { openSpread } from './spread.ts';
import { hashOf, type Subject, subjectOf } from './subject.ts';

/** Events of a file too large for memory, spread by the hash of their subject, so that all of a case come out together. */
export interface Spill {
  readonly size: number; // events
  add(event: Incoming): void;
  /** Writes out what waits in memory where that is much; to be awaited between batches. */
  rest(): Promise<void>;
  /** The events by subject, in groups of whole subjects, each group's size bounded; those of one subject as they came. */
  groups(): AsyncGenerator<Map<Subject, Incoming[]>>;
  close(): Promise<void>;
}

/** In bytes of the events' JSON. */
export interface SpillBounds {
  readonly waiting: number; // in memory
  readonly group: number; // merged in one go; a single case may be larger
}

const BUCKET_BITS = 10;
const BUCKETS = 2 ** BUCKET_BITS;
/** About 100,000 events each. */
export const SPILL_BOUNDS: SpillBounds = { waiting: 14_000_000, group: 14_000_000 };

/** Opens an empty spill; `folder` takes its file, which has no name. */
export function openSpill(folder: string, bounds: SpillBounds = SPILL_BOUNDS): Spill {
  const spread = openSpread<Incoming>({ folder, buckets: BUCKETS, waiting: bounds.waiting });
  let events = 0;
  return {
    get size() {
      return events;
    },
    add(incoming) {
      events += 1;
      spread.add(bucketOf(hashOf(subjectOf(incoming.event))), incoming);
    },
    rest: spread.rest,
    async *groups() {
      for (const range of spread.ranges(bounds.group)) {
        const parts = Math.ceil(range.size / bounds.group);
        if (parts === 1) yield grouped(await spread.read(range));
        // A bucket that outgrows a group is read once for each of its parts: in files of over 100 million events.
        else
          for (let part = 0; part < parts; part += 1) {
            const group = grouped(await spread.read(range, ({ event }) => partOf(event, parts) === part));
            if (group.size > 0) yield group;
          }
      }
    },
    close: spread.close,
  };
}

const bucketOf = (hash: number): number => hash >>> (32 - BUCKET_BITS);

/** Which of so many parts of its bucket an event's subject belongs to. */
function partOf(event: HistoryEvent, parts: number): number {
  const inBucket = (hashOf(subjectOf(event)) << BUCKET_BITS) >>> 0;
  return Math.floor((inBucket / 2 ** 32) * parts);
}

function grouped(all: readonly Incoming[]): Map<Subject, Incoming[]> {
  const group = new Map<Subject, Incoming[]>();
  for (const incoming of all) {
    const subject = subjectOf(incoming.event);
    const list = group.get(subject);
    if (list) list.push(incoming);
    else group.set(subject, [incoming]);
  }
  return group;
}
