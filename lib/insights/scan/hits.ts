import type { Column } from '../../history/columns/byte-planes.ts';
import { copyInto } from './grown.ts';

/**
 * The cells in which items count: facts, cases, or pieces of intervals. Between two hits of a case in a cell no other
 * case hits that cell. So to count each case once in a cell it is enough to remember the last case counted there.
 */
export interface Hits {
  count: number;
  cells: Int32Array; // by hit; the window until the cell is found
  items: Int32Array; // by hit
  entries: Int32Array; // by hit: the entry in the lists of the noted axis that has the cell's member, if one is noted
  rows: Column; // by item, not by hit
  readonly rounds: number[]; // the end of each round of hits; within a round rows never fall
  readonly rest: { items: Int32Array; windows: Int32Array }; // room for items that are put aside
}

/** Creates empty hits, to be reused for one kind of fact after the other. */
export function createHits(): Hits {
  return {
    count: 0,
    cells: new Int32Array(0),
    items: new Int32Array(0),
    entries: new Int32Array(0),
    rows: new Uint16Array(0),
    rounds: [],
    rest: { items: new Int32Array(0), windows: new Int32Array(0) },
  };
}

const PAST = 4; // items that loops may write after the last one that they keep

/** Removes all hits and makes room for a number of items. */
export function clearHits(hits: Hits, items: number): void {
  hits.count = 0;
  hits.rounds.length = 0;
  makeRoom(hits, items + PAST);
  const { rest, cells } = hits;
  if (rest.items.length > items) return;
  rest.items = new Int32Array(cells.length);
  rest.windows = new Int32Array(cells.length);
}

/** Makes room for `more` hits after the last one. */
export function makeRoom(hits: Hits, more: number): void {
  const needed = hits.count + more;
  if (needed <= hits.cells.length) return;
  const size = Math.max(1024, needed, 2 * hits.cells.length);
  hits.cells = copyInto(hits.cells, new Int32Array(size));
  hits.items = copyInto(hits.items, new Int32Array(size));
  hits.entries = copyInto(hits.entries, new Int32Array(size));
}

/** Adds a hit; the caller has made room for it. */
export function addHit(hits: Hits, cell: number, item: number, entry: number): void {
  const at = hits.count;
  hits.cells[at] = cell;
  hits.items[at] = item;
  hits.entries[at] = entry;
  hits.count = at + 1;
}
