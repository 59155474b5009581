import { type Column, columnFor } from './byte-planes.ts';

/**
 * Computes from the counts of the rows where each row's values begin among all `parts` values. No counts: all are 0.
 */
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

/**
 * Computes from the offsets which row each of the `parts` values belongs to. A processor cannot predict how many values
 * a row has, so the code counts at each value the rows that begin there and adds these counts up: half the time of a
 * loop row by row.
 */
export function rowsOf(offsets: Column, parts: number): Column {
  const rows = columnFor(Math.max(offsets.length, 2 ** 16), parts + 1); // last rows without values begin at `parts`
  for (let row = 1; row + 1 < offsets.length; row += 1) rows[offsets[row]!]! += 1;
  let row = 0;
  for (let part = 0; part < parts; part += 1) {
    row += rows[part]!;
    rows[part] = row;
  }
  return rows.subarray(0, parts);
}

/** Computes the start seconds of rows from the deltas between them; all are at most `span`. */
export function startsOf(deltas: Column, span: number): Column {
  const starts = secondsColumn(span, deltas.length);
  let second = 0;
  for (let row = 0; row < deltas.length; row += 1) {
    second += deltas[row]!;
    starts[row] = second;
  }
  return starts;
}

/** Computes the seconds of facts from their deltas, in the same column if possible; all are at most `span`. */
export function secondsOf(deltas: Column, rows: Column, starts: Column, span: number): Column {
  const seconds = asSeconds(deltas, span);
  if (seconds instanceof Int32Array) addNarrow(seconds, rows, starts);
  else addWide(seconds, rows, starts);
  return seconds;
}

function asSeconds(deltas: Column, span: number): Column {
  if (deltas instanceof Int32Array && span < MOST_NARROW) return deltas;
  const seconds = secondsColumn(span, deltas.length);
  seconds.set(deltas);
  return seconds;
}

/** Works without a branch at the start of a row: all bits of `same` are set if the fact before is of the same row. */
function addNarrow(seconds: Int32Array, rows: Column, starts: Column): void {
  let second = 0;
  let before = NO_ROW;
  for (let fact = 0; fact < seconds.length; fact += 1) {
    const row = rows[fact]!;
    const same = ((row ^ before) - 1) >> 31;
    second = (((second & same) | (starts[row]! & ~same)) + seconds[fact]!) | 0;
    seconds[fact] = second;
    before = row;
  }
}

function addWide(seconds: Column, rows: Column, starts: Column): void {
  for (let fact = 0; fact < seconds.length; fact += 1) {
    const row = rows[fact]!;
    seconds[fact]! += row === rows[fact - 1] ? seconds[fact - 1]! : starts[row]!;
  }
}

/**
 * Makes a column for seconds: an Int32Array for spans up to 68 years, so that V8 compiles loops for one kind of array.
 */
export const secondsColumn = (span: number, length: number): Column =>
  columnFor(Math.max(span + 1, MOST_NARROW), length);

const MOST_NARROW = 2 ** 31; // s
const NO_ROW = 2 ** 31 - 1;
