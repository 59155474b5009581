import { groupBy } from '../group-by.ts';
import { unavailable } from '../store/faults.ts';
import { pause } from '../store/pause.ts';
import { type HistoryEvent, isMark } from './cases/event.ts';
import { type RewriteEvents, SHARDS, type Subject, shardOf } from './cases/subject.ts';
import { addRow, mergeEvents } from './merge.ts';
import { commit, shardNow } from './storage/commit.ts';
import { openDraft } from './storage/draft.ts';
import type { HistoryContext } from './storage/history-context.ts';
import { type AddedEntry, readAllByLeaf, readEvents, readShard, storeEvents } from './storage/ledger-store.ts';
import { buildSegments } from './storage/segment-builder.ts';

const TRIES = 30;

/** Yields all events of a history, leaf by leaf. First merges the tail into the ledger. */
export async function* walkLedger(
  context: HistoryContext,
): AsyncGenerator<ReadonlyMap<Subject, readonly HistoryEvent[]>> {
  await mergeEvents(context, new Map(), { wholeTail: true });
  yield* walkCommitted(context);
}

/** Yields all events of a history but those in the tail, leaf by leaf; writes nothing. */
export async function* walkCommitted(
  context: HistoryContext,
): AsyncGenerator<ReadonlyMap<Subject, readonly HistoryEvent[]>> {
  for (let number = 0; number < SHARDS; number += 1) {
    yield* await again(async () => {
      const shard = await shardNow(context.table, context.site.name, number);
      return readAllByLeaf(context, shard);
    });
  }
}

/** Reads the events of some subjects from the ledger. */
export async function eventsOf(
  context: HistoryContext,
  subjects: Iterable<Subject>,
): Promise<Map<Subject, readonly HistoryEvent[]>> {
  const found = new Map<Subject, readonly HistoryEvent[]>();
  for (const [number, inShard] of groupBy(subjects, shardOf)) {
    const known = await again(async () => {
      const shard = await shardNow(context.table, context.site.name, number);
      return readEvents(context, shard, inShard);
    });
    for (const [subject, events] of known) found.set(subject, events);
  }
  return found;
}

/**
 * Rewrites the events of a history shard by shard, each in one commit with the rows that change. Every shard is
 * written, even without a change: so a merge that read the shard before cannot commit any more and starts again.
 * Returns of how many subjects events changed; a change of marks alone does not count.
 */
export const rewriteLedger = (context: HistoryContext, rewrite: RewriteEvents): Promise<number> =>
  rewriteByShard(context, async () => rewrite);

/** Rewrites the events of a history, as `rewriteLedger` does; `rewriterOf` is asked for each shard. */
export async function rewriteByShard(
  context: HistoryContext,
  rewriterOf: (shard: number) => Promise<RewriteEvents>,
): Promise<number> {
  await mergeEvents(context, new Map(), { wholeTail: true });
  let changed = 0;
  for (let number = 0; number < SHARDS; number += 1) {
    const rewrite = await rewriterOf(number);
    changed += await again(() => rewriteShard(context, number, rewrite));
  }
  return changed;
}

async function again<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const done = await attempt();
    if (done !== undefined) return done;
    await pause(Math.min(tries, 4));
  }
  throw unavailable(new Error('the history is written too often to rewrite'));
}

async function rewriteShard(
  context: HistoryContext,
  number: number,
  rewrite: RewriteEvents,
): Promise<number | undefined> {
  const shard = await shardNow(context.table, context.site.name, number);
  const bytes = new Map<number, Uint8Array>();
  const known = await readShard(context, shard, bytes);
  if (known === undefined) return undefined;
  const draft = openDraft(context);
  const segments = buildSegments(draft);
  const entries: AddedEntry[] = [];
  let changed = 0;
  for (const [subject, before] of known) {
    const events = rewrite(subject, before);
    if (events === before) continue;
    if (changesEvents(before, events)) changed += 1;
    entries.push({ subject, events, isWhole: true });
    await addRow(segments, subject, before, events);
  }
  const stored =
    entries.length === 0 ? { shard, discard: [] } : await storeEvents(context, draft, shard, { added: entries, bytes });
  if (stored === undefined) {
    await draft.abandon();
    return undefined;
  }
  const shards = new Map([[number, stored.shard]]);
  const add = await segments.finish();
  const version = await commit(context, draft, { shards, add, remove: [], discard: stored.discard });
  if (version === undefined) await draft.abandon();
  return version === undefined ? undefined : changed;
}

/** Whether some event other than a mark was added or removed. */
function changesEvents(before: readonly HistoryEvent[], after: readonly HistoryEvent[]): boolean {
  const lacks = (all: readonly HistoryEvent[], others: ReadonlySet<HistoryEvent>): boolean =>
    all.some((event) => !isMark(event) && !others.has(event));
  return lacks(before, new Set(after)) || lacks(after, new Set(before));
}
