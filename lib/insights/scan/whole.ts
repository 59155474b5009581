import type { Column } from '../../history/columns/byte-planes.ts';
import type { FactTable, Segment } from '../../history/segments/segment.ts';
import { rowNumbers } from './constant.ts';
import { clearHits, type Hits } from './hits.ts';
import { isNarrow, type WindowLookup } from './lookup.ts';
import type { Selected } from './select.ts';

/**
 * Cases whose facts lie in one window: where all these have the case's members, they share its cells. So window and cells
 * are found once a case instead of once a fact, which takes a third of the time where months hold most cases whole.
 */
export interface Whole {
  readonly hits: Hits; // items are rows
  readonly others: Selected; // the selected rows that have to be gone through fact by fact
}

/** How many cases were whole in the segments of a scan so far. */
export interface WholeTally {
  cases: number;
  others: number;
}

/** When the cases of a segment began, and the last second that those of their facts touch which a report has. */
export interface CaseTimes {
  readonly starts: Column; // by row, s since `start`
  readonly ends: Column;
  readonly start: number; // s since 1970
}

const ENOUGH = 1000; // cases that tell whether most are whole
const MANY = 2; // facts a case from which it is worth while

/** Whether most cases so far were whole; where few are, their facts are gone through anyway. */
export const mostAreWhole = ({ cases, others }: WholeTally): boolean => 2 * others <= cases + ENOUGH;

/** Whether there are facts enough in these tables, and times that 32 bits hold. */
export function canBeWhole({ head }: Segment, tables: readonly FactTable[], lookup: WindowLookup): boolean {
  const facts = tables.reduce((sum, { count }) => sum + count, 0);
  return facts >= MANY * head.rows && isNarrow(lookup, head);
}

/** Makes the rows that lie whole in a window the items of `hits`, their windows where cells will be; returns the others. */
export function tellWhole(
  { starts, ends, start }: CaseTimes,
  { rows, all, list }: Selected,
  { table, bits, narrowEnds, range }: WindowLookup,
  hits: Hits,
): Selected {
  const count = all ? rows.length : list.length;
  clearHits(hits, count);
  hits.rows = rowNumbers(rows.length);
  const { items, cells } = hits;
  const marks = new Uint8Array(rows.length);
  const others = new Int32Array(count + 1);
  const shift = (start - range.min) | 0;
  const width = (range.max - range.min) | 0;
  let found = 0;
  let left = 0;
  for (let k = 0; k < count; k += 1) {
    const row = all ? k : list[k]!;
    const first = (starts[row]! + shift) | 0;
    const last = (ends[row]! + shift) | 0;
    if (first >= width || last < 0) continue;
    if (first < 0 || last >= width) {
      others[left] = row;
      left += 1;
      marks[row] = 1;
      continue;
    }
    let window = table[first >> bits]!;
    window += first >= narrowEnds[window]! ? 1 : 0;
    const apart = last >= narrowEnds[window]! ? 1 : 0;
    items[found] = row;
    cells[found] = window;
    found += 1 - apart;
    others[left] = row;
    left += apart;
    marks[row] = apart;
  }
  hits.count = found;
  return { rows: marks, all: left === rows.length, list: others.subarray(0, left) };
}

/** Makes hits of a fact of each row, `facts` by row and below 0 where it has none, in the cells of the rows. */
export function takeFacts({ items: rows, cells, entries, count }: Hits, facts: Int32Array, hits: Hits): void {
  const { items, cells: hitCells, entries: hitEntries } = hits;
  let at = 0;
  for (let k = 0; k < count; k += 1) {
    const fact = facts[rows[k]!]!;
    items[at] = fact;
    hitCells[at] = cells[k]!;
    hitEntries[at] = entries[k]!;
    at += 1 + (fact >> 31);
  }
  hits.count = at;
}

/** By row its last fact; below 0 where it has none. */
export function lastFacts(facts: FactTable): Int32Array {
  const offsets = facts.offsets();
  const last = new Int32Array(offsets.length - 1);
  for (let row = 0; row < last.length; row += 1) {
    const past = offsets[row + 1]!;
    last[row] = past === offsets[row] ? -1 : past - 1;
  }
  return last;
}

/** Adds the facts of the rows to sums by cell. */
export function countWhole({ items, cells, count }: Hits, facts: FactTable, sums: Float64Array): void {
  const offsets = facts.offsets();
  for (let k = 0; k < count; k += 1) {
    const row = items[k]!;
    sums[cells[k]!]! += offsets[row + 1]! - offsets[row]!;
  }
}

/** Adds 1 for each row with facts in one or the other table to sums by cell. */
export function countWithEither(
  { items, cells, count }: Hits,
  one: FactTable,
  two: FactTable,
  sums: Float64Array,
): void {
  const offsets1 = one.offsets();
  const offsets2 = two.offsets();
  for (let k = 0; k < count; k += 1) {
    const row = items[k]!;
    const without = offsets1[row] === offsets1[row + 1] && offsets2[row] === offsets2[row + 1];
    sums[cells[k]!]! += without ? 0 : 1;
  }
}
