import type { Axis } from './axis.ts';
import type { Cells } from './cells.ts';
import { cellFrom, cellOf } from './cells.ts';
import type { Combos } from './combos.ts';
import type { Hits, Items } from './hits.ts';
import { clearHits, makeRoom } from './hits.ts';

/** What items are located in. */
export interface Target {
  readonly cells: Cells;
  readonly axes: readonly [Axis, Axis];
  readonly noted: 0 | 1; // the axis whose entries the hits note
  readonly selected: Uint8Array; // by row: 1 where the case counts
  readonly combos: () => Combos; // of axes whose members cases have; asked for only with such axes
}

/**
 * Finds the cells of every item that counts, row by row; an item counts in each of its members' cells. These are the inner
 * loops of every report: they go from case to case, skip those that do not count, read arrays alone and make nothing.
 */
export function locate(items: Items, target: Target, hits: Hits): void {
  const { axes, selected } = target;
  const [one, two] = axes;
  clearHits(hits, selected.length, items.offsets[selected.length]!);
  if (one.level !== 'fact' && two.level !== 'fact') locateByCase(items, target.combos(), target.cells, hits);
  else if (one.level !== 'list' && two.level !== 'list') locateByFact(items, target, hits);
  else locateMixed(items, target, hits);
}

/** Counts the items in their cells where cases have all members and these own blocks; else does nothing and says no. */
export function countByCase({ offsets, windows }: Items, { axes, combos }: Target, sums: () => Float64Array): boolean {
  if (axes[0].level === 'fact' || axes[1].level === 'fact') return false;
  const { offsets: comboOffsets, starts, blocks, everywhere } = combos();
  if (!blocks) return false;
  const into = sums();
  const rows = comboOffsets.length - 1;
  if (everywhere) {
    countItems(windows, 0, offsets[rows]!, starts[0]!, into); // cases need not be told apart
    return true;
  }
  for (let row = 0; row < rows; row += 1) {
    const endCombo = comboOffsets[row + 1]!;
    const first = offsets[row]!;
    const end = offsets[row + 1]!;
    for (let combo = comboOffsets[row]!; combo < endCombo; combo += 1) {
      countItems(windows, first, end, starts[combo]!, into);
    }
  }
  return true;
}

/** Counts the items from `first` to before `end` in a block of cells. */
function countItems(windows: Int32Array, first: number, end: number, start: number, into: Float64Array): void {
  for (let item = first; item < end; item += 1) {
    const window = windows[item]!;
    if (window >= 0) into[start + window]! += 1;
  }
}

/** Hits of a row lie combo by combo. */
function locateByCase({ offsets, windows }: Items, combos: Combos, cells: Cells, hits: Hits): void {
  const { offsets: comboOffsets, starts, entries } = combos;
  const { offsets: hitOffsets } = hits;
  const rows = comboOffsets.length - 1;
  let { cells: hitCells, items: hitItems, entries: hitEntries } = hits;
  let at = 0;
  for (let row = 0; row < rows; row += 1) {
    hitOffsets[row] = at;
    const firstCombo = comboOffsets[row]!;
    const endCombo = comboOffsets[row + 1]!;
    const first = offsets[row]!;
    const end = offsets[row + 1]!;
    const most = (end - first) * (endCombo - firstCombo);
    if (at + most > hitCells.length) {
      hits.count = at;
      makeRoom(hits, most);
      ({ cells: hitCells, items: hitItems, entries: hitEntries } = hits);
    }
    for (let combo = firstCombo; combo < endCombo; combo += 1) {
      const start = starts[combo]!;
      const entry = entries[combo]!;
      for (let item = first; item < end; item += 1) {
        const window = windows[item]!;
        if (window < 0) continue;
        hitCells[at] = cellFrom(cells, start, window);
        hitItems[at] = item;
        hitEntries[at] = entry;
        at += 1;
      }
    }
  }
  hitOffsets[rows] = at;
  hits.count = at;
}

/** Where a fact has one member of each dimension, of its own or of its case. */
function locateByFact({ offsets, windows, facts }: Items, { cells, axes, selected }: Target, hits: Hits): void {
  const [one, two] = axes;
  const [ofFact1, ofFact2] = [one.level === 'fact', two.level === 'fact'];
  const { numbers: numbers1, indices: indices1 } = one;
  const { numbers: numbers2, indices: indices2 } = two;
  const { offsets: hitOffsets, cells: hitCells, items: hitItems } = hits;
  const rows = selected.length;
  let at = 0;
  for (let row = 0; row < rows; row += 1) {
    hitOffsets[row] = at;
    if (selected[row] === 0) continue;
    const end = offsets[row + 1]!;
    for (let item = offsets[row]!; item < end; item += 1) {
      const window = windows[item]!;
      if (window < 0) continue;
      const fact = facts === undefined ? item : facts[item]!;
      const first = numbers1[ofFact1 ? indices1[fact]! : row]!;
      const second = numbers2[ofFact2 ? indices2[fact]! : row]!;
      if (first < 0 || second < 0) continue;
      hitCells[at] = cellOf(cells, first, second, window);
      hitItems[at] = item;
      at += 1;
    }
  }
  hitOffsets[rows] = at;
  hits.count = at;
}

/** Where facts have members of one dimension and lists of cases those of the other: a list of one entry beside a list. */
function locateMixed({ offsets, windows, facts }: Items, { cells, axes, noted, selected }: Target, hits: Hits): void {
  const [one, two] = axes;
  for (let row = 0; row < selected.length; row += 1) {
    hits.offsets[row] = hits.count;
    if (selected[row] === 0) continue;
    for (let item = offsets[row]!; item < offsets[row + 1]!; item += 1) {
      const window = windows[item]!;
      if (window < 0) continue;
      const fact = facts === undefined ? item : facts[item]!;
      const startA = entryOf(one, row, fact);
      const startB = entryOf(two, row, fact);
      const endA = one.level === 'list' ? one.offsets[row + 1]! : startA + 1;
      const endB = two.level === 'list' ? two.offsets[row + 1]! : startB + 1;
      makeRoom(hits, (endA - startA) * (endB - startB));
      let at = hits.count;
      for (let a = startA; a < endA; a += 1) {
        const first = one.numbers[a]!;
        for (let b = startB; first >= 0 && b < endB; b += 1) {
          const second = two.numbers[b]!;
          if (second < 0) continue;
          hits.cells[at] = cellOf(cells, first, second, window);
          hits.items[at] = item;
          hits.entries[at] = noted === 0 ? a : b;
          at += 1;
        }
      }
      hits.count = at;
    }
  }
  hits.offsets[selected.length] = hits.count;
}

/** Where an axis' entries for a fact begin among its numbers. */
function entryOf({ level, offsets, indices }: Axis, row: number, fact: number): number {
  if (level === 'list') return offsets[row]!;
  return level === 'fact' ? indices[fact]! : row;
}
