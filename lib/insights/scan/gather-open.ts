import { type Cells, cellFrom } from './cells.ts';
import { NO_COMBO } from './combos.ts';
import { openIntervals } from './derived.ts';
import type { Tally } from './tally.ts';
import { combosOf, type ScanContext, type View } from './view.ts';

/**
 * Adds the cases that are open at the end of each window: those with an open interval that contains the window's
 * instant. In a block of cells an interval only adds 1 in its first window and subtracts 1 in the first window after
 * it; `addUpBacklog` makes the sums in the end. So an interval of a thousand windows costs no more than one of a single
 * window. Cells outside of blocks are counted one by one.
 */
export function gatherOpen(view: View, tally: Tally): void {
  const { context, segment, selected } = view;
  const { instants, reached } = context;
  const { rows, from, to } = segment.kept(openIntervals);
  const { offsets, starts } = combosOf(view);
  const { start } = segment.head;
  const sums = tally.sums('openCases')!;
  const loose: LooseInterval[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!;
    if (selected.rows[row] === 0) continue;
    // An event at the very instant of a window belongs to the next window.
    const first = reached(from[at]! + start);
    const past = to[at]! < 0 ? instants.length : reached(to[at]! + start);
    if (first >= past) continue;
    for (let combo = offsets[row]!; combo < offsets[row + 1]!; combo += 1) {
      const block = starts[combo]!;
      if (block >= 0) {
        sums[block + first]! += 1;
        if (past < instants.length) sums[block + past]! -= 1;
      } else if (block !== NO_COMBO) loose.push({ start: block, first, past });
    }
  }
  for (const interval of loose) addOneByOne(context, interval, tally);
}

/** The windows of an open interval, for a pair of members without a block of cells. */
interface LooseInterval {
  readonly start: number; // the result of `pairStart` for the pair
  readonly first: number; // window
  readonly past: number; // window, exclusive
}

/** Adds 1 in each window of an interval. The total of all windows is the backlog of the last window that has begun. */
function addOneByOne(context: ScanContext, { start, first, past }: LooseInterval, tally: Tally): void {
  const { cells, instants, begun } = context;
  const add = (window: number): void => {
    const cell = cellFrom(cells, start, window);
    tally.room(cells.size);
    tally.sums('openCases')![cell]! += 1;
  };
  for (let window = first; window < past; window += 1) add(window);
  if (cells.total && begun && past >= instants.length) add(cells.windows - 1);
}

type BegunWindows = Pick<ScanContext, 'instants' | 'begun'>;

/** Returns the backlog by cell: in blocks it is the running sum of the changes that `gatherOpen` added. */
export function addUpBacklog(cells: Cells, { instants, begun }: BegunWindows, changes: Float64Array): Float64Array {
  const { windows, blocks, pairMembers } = cells;
  const backlog = changes.slice(0, cells.size);
  const last = instants.length - 1;
  const pairs = Math.min(blocks, pairMembers.length / 2);
  for (let pair = 0; pair < pairs; pair += 1) {
    const start = pair * windows;
    for (let cell = start + 1; cell <= start + last; cell += 1) backlog[cell]! += backlog[cell - 1]!;
    if (cells.total && begun) backlog[start + windows - 1] = backlog[start + last]!;
  }
  return backlog;
}
