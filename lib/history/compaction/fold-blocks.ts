import { addTo } from '../../group-by.ts';
import { hashOf } from '../cases/subject.ts';
import { LEAST_WEIGHT, type OpenRows, openRows, type PickedRows } from '../segments/history-row.ts';
import { comparePositions, type RowPosition, type SegmentKind } from '../segments/row-position.ts';
import { readBlobs } from '../storage/blobs.ts';
import { gatherReplacements, type Replacements, type SegmentReplacements } from '../storage/dead-rows.ts';
import type { HistoryContext } from '../storage/history-context.ts';
import { type SegmentRef, segmentBlob } from '../storage/manifest.ts';
import { unpackSegment } from '../storage/segment-builder.ts';
import { type Block, compareBlocks } from './cut.ts';
import { openAhead } from './settled-segments.ts';

/** A block and the rows of a segment that it stands for. */
export interface SegmentBlock extends Block {
  readonly ref: SegmentRef;
  readonly from: number; // first row
  readonly to: number; // last row, exclusive
  readonly whole: boolean; // all rows of a settled segment: alone in a part of the cut, the segment is not rewritten
}

/** The rows that a fold works on. */
export interface LiveBlocks {
  readonly blocks: readonly SegmentBlock[];
  /** Halves a block; from a block that may have dead rows it returns the live rows as one block. */
  open(block: SegmentBlock): Promise<SegmentBlock[]>;
  /** Returns the live rows of some blocks. */
  pick(blocks: readonly SegmentBlock[]): Promise<PickedRows[]>;
}

/** A segment opened for a fold. */
interface OpenSegment {
  readonly rows: OpenRows;
  readonly outline: Outline;
}

/** The positions and weights of a segment's rows. */
interface Outline {
  readonly seconds: ArrayLike<number>;
  readonly hashes: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
  readonly dead: ReadonlySet<number>; // rows that newer segments replace
}

/**
 * Returns the live rows of fresh and settled segments: those that no fresh segment replaces. Settled segments are read
 * only when the cut opens their blocks, so their dead rows are known only then. Undefined if a fresh segment is gone
 * because another compactor folded it.
 */
export async function liveBlocks(
  context: HistoryContext,
  kind: SegmentKind,
  fresh: readonly SegmentRef[],
  settled: readonly SegmentRef[],
): Promise<LiveBlocks | undefined> {
  const packed = await readBlobs(context.table, context.site.name, fresh.map(segmentBlob));
  const columns = new Map<number, Uint8Array>();
  const replacing: SegmentReplacements[] = [];
  for (const [index, { id, born }] of fresh.entries()) {
    const bytes = packed[index];
    if (bytes === undefined) return undefined;
    const blob = unpackSegment(bytes);
    columns.set(id, blob.columns);
    replacing.push({ born, names: blob.superseded });
  }
  const replacements = gatherReplacements(replacing);
  const named = (ref: SegmentRef): number => replacements.countIn(ref); // at most so many rows are dead
  const open = (ref: SegmentRef, bytes: Uint8Array): OpenSegment => {
    const rows = openRows(kind, bytes);
    return { rows, outline: outlineRows(ref, rows, replacements) };
  };
  const openSettled = openAhead(context, settled.filter((ref) => named(ref) > 0).sort(compareBlocks), open);
  const openFresh = new Map<number, OpenSegment>(); // all stay open: each part of the cut takes rows of many
  const openOf = async (ref: SegmentRef): Promise<OpenSegment> => {
    const known = openFresh.get(ref.id);
    const bytes = columns.get(ref.id);
    if (known || !bytes) return known ?? openSettled(ref);
    const opened = open(ref, bytes);
    openFresh.set(ref.id, opened);
    return opened;
  };
  return {
    blocks: [...fresh, ...settled].filter(({ rows }) => rows > 0).map((ref) => blockOf(ref, named(ref))),
    async open({ ref, from, to, least }) {
      const { outline } = await openOf(ref);
      const middle = least === undefined ? (from + to) >>> 1 : to;
      return [part(ref, outline, from, middle), part(ref, outline, middle, to)].filter((block) => block !== undefined);
    },
    async pick(some) {
      const rows = new Map<SegmentRef, number[]>();
      for (const { ref, from, to } of some) {
        const { dead } = (await openOf(ref)).outline;
        for (let at = from; at < to; at += 1) if (!dead.has(at)) addTo(rows, ref, at);
      }
      const picked: PickedRows[] = [];
      for (const [ref, ofSegment] of rows) picked.push({ from: (await openOf(ref)).rows, rows: ofSegment });
      return picked;
    },
  };
}

/** Returns a block of all rows of a segment; up to `named` of them may be dead. */
function blockOf(ref: SegmentRef, named: number): SegmentBlock {
  const { low, high, weight, rows, settled } = ref;
  const block = { low, high, weight, ref, from: 0, to: rows, whole: settled };
  return named === 0 ? block : { ...block, least: Math.max(0, rows - named) * LEAST_WEIGHT };
}

function outlineRows(ref: SegmentRef, rows: OpenRows, replacements: Replacements): Outline {
  const subjects = rows.subjects();
  return {
    seconds: rows.seconds(),
    hashes: Uint32Array.from(subjects, hashOf),
    weights: rows.weights(),
    dead: new Set(replacements.among(ref, subjects)),
  };
}

/** Returns a block of the live rows from `from` to `to` − 1; undefined if none is alive. */
function part(ref: SegmentRef, outline: Outline, from: number, to: number): SegmentBlock | undefined {
  const { seconds, hashes, weights, dead } = outline;
  let low: RowPosition | undefined;
  let high: RowPosition | undefined;
  let weight = 0;
  for (let at = from; at < to; at += 1) {
    if (dead.has(at)) continue;
    const position = { second: seconds[at]!, hash: hashes[at]! };
    if (low === undefined || comparePositions(position, low) < 0) low = position;
    if (high === undefined || comparePositions(position, high) > 0) high = position;
    weight += weights[at]!;
  }
  const whole = ref.settled && from === 0 && to === ref.rows && dead.size === 0;
  return low && high && { low, high, weight, ref, from, to, whole };
}
