import { comparePositions, type RowPosition } from '../segments/row-position.ts';

/** Neighbouring rows of one segment: all of them, a part, or a single row. */
export interface Block {
  readonly low: RowPosition; // position of its first row
  readonly high: RowPosition; // position of its last row
  readonly weight: number;
  readonly least?: number; // present if some rows may be dead: without them the weight is between this and `weight`
}

/**
 * The canonical cut: halves the range of row positions again and again, seconds first and hashes within a second,
 * until no part weighs more than `most`. Yields the blocks of each part that has any, in the order of positions. So
 * the cut depends on the rows alone, not on the order of imports. `open` splits a block that a boundary crosses into
 * two or more, down to single rows. For a block that may have dead rows it first returns its live rows; this is done
 * only once the block's exact weight matters.
 */
export async function* cutBlocks<B extends Block>(
  blocks: readonly B[],
  most: number,
  open: (block: B) => Promise<readonly B[]>,
): AsyncGenerator<B[]> {
  yield* cutNode([...blocks].sort(compareBlocks), ROOT, most, open);
}

export const compareBlocks = (a: Block, b: Block): number => comparePositions(a.low, b.low);

/** A part of the range of positions: 2^secondBits seconds, or 2^hashBits hashes within one second. */
interface Node {
  readonly second: number;
  readonly secondBits: number;
  readonly hash: number;
  readonly hashBits: number;
}

/** All seconds up to the year 2242, all hashes. */
const ROOT: Node = { second: 0, secondBits: 33, hash: 0, hashBits: 32 };

async function* cutNode<B extends Block>(
  found: B[],
  node: Node,
  most: number,
  open: (block: B) => Promise<readonly B[]>,
): AsyncGenerator<B[]> {
  const halves = halve(node);
  const light = (some: readonly B[]): boolean => halves === undefined || leastOf(some) <= most;
  const blocks = light(found) ? await onlyAlive(found, open) : found;
  if (blocks.length === 0) return;
  if (halves === undefined || light(blocks)) {
    yield blocks;
    return;
  }
  const { middle, first, second } = halves;
  const before = (position: RowPosition): boolean => comparePositions(position, middle) < 0;
  const left: B[] = [];
  const right: B[] = [];
  for (const whole of blocks) {
    const pieces = [whole];
    for (let block = pieces.pop(); block; block = pieces.pop()) {
      if (before(block.low) === before(block.high)) (before(block.low) ? left : right).push(block);
      else pieces.push(...(await open(block)));
    }
  }
  yield* cutNode(left.sort(compareBlocks), first, most, open);
  yield* cutNode(right.sort(compareBlocks), second, most, open);
}

const leastOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { weight, least = weight }) => sum + least, 0);

/** Returns the blocks without their dead rows. */
async function onlyAlive<B extends Block>(
  blocks: readonly B[],
  open: (block: B) => Promise<readonly B[]>,
): Promise<B[]> {
  const alive: B[] = [];
  for (const block of blocks) alive.push(...(block.least === undefined ? [block] : await open(block)));
  return alive.sort(compareBlocks);
}

/** Halves a node; undefined for a single position. */
function halve(node: Node): { middle: RowPosition; first: Node; second: Node } | undefined {
  const { second, secondBits, hash, hashBits } = node;
  if (secondBits > 0) {
    const bits = secondBits - 1;
    const middle = second + 2 ** bits;
    const upper = { ...node, second: middle, secondBits: bits };
    return { middle: { second: middle, hash: 0 }, first: { ...node, secondBits: bits }, second: upper };
  }
  if (hashBits === 0) return undefined;
  const bits = hashBits - 1;
  const middle = hash + 2 ** bits;
  const upper = { ...node, hash: middle, hashBits: bits };
  return { middle: { second, hash: middle }, first: { ...node, hashBits: bits }, second: upper };
}
