import type { Column } from '../history/byte-planes.ts';

/** What of a segment is to be found cells for: its facts of a kind, or pieces of them. */
export interface Items {
  readonly offsets: Column; // row r has the items offsets[r] … offsets[r + 1] − 1
  readonly windows: Int32Array; // by item; −1: outside the report's range; may be longer
  readonly facts: Int32Array | undefined; // by item its fact; undefined: item and fact are the same
}

/** Where items count: those of row r are the hits offsets[r] … offsets[r + 1] − 1, in the order of items. */
export interface Hits {
  count: number;
  offsets: Int32Array;
  cells: Int32Array;
  items: Int32Array;
  entries: Int32Array; // of the axis that is noted: the entry with the cell's member
}

/** Hits with no room yet; made once and used again for each kind of fact. */
export function createHits(): Hits {
  return {
    count: 0,
    offsets: new Int32Array(0),
    cells: new Int32Array(0),
    items: new Int32Array(0),
    entries: new Int32Array(0),
  };
}

/** Forgets the hits and makes room for those of some rows with some items. */
export function clearHits(hits: Hits, rows: number, items: number): void {
  hits.count = 0;
  if (hits.offsets.length <= rows) hits.offsets = new Int32Array(rows + 1);
  makeRoom(hits, items);
}

/** Makes room for some more than `count`. */
export function makeRoom(hits: Hits, more: number): void {
  const needed = hits.count + more;
  if (needed <= hits.cells.length) return;
  const size = Math.max(1024, needed, 2 * hits.cells.length);
  hits.cells = grown(hits.cells, size);
  hits.items = grown(hits.items, size);
  hits.entries = grown(hits.entries, size);
}

function grown(before: Int32Array, size: number): Int32Array {
  const after = new Int32Array(size);
  after.set(before);
  return after;
}
