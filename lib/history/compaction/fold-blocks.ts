import { hashOf } from '../cases/subject.ts';
import { readBlobs } from '../commits/blobs.ts';
import { gatherReplacements, type Replacements, type Replacing } from '../commits/dead-rows.ts';
import type { HistoryContext } from '../commits/history-context.ts';
import { comparePlaces, type RowPlace, type SegmentKind, type SegmentRef, segmentBlob } from '../commits/manifest.ts';
import { unpackSegment } from '../commits/segment-builder.ts';
import { LEAST_WEIGHT, type OpenRows, openRows, type PickedRows } from '../segments/history-row.ts';
import { type Block, byLow } from './cut.ts';
import { openInTurn } from './settled-segments.ts';

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
  /** The two halves of a block of several rows; of one that may have dead rows all that are alive. */
  open(block: SegmentBlock): Promise<SegmentBlock[]>;
  /** The rows of some blocks that are alive. */
  pick(blocks: readonly SegmentBlock[]): Promise<PickedRows[]>;
}

/** A segment and what becomes of its rows. */
interface OpenSegment {
  readonly rows: OpenRows;
  readonly outline: Outline;
}

/** Where the rows of a segment lie and what they weigh. */
interface Outline {
  readonly seconds: ArrayLike<number>;
  readonly hashes: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
  readonly dead: ReadonlySet<number>; // rows that newer segments replace
}

/**
 * Fresh and settled segments without the rows that the fresh ones replace. Settled ones are read when their turn comes;
 * what is dead in them is known only then. Undefined when a fresh segment is gone: somebody else folded it.
 */
export async function liveBlocks(
  context: HistoryContext,
  kind: SegmentKind,
  fresh: readonly SegmentRef[],
  settled: readonly SegmentRef[],
): Promise<LiveBlocks | undefined> {
  const packed = await readBlobs(context.table, context.site.name, fresh.map(segmentBlob));
  const columns = new Map<number, Uint8Array>();
  const replacing: Replacing[] = [];
  for (const [place, { id, born }] of fresh.entries()) {
    const bytes = packed[place];
    if (bytes === undefined) return undefined;
    const blob = unpackSegment(bytes);
    columns.set(id, blob.columns);
    replacing.push({ born, names: blob.superseded });
  }
  const replacements = gatherReplacements(replacing);
  const named = (ref: SegmentRef): number => replacements.countIn(ref); // its dead rows are no more than that
  const open = (ref: SegmentRef, bytes: Uint8Array): OpenSegment => {
    const rows = openRows(kind, bytes);
    return { rows, outline: outlineRows(ref, rows, replacements) };
  };
  const openSettled = openInTurn(context, settled.filter((ref) => named(ref) > 0).sort(byLow), open);
  const openFresh = new Map<number, OpenSegment>(); // all of them, for their rows are needed in turns
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
        const mine = rows.get(ref) ?? [];
        rows.set(ref, mine);
        for (let at = from; at < to; at += 1) if (!dead.has(at)) mine.push(at);
      }
      const picked: PickedRows[] = [];
      for (const [ref, mine] of rows) picked.push({ from: (await openOf(ref)).rows, rows: mine });
      return picked;
    },
  };
}

/** All of a segment, of whose rows `named` may be dead. */
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

/** Some rows of a segment as a block; undefined where none is alive. */
function part(ref: SegmentRef, outline: Outline, from: number, to: number): SegmentBlock | undefined {
  const { seconds, hashes, weights, dead } = outline;
  let low: RowPlace | undefined;
  let high: RowPlace | undefined;
  let weight = 0;
  for (let at = from; at < to; at += 1) {
    if (dead.has(at)) continue;
    const place = { second: seconds[at]!, hash: hashes[at]! };
    if (low === undefined || comparePlaces(place, low) < 0) low = place;
    if (high === undefined || comparePlaces(place, high) > 0) high = place;
    weight += weights[at]!;
  }
  const whole = ref.settled && from === 0 && to === ref.rows && dead.size === 0;
  return low && high && { low, high, weight, ref, from, to, whole };
}
