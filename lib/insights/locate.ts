import type { Column } from '../history/byte-planes.ts';
import type { Cells } from './cells.ts';
import { cellOf } from './cells.ts';
import type { Hits } from './hits.ts';
import { makeRoom } from './hits.ts';
import type { WindowLookup } from './lookup.ts';
import { windowOf } from './lookup.ts';
import type { Range } from './windows.ts';

/** The facts of one kind in a segment: those of row r lie at starts[r] … ends[r] − 1, rising in time. */
export interface Facts {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly base: number; // s since 1970 that `seconds` count from
  readonly seconds: Column;
  readonly lengths?: Column; // s, of intervals
}

/** Where the members of a dimension lie in a segment, as indices that `numbers` turns into numbers of cells' members. */
export interface Axis {
  readonly level: 'none' | 'fact' | 'case' | 'list'; // none: not asked for
  readonly column: Column; // an index a fact, a case or a list entry
  readonly offsets: Uint32Array; // of lists: those of row r lie at offsets[r] … offsets[r + 1] − 1
  readonly numbers: Int32Array; // index → number; −1: no member, or one that the report leaves out
}

export interface Target {
  readonly range: Range;
  readonly lookup: WindowLookup;
  readonly cells: Cells;
  readonly axes: readonly [Axis, Axis];
  readonly noted: 0 | 1; // the axis whose list entries the hits note
  readonly selected: Uint8Array; // by row: 1 where the case counts
}

/** Finds the cell of every fact that counts, in the order of rows; a fact counts in each of its members' cells. */
export function locate(facts: Facts, { range, lookup, cells, axes, noted, selected }: Target, hits: Hits): void {
  hits.count = 0;
  const { starts, ends, base, seconds, lengths } = facts;
  const [one, two] = axes;
  const byFact1 = one.level === 'fact';
  const byFact2 = two.level === 'fact';
  const min = range.min - base;
  const max = range.max - base;
  const single = cells.windows === 1;
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
        const entry = noted === 0 ? a : b;
        makeRoom(hits, to - from);
        for (let fact = from; fact < to; fact += 1) {
          const second = seconds[fact]!;
          if (second >= max) break;
          if (lengths === undefined && second < min) continue;
          const first = byFact1 ? one.numbers[one.column[fact]!]! : caseFirst;
          const next = byFact2 ? two.numbers[two.column[fact]!]! : caseSecond;
          if (first < 0 || next < 0) continue;
          if (lengths === undefined) {
            const cell = cellOf(cells, first, next, single ? 0 : windowOf(lookup, second + base));
            const at = hits.count;
            hits.cells[at] = cell;
            hits.rows[at] = row;
            hits.facts[at] = fact;
            hits.entries[at] = entry;
            hits.count = at + 1;
          } else {
            const clipped = { min: Math.max(second, min) + base, max: Math.min(second + lengths[fact]!, max) + base };
            spread(clipped, lookup, (window, length) => {
              makeRoom(hits, to - fact);
              const at = hits.count;
              hits.cells[at] = cellOf(cells, first, next, window);
              hits.rows[at] = row;
              hits.seconds[at] = length;
              hits.count = at + 1;
            });
          }
        }
      }
    }
  }
}

/** Splits a range of seconds over the windows that it touches. */
export function spread(range: Range, lookup: WindowLookup, visit: (window: number, seconds: number) => void): void {
  if (range.min >= range.max) return;
  let start = range.min;
  for (let window = windowOf(lookup, start); start < range.max; window += 1) {
    const end = Math.min(range.max, lookup.ends[window]!);
    visit(window, end - start);
    start = end;
  }
}

/** What a case-level axis gives the row's facts: its entries; other axes have one entry that says nothing. */
const entriesStart = ({ level, offsets }: Axis, row: number): number =>
  level === 'list' ? offsets[row]! : level === 'case' ? row : 0;

const entriesEnd = ({ level, offsets }: Axis, row: number): number =>
  level === 'list' ? offsets[row + 1]! : level === 'case' ? row + 1 : 1;

const memberAt = ({ level, column, numbers }: Axis, entry: number): number =>
  level === 'list' || level === 'case' ? numbers[column[entry]!]! : 0;
