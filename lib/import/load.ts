import { certain } from '../certain.ts';
import { type HistoryEvent, isMark } from '../history/cases/event.ts';
import type { Fate, ReplacesStored } from '../history/cases/versions.ts';
import type { CompactProgress } from '../history/compact.ts';
import {
  addFates,
  type CaseCounts,
  countFate,
  type FateCounts,
  type MergeOutcome,
  NO_FATES,
} from '../history/merge.ts';
import type { HistoryContext } from '../history/storage/history-context.ts';
import type { Telling } from '../vocabulary.ts';
import type { Missing } from './complete.ts';
import { eventGroups, type Group, type GroupOptions } from './event-groups.ts';
import type { Batch, LastChange, WholeCases } from './formats/row.ts';
import { type DigestRecorder, openDigestRecorder, type UnchangedCounts } from './known/digest-recorder.ts';
import type { LastCasesSlot } from './known/known-cases.ts';
import { type Completion, type LoadMode, storing } from './load-mode.ts';
import type { LoadSteps } from './load-steps.ts';
import { type ImportOrigin, originParts } from './origin.ts';
import { type OriginAssigner, openOriginAssigner } from './origin-assigner.ts';

/** Options of a load. */
export interface LoadOptions extends GroupOptions {
  readonly mode?: LoadMode | undefined; // absent: it stores
  readonly origin?: ImportOrigin | undefined; // absent: the sources that the records name
  readonly tells?: readonly Telling[] | undefined; // what its events can tell, of records without an origin
  /** Passes the known cases to the reader of the rows, so that it can skip them; absent: all cases are read. */
  readonly known?: { readonly holder: LastCasesSlot; readonly salt: string } | undefined;
  readonly replacesStored?: ReplacesStored | undefined; // events of a log whose new content replaces the stored one
  /** Called for an event whose id a stored event with other content has; that one stays. Lines come in no order. */
  readonly onConflict: (line: number, event: HistoryEvent) => void;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
  readonly steps?: LoadSteps | undefined; // absent: all in one step
}

export interface LoadProgress {
  readonly read: number; // events read so far
  readonly merged: number; // events merged so far
  readonly folding?: CompactProgress | undefined; // present once all are merged
}

/** The result of a load. All counts are of events. */
export interface LoadSummary {
  readonly cases: CaseCounts;
  readonly read: number;
  readonly added: number; // are new
  readonly replaced: number; // replaced an event with their id and other content
  readonly unchanged: number; // were stored before
  readonly superseded: number; // belong to an older version than the stored one
  readonly removed: number; // stored events that newer versions removed
  readonly erased: number; // were not stored, because they were erased
  readonly conflicts: number;
  readonly fates: FateCounts; // the same counts by event type
  readonly known: UnchangedCounts; // cases with the same rows as in the last import, whose unchanged events were not read again
  readonly took: LoadTimes;
  readonly missing?: Missing | undefined; // only of a rehearsal of a complete file: what it would remove
  readonly completed?: boolean | undefined; // only of a complete file: whether the other cases of its source are removed
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
  const { mode = storing(), origin } = options;
  let rejected = 0;
  const onRejected: LoadOptions['onRejected'] = (row) => {
    rejected += 1;
    options.onRejected(row);
  };
  const recorder = await openMemory(context, options);
  const assigner = await openOriginAssigner(context, origin, onRejected, options.tells);
  await recorder?.begin(assigner.moment);
  const onWhole = (batch: WholeCases): void => {
    assigner.see(recorder?.see(batch) ?? []);
    if (batch.tells) assigner.learn(batch.tells);
  };
  const onChanged = (last: LastChange): void => {
    assigner.date(last);
    recorder?.date(last.at);
  };
  const replaces = origin?.replaces ? originParts(origin)[0]?.source : undefined;
  const watched = { ...options, onRejected, onWhole, onChanged, replaces };
  const read = eventGroups(batches, watched, (read, isRead) => {
    tally.read = read;
    if (isRead) watch.lap('reading');
    else options.onProgress?.({ read, merged: tally.merged });
  });
  const groups = mode.holding(context, withOrigins(read, assigner));
  const between = async (): Promise<void> => {
    if (await mode.foldBetween(context, () => watch.lap('storing'))) watch.lap('folding');
  };
  await mergeGroups(context, groups, options, { mode, tally, recorder, between });
  const counts = recorder?.counts() ?? { cases: 0, types: {} };
  addKnown(tally, counts);
  const completion = await completed(mode, assigner, { origin, rejected, merged: tally.merged });
  tally.removed += completion?.removed ?? 0;
  await mode.remember(recorder);
  watch.lap('storing');
  const { cases, removed, erased, fates } = tally;
  const count = (fate: Fate): number => countFate(fates, fate);
  const [added, replaced] = [count('added'), count('replaced')];
  const onFold = (folding: CompactProgress): void =>
    options.onProgress?.({ read: tally.read, merged: tally.read, folding });
  if (added + replaced + removed > 0) await mode.fold(context, onFold);
  watch.lap('folding');
  const [unchanged, superseded, conflicts] = [count('unchanged'), count('superseded'), count('conflict')];
  return {
    cases,
    read: tally.read,
    added,
    replaced,
    unchanged,
    superseded,
    removed,
    erased,
    conflicts,
    fates,
    known: counts,
    took: watch.took,
    missing: completion?.missing,
    completed: origin?.isComplete ? completion !== undefined : undefined,
  };
}

/** Opens the known cases of a source, if the import replaces its cases. */
async function openMemory(
  context: HistoryContext,
  { origin, known }: LoadOptions,
): Promise<DigestRecorder | undefined> {
  if (!origin?.replaces || known === undefined) return undefined;
  const { source, asOf = null } = origin;
  return openDigestRecorder(context, known.holder, { source, asOf, salt: known.salt });
}

/** Counts the events of known cases as read and unchanged. */
function addKnown(tally: Tally, { types }: UnchangedCounts): void {
  for (const [type, count] of Object.entries(types)) {
    tally.read += count;
    tally.merged += count;
    addFates(tally.fates, { [type]: { ...NO_FATES, unchanged: count } });
  }
}

async function* withOrigins(groups: AsyncIterable<Group>, assigner: OriginAssigner): AsyncGenerator<Group> {
  for await (const group of groups) yield await assigner.assign(group);
}

/** Completes the source of a complete file, unless a line was rejected or the file has no events. */
async function completed(
  mode: LoadMode,
  assigner: OriginAssigner,
  { origin, rejected, merged }: { readonly origin: ImportOrigin | undefined; rejected: number; merged: number },
): Promise<Completion | undefined> {
  return origin?.isComplete && rejected === 0 && merged > 0 ? mode.complete(assigner) : undefined;
}

interface Tally {
  readonly cases: { added: number; changed: number };
  read: number;
  merged: number;
  removed: number;
  erased: number;
  readonly fates: Record<string, Record<Fate, number>>;
}

/** Starts counting from the counts of the earlier steps. */
function newTally(steps: LoadSteps | undefined): Tally {
  const { cases = { added: 0, changed: 0 }, fates = {}, removed = 0, erased = 0 } = steps?.before ?? {};
  const tally: Tally = { cases: { ...cases }, read: 0, merged: 0, removed, erased, fates: {} };
  addFates(tally.fates, fates);
  return tally;
}

/** The state of merging groups. */
interface Merging {
  readonly mode: LoadMode;
  readonly tally: Tally;
  readonly recorder: DigestRecorder | undefined;
  readonly between: () => Promise<void>; // called after each group
}

async function mergeGroups(
  context: HistoryContext,
  groups: AsyncIterable<Group>,
  { origin, replacesStored, onConflict, onProgress, steps }: LoadOptions,
  { mode, tally, recorder, between }: Merging,
): Promise<void> {
  const how = { keepsUnchanged: origin?.replaces ?? false, replacesStored };
  for await (const group of groups) {
    const earlier = steps?.earlier(group);
    for (const list of group.values()) tally.merged += list.filter(({ event }) => !isMark(event)).length;
    if (earlier !== 'whole') {
      const merged = await mode.merge(context, group, how);
      if (earlier === undefined) addMerged(tally, merged);
      recorder?.keep(group, merged.otherwise);
      for (const { line, event } of merged.conflicts) onConflict(certain(line), event);
      if (earlier === undefined) await steps?.onMerged(group, tally, merged.conflicts.length > 0);
    }
    onProgress?.({ read: tally.read, merged: tally.merged });
    await between();
  }
}

function addMerged(tally: Tally, { cases, fates, removed, erased }: MergeOutcome): void {
  tally.cases.added += cases.added;
  tally.cases.changed += cases.changed;
  addFates(tally.fates, fates);
  tally.removed += removed;
  tally.erased += erased;
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
