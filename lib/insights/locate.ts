import type { Axis } from './axis.ts';
import type { Cells } from './cells.ts';
import { blockOf, cellOf } from './cells.ts';
import type { Hits } from './hits.ts';
import { makeRoom } from './hits.ts';

/** Facts of one kind in a segment: those of row r lie at starts[r] … ends[r] − 1. */
export interface Facts {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly windows: Int32Array; // by fact; −1: outside the report's range
}

/** What facts are located in. */
export interface Target {
  readonly cells: Cells;
  readonly axes: readonly [Axis, Axis];
  readonly noted: 0 | 1; // the axis whose entries the hits note
  readonly selected: Uint8Array; // by row: 1 where the case counts
}

/**
 * Finds the cell of every fact that counts, in the order of rows; a fact counts in each of its members' cells. This is the
 * inner loop of every report: what it reads stands in local arrays, and nothing is made in it.
 */
export function locate({ starts, ends, windows }: Facts, target: Target, hits: Hits): void {
  const { cells, axes, noted, selected } = target;
  const [one, two] = axes;
  const byFact = one.facts !== undefined || two.facts !== undefined;
  hits.count = 0;
  makeRoom(hits, windows.length);
  let { cells: hitCells, rows: hitRows, facts: hitFacts, entries: hitEntries } = hits;
  let at = 0;
  for (let row = 0; row < selected.length; row += 1) {
    const from = starts[row]!;
    const to = ends[row]!;
    if (from === to || selected[row] === 0) continue;
    const lastA = one.ends[row]!;
    const lastB = two.ends[row]!;
    for (let a = one.starts[row]!; a < lastA; a += 1) {
      const first = one.numbers[a]!;
      if (first < 0) continue;
      for (let b = two.starts[row]!; b < lastB; b += 1) {
        const second = two.numbers[b]!;
        if (second < 0) continue;
        if (at + to - from > hitCells.length) {
          hits.count = at;
          makeRoom(hits, to - from);
          ({ cells: hitCells, rows: hitRows, facts: hitFacts, entries: hitEntries } = hits);
        }
        const entry = noted === 0 ? a : b;
        const block = byFact ? -1 : blockOf(cells, first, second);
        for (let fact = from; fact < to; fact += 1) {
          const window = windows[fact]!;
          if (window < 0) continue;
          if (block >= 0) {
            hitCells[at] = block + window;
          } else {
            const ownFirst = one.facts === undefined ? first : one.factNumbers[one.facts[fact]!]!;
            const ownSecond = two.facts === undefined ? second : two.factNumbers[two.facts[fact]!]!;
            if (ownFirst < 0 || ownSecond < 0) continue;
            hitCells[at] = cellOf(cells, ownFirst, ownSecond, window);
          }
          hitRows[at] = row;
          hitFacts[at] = fact;
          hitEntries[at] = entry;
          at += 1;
        }
      }
    }
  }
  hits.count = at;
}
