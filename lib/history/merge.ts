import { unavailable } from '../store/faults.ts';
import { pause } from '../store/pause.ts';
import { sameEvent } from './cases/case-history.ts';
import type { HistoryEvent } from './cases/event.ts';
import { hashOf, type Subject, shardOf } from './cases/subject.ts';
import type { Blob } from './commits/blobs.ts';
import { type Change, commit, readManifest, readShards } from './commits/commit.ts';
import type { Shard } from './commits/directory.ts';
import { type Draft, openDraft } from './commits/draft.ts';
import type { HistoryContext } from './commits/history-context.ts';
import { buildSegments, type SegmentBuilder } from './commits/segment-builder.ts';
import type { Entry } from './ledger/ledger.ts';
import { type KnownEvents, type LeafBytes, readByLeaf, storeEvents } from './ledger/ledger-store.ts';
import { dropPending, type Pending, readTail } from './ledger/tail.ts';
import { extentOfEvents, nameOfRow, rowOf } from './segments/history-row.ts';

/** An event on its way into the ledger. */
export interface Incoming {
  readonly event: HistoryEvent;
  readonly line: number; // of its file, from 1; 0: accepted before, it comes from the tail
}

/** What became of incoming events. */
export interface Merged {
  readonly version: number; // from which on commits hold them all
  readonly added: number;
  readonly repeated: number; // were there before, word for word
  readonly conflicts: readonly Incoming[]; // another event has their id; the first stays
}

/** How a merge goes about it. */
export interface MergeOptions {
  readonly dryRun?: boolean; // writes nothing
  readonly wholeTail?: boolean; // takes up all pending live events, not only those of the incoming subjects
}

const TRIES = 30; // every try that is overtaken means that another writer got on

/**
 * Merges events with the ledger and commits them together with the new rows of their cases; exactly once by id. Pending
 * live events of the same cases were accepted before: they go first and leave the tail. Throws the `unavailable` failure
 * when other writers never let it through.
 */
export async function mergeEvents(
  context: HistoryContext,
  incoming: ReadonlyMap<Subject, readonly Incoming[]>,
  { dryRun = false, wholeTail = false }: MergeOptions = {},
): Promise<Merged> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const tail = await readTail(context);
    const pending = tail.pending.filter(({ subject }) => wholeTail || incoming.has(subject));
    const draft = openDraft(context);
    const merged = await tryMerge(context, draft, withPending(incoming, pending), dryRun);
    if (merged) {
      if (!dryRun && pending.length > 0) await dropPending(context, pending, merged.version);
      return merged;
    }
    await draft.abandon();
    await pause(Math.min(attempt, 4));
  }
  throw unavailable(new Error('the history is written too often to commit'));
}

function withPending(incoming: ReadonlyMap<Subject, readonly Incoming[]>, pending: readonly Pending[]) {
  const all = new Map(incoming);
  for (const { subject, events } of pending) {
    const accepted = events.map((event): Incoming => ({ event, line: 0 }));
    all.set(subject, [...accepted, ...(incoming.get(subject) ?? [])]);
  }
  return all;
}

/** Undefined when another writer came between. */
async function tryMerge(
  context: HistoryContext,
  draft: Draft,
  incoming: ReadonlyMap<Subject, readonly Incoming[]>,
  dryRun: boolean,
): Promise<Merged | undefined> {
  const { table, site } = context;
  const byShard = new Map<number, Subject[]>();
  for (const subject of incoming.keys()) {
    const shard = shardOf(hashOf(subject));
    const subjects = byShard.get(shard);
    if (subjects) subjects.push(subject);
    else byShard.set(shard, [subject]);
  }
  const directory = await readShards(table, site.name, [...byShard.keys()]);
  const segments = buildSegments(draft);
  const shards = new Map<number, Shard>();
  const discard: Blob[] = [];
  const tally: Tally = { added: 0, repeated: 0, conflicts: [] };
  for (const [number, subjects] of byShard) {
    const shard = directory.get(number)!;
    const bytes: LeafBytes = new Map();
    const leaves = await readByLeaf(context, shard, subjects, bytes);
    if (leaves === undefined) return undefined;
    const entries: Entry[] = [];
    for (const known of leaves) {
      entries.push(...(await addNew(known, incoming, tally, dryRun ? undefined : segments)));
    }
    if (dryRun || entries.length === 0) continue;
    const stored = await storeEvents(context, draft, shard, entries, bytes);
    if (stored === undefined) return undefined;
    shards.set(number, stored.shard);
    discard.push(...stored.discard);
  }
  if (shards.size === 0) return { ...tally, version: (await readManifest(table, site.name)).version };
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
  known: KnownEvents,
  incoming: ReadonlyMap<Subject, readonly Incoming[]>,
  tally: Tally,
  segments: SegmentBuilder | undefined,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const [subject, before] of known) {
    const events = newEvents(before, incoming.get(subject)!, tally);
    if (events.length === 0) continue;
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
      if (each.line > 0) tally.added += 1;
    } else if (each.line === 0) continue;
    else if (sameEvent(first, each.event)) tally.repeated += 1;
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
  const name = nameOfRow(subject, before);
  const replaced = name && { name, ...extentOfEvents(after) };
  await segments.add(rowOf(subject, after), replaced, subject.startsWith('a') ? 'sessions' : 'cases');
}
