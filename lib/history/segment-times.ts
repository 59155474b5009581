import { type Column, columnFor } from './byte-planes.ts';

/** Where each row's part begins, from the counts of the rows; rows without a count have none. */
export function offsetsOf(counts: Column, rows: number): Uint32Array {
  const offsets = new Uint32Array(rows + 1);
  if (counts.length === 0) return offsets;
  let total = 0;
  for (let row = 0; row < rows; row += 1) {
    total += counts[row]!;
    offsets[row + 1] = total;
  }
  return offsets;
}

/** The row of each part, from the counts of the rows. */
export function rowsOf(counts: Column, parts: number): Column {
  const rows = columnFor(Math.max(counts.length, 2 ** 16), parts);
  let at = 0;
  for (let row = 0; row < counts.length; row += 1) {
    for (let left = counts[row]!; left > 0; left -= 1) {
      rows[at] = row;
      at += 1;
    }
  }
  return rows;
}

/** The seconds that rows start at, from the deltas between them; all within `span` seconds. */
export function startsOf(deltas: Column, span: number): Column {
  const starts = secondsColumn(span, deltas.length);
  let second = 0;
  for (let row = 0; row < deltas.length; row += 1) {
    second += deltas[row]!;
    starts[row] = second;
  }
  return starts;
}

/** The seconds of facts in `rows`, from the deltas between those of a row; all within `span` seconds. */
export function secondsOf(deltas: Column, rows: Column, starts: Column, span: number): Column {
  const seconds = secondsColumn(span, deltas.length);
  let row = -1;
  let second = 0;
  for (let i = 0; i < deltas.length; i += 1) {
    if (rows[i] !== row) {
      row = rows[i]!;
      second = starts[row]!;
    }
    second += deltas[i]!;
    seconds[i] = second;
  }
  return seconds;
}

/** Always of the same kind within 136 years, so that the loops over times are compiled for one kind of array. */
const secondsColumn = (span: number, length: number): Column => columnFor(Math.max(span + 1, 2 ** 32), length);
