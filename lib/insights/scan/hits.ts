import type { Column } from '../../history/columns/byte-planes.ts';
import { grown } from './grown.ts';

/**
 * Where items count. The hits of a case in one cell follow one another as far as that cell is concerned: no other case hits
 * it between them. So the last case that was counted in a cell tells whether a case has been.
 */
export interface Hits {
  count: number;
  cells: Int32Array; // before the cells are found: windows
  items: Int32Array;
  entries: Int32Array; // of the axis that is noted, if one is: the entry with the cell's member
  rows: Column; // by item, not by hit
  readonly rounds: number[]; // where each round of hits ends; within one rows never fall
  readonly rest: { items: Int32Array; windows: Int32Array }; // room for what is put aside on the way
}

/** Hits with no room yet; made once and used again for each kind of fact. */
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

const PAST = 4; // places past the last that stays which loops write

/** Forgets the hits and makes room for some items. */
export function clearHits(hits: Hits, items: number): void {
  hits.count = 0;
  hits.rounds.length = 0;
  makeRoom(hits, items + PAST);
  const { rest, cells } = hits;
  if (rest.items.length > items) return;
  rest.items = new Int32Array(cells.length);
  rest.windows = new Int32Array(cells.length);
}

/** Makes room for some more than `count`. */
export function makeRoom(hits: Hits, more: number): void {
  const needed = hits.count + more;
  if (needed <= hits.cells.length) return;
  const size = Math.max(1024, needed, 2 * hits.cells.length);
  hits.cells = grown(hits.cells, new Int32Array(size));
  hits.items = grown(hits.items, new Int32Array(size));
  hits.entries = grown(hits.entries, new Int32Array(size));
}

/** Adds a hit where there is room. */
export function addHit(hits: Hits, cell: number, item: number, entry: number): void {
  const at = hits.count;
  hits.cells[at] = cell;
  hits.items[at] = item;
  hits.entries[at] = entry;
  hits.count = at + 1;
}
