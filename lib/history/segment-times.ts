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

/** The row of each fact, from where the rows' parts begin. */
export function rowsOf(offsets: Uint32Array): Column {
  const last = offsets.length - 1;
  const rows = columnFor(Math.max(last, 2 ** 16), offsets[last]!);
  for (let row = 0; row < last; row += 1) rows.fill(row, offsets[row]!, offsets[row + 1]!);
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

/** The seconds of facts, from the deltas between those of a row; all within `span` seconds. */
export function secondsOf(deltas: Column, offsets: Uint32Array, starts: Column, span: number): Column {
  const seconds = secondsColumn(span, deltas.length);
  for (let row = 0; row + 1 < offsets.length; row += 1) {
    const end = offsets[row + 1]!;
    let second = starts[row]!;
    for (let i = offsets[row]!; i < end; i += 1) {
      second += deltas[i]!;
      seconds[i] = second;
    }
  }
  return seconds;
}

/** Always of the same kind within 136 years, so that the loops over times are compiled for one kind of array. */
const secondsColumn = (span: number, length: number): Column => columnFor(Math.max(span + 1, 2 ** 32), length);
