import type { Column } from '../../history/columns/byte-planes.ts';
import type { FactTable, Segment } from '../../history/segments/segment.ts';
import { rowNumbers } from './constant.ts';
import { clearHits, type Hits } from './hits.ts';
import { isNarrow, type WindowLookup } from './lookup.ts';
import type { Selected } from './select.ts';

/**
 * The whole cases of a segment: all facts of such a case lie in one window and have the case's members, so they share
 * its cells. So window and cells are found once for each case instead of once for each fact. This takes a third of the
 * time if most cases are whole, as they are with windows of a month.
 */
export interface Whole {
  readonly hits: Hits; // items are rows
  readonly others: Selected; // the selected rows whose facts are located one by one
}

/** The number of cases in the segments of a scan so far. */
export interface WholeTally {
  cases: number; // all
  others: number; // those that were not whole
}

/** The start of each case of a segment, and the last second that its facts of the kinds in the report reach. */
export interface CaseTimes {
  readonly starts: Column; // by row, s since `start`
  readonly ends: Column;
  readonly start: number; // s since 1970
}

const ENOUGH = 1000; // cases after which it is known whether most are whole
const MANY = 2; // facts per case from which whole cases save time

/** Whether most cases so far were whole. Otherwise splitting cases costs more time than it saves. */
export const mostAreWhole = ({ cases, others }: WholeTally): boolean => 2 * others <= cases + ENOUGH;

/** Whether the tables have enough facts, and times that fit 32 bits. */
export function canBeWhole({ head }: Segment, tables: readonly FactTable[], lookup: WindowLookup): boolean {
  const facts = tables.reduce((sum, { count }) => sum + count, 0);
  return facts >= MANY * head.rows && isNarrow(lookup, head);
}

/**
 * Lists the whole cases as the items of `hits`, with their windows in `hits.cells`; returns the other selected rows.
 */
export function splitWholeCases(
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

/** Makes a hit for one fact of each row, in the cells of the row; `facts` has the fact by row, below 0 for none. */
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

/** By row, its last fact; below 0 if it has none. */
export function lastFacts(facts: FactTable): Int32Array {
  const offsets = facts.offsets();
  const last = new Int32Array(offsets.length - 1);
  for (let row = 0; row < last.length; row += 1) {
    const past = offsets[row + 1]!;
    last[row] = past === offsets[row] ? -1 : past - 1;
  }
  return last;
}

/** Adds the number of facts of each row to the sum of its cell. */
export function countWhole({ items, cells, count }: Hits, facts: FactTable, sums: Float64Array): void {
  const offsets = facts.offsets();
  for (let k = 0; k < count; k += 1) {
    const row = items[k]!;
    sums[cells[k]!]! += offsets[row + 1]! - offsets[row]!;
  }
}

/** Adds 1 for each row with facts in either table to the sum of its cell. */
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
