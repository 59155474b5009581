import { countHits } from './count.ts';
import { openIntervals } from './derived.ts';
import type { Tally } from './tally.ts';
import { locateRows, type View } from './view.ts';

const BATCH = 2 ** 17; // hits located at once

/** Adds the cases that are open at the end of each window: those whose interval holds its instant. */
export function gatherOpen(view: View, tally: Tally): void {
  const { sight, segment, selected } = view;
  const { instants } = sight;
  const { rows, from, to } = segment.kept(openIntervals);
  const { start } = segment.head;
  const items = new Int32Array(BATCH);
  const windows = new Int32Array(BATCH);
  let count = 0;
  const flush = (): void => {
    const hits = locateRows(view, items, windows, count);
    countHits(hits, tally.sums('openCases'));
    count = 0;
  };
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!;
    if (selected.rows[row] === 0) continue;
    const last = to[at]! + start;
    // An event at the instant itself belongs to what comes after.
    for (let window = firstPast(instants, from[at]! + start); window < instants.length; window += 1) {
      if (instants[window]! > last) break;
      items[count] = row;
      windows[count] = window;
      count += 1;
      if (count === BATCH) flush();
    }
  }
  flush();
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
