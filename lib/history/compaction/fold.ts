import { certain } from '../../certain.ts';
import { encodePickedRows } from '../segments/history-row.ts';
import { comparePositions, type SegmentKind } from '../segments/row-position.ts';
import { commit, type NewSegment } from '../storage/commit.ts';
import { type Draft, openDraft } from '../storage/draft.ts';
import type { HistoryContext } from '../storage/history-context.ts';
import type { SegmentRef } from '../storage/manifest.ts';
import { writeSegment } from '../storage/segment-builder.ts';
import { type Block, cutBlocks } from './cut.ts';
import { type LiveBlocks, liveBlocks, type SegmentBlock } from './fold-blocks.ts';
import { SegmentGone } from './settled-segments.ts';

/** One pass of compaction: merges fresh segments into the canonical cut of the settled ones. */
export interface Fold {
  readonly kind: SegmentKind;
  readonly fresh: readonly SegmentRef[];
  readonly settled: readonly SegmentRef[]; // all of the kind
  readonly segmentWeight: number; // largest weight of a segment
  readonly onFacts: (facts: number) => void; // called now and then with the facts of fresh segments folded so far
}

/** Does one pass and commits it; false if another writer committed first: then plan again. */
export async function foldOnce(context: HistoryContext, fold: Fold): Promise<boolean> {
  const { kind, fresh, settled } = fold;
  const live = await liveBlocks(context, kind, fresh, settled);
  if (live === undefined) return false;
  const draft = openDraft(context);
  const written = await writeParts(draft, live, fold).catch(whereGone);
  const remove = [...fresh, ...settled.filter(({ id }) => !written?.kept.has(id))];
  const version =
    written && (await commit(context, draft, { shards: new Map(), add: written.add, remove, discard: [] }));
  if (version === undefined) await draft.abandon();
  return version !== undefined;
}

function whereGone(error: unknown): undefined {
  if (error instanceof SegmentGone) return undefined;
  throw error;
}

/** The segments after a pass. */
interface Written {
  readonly add: readonly NewSegment[];
  readonly kept: ReadonlySet<number>; // settled segments that stay as they are
}

async function writeParts(draft: Draft, live: LiveBlocks, fold: Fold): Promise<Written> {
  const born = Math.max(...fold.fresh.map((segment) => segment.born));
  const add: NewSegment[] = [];
  const kept = new Set<number>();
  let facts = 0;
  for await (const part of cutBlocks<SegmentBlock>(live.blocks, fold.segmentWeight, live.open)) {
    const [only] = part;
    if (part.length === 1 && only?.whole) {
      kept.add(only.ref.id);
      continue;
    }
    const columns = encodePickedRows(fold.kind, await live.pick(part));
    add.push(await writeSegment(draft, fold.kind, { columns, ...spanOf(part) }, { born }));
    facts += freshFacts(part);
    fold.onFacts(facts);
  }
  return { add, kept };
}

/** Returns the first and last place and the weight of blocks, given in the order of their first rows. */
function spanOf(blocks: readonly SegmentBlock[]): Block {
  const { low } = certain(blocks[0]);
  const high = blocks.reduce((most, block) => (comparePositions(block.high, most) > 0 ? block.high : most), low);
  return { low, high, weight: blocks.reduce((sum, { weight }) => sum + weight, 0) };
}

/** Returns about how many facts of fresh segments lie in blocks. */
const freshFacts = (blocks: readonly SegmentBlock[]): number =>
  blocks.reduce(
    (sum, { ref, from, to }) => sum + (ref.settled ? 0 : Math.round((ref.facts * (to - from)) / ref.rows)),
    0,
  );
