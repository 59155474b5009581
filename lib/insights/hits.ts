/** Facts that count in a cell: the fact at `facts[k]`, of the case in row `rows[k]`, counts in the cell `cells[k]`. */
export interface Hits {
  count: number;
  cells: Int32Array;
  rows: Int32Array;
  facts: Int32Array;
  windows: Int32Array; // by fact, of all facts that were looked at
  entries: Int32Array; // place of the cell's member in its list column, of the axis that is noted
}

/** Hits with no room yet; made once and used again for each kind of fact. */
export function createHits(): Hits {
  return {
    count: 0,
    cells: new Int32Array(0),
    rows: new Int32Array(0),
    facts: new Int32Array(0),
    windows: new Int32Array(0),
    entries: new Int32Array(0),
  };
}

/** Makes room for some more. */
export function makeRoom(hits: Hits, more: number): void {
  const needed = hits.count + more;
  if (needed <= hits.cells.length) return;
  const size = Math.max(1024, needed, 2 * hits.cells.length);
  const grown = (before: Int32Array): Int32Array => {
    const after = new Int32Array(size);
    after.set(before);
    return after;
  };
  hits.cells = grown(hits.cells);
  hits.rows = grown(hits.rows);
  hits.facts = grown(hits.facts);
  hits.entries = grown(hits.entries);
}
