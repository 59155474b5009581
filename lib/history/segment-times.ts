import { type Column, columnFor } from './byte-planes.ts';

/** Where each row's part of `parts` begins, from the counts of the rows; rows without a count have none. */
export function offsetsOf(counts: Column, rows: number, parts: number): Column {
  const offsets = columnFor(Math.max(parts + 1, 2 ** 16), rows + 1);
  if (counts.length === 0) return offsets;
  let total = 0;
  for (let row = 0; row < rows; row += 1) {
    total += counts[row]!;
    offsets[row + 1] = total;
  }
  return offsets;
}

/** The row that each of `parts` is of, from where those of the rows begin. */
export function rowsOf(offsets: Column, parts: number): Column {
  const rows = columnFor(Math.max(offsets.length, 2 ** 16), parts);
  for (let row = 0; row + 1 < offsets.length; row += 1) {
    const end = offsets[row + 1]!;
    for (let part = offsets[row]!; part < end; part += 1) rows[part] = row;
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

/** The seconds of facts, from the deltas between those of a row; all within `span` seconds. */
export function secondsOf(deltas: Column, offsets: Column, starts: Column, span: number): Column {
  const seconds = secondsColumn(span, deltas.length);
  for (let row = 0; row < starts.length; row += 1) {
    const end = offsets[row + 1]!;
    let second = starts[row]!;
    for (let fact = offsets[row]!; fact < end; fact += 1) {
      second += deltas[fact]!;
      seconds[fact] = second;
    }
  }
  return seconds;
}

/** Moves the ends of rows to the last second that any of some facts touches; these may be `intervals` of their values. */
export function extendEnds(
  ends: Column,
  { rows, seconds, values }: { rows(): Column; seconds(): Column; values(): Column },
  intervals: boolean,
): void {
  const rowOf = rows();
  const from = seconds();
  const lengths = intervals ? values() : undefined;
  for (let fact = 0; fact < from.length; fact += 1) {
    const row = rowOf[fact]!;
    const last = lengths === undefined ? from[fact]! : from[fact]! + lengths[fact]! - 1;
    ends[row] = Math.max(ends[row]!, last);
  }
}

/** Always of the same kind within 68 years, so that the loops over times are compiled for one kind of array. */
export const secondsColumn = (span: number, length: number): Column => columnFor(Math.max(span + 1, 2 ** 31), length);
