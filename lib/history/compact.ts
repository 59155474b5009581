import { unavailable } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import { FIRST_COME, withLease } from '../store/lease.ts';
import { pause } from '../store/pause.ts';
import { shardOf } from './cases/subject.ts';
import { foldOnce } from './compaction/fold.ts';
import { hasOlderRows, rebuildRows } from './compaction/rebuild.ts';
import { sweep } from './compaction/sweep.ts';
import { mergeEvents } from './merge.ts';
import { SEGMENT_KINDS, type SegmentKind } from './segments/row-position.ts';
import { readManifest } from './storage/commit.ts';
import { writersAtWork } from './storage/draft.ts';
import type { HistoryContext } from './storage/history-context.ts';
import type { Manifest, SegmentRef } from './storage/manifest.ts';
import { SEGMENT_WEIGHT } from './storage/segment-builder.ts';
import { readTail, type Tail } from './storage/tail.ts';

/** The progress of a compaction. */
export interface CompactProgress {
  readonly done: number; // facts of fresh segments folded so far
  readonly total: number; // facts of all fresh segments known so far
}

export interface CompactOptions {
  readonly onProgress?: (progress: CompactProgress) => void;
  readonly segmentWeight?: number; // largest weight of a settled segment; the same in all compactions of a site
  readonly factsAtOnce?: number; // most facts of fresh segments in one pass
  readonly rebuild?: boolean; // computes all rows again from the ledger, not only older ones; default false
  /** Called by `compactIfNeeded` to fold, which takes long; default `compact`. */
  readonly fold?: () => Promise<boolean>;
}

/** Fresh segments that every site may have without being folded. */
export const FRESH_SEGMENTS = 16;
/** With more fresh segments or facts than this part of the settled ones, reports lose more than folding costs. */
const FRESH_PART = 1 / 4;
const FRESH_FACTS = 100_000; // so many fresh facts are never folded on their account
const PENDING = 200; // subjects in the tail; more are merged into the ledger
const FACTS_AT_ONCE = 5_000_000; // about 100 MB of columns
/** Fresh segments of a running import before it folds them, even if they have few facts. */
const SEGMENTS_AT_ONCE = 512;
/** The longest time that a history is folded for. */
export const FOLD_MS = 10 * 60_000;
const TRIES = 20;

/**
 * Sweeps, folds the tail into the ledger and all fresh segments into the canonical cut, and rebuilds rows of older
 * versions. Afterwards the segments are the same as if all events had come in one file. Reports can run meanwhile.
 * Returns false if another compactor holds the lease.
 */
export async function compact(context: HistoryContext, options: CompactOptions = {}): Promise<boolean> {
  const { table, site, clock, newId } = context;
  const lease = { table, key: keys.lease(site.name), owner: newId(), now: clock, length: FOLD_MS };
  const outcome = await withLease(lease, FIRST_COME, async () => {
    await sweep(context);
    if ((await readTail(context)).pending.length > 0) await mergeEvents(context, new Map(), { wholeTail: true });
    if (options.rebuild || hasOlderRows(await readManifest(table, site.name))) await rebuildRows(context);
    for (const kind of SEGMENT_KINDS) await foldSegments(context, kind, options);
  });
  return 'done' in outcome;
}

/**
 * Compacts if there is enough to fold; call it about every half minute. Returns whether it did. While an import runs it
 * does nothing: the import folds at its end, and what was folded before would be folded again.
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
  return (
    fresh.length > maxFreshSegments(manifest) || factsOf(fresh) > Math.max(FRESH_FACTS, factsOf(settled) * FRESH_PART)
  );
}

/** Returns how many fresh segments a site may have when no import runs: 16 and a quarter of the settled ones. */
export function maxFreshSegments({ segments }: Manifest): number {
  return FRESH_SEGMENTS + Math.floor(segments.filter(({ settled }) => settled).length * FRESH_PART);
}

/** Whether the fresh segments fill a pass. Then a long import folds them now, which costs no more than at its end. */
export function freshFillOnePass(
  { segments }: Manifest,
  { factsAtOnce = FACTS_AT_ONCE }: CompactOptions = {},
): boolean {
  const fresh = segments.filter(({ settled }) => !settled);
  return fresh.length > SEGMENTS_AT_ONCE || factsOf(fresh) > factsAtOnce;
}

/** Whether to merge the tail into the ledger: for a stale row in the tail, every report must read the ledger. */
function worthTaking({ shardVersions }: Manifest, { pending }: Tail): boolean {
  const stale = pending.some(({ subject, base }) => base !== shardVersions[shardOf(subject)]);
  return stale || pending.length > PENDING;
}

/** Folds the fresh segments of a kind, the oldest commits first, until none is left. */
async function foldSegments(context: HistoryContext, kind: SegmentKind, options: CompactOptions): Promise<void> {
  let before = 0; // facts folded by earlier passes
  for (let attempt = 1; attempt <= TRIES; ) {
    const { segments } = await readManifest(context.table, context.site.name);
    const ofKind = segments.filter((segment) => segment.kind === kind);
    const fresh = ofKind.filter(({ settled }) => !settled);
    if (fresh.length === 0) return;
    const settled = ofKind.filter((segment) => segment.settled);
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

/**
 * Returns the fresh segments for one pass: those of the oldest commits, and whole commits only, because newer segments
 * may replace rows of older ones, never the reverse.
 */
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
