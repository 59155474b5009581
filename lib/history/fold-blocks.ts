import { readBlobs } from './blobs.ts';
import type { Block } from './cut.ts';
import { gatherReplacements, type Replacements, type Replacing } from './dead-rows.ts';
import type { HistoryContext } from './history-context.ts';
import { type OpenRows, openRows, type PickedRows } from './history-row.ts';
import { comparePlaces, type Place, type SegmentKind, type SegmentRef, segmentBlob } from './manifest.ts';
import { unpackSegment } from './segment-builder.ts';
import { hashOf } from './subject.ts';

/** What the cut moves about: some neighbouring rows of a segment, or all of them. */
export interface SegmentBlock extends Block {
  readonly ref: SegmentRef;
  readonly from: number; // first row
  readonly to: number; // row after the last
  readonly whole: boolean; // all rows of a settled segment, all alive: if they stay together, it stays as it is
}

/** The rows that a fold works on. */
export interface LiveBlocks {
  readonly blocks: readonly SegmentBlock[];
  /** The two halves of a block of several rows. */
  open(block: SegmentBlock): Promise<SegmentBlock[]>;
  /** The rows of some blocks that are alive. */
  pick(blocks: readonly SegmentBlock[]): Promise<PickedRows[]>;
}

/** Where the rows of a segment lie and what they weigh, at some 30 bytes a row. */
interface Outline {
  readonly seconds: Float64Array;
  readonly hashes: Uint32Array;
  readonly weights: Float64Array; // of a dead row 0
  readonly dead: ReadonlySet<number>; // rows that newer segments replace
}

/** Settled segments held open at a time, beside the fresh ones. */
const OPEN = 12;

/**
 * Fresh and settled segments without the rows that the fresh ones replace. Undefined when a segment is gone: somebody
 * else folded it.
 */
export async function liveBlocks(
  context: HistoryContext,
  kind: SegmentKind,
  fresh: readonly SegmentRef[],
  settled: readonly SegmentRef[],
): Promise<LiveBlocks | undefined> {
  const packed = await readBlobs(context.table, context.site.name, fresh.map(segmentBlob));
  const columns = new Map<number, Uint8Array>(); // of fresh segments
  const replacing: Replacing[] = [];
  for (const [place, { id, born }] of fresh.entries()) {
    const bytes = packed[place];
    if (bytes === undefined) return undefined;
    const blob = unpackSegment(bytes);
    columns.set(id, blob.columns);
    replacing.push({ born, names: blob.superseded });
  }
  const replacements = gatherReplacements(replacing);
  const outlines = new Map<number, Outline>();
  const opened = new Map<number, OpenRows>();
  let openSettled = 0;

  async function openOf(ref: SegmentRef): Promise<OpenRows> {
    const known = opened.get(ref.id);
    if (known) return known;
    const rows = openRows(kind, columns.get(ref.id) ?? (await columnsOf(context, ref)));
    opened.set(ref.id, rows);
    if (ref.settled && (openSettled += 1) > OPEN) {
      const oldest = [...opened.keys()].find((id) => !columns.has(id));
      if (oldest !== undefined && opened.delete(oldest)) openSettled -= 1;
    }
    return rows;
  }

  async function outlineOf(ref: SegmentRef): Promise<Outline> {
    const known = outlines.get(ref.id);
    if (known) return known;
    const outline = outlineRows(ref, await openOf(ref), replacements);
    outlines.set(ref.id, outline);
    return outline;
  }

  const blocks: SegmentBlock[] = [];
  for (const ref of [...fresh, ...settled]) {
    if (ref.rows === 0) continue;
    const { low, high, weight, rows } = ref;
    if (replacements.countIn(ref) === 0) {
      blocks.push({ low, high, weight, ref, from: 0, to: rows, whole: ref.settled });
      continue;
    }
    const outline = await outlineOf(ref);
    const block = part(ref, outline, 0, rows);
    if (block) blocks.push({ ...block, whole: ref.settled && outline.dead.size === 0 });
  }
  return {
    blocks,
    async open({ ref, from, to }) {
      const outline = await outlineOf(ref);
      const middle = (from + to) >>> 1;
      return [part(ref, outline, from, middle), part(ref, outline, middle, to)].filter((block) => block !== undefined);
    },
    async pick(some) {
      const rows = new Map<SegmentRef, number[]>();
      for (const { ref, from, to } of some) {
        const dead = outlines.get(ref.id)?.dead;
        const mine = rows.get(ref) ?? [];
        rows.set(ref, mine);
        for (let at = from; at < to; at += 1) if (!dead?.has(at)) mine.push(at);
      }
      const picked: PickedRows[] = [];
      for (const [ref, mine] of rows) picked.push({ from: await openOf(ref), rows: mine });
      return picked;
    },
  };
}

async function columnsOf({ table, site }: HistoryContext, ref: SegmentRef): Promise<Uint8Array> {
  const [bytes] = await readBlobs(table, site.name, [segmentBlob(ref)]);
  if (bytes === undefined) throw new SegmentGone();
  return unpackSegment(bytes).columns;
}

function outlineRows(ref: SegmentRef, rows: OpenRows, replacements: Replacements): Outline {
  const subjects = rows.subjects();
  const dead = new Set(replacements.among(ref, subjects));
  const weights = Float64Array.from(rows.weights(), (weight, at) => (dead.has(at) ? 0 : weight));
  return {
    seconds: Float64Array.from(rows.seconds()),
    hashes: Uint32Array.from(subjects, hashOf),
    weights,
    dead,
  };
}

/** Some rows of a segment as a block; undefined where none is alive. */
function part(ref: SegmentRef, outline: Outline, from: number, to: number): SegmentBlock | undefined {
  const { seconds, hashes, weights, dead } = outline;
  let low: Place | undefined;
  let high: Place | undefined;
  let weight = 0;
  for (let at = from; at < to; at += 1) {
    if (dead.has(at)) continue;
    const place = { second: seconds[at]!, hash: hashes[at]! };
    if (low === undefined || comparePlaces(place, low) < 0) low = place;
    if (high === undefined || comparePlaces(place, high) > 0) high = place;
    weight += weights[at]!;
  }
  return low && high && { low, high, weight, ref, from, to, whole: false };
}

/** A settled segment was swept while a fold read it: another compactor was faster. */
export class SegmentGone extends Error {
  constructor() {
    super('a segment is no more there');
    this.name = 'SegmentGone';
  }
}
