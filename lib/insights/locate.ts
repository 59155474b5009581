import type { Axis, Indices } from './axis.ts';
import type { Cells } from './cells.ts';
import { cellOf } from './cells.ts';
import type { Combos } from './combos.ts';
import type { Hits } from './hits.ts';
import { makeRoom } from './hits.ts';

/** Facts of one kind in a segment, in the order of rows. */
export interface Facts {
  readonly rows: Indices; // by fact
  readonly windows: Int32Array; // by fact; −1: outside the report's range; may be longer
}

/** What facts are located in. */
export interface Target {
  readonly cells: Cells;
  readonly axes: readonly [Axis, Axis];
  readonly noted: 0 | 1; // the axis whose entries the hits note
  readonly selected: Uint8Array; // by row: 1 where the case counts
  readonly combos: () => Combos; // of axes whose members cases have; asked for only with such axes
}

/**
 * Finds the cell of every fact that counts, in the order of rows; a fact counts in each of its members' cells. These are the
 * inner loops of every report: they run over facts alone, read arrays alone and make nothing.
 */
export function locate(facts: Facts, target: Target, hits: Hits): void {
  const [one, two] = target.axes;
  hits.count = 0;
  makeRoom(hits, facts.rows.length);
  if (one.level !== 'fact' && two.level !== 'fact') {
    const combos = target.combos();
    if (combos.single) locateByCase(facts, combos, target.cells, hits);
    else locateLists(facts, combos, target.cells, hits);
  } else if (one.level !== 'list' && two.level !== 'list') {
    locateByFact(facts, target, hits);
  } else {
    locateMixed(facts, target, hits);
  }
}

function locateByCase({ rows, windows }: Facts, combos: Combos, cells: Cells, hits: Hits): void {
  const { offsets, blocks } = combos;
  const { cells: hitCells, rows: hitRows, facts: hitFacts } = hits;
  let at = 0;
  for (let fact = 0; fact < rows.length; fact += 1) {
    const window = windows[fact]!;
    const row = rows[fact]!;
    const combo = offsets[row]!;
    if (window < 0 || combo === offsets[row + 1]) continue;
    const block = blocks[combo]!;
    hitCells[at] = block >= 0 ? block + window : cellOf(cells, combos.firsts[combo]!, combos.seconds[combo]!, window);
    hitRows[at] = row;
    hitFacts[at] = fact;
    at += 1;
  }
  hits.count = at;
}

function locateLists({ rows, windows }: Facts, combos: Combos, cells: Cells, hits: Hits): void {
  const { offsets, blocks, entries } = combos;
  let { cells: hitCells, rows: hitRows, facts: hitFacts, entries: hitEntries } = hits;
  let at = 0;
  for (let fact = 0; fact < rows.length; fact += 1) {
    const window = windows[fact]!;
    if (window < 0) continue;
    const row = rows[fact]!;
    const end = offsets[row + 1]!;
    let combo = offsets[row]!;
    if (at + end - combo > hitCells.length) {
      hits.count = at;
      makeRoom(hits, end - combo);
      ({ cells: hitCells, rows: hitRows, facts: hitFacts, entries: hitEntries } = hits);
    }
    for (; combo < end; combo += 1) {
      const block = blocks[combo]!;
      hitCells[at] = block >= 0 ? block + window : cellOf(cells, combos.firsts[combo]!, combos.seconds[combo]!, window);
      hitRows[at] = row;
      hitFacts[at] = fact;
      hitEntries[at] = entries[combo]!;
      at += 1;
    }
  }
  hits.count = at;
}

/** Where a fact has one member of each dimension, of its own or of its case. */
function locateByFact({ rows, windows }: Facts, { cells, axes, selected }: Target, hits: Hits): void {
  const [one, two] = axes;
  const { numbers: numbers1 } = one;
  const { numbers: numbers2 } = two;
  const indices1 = one.level === 'fact' ? one.indices : rows;
  const indices2 = two.level === 'fact' ? two.indices : rows;
  const { cells: hitCells, rows: hitRows, facts: hitFacts } = hits;
  let at = 0;
  for (let fact = 0; fact < rows.length; fact += 1) {
    const window = windows[fact]!;
    const row = rows[fact]!;
    if (window < 0 || selected[row] === 0) continue;
    const first = numbers1[indices1[fact]!]!;
    const second = numbers2[indices2[fact]!]!;
    if (first < 0 || second < 0) continue;
    hitCells[at] = cellOf(cells, first, second, window);
    hitRows[at] = row;
    hitFacts[at] = fact;
    at += 1;
  }
  hits.count = at;
}

/** Where facts have members of one dimension and lists of cases those of the other: a list of one entry beside a list. */
function locateMixed({ rows, windows }: Facts, { cells, axes, noted, selected }: Target, hits: Hits): void {
  const [one, two] = axes;
  for (let fact = 0; fact < rows.length; fact += 1) {
    const window = windows[fact]!;
    const row = rows[fact]!;
    if (window < 0 || selected[row] === 0) continue;
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
        hits.rows[at] = row;
        hits.facts[at] = fact;
        hits.entries[at] = noted === 0 ? a : b;
        at += 1;
      }
    }
    hits.count = at;
  }
}

/** Where an axis' entries for a fact begin among its numbers. */
function entryOf({ level, offsets, indices }: Axis, row: number, fact: number): number {
  if (level === 'list') return offsets[row]!;
  return level === 'fact' ? indices[fact]! : row;
}
