import { unavailable } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import { withLock } from '../store/lock.ts';
import { pause } from '../store/pause.ts';
import { hashOf, shardOf } from './cases/subject.ts';
import { readManifest } from './commits/commit.ts';
import { writersAtWork } from './commits/draft.ts';
import type { HistoryContext } from './commits/history-context.ts';
import { type Manifest, SEGMENT_KINDS, type SegmentKind, type SegmentRef } from './commits/manifest.ts';
import { SEGMENT_WEIGHT } from './commits/segment-builder.ts';
import { foldOnce } from './compaction/fold.ts';
import { hasOlderRows, rebuildRows } from './compaction/rebuild.ts';
import { sweep } from './compaction/sweep.ts';
import { readTail, type Tail } from './ledger/tail.ts';
import { mergeEvents } from './merge.ts';

/** How far a compaction has come. */
export interface CompactProgress {
  readonly done: number; // facts of fresh segments folded
  readonly total: number; // of those known so far
}

export interface CompactOptions {
  readonly onProgress?: (progress: CompactProgress) => void;
  readonly segmentWeight?: number; // of a settled segment at most; all compactions of a site use the same
  readonly factsAtOnce?: number; // of the fresh segments in one pass
  readonly rebuild?: boolean; // writes all rows anew from the ledger, not only those of older versions; default false
  /** How `compactIfNeeded` has the folding done, which takes long; default `compact`. */
  readonly fold?: () => Promise<boolean>;
}

/** Fresh segments that any site may gather before they are folded. */
export const FRESH_SEGMENTS = 16;
/** Fresh segments and facts as a part of the settled ones: beyond, folding costs less than what reports lose. */
const FRESH_PART = 1 / 4;
const FRESH_FACTS = 100_000; // that need no folding in any site
const PENDING = 200; // subjects in the tail
const FACTS_AT_ONCE = 5_000_000; // about 100 MB of columns
/** Fresh segments that an import may gather besides, however few facts they have. */
export const SEGMENTS_AT_ONCE = 512;
const LEASE_MS = 10 * 60_000;
const TRIES = 20;

/**
 * Folds the tail into the ledger and all fresh segments into the canonical cut, and sweeps. Rows that an older version wrote
 * are written anew. Afterwards the segments are what they would be had all events come in one file. False when another compactor is at it. Reports go on meanwhile.
 */
export async function compact(context: HistoryContext, options: CompactOptions = {}): Promise<boolean> {
  const { table, site, clock, newId } = context;
  const lease = { key: keys.lease(site.name), owner: newId(), now: clock, length: LEASE_MS };
  const held = await withLock(table, lease, async () => {
    await sweep(context);
    if ((await readTail(context)).pending.length > 0) await mergeEvents(context, new Map(), { wholeTail: true });
    if (options.rebuild || hasOlderRows(await readManifest(table, site.name))) await rebuildRows(context);
    for (const kind of SEGMENT_KINDS) await foldSegments(context, kind, options);
  });
  return 'done' in held;
}

/**
 * Compacts where it is worth it; to be called every half minute or so. Tells whether it did. While an import is at work it
 * waits: the import folds at its end, and folding in between would be done again.
 */
export async function compactIfNeeded(context: HistoryContext, options: CompactOptions = {}): Promise<boolean> {
  if (await writersAtWork(context)) return false;
  const [manifest, tail] = await Promise.all([readManifest(context.table, context.site.name), readTail(context)]);
  if (worthFolding(manifest) || hasOlderRows(manifest)) return options.fold?.() ?? compact(context, options);
  if (worthTaking(manifest, tail)) await mergeEvents(context, new Map(), { wholeTail: true });
  await sweep(context);
  return false;
}

function worthFolding(manifest: Manifest): boolean {
  const fresh = manifest.segments.filter(({ settled }) => !settled);
  const settled = manifest.segments.filter((segment) => segment.settled);
  return fresh.length > freshBound(manifest) || factsOf(fresh) > Math.max(FRESH_FACTS, factsOf(settled) * FRESH_PART);
}

/** Fresh segments that a site may have when nobody imports: with them a report reads a quarter more, and 16. */
export function freshBound({ segments }: Manifest): number {
  return FRESH_SEGMENTS + Math.floor(segments.filter(({ settled }) => settled).length * FRESH_PART);
}

/** Whether the fresh segments fill a pass: then folding them now costs a long import no more than at its end. */
export function fillsPass({ segments }: Manifest, { factsAtOnce = FACTS_AT_ONCE }: CompactOptions = {}): boolean {
  const fresh = segments.filter(({ settled }) => !settled);
  return fresh.length > SEGMENTS_AT_ONCE || factsOf(fresh) > factsAtOnce;
}

/** A stale row in the tail costs every report a look into the ledger. */
function worthTaking({ shardVersions }: Manifest, { pending }: Tail): boolean {
  const stale = pending.some(({ subject, base }) => base !== shardVersions[shardOf(hashOf(subject))]);
  return stale || pending.length > PENDING;
}

/** Folds fresh segments of a kind, the oldest commits first, until none is left. */
async function foldSegments(context: HistoryContext, kind: SegmentKind, options: CompactOptions): Promise<void> {
  let before = 0; // facts that passes until now have folded
  for (let attempt = 1; attempt <= TRIES; ) {
    const { segments } = await readManifest(context.table, context.site.name);
    const mine = segments.filter((segment) => segment.kind === kind);
    const fresh = mine.filter(({ settled }) => !settled);
    if (fresh.length === 0) return;
    const settled = mine.filter((segment) => segment.settled);
    const chosen = oldest(fresh, options);
    const total = before + factsOf(fresh);
    const onFacts = (facts: number): void => options.onProgress?.({ done: before + facts, total });
    const { segmentWeight = SEGMENT_WEIGHT } = options;
    if (await foldOnce(context, { kind, fresh: chosen, settled, segmentWeight, onFacts })) {
      attempt = 1;
      before += factsOf(chosen);
    } else await pause(Math.min((attempt += 1), 4));
  }
  throw unavailable(new Error('the history is written too often to compact'));
}

const factsOf = (segments: readonly SegmentRef[]): number => segments.reduce((sum, { facts }) => sum + facts, 0);

/** The fresh segments of the oldest commits, whole commits: newer ones may replace their rows, never the reverse. */
function oldest(fresh: readonly SegmentRef[], { factsAtOnce = FACTS_AT_ONCE }: CompactOptions): SegmentRef[] {
  const chosen: SegmentRef[] = [];
  let facts = 0;
  for (const born of [...new Set(fresh.map((segment) => segment.born))].sort((a, b) => a - b)) {
    const commit = fresh.filter((segment) => segment.born === born);
    facts += factsOf(commit);
    if (chosen.length > 0 && facts > factsAtOnce) break;
    chosen.push(...commit);
  }
  return chosen;
}
