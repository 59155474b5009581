import { certain } from '../certain.ts';

/** Rows of so many numbers each. They lie in blocks, so that growing copies none and leaves little room unused. */
export interface NumberRows {
  count(): number;
  /** Appends a row, a copy of these numbers. */
  add(row: Float64Array): void;
  number(row: number, at: number): number;
  /** The numbers of some rows, one row after the other. */
  gather(rows: Int32Array): Float64Array;
}

const BLOCK = 1024; // rows

export function createNumberRows(width: number): NumberRows {
  const blocks: Float64Array[] = [];
  let count = 0;
  const number: NumberRows['number'] = (row, at) =>
    certain(certain(blocks[Math.floor(row / BLOCK)])[(row % BLOCK) * width + at]);
  return {
    count: () => count,
    add(row) {
      if (count % BLOCK === 0) blocks.push(new Float64Array(BLOCK * width));
      blocks.at(-1)?.set(row, (count % BLOCK) * width);
      count += 1;
    },
    number,
    gather(rows) {
      const found = new Float64Array(rows.length * width);
      for (const [place, row] of rows.entries())
        for (let at = 0; at < width; at += 1) found[place * width + at] = number(row, at);
      return found;
    },
  };
}
