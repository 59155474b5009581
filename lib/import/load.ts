import { type HistoryEvent, isMark } from '../history/cases/event.ts';
import type { Fate, Rereads } from '../history/cases/versions.ts';
import { readManifest } from '../history/commits/commit.ts';
import { announceWriter, type Presence } from '../history/commits/draft.ts';
import type { HistoryContext } from '../history/commits/history-context.ts';
import { type CompactOptions, type CompactProgress, compact, compactIfNeeded, fillsPass } from '../history/compact.ts';
import { addFates, countFate, type FateCounts, type MergeOutcome, mergeEvents, NO_FATES } from '../history/merge.ts';
import { rehearse } from '../store/rehearsal.ts';
import type { Missing } from './complete.ts';
import { eventGroups, type Group, type GroupOptions } from './event-groups.ts';
import type { KnownCasesSlot } from './formats/mapped.ts';
import type { Batch, WholeCases } from './formats/row.ts';
import { type DigestRecorder, type KnownCounts, openDigestRecorder } from './known/digest-recorder.ts';
import type { LoadSteps } from './load-steps.ts';
import { type ImportOrigin, originParts } from './origin.ts';
import { type OriginAssigner, openOriginAssigner } from './origin-assigner.ts';

/** Options of a load. */
export interface LoadOptions extends GroupOptions {
  readonly compaction?: CompactOptions;
  readonly dryRun?: boolean; // writes nothing to the table
  readonly origin?: ImportOrigin; // absent: the sources that the records name
  /** Passes the known cases to the reader of the rows, so that it can skip them; absent: all cases are read. */
  readonly known?: { readonly holder: KnownCasesSlot; readonly salt: string };
  readonly rereads?: Rereads; // events of a log whose new content replaces the stored one
  /** Called for an event whose id a stored event with other content has; that one stays. Lines come in no order. */
  readonly onConflict: (line: number, event: HistoryEvent) => void;
  readonly onProgress?: (progress: LoadProgress) => void;
  readonly steps?: LoadSteps; // absent: all in one step
}

export interface LoadProgress {
  readonly read: number; // events read so far
  readonly merged: number; // events merged so far
  readonly folding?: CompactProgress; // present once all are merged
}

/** The result of a load. All counts are of events. */
export interface LoadSummary {
  readonly read: number;
  readonly added: number;
  readonly replaced: number; // replaced an event with their id and other content
  readonly unchanged: number; // were stored before
  readonly superseded: number; // belong to an older version than the stored one
  readonly removed: number; // stored events that newer versions removed
  readonly erased: number; // were not stored, because they were erased
  readonly conflicts: number;
  readonly fates: FateCounts; // the same counts by event type
  readonly known: KnownCounts; // the unchanged ones whose rows were not read again
  readonly took: LoadTimes;
  readonly missing?: Missing; // only of a dry run of a complete file: what it would remove
  readonly completed?: boolean; // only of a complete file: whether missing cases were removed, see `takeAway`
}

/** How long each part of a load took, in ms. */
export interface LoadTimes {
  readonly reading: number; // read and check the file, and group its rows by case
  readonly storing: number; // turn the cases of a mapped file into events, merge and commit them
  readonly folding: number; // compact segments
}

/**
 * Loads rows of a file into a site's history, in bounded memory: groups their events by case, merges group after group
 * into the ledger, and then folds segments if there is enough to fold. Each group is one commit: after a crash some
 * groups are stored wholly, and running the load again stores the rest.
 */
export async function loadHistory(
  context: HistoryContext,
  batches: AsyncIterable<Batch>,
  options: LoadOptions,
): Promise<LoadSummary> {
  const watch = startWatch(context.clock);
  const tally = newTally(options.steps);
  const real = options.dryRun ? { ...context, table: rehearse(context.table) } : context;
  let rejected = 0;
  const onRejected: LoadOptions['onRejected'] = (row) => {
    rejected += 1;
    options.onRejected(row);
  };
  const recorder = await openMemory(real, options);
  const assigner = await openOriginAssigner(real, { origin: options.origin, onRejected });
  await recorder?.begin(assigner.moment);
  const onWhole = (batch: WholeCases): void => assigner.see(recorder?.see(batch) ?? [], batch.last);
  const { origin } = options;
  const replaces = origin?.replaces ? originParts(origin)[0]?.source : undefined;
  const watched = { ...options, onRejected, onWhole, replaces };
  const read = eventGroups(batches, watched, (read, isRead) => {
    tally.read = read;
    if (isRead) watch.lap('reading');
    else options.onProgress?.({ read, merged: tally.merged });
  });
  const groups = withOrigins(read, assigner);
  if (options.dryRun) await mergeGroups(context, groups, options, { tally });
  else await storeGroups(context, groups, options, { tally, watch, recorder });
  const known = recorder?.counts() ?? { cases: 0, types: {} };
  addKnown(tally, known);
  const taken = options.origin?.isComplete && !options.dryRun ? await takeAway(assigner, tally, rejected) : undefined;
  const isWhole = options.origin?.isComplete && rejected === 0 && tally.merged > 0;
  const missing = options.dryRun && isWhole ? await assigner.missing() : undefined;
  if (!options.dryRun) await recorder?.save();
  watch.lap('storing');
  const { removed, erased, fates } = tally;
  const count = (fate: Fate): number => countFate(fates, fate);
  const [added, replaced] = [count('added'), count('replaced')];
  if (added + replaced + removed > 0 && !options.dryRun) await fold(context, tally.read, options);
  watch.lap('folding');
  const [unchanged, superseded, conflicts] = [count('unchanged'), count('superseded'), count('conflict')];
  return {
    read: tally.read,
    added,
    replaced,
    unchanged,
    superseded,
    removed,
    erased,
    conflicts,
    fates,
    known,
    took: watch.took,
    ...(missing === undefined ? {} : { missing }),
    ...(taken === undefined ? {} : { completed: taken }),
  };
}

/** Opens the known cases of a source, if the import replaces its cases. */
async function openMemory(
  context: HistoryContext,
  { origin, known }: LoadOptions,
): Promise<DigestRecorder | undefined> {
  if (!origin?.replaces || known === undefined) return undefined;
  const { source, asOf = null, isComplete = false } = origin;
  return openDigestRecorder(context, known.holder, { source, asOf, wantsLast: isComplete, salt: known.salt });
}

/** Counts the events of known cases as read and unchanged. */
function addKnown(tally: Tally, { types }: KnownCounts): void {
  for (const [type, count] of Object.entries(types)) {
    tally.read += count;
    tally.merged += count;
    addFates(tally.fates, { [type]: { ...NO_FATES, unchanged: count } });
  }
}

async function* withOrigins(groups: AsyncIterable<Group>, assigner: OriginAssigner): AsyncGenerator<Group> {
  for await (const group of groups) yield await assigner.assign(group);
}

/**
 * Removes the cases that are missing in a complete file; does nothing if a line was rejected or the file has no events.
 */
async function takeAway(assigner: OriginAssigner, tally: Tally, rejected: number): Promise<boolean> {
  if (rejected > 0 || tally.merged === 0) return false;
  tally.removed += await assigner.complete();
  return true;
}

interface Tally {
  read: number;
  merged: number;
  removed: number;
  erased: number;
  readonly fates: Record<string, Record<Fate, number>>;
}

/** Starts counting from the counts of the earlier steps. */
function newTally(steps: LoadSteps | undefined): Tally {
  const { fates = {}, removed = 0, erased = 0 } = steps?.before ?? {};
  const tally: Tally = { read: 0, merged: 0, removed, erased, fates: {} };
  addFates(tally.fates, fates);
  return tally;
}

/** The state of merging groups. */
interface Merging {
  readonly tally: Tally;
  readonly recorder?: DigestRecorder | undefined;
  readonly between?: () => Promise<void>; // called after each group
}

/**
 * Merges all groups while other compactors wait. Folds whenever the fresh segments fill a pass, so that their number
 * stays bounded.
 */
async function storeGroups(
  context: HistoryContext,
  groups: AsyncIterable<Group>,
  options: LoadOptions,
  { tally, watch, recorder }: Merging & { readonly watch: Watch },
): Promise<void> {
  const between = async (): Promise<void> => {
    if (!fillsPass(await readManifest(context.table, context.site.name), options.compaction)) return;
    watch.lap('storing');
    await compact(context, options.compaction);
    watch.lap('folding');
  };
  await mergeGroups(context, announced(context, groups), options, { tally, recorder, between });
}

/** Yields the same groups, and holds a claim from the first to the last one, so that compactors wait. */
async function* announced(context: HistoryContext, groups: AsyncIterable<Group>): AsyncGenerator<Group> {
  let presence: Presence | undefined;
  try {
    for await (const group of groups) {
      presence ??= await announceWriter(context);
      await presence.renew();
      yield group;
    }
  } finally {
    await presence?.end();
  }
}

async function mergeGroups(
  context: HistoryContext,
  groups: AsyncIterable<Group>,
  { dryRun = false, origin, rereads, onConflict, onProgress, steps }: LoadOptions,
  { tally, recorder, between }: Merging,
): Promise<void> {
  const how = { dryRun, keepsUnchanged: origin?.replaces ?? false, ...(rereads === undefined ? {} : { rereads }) };
  for await (const group of groups) {
    const earlier = steps?.earlier(group);
    for (const list of group.values()) tally.merged += list.filter(({ event }) => !isMark(event)).length;
    if (earlier !== 'whole') {
      const merged = await mergeEvents(context, group, how);
      if (earlier === undefined) addMerged(tally, merged);
      recorder?.keep(group, merged.otherwise);
      for (const { line, event } of merged.conflicts) onConflict(line, event);
      if (earlier === undefined) await steps?.onMerged(group, tally, merged.conflicts.length > 0);
    }
    onProgress?.({ read: tally.read, merged: tally.merged });
    await between?.();
  }
}

function addMerged(tally: Tally, { fates, removed, erased }: MergeOutcome): void {
  addFates(tally.fates, fates);
  tally.removed += removed;
  tally.erased += erased;
}

async function fold(context: HistoryContext, merged: number, { onProgress, compaction }: LoadOptions): Promise<void> {
  await compactIfNeeded(context, {
    ...compaction,
    onProgress: (folding: CompactProgress) => onProgress?.({ read: merged, merged, folding }),
  });
}

/** Adds up how long the parts of a load take. */
interface Watch {
  readonly took: LoadTimes;
  /** Counts the time since the last lap to a part. */
  lap(part: keyof LoadTimes): void;
}

function startWatch(clock: () => number): Watch {
  const took = { reading: 0, storing: 0, folding: 0 };
  let since = clock();
  return {
    took,
    lap(part) {
      const now = clock();
      took[part] += now - since;
      since = now;
    },
  };
}
