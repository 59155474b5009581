import { type Cells, cellFrom, placeOf } from './cells.ts';
import { openIntervals } from './derived.ts';
import type { Tally } from './tally.ts';
import { locateRows, type View } from './view.ts';

/**
 * Adds the cases that are open at the end of each window: those whose interval holds its instant. An interval adds 1 in its
 * first window and takes it back in the first window past it, and `addUpBacklog` adds up in the end: so an interval of a
 * thousand windows costs no more than one of a day. Cells that stand alone, outside of blocks, are counted one by one.
 */
export function gatherOpen(view: View, tally: Tally): void {
  const { sight, segment, selected } = view;
  const { instants, cells } = sight;
  const intervals = segment.kept(openIntervals);
  const { start } = segment.head;
  const rows = new Int32Array(intervals.rows.length);
  const first = new Int32Array(rows.length);
  const past = new Int32Array(rows.length);
  let count = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const row = intervals.rows[at]!;
    if (selected.rows[row] === 0) continue;
    // An event at the instant itself belongs to what comes after.
    rows[count] = row;
    first[count] = firstPast(instants, intervals.from[at]! + start);
    past[count] = firstPast(instants, intervals.to[at]! + start);
    if (first[count]! < past[count]!) count += 1;
  }
  const hits = locateRows(view, rows.subarray(0, count), first.subarray(0, count));
  const sums = tally.sums('openCases')!;
  const blocked = cells.blocks * cells.windows;
  for (let k = 0; k < hits.count; k += 1) {
    const [cell, at] = [hits.cells[k]!, hits.items[k]!];
    if (cell >= blocked) addOneByOne(view, cell, past[at]!, tally);
    else {
      sums[cell]! += 1;
      if (past[at]! < instants.length) sums[cell + past[at]! - first[at]!]! -= 1;
    }
  }
}

/** Adds 1 in each window from that of a cell without a block up to the one before `past`. */
function addOneByOne({ sight: { cells, room } }: View, cell: number, past: number, tally: Tally): void {
  const place = placeOf(cells, cell);
  const pair = Math.floor(place / cells.windows);
  for (let window = place - pair * cells.windows; window < past; window += 1) {
    const each = cellFrom(cells, -1 - pair, window);
    room(cells.size);
    tally.sums('openCases')![each]! += 1;
  }
}

/** The backlog by cell in the windows that have `begun`, from what `gatherOpen` added and took back in blocks of cells. */
export function addUpBacklog(cells: Cells, begun: number, changes: Float64Array): Float64Array {
  const { windows, blocks, pairMembers } = cells;
  const backlog = changes.slice(0, cells.size);
  const pairs = Math.min(blocks, pairMembers.length / 2);
  for (let pair = 0; pair < pairs; pair += 1) {
    const start = pair * windows;
    for (let cell = start + 1; cell < start + begun; cell += 1) backlog[cell]! += backlog[cell - 1]!;
  }
  return backlog;
}

/** The first of rising instants that lies after a second. */
function firstPast(instants: Float64Array, second: number): number {
  let low = 0;
  let high = instants.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (instants[middle]! <= second) low = middle + 1;
    else high = middle;
  }
  return low;
}
