import { certain } from '../certain.ts';
import { groupBy } from '../group-by.ts';
import { unavailable } from '../store/faults.ts';
import { pause } from '../store/pause.ts';
import type { Write } from '../store/table.ts';
import { keysOf } from '../typed-object.ts';
import { type Erasures, withoutErased } from './cases/erasing.ts';
import { type HistoryEvent, isMark } from './cases/event.ts';
import { areTooMany, TooManyEvents } from './cases/most-events.ts';
import { type Subject, shardOf, subjectKind } from './cases/subject.ts';
import { type Fate, type MergedEvents, mergeVersions, type ReplacesStored, uniteEvents } from './cases/versions.ts';
import { readErasures } from './erasures.ts';
import { applyErasures, type Incoming, storableIncoming } from './incoming.ts';
import { extentOfEvents, namesOfRow, rowOf } from './segments/history-row.ts';
import { requireOpenSources, type SourceNote } from './sources.ts';
import type { Blob } from './storage/blobs.ts';
import { type ChangeNotes, newChangeNotes } from './storage/change-notes.ts';
import { commit, type HistoryChange, readManifest, readShards } from './storage/commit.ts';
import type { Shard } from './storage/directory.ts';
import { type Draft, openDraft } from './storage/draft.ts';
import type { HistoryContext } from './storage/history-context.ts';
import {
  type AddedEntry,
  type EventsBySubject,
  type LeafBytes,
  readByLeaf,
  storeEvents,
} from './storage/ledger-store.ts';
import { buildSegments, type SegmentBuilder } from './storage/segment-builder.ts';
import { dropPending, type Pending, readTail } from './storage/tail.ts';

/** How many events met which fate, by event type. */
export type FateCounts = Readonly<Record<string, Readonly<Record<Fate, number>>>>;

/** How many cases, or agents with sessions, events were merged into. */
export interface CaseCounts {
  readonly added: number; // of which nothing was stored
  readonly changed: number; // that have other events now
}

/** What became of incoming events. */
export interface MergeOutcome {
  readonly cases: CaseCounts;
  readonly version: number; // the history holds them all from this version on
  readonly fates: FateCounts;
  readonly removed: number; // number of stored events that newer versions dropped
  readonly erased: number; // number of events not stored because they were erased
  readonly conflicts: readonly Incoming[]; // a stored event has the same id and other content; that one stays
  readonly otherwise: ReadonlySet<Subject>; // subjects with incoming events that are superseded, in conflict or erased
}

export interface MergeOptions {
  readonly wholeTail?: boolean; // merges all pending live events, not only those of the incoming subjects
  /**
   * Does not store a version with the same content as the one before, unless the first part of its `as_of` is larger.
   */
  readonly keepsUnchanged?: boolean;
  readonly replacesStored?: ReplacesStored | undefined; // absent: the first event of an id stays
  /** Writes that are done in the transaction of the commit, or alone if there is nothing to commit; it may throw. */
  readonly beside?: ((merged: Pick<MergeOutcome, 'fates'>) => Promise<readonly Write[]>) | undefined;
}

const TRIES = 30; // a try fails only if another writer has just committed

/**
 * Merges events into the ledger, each id once, and commits them with the new rows of their subjects. Pending live
 * events of the same subjects were accepted before: they are merged first and then leave the tail. Throws the
 * `unavailable` failure if other writers commit first every time.
 */
export function mergeEvents(
  context: HistoryContext,
  incoming: ReadonlyMap<Subject, readonly Incoming[]>,
  options: MergeOptions = {},
): Promise<MergeOutcome> {
  const { wholeTail = false } = options;
  return untilMerged(async () => {
    const tail = await readTail(context);
    const pending = tail.pending.filter(({ subject }) => wholeTail || incoming.has(subject));
    const draft = openDraft(context);
    const merged = await tryMerge(context, withPending(incoming, pending), options, draft);
    if (merged === undefined) await draft.abandon();
    else if (pending.length > 0) await dropPending(context, pending, merged.version);
    return merged;
  });
}

/** Returns what `mergeEvents` would do, and writes nothing. */
export function rehearseMerge(
  context: HistoryContext,
  incoming: ReadonlyMap<Subject, readonly Incoming[]>,
  options: MergeOptions = {},
): Promise<MergeOutcome> {
  return untilMerged(async () => {
    const pending = (await readTail(context)).pending.filter(({ subject }) => incoming.has(subject));
    return tryMerge(context, withPending(incoming, pending), options, undefined);
  });
}

async function untilMerged(attempt: () => Promise<MergeOutcome | undefined>): Promise<MergeOutcome> {
  for (let times = 1; times <= TRIES; times += 1) {
    const merged = await attempt();
    if (merged) return merged;
    await pause(Math.min(times, 4));
  }
  throw unavailable(new Error('the history is written too often to commit'));
}

function withPending(incoming: ReadonlyMap<Subject, readonly Incoming[]>, pending: readonly Pending[]) {
  const all = new Map(incoming);
  for (const { subject, events } of pending) {
    const accepted = events.map((event): Incoming => ({ event, wasAccepted: true }));
    all.set(subject, [...accepted, ...(incoming.get(subject) ?? [])]);
  }
  return all;
}

/** Without a draft nothing is written. Returns undefined if another writer committed meanwhile. */
async function tryMerge(
  context: HistoryContext,
  given: ReadonlyMap<Subject, readonly Incoming[]>,
  { keepsUnchanged = false, replacesStored, beside }: MergeOptions,
  draft: Draft | undefined,
): Promise<MergeOutcome | undefined> {
  const { table, site } = context;
  const directory = await readShards(table, site.name, shardsOf(given.keys()));
  // Sources and erasures are read after the directory: a removal or erasure that starts later rewrites every shard, so
  // this merge cannot commit and starts again (docs/design/versions.md, docs/design/erasing.md).
  const sources = draft === undefined ? [] : await requireOpenSources(context, sourcesOf(given));
  const { incoming, dropped, erasures } = await admittedNow(context, given, directory);
  const segments = draft && buildSegments(draft);
  const shards = new Map<number, Shard>();
  const discard: Blob[] = [];
  const tally: Tally = {
    cases: { added: 0, changed: 0 },
    fates: {},
    removed: 0,
    erased: dropped,
    conflicts: [],
    otherwise: new Set(),
  };
  if (dropped > 0) for (const subject of given.keys()) if (!incoming.has(subject)) tally.otherwise.add(subject);
  const notes = changeNotesOf(context, sources);
  const merging: MergeState = { incoming, tally, keepsUnchanged, replacesStored, erasures, segments, notes };
  for (const [number, subjects] of groupBy(incoming.keys(), shardOf)) {
    const shard = certain(directory.get(number));
    const bytes: LeafBytes = new Map();
    const leaves = await readByLeaf(context, shard, subjects, bytes);
    if (leaves === undefined) return undefined;
    const entries: AddedEntry[] = [];
    for (const storedEvents of leaves) entries.push(...(await addNew(storedEvents, merging)));
    if (draft === undefined || entries.length === 0) continue;
    const stored = await storeEvents(context, draft, shard, { added: entries, bytes });
    if (stored === undefined) return undefined;
    shards.set(number, stored.shard);
    discard.push(...stored.discard);
  }
  if (draft === undefined || segments === undefined || shards.size === 0) {
    if (beside) await table.transact(await beside(tally));
    return { ...tally, version: (await readManifest(table, site.name)).version };
  }
  const others = [...((await notes?.write(draft)) ?? []), ...((await beside?.(tally)) ?? [])];
  const change: HistoryChange = { shards, add: await segments.finish(), remove: [], discard, beside: others };
  const version = await commit(context, draft, change);
  return version === undefined ? undefined : { ...tally, version };
}

/** Starts notes for the import at work; undefined if none is, or if it created all its sources: then these go as a whole. */
function changeNotesOf({ site, importId }: HistoryContext, sources: readonly SourceNote[]): ChangeNotes | undefined {
  if (importId === undefined) return undefined;
  const others = sources.filter(({ creator }) => creator !== importId).map(({ name }) => name);
  return others.length === 0 ? undefined : newChangeNotes(site.name, importId, new Set(others));
}

const shardsOf = (subjects: Iterable<Subject>): number[] => [...new Set(Array.from(subjects, shardOf))];

/** Returns the incoming events without those of erased cases, and adds the shards of stand-ins to the directory. */
async function admittedNow(
  context: HistoryContext,
  given: ReadonlyMap<Subject, readonly Incoming[]>,
  directory: Map<number, Shard>,
): Promise<{ incoming: ReadonlyMap<Subject, readonly Incoming[]>; dropped: number; erasures: Erasures | undefined }> {
  for (;;) {
    const erasures = await readErasures(context);
    if (erasures === undefined) return { incoming: given, dropped: 0, erasures };
    const kept = applyErasures(given, erasures);
    const missing = shardsOf(kept.incoming.keys()).filter((shard) => !directory.has(shard));
    if (missing.length === 0) return { ...kept, erasures };
    for (const [number, shard] of await readShards(context.table, context.site.name, missing))
      directory.set(number, shard);
  }
}

/**
 * Whether an incoming event has a larger first part of `as_of` than the stored events of its source. Also true if there
 * are none, and if some come from the tail: the ledger does not have those yet.
 */
function raisesFirstPart(before: readonly HistoryEvent[], came: readonly Incoming[]): boolean {
  if (came.length === 0) return true;
  const earlier = new Map<string | undefined, number>();
  for (const { source, as_of } of before) if (!earlier.has(source)) earlier.set(source, as_of?.[0] ?? -1);
  const isLater = ({ source, as_of }: HistoryEvent): boolean => (as_of?.[0] ?? -1) > (earlier.get(source) ?? -1);
  return came.some(({ event, wasAccepted }) => wasAccepted === true || isLater(event));
}

/** The sources of events that were not accepted before. */
function sourcesOf(incoming: ReadonlyMap<Subject, readonly Incoming[]>): string[] {
  const sources = new Set<string>();
  for (const list of incoming.values())
    for (const { event, wasAccepted } of list)
      if (event.source !== undefined && !wasAccepted) sources.add(event.source);
  return [...sources];
}

interface Tally {
  readonly cases: { added: number; changed: number };
  readonly fates: Record<string, Record<Fate, number>>;
  readonly conflicts: Incoming[];
  readonly otherwise: Set<Subject>;
  removed: number;
  erased: number;
}

/** The state of a merge. */
interface MergeState {
  readonly incoming: ReadonlyMap<Subject, readonly Incoming[]>;
  readonly tally: Tally;
  readonly keepsUnchanged: boolean;
  readonly replacesStored: ReplacesStored | undefined;
  readonly erasures: Erasures | undefined;
  readonly segments: SegmentBuilder | undefined; // undefined: no rows are written
  readonly notes: ChangeNotes | undefined;
}

/** Merges the incoming events of each subject, counts their fates, and adds the new rows to the segments. */
async function addNew(
  storedEvents: EventsBySubject,
  { incoming, tally, keepsUnchanged, replacesStored, erasures, segments, notes }: MergeState,
): Promise<AddedEntry[]> {
  const entries: AddedEntry[] = [];
  for (const [subject, before] of storedEvents) {
    const given = certain(incoming.get(subject));
    const { came, dropped } = erasures
      ? storableIncoming(before, given, erasures, replacesStored)
      : { came: given, dropped: 0 };
    tally.erased += dropped;
    if (dropped > 0) tally.otherwise.add(subject);
    const merged = mergeVersions(
      before,
      came.map(({ event }) => event),
      replacesStored,
    );
    const { added, isRewritten, isSame } = merged;
    refuseTooMany(subject, { before, after: merged.events, came });
    count(came, merged, tally);
    if (merged.fates.some(isOtherwise)) tally.otherwise.add(subject);
    if (!isSame && !came.every(({ wasAccepted }) => wasAccepted))
      tally.cases[before.length === 0 ? 'added' : 'changed'] += 1;
    if (keepsUnchanged && isSame && isRewritten && !raisesFirstPart(before, came)) continue;
    const events = erasures ? withoutErased(merged.events, erasures) : merged.events;
    const isErased = events !== merged.events;
    if (isRewritten || isErased) entries.push({ subject, events, isWhole: true });
    else if (added.length > 0) entries.push({ subject, events: added });
    else continue;
    notes?.see(subject, { before: knownBefore(before, came, erasures), after: events });
    if (segments && !(isSame && !isErased)) await addRow(segments, subject, before, events);
  }
  return entries;
}

/** The events of a subject that are not an import's: the stored ones and live ones that were accepted before. */
function knownBefore(
  before: readonly HistoryEvent[],
  came: readonly Incoming[],
  erasures: Erasures | undefined,
): readonly HistoryEvent[] {
  const accepted = came.flatMap(({ event, wasAccepted }) => (wasAccepted ? event : []));
  const all = accepted.length === 0 ? before : uniteEvents(before, accepted);
  return erasures ? withoutErased(all, erasures) : all;
}

/**
 * Throws `TooManyEvents` if new events make a subject larger than it may be. Live events were accepted before, so the
 * tail can always be folded.
 */
function refuseTooMany(
  subject: Subject,
  {
    before,
    after,
    came,
  }: { before: readonly HistoryEvent[]; after: readonly HistoryEvent[]; came: readonly Incoming[] },
): void {
  if (!areTooMany(subject, after.length) || after.length <= before.length) return;
  const given = came.findLast(({ wasAccepted }) => !wasAccepted);
  if (given !== undefined) throw new TooManyEvents(subject, given.line);
}

const isOtherwise = (fate: Fate): boolean => fate === 'superseded' || fate === 'conflict';

/** Zero events of each fate. */
export const NO_FATES: Readonly<Record<Fate, number>> = {
  added: 0,
  replaced: 0,
  unchanged: 0,
  superseded: 0,
  conflict: 0,
};

/** Adds `more` to `sum`. */
export function addFates(sum: Record<string, Record<Fate, number>>, more: FateCounts): void {
  for (const [type, counts] of Object.entries(more)) {
    const ofType = (sum[type] ??= { ...NO_FATES });
    for (const fate of keysOf(NO_FATES)) ofType[fate] += counts[fate];
  }
}

/** Counts the events that met a fate, of all types. */
export const countFate = (fates: FateCounts, fate: Fate): number =>
  Object.values(fates).reduce((sum, counts) => sum + counts[fate], 0);

/** Counts the fates of new events. Events from the tail were counted when they were accepted. */
function count(came: readonly Incoming[], { fates, removed }: MergedEvents, tally: Tally): void {
  for (const [index, each] of came.entries()) {
    if (each.wasAccepted || isMark(each.event)) continue; // a mark is no event
    const fate = certain(fates[index]);
    if (fate === 'conflict') tally.conflicts.push(each);
    const counts = (tally.fates[each.event.type] ??= { ...NO_FATES });
    counts[fate] += 1;
  }
  tally.removed += removed;
}

/**
 * Adds a subject's new row and the row that it replaces. The seconds of the replaced row include those of all events
 * before and after, because a newer version may have removed events.
 */
export async function addRow(
  segments: SegmentBuilder,
  subject: Subject,
  before: readonly HistoryEvent[],
  after: readonly HistoryEvent[],
): Promise<void> {
  const names = namesOfRow(subject, before);
  const replaced = names.length === 0 ? undefined : { names, ...extentOfEvents([...before, ...after]) };
  await segments.add(rowOf(subject, after), replaced, subjectKind(subject) === 'agent' ? 'sessions' : 'cases');
}
