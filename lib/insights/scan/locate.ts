import type { Axis } from './axis.ts';
import type { Cells } from './cells.ts';
import { cellFrom, cellOf, pairStart } from './cells.ts';
import { type Combos, NO_COMBO } from './combos.ts';
import type { Hits } from './hits.ts';
import { addHit, makeRoom, putAside } from './hits.ts';
import { type Times, type WindowLookup, windowOf } from './lookup.ts';

/**
 * Finds the windows of the items of `hits`, which are facts, or of all facts if none are `listed`. Leaves out facts
 * outside the range. The windows are stored in `hits.cells`.
 */
export function findWindows(lookup: WindowLookup, { seconds, start }: Times, listed: boolean, hits: Hits): void {
  const { min, max } = lookup.range;
  const { items, cells } = hits;
  const count = listed ? hits.count : seconds.length;
  let at = 0;
  for (let k = 0; k < count; k += 1) {
    const fact = listed ? items[k]! : k;
    const second = seconds[fact]! + start;
    if (second < min || second >= max) continue;
    items[at] = fact;
    cells[at] = windowOf(lookup, second);
    at += 1;
  }
  hits.count = at;
}

/** The cells and axes that items are located by. */
export interface LocateTarget {
  readonly cells: Cells;
  readonly axes: readonly [Axis, Axis];
  readonly noted: 0 | 1 | null; // the axis whose list entries the hits store
  readonly combos: Combos | undefined; // if the members of both axes are of cases
}

/**
 * Replaces the windows of the items of `hits` by cells; an item gets a hit for each pair of its members. `facts` has
 * the fact of each item; without it the items are the facts.
 */
export function locate(target: LocateTarget, facts: Int32Array | undefined, hits: Hits): void {
  const { axes, combos, cells } = target;
  if (axes[0].silent === true && axes[1].silent === true && pairStart(cells, 0, 0) === 0) return; // a cell is a window
  if (combos?.single === true) locateByRow(combos, cells, hits);
  else if (combos !== undefined) locateByCase(combos, cells, hits);
  else if (axes[0].level !== 'list' && axes[1].level !== 'list') locateByFact(target, facts, hits);
  else locateMixed(target, facts, hits);
}

/** Locates items of cases that have one pair of members each. It writes every item but keeps only those that count. */
function locateByRow({ starts }: Combos, cells: Cells, hits: Hits): void {
  const { cells: hitCells, items, rows, count } = hits;
  let at = 0;
  for (let k = 0; k < count; k += 1) {
    const item = items[k]!;
    const start = starts[rows[item]!]!;
    const window = hitCells[k]!;
    items[at] = item;
    hitCells[at] = start >= 0 ? start + window : start === NO_COMBO ? 0 : cellFrom(cells, start, window);
    at += start === NO_COMBO ? 0 : 1;
  }
  hits.count = at;
}

/** Locates items of cases that have any number of pairs of members. */
function locateByCase({ offsets, starts, entries }: Combos, cells: Cells, hits: Hits): void {
  const { items, windows, count } = putAside(hits);
  const { rows } = hits;
  const isNoted = entries.length > 0;
  let { cells: hitCells, items: hitItems, entries: hitEntries } = hits;
  let at = 0;
  for (let k = 0; k < count; k += 1) {
    const item = items[k]!;
    const window = windows[k]!;
    const row = rows[item]!;
    const first = offsets[row]!;
    const end = offsets[row + 1]!;
    if (at + end - first > hitCells.length) {
      hits.count = at;
      makeRoom(hits, end - first);
      ({ cells: hitCells, items: hitItems, entries: hitEntries } = hits);
    }
    for (let combo = first; combo < end; combo += 1) {
      const start = starts[combo]!;
      if (start === NO_COMBO) continue;
      hitCells[at] = start >= 0 ? start + window : cellFrom(cells, start, window);
      hitItems[at] = item;
      if (isNoted) hitEntries[at] = entries[combo]!;
      at += 1;
    }
  }
  hits.count = at;
}

/** Locates items that have one member of each dimension, of the fact or of the case. */
function locateByFact({ cells, axes }: LocateTarget, facts: Int32Array | undefined, hits: Hits): void {
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
function locateMixed({ cells, axes, noted }: LocateTarget, facts: Int32Array | undefined, hits: Hits): void {
  const [one, two] = axes;
  const { items, windows, count } = putAside(hits);
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
