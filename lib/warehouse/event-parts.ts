import type { Shard } from '../history/storage/directory.ts';
import type { HistoryContext } from '../history/storage/history-context.ts';
import { walkBlobs } from '../history/storage/ledger-store.ts';
import { FILES_FORMAT } from './manifest.ts';
import { createEventFiles } from './month-events.ts';
import type { AddRows } from './site-writer.ts';
import { digestOf } from './site-writer.ts';

/** Events of a site that are written by one call. */
interface EventPart {
  readonly name: string; // unique for the events: a part of that name has them
  readonly shards: readonly Shard[];
  readonly kind: 'leaves' | 'runs';
}

/** The most events of a part, where one shard has no more. */
const MOST_EVENTS = 8_000_000;

const EVENTS = 'events-';

/** Whether a part is one of events. */
export const isOfEvents = (part: string): boolean => part.startsWith('events');

/**
 * The parts of a site's events: neighbouring shards, their leaves apart from their runs. So new events write a part of
 * runs again, which are few, and leaves are read again when the ledger itself has written them anew.
 */
export function eventParts(history: string, shards: readonly Shard[], most = MOST_EVENTS): EventPart[] {
  const events = shards.reduce(
    (sum, { leaves, runs }) => [...leaves, ...runs].reduce((all, of) => all + of.events, sum),
    0,
  );
  if (events > most && shards.length > 1) {
    const half = shards.length / 2;
    return [shards.slice(0, half), shards.slice(half)].flatMap((some) => eventParts(history, some, most));
  }
  return (['leaves', 'runs'] as const).flatMap((kind) => {
    const blobs = shards.flatMap((shard) => shard[kind].map(({ id }) => id));
    const name = `${EVENTS}${digestOf([FILES_FORMAT, history, kind, blobs]).slice(0, 16)}`;
    return blobs.length === 0 ? [] : [{ name, shards, kind }];
  });
}

/** Writes the events of a part, by month. */
export async function writeEvents(
  context: HistoryContext,
  { shards, kind }: EventPart,
  scratch: string,
  add: AddRows,
): Promise<void> {
  const files = createEventFiles(scratch, context.site.name);
  for (const shard of shards)
    for await (const some of walkBlobs(context, shard, kind)) for (const { events } of some) files.add(events);
  for (const [month, made] of files.finish()) await add('events', month, made);
}
