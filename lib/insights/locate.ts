import type { Column } from '../history/byte-planes.ts';
import type { Cells } from './cells.ts';
import { cellOf } from './cells.ts';
import type { Hits } from './hits.ts';
import { makeRoom } from './hits.ts';

/** Facts of one kind in a segment: those of row r lie at starts[r] … ends[r] − 1. */
export interface Facts {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly windows: Int32Array; // by fact; −1: outside the report's range
}

/** Where the members of a dimension lie in a segment, as indices that `numbers` turns into numbers of cells' members. */
export interface Axis {
  readonly level: 'none' | 'fact' | 'case' | 'list'; // none: not asked for
  readonly column: Column; // an index a fact, a case or a list entry
  readonly offsets: Uint32Array; // of lists: those of row r lie at offsets[r] … offsets[r + 1] − 1
  readonly numbers: Int32Array; // index → number; −1: no member, or one that the report leaves out
}

/** What facts are located in. */
export interface Target {
  readonly cells: Cells;
  readonly axes: readonly [Axis, Axis];
  readonly noted: 0 | 1; // the axis whose list entries the hits note
  readonly selected: Uint8Array; // by row: 1 where the case counts
}

/** Finds the cell of every fact that counts, in the order of rows; a fact counts in each of its members' cells. */
export function locate(facts: Facts, { cells, axes, noted, selected }: Target, hits: Hits): void {
  const { starts, ends, windows } = facts;
  const [one, two] = axes;
  const numbers1 = one.level === 'fact' ? one.numbers : undefined;
  const numbers2 = two.level === 'fact' ? two.numbers : undefined;
  const { blocks, stride, windows: perPair } = cells;
  const table = cells.pairTable ?? NO_PAIRS;
  hits.count = 0;
  for (let row = 0; row < selected.length; row += 1) {
    const from = starts[row]!;
    const to = ends[row]!;
    if (from === to || selected[row] === 0) continue;
    const lastA = entriesEnd(one, row);
    const lastB = entriesEnd(two, row);
    for (let a = entriesStart(one, row); a < lastA; a += 1) {
      const caseFirst = memberAt(one, a);
      if (caseFirst < 0) continue;
      for (let b = entriesStart(two, row); b < lastB; b += 1) {
        const caseSecond = memberAt(two, b);
        if (caseSecond < 0) continue;
        makeRoom(hits, to - from);
        const { cells: outCells, rows: outRows, facts: outFacts, entries: outEntries } = hits;
        let at = hits.count;
        for (let fact = from; fact < to; fact += 1) {
          const window = windows[fact]!;
          const first = numbers1 === undefined ? caseFirst : numbers1[one.column[fact]!]!;
          const second = numbers2 === undefined ? caseSecond : numbers2[two.column[fact]!]!;
          if (window < 0 || first < 0 || second < 0) continue;
          // The usual way of `cellOf`, written out: this is the inner loop of every report.
          const pair = table[first * stride + second] ?? 0;
          const known = pair > 0 && pair <= blocks;
          outCells[at] = known ? (pair - 1) * perPair + window : cellOf(cells, first, second, window);
          outRows[at] = row;
          outFacts[at] = fact;
          outEntries[at] = noted === 0 ? a : b;
          at += 1;
        }
        hits.count = at;
      }
    }
  }
}

const NO_PAIRS = new Int32Array(0);

/** What a case-level axis gives the row's facts: its entries; other axes have one entry that says nothing. */
const entriesStart = ({ level, offsets }: Axis, row: number): number =>
  level === 'list' ? offsets[row]! : level === 'case' ? row : 0;

const entriesEnd = ({ level, offsets }: Axis, row: number): number =>
  level === 'list' ? offsets[row + 1]! : level === 'case' ? row + 1 : 1;

const memberAt = ({ level, column, numbers }: Axis, entry: number): number =>
  level === 'list' || level === 'case' ? numbers[column[entry]!]! : 0;
