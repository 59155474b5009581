import type { Column } from '../../history/segments/byte-planes.ts';
import { copyInto } from './arrays.ts';

/**
 * The cells in which items count: facts, cases, or pieces of intervals. The rows of hits rise. So to count each case
 * once in a cell it is enough to remember the last case counted there.
 */
export interface Hits {
  count: number;
  cells: Int32Array; // by hit; the window until the cell is found
  items: Int32Array; // by hit
  entries: Int32Array; // by hit: the entry in the lists of the noted axis that has the cell's member, if one is noted
  rows: Column; // by item, not by hit
  readonly rest: { items: Int32Array; windows: Int32Array }; // room for items that are put aside
}

/** Creates empty hits, to be reused for one segment after the other. */
export function createHits(): Hits {
  return {
    count: 0,
    cells: new Int32Array(0),
    items: new Int32Array(0),
    entries: new Int32Array(0),
    rows: new Uint16Array(0),
    rest: { items: new Int32Array(0), windows: new Int32Array(0) },
  };
}

/** Removes all hits and makes room for a number of items. */
export function clearHits(hits: Hits, items: number): void {
  hits.count = 0;
  makeRoom(hits, items + 1); // loops write one item past the last one that they keep
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

/** Moves the items and their windows aside and removes all hits, because there may be more hits than items. */
export function putAside(hits: Hits): { items: Int32Array; windows: Int32Array; count: number } {
  const { items, cells, rest, count } = hits;
  if (rest.items.length < count) {
    rest.items = new Int32Array(items.length);
    rest.windows = new Int32Array(items.length);
  }
  rest.items.set(items.subarray(0, count));
  rest.windows.set(cells.subarray(0, count));
  hits.count = 0;
  return { ...rest, count };
}
