import { unavailable } from '../../store/faults.ts';
import { pause } from '../../store/pause.ts';
import { ROW_VERSION } from '../cases/case-row.ts';
import { SHARDS, subjectKind } from '../cases/subject.ts';
import { extentOfEvents, namesOfRow, rowOf } from '../segments/history-row.ts';
import { commit, type HistoryChange, readManifest, shardNow } from '../storage/commit.ts';
import { type Draft, openDraft } from '../storage/draft.ts';
import type { HistoryContext } from '../storage/history-context.ts';
import { readAllByLeaf } from '../storage/ledger-store.ts';
import type { Manifest } from '../storage/manifest.ts';
import { buildSegments } from '../storage/segment-builder.ts';

const TRIES = 20; // for one shard

/** Whether some rows of cases have an older version, which does not store all that reports can ask for now. */
export const hasOlderRows = ({ segments }: Manifest): boolean =>
  segments.some(({ kind, rows, version }) => kind === 'cases' && rows > 0 && version < ROW_VERSION);

/**
 * Computes the rows of all cases again from the ledger, a shard at a time. The new rows supersede the old ones. Then it
 * removes the segments that were there before, whose rows are all superseded by now. After a crash reports stay right,
 * and the next rebuild begins again. Returns false, and removes nothing, if another compactor changed these segments
 * meanwhile.
 */
export async function rebuildRows(context: HistoryContext): Promise<boolean> {
  const { segments } = await readManifest(context.table, context.site.name);
  const before = segments.filter(({ kind }) => kind === 'cases');
  for (let shard = 0; shard < SHARDS; shard += 1) {
    for (let attempt = 1; !(await rewriteShard(context, shard)); attempt += 1) {
      if (attempt === TRIES) throw unavailable(new Error('the history is written too often to rebuild'));
      await pause(Math.min(attempt, 4));
    }
  }
  if (before.length === 0) return true;
  const change = { shards: new Map(), add: [], remove: before, discard: [] };
  return isCommitted(context, openDraft(context), change);
}

/** Returns false if another writer changed the shard meanwhile. */
async function rewriteShard(context: HistoryContext, number: number): Promise<boolean> {
  const shard = await shardNow(context.table, context.site.name, number);
  if (shard.leaves.length + shard.runs.length === 0) return true;
  const draft = openDraft(context);
  const segments = buildSegments(draft);
  const leaves = await readAllByLeaf(context, shard);
  if (leaves === undefined) return false;
  for (const storedEvents of leaves) {
    for (const [subject, events] of storedEvents) {
      if (subjectKind(subject) === 'agent') continue; // rows of sessions have no versions
      const names = namesOfRow(subject, events);
      const replaced = names.length === 0 ? undefined : { names, ...extentOfEvents(events) };
      await segments.add(rowOf(subject, events), replaced, 'cases');
    }
  }
  // Writes the shard unchanged, so that the commit fails if another writer has added events to it.
  const change = { shards: new Map([[number, shard]]), add: await segments.finish(), remove: [], discard: [] };
  return isCommitted(context, draft, change);
}

/** Commits a draft, or abandons it. */
async function isCommitted(context: HistoryContext, draft: Draft, change: HistoryChange): Promise<boolean> {
  const version = await commit(context, draft, change);
  if (version === undefined) await draft.abandon();
  return version !== undefined;
}
