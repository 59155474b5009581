/** Facts that count in a cell: the fact at `facts[k]`, of the case in row `rows[k]`, counts in the cell `cells[k]`. */
export interface Hits {
  count: number;
  cells: Int32Array;
  rows: Int32Array;
  facts: Int32Array;
  entries: Int32Array; // of the axis that is noted: the entry with the cell's member
}

/** Hits with no room yet; made once and used again for each kind of fact. */
export function createHits(): Hits {
  return {
    count: 0,
    cells: new Int32Array(0),
    rows: new Int32Array(0),
    facts: new Int32Array(0),
    entries: new Int32Array(0),
  };
}

/** Makes room for some more than `count`. */
export function makeRoom(hits: Hits, more: number): void {
  const needed = hits.count + more;
  if (needed <= hits.cells.length) return;
  const size = Math.max(1024, needed, 2 * hits.cells.length);
  hits.cells = grown(hits.cells, size);
  hits.rows = grown(hits.rows, size);
  hits.facts = grown(hits.facts, size);
  hits.entries = grown(hits.entries, size);
}

function grown(before: Int32Array, size: number): Int32Array {
  const after = new Int32Array(size);
  after.set(before);
  return after;
}
