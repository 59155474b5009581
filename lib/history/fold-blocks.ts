import { readBlobs } from './blobs.ts';
import type { Block } from './cut.ts';
import { deadRows, type Replacement } from './dead-rows.ts';
import type { HistoryContext } from './history-context.ts';
import { type HistoryRow, type OpenRows, openRows, placeOf, weightOf } from './history-row.ts';
import { type SegmentKind, type SegmentRef, segmentBlob } from './manifest.ts';
import { unpackSegment } from './segment-builder.ts';

/** What the cut moves about: a settled segment, or one row of a segment. */
export interface SegmentBlock extends Block {
  readonly ref: SegmentRef;
  readonly at: number | undefined; // its one row; undefined: all rows that are alive
  readonly dead: ReadonlySet<number>; // rows that newer segments replace
  readonly whole: boolean; // all rows of a settled segment: if they stay together, it stays as it is
}

/** The rows that a fold works on. */
export interface LiveBlocks {
  readonly blocks: readonly SegmentBlock[];
  /** The rows of a block, each a block. */
  open(block: SegmentBlock): Promise<SegmentBlock[]>;
  rows(block: SegmentBlock): Promise<HistoryRow[]>;
}

/** Settled segments held open at a time, beside all fresh ones. */
const OPEN = 12;

/**
 * Fresh segments row by row and settled ones whole, without the rows that the fresh ones replace. Undefined when a
 * segment is gone: somebody else folded it.
 */
export async function liveBlocks(
  context: HistoryContext,
  kind: SegmentKind,
  fresh: readonly SegmentRef[],
  settled: readonly SegmentRef[],
): Promise<LiveBlocks | undefined> {
  const packed = await readBlobs(context.table, context.site.name, fresh.map(segmentBlob));
  const columns = new Map<number, Uint8Array>();
  const names: Replacement[] = [];
  for (const [place, { id, born }] of fresh.entries()) {
    const bytes = packed[place];
    if (bytes === undefined) return undefined;
    const blob = unpackSegment(bytes);
    columns.set(id, blob.columns);
    names.push(...blob.superseded.map((name) => ({ ...name, born })));
  }
  const opened = new Map<number, OpenRows>();
  for (const { id } of fresh) opened.set(id, openRows(kind, columns.get(id)!));

  async function columnsOf(ref: SegmentRef): Promise<Uint8Array> {
    const [bytes] = await readBlobs(context.table, context.site.name, [segmentBlob(ref)]);
    if (bytes === undefined) throw new SegmentGone();
    return unpackSegment(bytes).columns;
  }

  const recent = new Map<number, OpenRows>();
  async function openOf(ref: SegmentRef): Promise<OpenRows> {
    const known = opened.get(ref.id) ?? recent.get(ref.id);
    if (known) return known;
    const rows = openRows(kind, await columnsOf(ref));
    recent.set(ref.id, rows);
    for (const id of recent.keys()) if (recent.size > OPEN) recent.delete(id);
    return rows;
  }

  const open = async (block: SegmentBlock): Promise<SegmentBlock[]> => {
    const { subjects, row } = await openOf(block.ref);
    return subjects.flatMap((_, at) => (block.dead.has(at) ? [] : [rowBlock(block.ref, at, row(at))]));
  };

  const blocks: SegmentBlock[] = [];
  for (const ref of fresh) {
    const dead = new Set(deadRows(ref, names, () => opened.get(ref.id)!.subjects));
    blocks.push(...(await open({ ...wholeSegment(ref), dead })));
  }
  for (const ref of settled) {
    const block = wholeSegment(ref);
    if (!names.some(({ second }) => second >= ref.low.second && second <= ref.high.second)) {
      blocks.push(block);
      continue;
    }
    const { subjects, row } = await openOf(ref);
    const dead = new Set(deadRows(ref, names, () => subjects));
    const lost = [...dead].reduce((sum, at) => sum + weightOf(row(at)), 0);
    blocks.push({ ...block, dead, weight: block.weight - lost, whole: dead.size === 0 });
  }
  return {
    blocks,
    open,
    async rows(block) {
      const { subjects, row } = await openOf(block.ref);
      if (block.at !== undefined) return [row(block.at)];
      return subjects.flatMap((_, at) => (block.dead.has(at) ? [] : [row(at)]));
    },
  };
}

const wholeSegment = (ref: SegmentRef): SegmentBlock => ({
  low: ref.low,
  high: ref.high,
  weight: ref.weight,
  ref,
  at: undefined,
  dead: NONE,
  whole: ref.settled,
});

function rowBlock(ref: SegmentRef, at: number, row: HistoryRow): SegmentBlock {
  const place = placeOf(row);
  return { low: place, high: place, weight: weightOf(row), ref, at, dead: NONE, whole: false };
}

const NONE: ReadonlySet<number> = new Set();

/** A settled segment was swept while a fold read it: another compactor was faster. */
export class SegmentGone extends Error {
  constructor() {
    super('a segment is no more there');
    this.name = 'SegmentGone';
  }
}
