import type { Axis } from './axis.ts';
import type { Cells } from './cells.ts';
import { cellFrom, cellOf, pairStart } from './cells.ts';
import { type Combos, NO_COMBO } from './combos.ts';
import type { Hits } from './hits.ts';
import { addHit, makeRoom } from './hits.ts';
import { locateInBlocks } from './locate-in-blocks.ts';

/** The cells and axes that items are located by. */
export interface Target {
  readonly cells: Cells;
  readonly axes: readonly [Axis, Axis];
  readonly noted: 0 | 1 | null; // the axis whose list entries the hits store
  readonly combos: Combos | undefined; // if the members of both axes are of cases
}

/**
 * Replaces the windows of the items of `hits` by cells; an item gets a hit for each pair of its members. `facts` has
 * the fact of each item; without it the items are the facts.
 */
export function locate(target: Target, facts: Int32Array | undefined, hits: Hits): void {
  const { axes, combos, cells } = target;
  if (combos?.blocks === true) {
    locateInBlocks(combos, hits);
    return;
  }
  if (combos !== undefined) locateByCase(combos, cells, hits);
  else if (axes[0].level !== 'list' && axes[1].level !== 'list') locateByFact(target, facts, hits);
  else locateMixed(target, facts, hits);
  hits.rounds.push(hits.count);
}

/** The same for items with the same pair of members. If the pair has no block of cells, it only returns false. */
export function locateAlike({ axes, cells }: Target, hits: Hits): boolean {
  const start = pairStart(cells, axes[0].wanted?.only ?? 0, axes[1].wanted?.only ?? 0);
  if (start < 0) return false;
  for (let k = 0; k < hits.count; k += 1) hits.cells[k]! += start;
  hits.rounds.push(hits.count);
  return true;
}

/** Locates items if the members of both axes are of cases. */
function locateByCase({ offsets, starts, entries }: Combos, cells: Cells, hits: Hits): void {
  const { items, windows, count } = takeItems(hits);
  for (let k = 0; k < count; k += 1) {
    const row = hits.rows[items[k]!]!;
    const end = offsets[row + 1]!;
    makeRoom(hits, end - offsets[row]!);
    for (let combo = offsets[row]!; combo < end; combo += 1) {
      const start = starts[combo]!;
      if (start !== NO_COMBO) addHit(hits, cellFrom(cells, start, windows[k]!), items[k]!, entries[combo] ?? 0);
    }
  }
}

/** Locates items that have one member of each dimension, of the fact or of the case. */
function locateByFact({ cells, axes }: Target, facts: Int32Array | undefined, hits: Hits): void {
  const [one, two] = axes;
  const [ofFact1, ofFact2] = [one.level === 'fact', two.level === 'fact'];
  const { numbers: numbers1, indices: indices1 } = one;
  const { numbers: numbers2, indices: indices2 } = two;
  const { cells: hitCells, items, rows, count } = hits;
  const { pairTable = NO_TABLE, stride } = cells;
  let at = 0;
  for (let k = 0; k < count; k += 1) {
    const item = items[k]!;
    const fact = facts === undefined ? item : facts[item]!;
    const first = numbers1[ofFact1 ? indices1[fact]! : rows[item]!]!;
    const second = numbers2[ofFact2 ? indices2[fact]! : rows[item]!]!;
    if ((first | second) < 0) continue;
    const index = first * stride + second;
    const entry = index < pairTable.length ? pairTable[index]! : 0;
    const window = hitCells[k]!;
    hitCells[at] = entry > 0 ? entry - 1 + window : cellOf(cells, first, second, window);
    items[at] = item;
    at += 1;
  }
  hits.count = at;
}

const NO_TABLE = new Int32Array(0);

/** Locates items with a member of the fact, which counts as a list of one, and a list of the case. */
function locateMixed({ cells, axes, noted }: Target, facts: Int32Array | undefined, hits: Hits): void {
  const [one, two] = axes;
  const { items, windows, count } = takeItems(hits);
  for (let k = 0; k < count; k += 1) {
    const item = items[k]!;
    const row = hits.rows[item]!;
    const fact = facts === undefined ? item : facts[item]!;
    const startA = entryOf(one, row, fact);
    const startB = entryOf(two, row, fact);
    const endA = one.level === 'list' ? one.offsets[row + 1]! : startA + 1;
    const endB = two.level === 'list' ? two.offsets[row + 1]! : startB + 1;
    makeRoom(hits, (endA - startA) * (endB - startB));
    for (let a = startA; a < endA; a += 1) {
      const first = one.numbers[a]!;
      for (let b = startB; first >= 0 && b < endB; b += 1) {
        const second = two.numbers[b]!;
        if (second >= 0) addHit(hits, cellOf(cells, first, second, windows[k]!), item, noted === 0 ? a : b);
      }
    }
  }
}

/** The index of a fact's first entry in the numbers of an axis. */
function entryOf({ level, offsets, indices }: Axis, row: number, fact: number): number {
  if (level === 'list') return offsets[row]!;
  return level === 'fact' ? indices[fact]! : row;
}

/** Moves the items of hits and their windows aside, because there may be more hits than items. */
function takeItems(hits: Hits): { items: Int32Array; windows: Int32Array; count: number } {
  const { items, cells, rest, count } = hits;
  rest.items.set(items.subarray(0, count));
  rest.windows.set(cells.subarray(0, count));
  hits.count = 0;
  return { ...rest, count };
}
