import { openIntervals } from '../definitions/waits-and-open.ts';
import type { Plan } from '../plan.ts';
import { cellFrom } from './cells.ts';
import { NO_COMBO } from './combos.ts';
import { instantsReached } from './lookup.ts';
import type { Tally } from './tally.ts';
import { type BacklogInstants, combosOf, type ScanContext, type SegmentView } from './view.ts';

/** By window that has begun: the instant at which its backlog is counted, the first of its end, `max` and now. */
export function backlogInstants({
  windows: { starts },
  total = false,
  request,
  reference: { now },
}: Plan): BacklogInstants {
  const last = Math.min(request.time.max, now);
  const hasBegun = request.time.min <= now;
  const begun = starts.filter((start) => start <= now);
  const instants =
    starts.length === 0 && total && hasBegun
      ? Float64Array.of(last) // that of the total alone
      : Float64Array.from(begun, (_, window) => Math.min(starts[window + 1] ?? last, last));
  return {
    instants,
    begun: starts.length > 0 && instants.length > 0 && hasBegun,
    reached: instantsReached(instants),
  };
}

export const NO_INSTANTS: BacklogInstants = { instants: new Float64Array(0), begun: false, reached: () => 0 };

/**
 * Visits the open intervals of the selected cases that contain an instant: those of the windows from `first` to before
 * `past`. An event at the very instant of a window belongs to the next window.
 */
export function eachOpen(
  { segment, selected, context }: SegmentView,
  visit: (row: number, first: number, past: number) => void,
): void {
  const { instants, reached } = context.backlog;
  const { rows, from, to } = segment.kept(openIntervals);
  const { start } = segment.head;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!;
    if (selected.rows[row] === 0) continue;
    const first = reached(from[at]! + start);
    const past = to[at]! < 0 ? instants.length : reached(to[at]! + start);
    if (first < past) visit(row, first, past);
  }
}

/**
 * Adds the cases that are open at the end of each window. In a block of cells an interval only adds 1 in its first
 * window and subtracts 1 in the first window after it; `addUpBacklog` makes the sums in the end. So an interval of a
 * thousand windows costs no more than one of a single window. Cells outside of blocks are counted one by one.
 */
export function gatherOpen(view: SegmentView, tally: Tally): void {
  const { offsets, starts } = combosOf(view);
  const { instants } = view.context.backlog;
  const sums = tally.sums('openCases');
  const loose: LooseInterval[] = [];
  eachOpen(view, (row, first, past) => {
    for (let combo = offsets[row]!; combo < offsets[row + 1]!; combo += 1) {
      const start = starts[combo]!;
      if (start >= 0) {
        sums[start + first]! += 1;
        if (past < instants.length) sums[start + past]! -= 1;
      } else if (start !== NO_COMBO) loose.push({ start, first, past });
    }
  });
  for (const interval of loose) addOneByOne(view.context, interval, tally);
}

/** The windows of an open interval, for a pair of members without a block of cells. */
interface LooseInterval {
  readonly start: number; // the result of `pairStart` for the pair
  readonly first: number; // window
  readonly past: number; // window, exclusive
}

/** Adds 1 in each window of an interval. The total of all windows is the backlog of the last window that has begun. */
function addOneByOne({ cells, backlog }: ScanContext, { start, first, past }: LooseInterval, tally: Tally): void {
  const { instants, begun } = backlog;
  const add = (window: number): void => {
    const cell = cellFrom(cells, start, window);
    tally.sums('openCases')[cell]! += 1;
  };
  for (let window = first; window < past; window += 1) add(window);
  if (cells.total && begun && past >= instants.length) add(cells.windows - 1);
}

/** Returns the backlog by cell: in blocks it is the running sum of the changes that `gatherOpen` added. */
export function addUpBacklog({ cells, backlog: when }: ScanContext, changes: Float64Array): Float64Array {
  const { instants, begun } = when;
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
