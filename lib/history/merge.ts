import { unavailable } from '../store/faults.ts';
import { pause } from '../store/pause.ts';
import type { Blob } from './blobs.ts';
import { sameEvent } from './case-history.ts';
import { type Change, commit, readShards } from './commit.ts';
import type { Shard } from './directory.ts';
import { openDraft } from './draft.ts';
import type { HistoryEvent } from './event.ts';
import type { HistoryContext } from './history-context.ts';
import { extentOfEvents, nameOf, rowOf } from './history-row.ts';
import type { Entry } from './ledger.ts';
import { type LeafBytes, readEvents, storeEvents } from './ledger-store.ts';
import { buildSegments, type SegmentBuilder } from './segment-builder.ts';
import { hashOf, type Subject, shardOf } from './subject.ts';

/** An event on its way into the ledger. */
export interface Incoming {
  readonly event: HistoryEvent;
  readonly line: number; // of its file, from 1; 0: accepted before, it comes from the tail
}

/** What became of incoming events. */
export interface Merged {
  readonly version: number | undefined; // of the commit; none where nothing was new
  readonly added: number;
  readonly repeated: number; // were there before, word for word
  readonly conflicts: readonly Incoming[]; // another event has their id; the first stays
}

const TRIES = 30; // every try that is overtaken means that another writer got on

/**
 * Merges events with the ledger and commits them together with the new rows of their cases; exactly once by id. With
 * `dryRun` nothing is written. Throws the `unavailable` failure when other writers never let it through.
 */
export async function mergeEvents(
  context: HistoryContext,
  incoming: ReadonlyMap<Subject, readonly Incoming[]>,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<Merged> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const merged = await tryMerge(context, incoming, dryRun);
    if (merged) return merged;
    await pause(Math.min(attempt, 4));
  }
  throw unavailable(new Error('the history is written too often to commit'));
}

async function tryMerge(
  context: HistoryContext,
  incoming: ReadonlyMap<Subject, readonly Incoming[]>,
  dryRun: boolean,
): Promise<Merged | undefined> {
  const byShard = new Map<number, Subject[]>();
  for (const subject of incoming.keys()) {
    const shard = shardOf(hashOf(subject));
    const subjects = byShard.get(shard);
    if (subjects) subjects.push(subject);
    else byShard.set(shard, [subject]);
  }
  const directory = await readShards(context.table, context.site.name, [...byShard.keys()]);
  const draft = openDraft(context);
  const segments = buildSegments(draft);
  const shards = new Map<number, Shard>();
  const discard: Blob[] = [];
  const tally: Tally = { added: 0, repeated: 0, conflicts: [] };
  for (const [number, subjects] of byShard) {
    const shard = directory.get(number)!;
    const bytes: LeafBytes = new Map();
    const known = await readEvents(context, shard, subjects, bytes);
    if (known === undefined) return undefined;
    const entries = await addNew(subjects, incoming, known, tally, dryRun ? undefined : segments);
    if (dryRun || entries.length === 0) continue;
    const stored = await storeEvents(context, draft, shard, entries, bytes);
    if (stored === undefined) return undefined;
    shards.set(number, stored.shard);
    discard.push(...stored.discard);
  }
  if (shards.size === 0) return { ...tally, version: undefined };
  const change: Change = { shards, add: await segments.finish(), remove: [], discard };
  const version = await commit(context, draft, change);
  return version === undefined ? undefined : { ...tally, version };
}

interface Tally {
  added: number;
  repeated: number;
  readonly conflicts: Incoming[];
}

/** Sorts out what is new of each subject, counts the rest, and hands the new rows to the segments. */
async function addNew(
  subjects: readonly Subject[],
  incoming: ReadonlyMap<Subject, readonly Incoming[]>,
  known: ReadonlyMap<Subject, HistoryEvent[]>,
  tally: Tally,
  segments: SegmentBuilder | undefined,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const subject of subjects) {
    const before = known.get(subject) ?? [];
    const events = newEvents(before, incoming.get(subject)!, tally);
    if (events.length === 0) continue;
    tally.added += events.length;
    entries.push({ subject, events });
    if (segments) await addRow(segments, subject, before, [...before, ...events]);
  }
  return entries;
}

function newEvents(before: readonly HistoryEvent[], incoming: readonly Incoming[], tally: Tally): HistoryEvent[] {
  const ids = new Map(before.map((event) => [event.id, event]));
  const events: HistoryEvent[] = [];
  for (const each of incoming) {
    const first = ids.get(each.event.id);
    if (first === undefined) {
      ids.set(each.event.id, each.event);
      events.push(each.event);
    } else if (sameEvent(first, each.event)) tally.repeated += 1;
    else tally.conflicts.push(each);
  }
  return events;
}

async function addRow(
  segments: SegmentBuilder,
  subject: Subject,
  before: readonly HistoryEvent[],
  after: readonly HistoryEvent[],
): Promise<void> {
  const old = before.length === 0 ? undefined : rowOf(subject, before);
  const replaced = old && { name: nameOf(old), ...extentOfEvents(after) };
  await segments.add(rowOf(subject, after), replaced, subject.startsWith('a') ? 'sessions' : 'cases');
}
