import { createMembers, type MemberChoice, type NumberedMembers } from './members.ts';

/**
 * The numbering of a report's cells: each pair of members (one of each dimension) has one cell for each window. Members
 * and pairs are numbered in the order in which they are met. The first pairs own a block of cells, one for each window,
 * so that a cell is found by an addition. The cells of later pairs are looked up one by one in a hash table.
 */
export interface Cells {
  readonly windows: number;
  readonly total: boolean; // the last window is the total of all others
  readonly dimensions: readonly [NumberedMembers, NumberedMembers];
  readonly blocks: number; // pairs that own a block
  readonly most: number; // the limit of cells outside of blocks
  readonly pairMembers: number[]; // the two member numbers of each pair, one after the other
  readonly loose: Map<number, number>; // for pairs without a block: `cellKey` → index in `looseKeys`
  readonly looseKeys: number[];
  pairTable: Int32Array | undefined; // first member × stride + second member → start, + 1 if not below 0; 0: not met yet
  stride: number;
  readonly pairKeys: Map<number, number>; // replaces `pairTable` if that would be too large
  size: number; // all cells so far are below it
}

/** Thrown when a report has more cells than `most`; the scan turns it into a 422 that says what to do. */
export class TooManyCells extends Error {}

/** What the cells of a report depend on. */
export interface CellsOf {
  readonly windows: number;
  readonly total: boolean; // adds a window for the total of all others
  readonly wanted: readonly [MemberChoice, MemberChoice]; // the members to keep of each dimension
  readonly keepsNone: boolean; // adds cells for facts without a member
}

/** Creates an empty numbering. The budget limits the cells in blocks (`cells`) and outside of blocks (`loose`). */
export function createCells(
  { windows: own, total, wanted, keepsNone }: CellsOf,
  budget: { readonly cells: number; readonly loose: number },
): Cells {
  const windows = total ? own + 1 : own;
  return {
    windows,
    total,
    dimensions: [createMembers(wanted[0], keepsNone), createMembers(wanted[1], keepsNone)],
    blocks: windows === 0 ? 0 : Math.floor(budget.cells / windows),
    most: budget.loose,
    pairMembers: [],
    loose: new Map(),
    looseKeys: [],
    pairTable: new Int32Array(0),
    stride: 0,
    pairKeys: new Map(),
    size: 0,
  };
}

/**
 * Makes room in the table of pairs for the members numbered so far; call it after numbering members and before
 * `pairStart`. A table that would be too large is replaced by `pairKeys`.
 */
export function growPairTable(cells: Cells): void {
  const [first, second] = [cells.dimensions[0].members.length, cells.dimensions[1].members.length];
  if (cells.pairTable === undefined) return;
  if (first * cells.stride <= cells.pairTable.length && second <= cells.stride) return;
  const stride = roomFor(second, cells.stride);
  const size = roomFor(first, cells.stride === 0 ? 0 : cells.pairTable.length / cells.stride) * stride;
  cells.stride = stride;
  cells.pairTable = size > LARGEST_TABLE ? undefined : new Int32Array(size);
  for (let pair = 0; 2 * pair < cells.pairMembers.length; pair += 1) {
    setPair(cells, cells.pairMembers[2 * pair]!, cells.pairMembers[2 * pair + 1]!, pair);
  }
}

const LARGEST_TABLE = 2 ** 22; // entries of 4 bytes
const MEMBER_LIMIT = 2 ** 26; // above every member number, to combine two of them into one key

const roomFor = (needed: number, had: number): number =>
  needed <= had ? had : Math.max(needed, Math.min(2 * had, 512));

/**
 * The start of a pair of members: its cell in the first window, which its other cells follow; below 0 for a pair
 * without a block, whose cells `cellFrom` finds. A dimension that is not asked for has the only member 0.
 */
export function pairStart(cells: Cells, first: number, second: number): number {
  const { pairTable, stride } = cells;
  const known = pairTable
    ? pairTable[first * stride + second]!
    : (cells.pairKeys.get(first * MEMBER_LIMIT + second) ?? 0);
  if (known === 0) return addPair(cells, first, second);
  return known > 0 ? known - 1 : known;
}

/** The cell of a pair in a window; `start` is the result of `pairStart` for the pair. */
export function cellFrom(cells: Cells, start: number, window: number): number {
  return start >= 0 ? start + window : looseCell(cells, (-1 - start) * cells.windows + window);
}

/** The cell of a pair of members in a window. */
export const cellOf = (cells: Cells, first: number, second: number, window: number): number =>
  cellFrom(cells, pairStart(cells, first, second), window);

const startOfPair = ({ blocks, windows }: Cells, pair: number): number => (pair < blocks ? pair * windows : -1 - pair);

function addPair(cells: Cells, first: number, second: number): number {
  const pair = cells.pairMembers.push(first, second) / 2 - 1;
  setPair(cells, first, second, pair);
  if (pair < cells.blocks) cells.size = (pair + 1) * cells.windows;
  return startOfPair(cells, pair);
}

function setPair(cells: Cells, first: number, second: number, pair: number): void {
  const start = startOfPair(cells, pair);
  const entry = start >= 0 ? start + 1 : start;
  if (cells.pairTable) cells.pairTable[first * cells.stride + second] = entry;
  else cells.pairKeys.set(first * MEMBER_LIMIT + second, entry);
}

function looseCell(cells: Cells, key: number): number {
  const blocked = cells.blocks * cells.windows;
  const known = cells.loose.get(key);
  if (known !== undefined) return blocked + known;
  if (cells.loose.size >= cells.most) throw new TooManyCells();
  cells.loose.set(key, cells.looseKeys.push(key) - 1);
  cells.size = blocked + cells.loose.size;
  return cells.size - 1;
}

/** The cell with the total of all windows, for the same members as `cell`. */
export function totalCell(cells: Cells, cell: number): number {
  const { windows } = cells;
  const key = cellKey(cells, cell);
  const total = key - (key % windows) + windows - 1;
  return cell < cells.blocks * windows ? total : looseCell(cells, total);
}

/** The key of a cell: pair × windows + window. */
export function cellKey(cells: Cells, cell: number): number {
  const blocked = cells.blocks * cells.windows;
  return cell < blocked ? cell : cells.looseKeys[cell - blocked]!;
}
