import { type Cells, cellFrom } from './cells.ts';
import { NO_COMBO } from './combos.ts';
import { openIntervals } from './derived.ts';
import type { Tally } from './tally.ts';
import { combosOf, type ScanContext, type View } from './view.ts';

/**
 * Adds the cases that are open at the end of each window: those whose interval holds its instant. An interval adds 1 in its
 * first window and takes it back in the first window past it, and `addUpBacklog` adds up in the end: so an interval of a
 * thousand windows costs no more than one of a day. Cells that stand alone, outside of blocks, are counted one by one.
 */
export function gatherOpen(view: View, tally: Tally): void {
  const { context, segment, selected } = view;
  const { instants, reached } = context;
  const { rows, from, to } = segment.kept(openIntervals);
  const { offsets, starts } = combosOf(view);
  const { start } = segment.head;
  const sums = tally.sums('openCases')!;
  const apart: Apart[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!;
    if (selected.rows[row] === 0) continue;
    // An event at the instant itself belongs to what comes after.
    const first = reached(from[at]! + start);
    const past = to[at]! < 0 ? instants.length : reached(to[at]! + start);
    if (first >= past) continue;
    for (let combo = offsets[row]!; combo < offsets[row + 1]!; combo += 1) {
      const block = starts[combo]!;
      if (block >= 0) {
        sums[block + first]! += 1;
        if (past < instants.length) sums[block + past]! -= 1;
      } else if (block !== NO_COMBO) apart.push({ start: block, first, past });
    }
  }
  for (const each of apart) addOneByOne(context, each, tally);
}

/** Windows of members without a block of cells. */
interface Apart {
  readonly start: number; // the result of `startOf` for them
  readonly first: number;
  readonly past: number;
}

/** Adds 1 in each window from the first to the one before `past`; of all windows together the last that has begun counts. */
function addOneByOne({ cells, instants, begun }: ScanContext, { start, first, past }: Apart, tally: Tally): void {
  const add = (window: number): void => {
    const cell = cellFrom(cells, start, window);
    tally.room(cells.size);
    tally.sums('openCases')![cell]! += 1;
  };
  for (let window = first; window < past; window += 1) add(window);
  if (cells.total && begun && past >= instants.length) add(cells.windows - 1);
}

type BegunWindows = Pick<ScanContext, 'instants' | 'begun'>;

/** The backlog by cell in the windows that have `begun`, from what `gatherOpen` added and took back in blocks of cells. */
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
