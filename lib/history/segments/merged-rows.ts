import { byCodePoint } from '../../text.ts';
import type { CaseRow } from '../cases/case-row.ts';
import type { Column } from './byte-planes.ts';
import type { CaseTable } from './case-table.ts';

/** Some rows of a table. */
export interface PickedTableRows {
  readonly table: CaseTable;
  readonly rows: Iterable<number>;
}

/** Rows of several tables in the order of a segment. */
export interface MergedRows {
  readonly tables: readonly CaseTable[];
  readonly rows: IndexRanges; // rows that stay neighbours are one range: their values are copied in one go
  readonly keys: readonly string[];
  readonly starts: readonly number[]; // s since 1970, rising
}

/** A list of ranges, range i at index i of each array: indexes of rows, or of values in a column of the table. */
export interface IndexRanges {
  readonly table: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array; // exclusive
  readonly count: number; // values in all ranges together
}

/** The values to copy from one column, which each table has. */
export interface SourceColumn {
  readonly ranges: IndexRanges;
  readonly values: readonly Column[]; // by table
}

/** Compares two rows by their order in a segment: by first second, then by key. */
export function compareRows(a: RowOrder, b: RowOrder): number {
  return a.start - b.start || byCodePoint(a.key, b.key);
}

type RowOrder = Pick<CaseRow, 'start' | 'key'>;

/** Puts the picked rows of several tables into the order of a segment. */
export function mergeRows(picked: readonly PickedTableRows[]): MergedRows {
  const rows = picked.flatMap(({ table, rows }, index) => {
    const [keys, starts] = [table.keys(), table.starts()];
    return Array.from(rows, (row) => ({ table: index, row, start: table.head.start + starts[row]!, key: keys[row]! }));
  });
  rows.sort(compareRows);
  const runs: { readonly table: number; readonly from: number; to: number }[] = [];
  for (const { table, row } of rows) {
    const last = runs.at(-1);
    if (last?.table === table && last.to === row) last.to += 1;
    else runs.push({ table, from: row, to: row + 1 });
  }
  return {
    tables: picked.map(({ table }) => table),
    rows: {
      table: Int32Array.from(runs, ({ table }) => table),
      from: Int32Array.from(runs, ({ from }) => from),
      to: Int32Array.from(runs, ({ to }) => to),
      count: rows.length,
    },
    keys: rows.map(({ key }) => key),
    starts: rows.map(({ start }) => start),
  };
}

/**
 * Turns ranges of rows into ranges of values in a column that has several values for each row. `offsets`, by table: the
 * values of row i lie at offsets[i] … offsets[i + 1] − 1.
 */
export function rangesOf({ rows: { table, from, to } }: MergedRows, offsets: readonly Column[]): IndexRanges {
  let count = 0;
  const first = new Int32Array(from.length);
  const last = new Int32Array(from.length);
  for (let i = 0; i < table.length; i += 1) {
    const ofTable = offsets[table[i]!]!;
    first[i] = ofTable[from[i]!]!;
    last[i] = ofTable[to[i]!]!;
    count += last[i]! - first[i]!;
  }
  return { table, from: first, to: last, count };
}

/** Returns the number of values of each row. */
export function countValues({ rows: { table, from, to, count } }: MergedRows, offsets: readonly Column[]): Int32Array {
  const counts = new Int32Array(count);
  let at = 0;
  for (let i = 0; i < table.length; i += 1) {
    const ofTable = offsets[table[i]!]!;
    for (let row = from[i]!; row < to[i]!; row += 1) {
      counts[at] = ofTable[row + 1]! - ofTable[row]!;
      at += 1;
    }
  }
  return counts;
}

/** Copies the values of all ranges into one column; `renumber`, by table, maps each old value to its new one. */
export function copyValues({ ranges, values }: SourceColumn, renumber?: readonly Int32Array[]): Column {
  const { table, from, to, count } = ranges;
  const wide = !renumber && values.some((column) => column instanceof Float64Array);
  const copy = wide ? new Float64Array(count) : new Int32Array(count);
  let at = 0;
  for (let i = 0; i < table.length; i += 1) {
    const column = values[table[i]!]!;
    const end = to[i]!;
    const newValues = renumber?.[table[i]!];
    if (newValues) for (let index = from[i]!; index < end; index += 1) copy[at++] = newValues[column[index]!]!;
    else for (let index = from[i]!; index < end; index += 1) copy[at++] = column[index]!;
  }
  return copy;
}

/** Copies the seconds of facts as deltas: seconds since the row's fact before, for the first since the row's start. */
export function copyDeltas(
  { tables, starts, rows: { table, from, to } }: MergedRows,
  { ranges, values }: SourceColumn,
  counts: Int32Array,
): Column {
  const wide = values.some((column) => column instanceof Float64Array);
  const deltas = wide ? new Float64Array(ranges.count) : new Int32Array(ranges.count);
  let at = 0;
  let row = 0; // of the segment
  for (let i = 0; i < table.length; i += 1) {
    const { start } = tables[table[i]!]!.head;
    const seconds = values[table[i]!]!;
    let fact = ranges.from[i]!;
    for (const end = row + to[i]! - from[i]!; row < end; row += 1) {
      let last = starts[row]! - start;
      for (const rest = fact + counts[row]!; fact < rest; fact += 1) {
        deltas[at++] = seconds[fact]! - last;
        last = seconds[fact]!;
      }
    }
  }
  return deltas;
}

/**
 * Returns the last second that facts cover, at least `least`. A fact covers one second, or as many as `lengths` says.
 */
export function lastSecond(
  { tables }: MergedRows,
  { ranges: { table, from, to }, values }: SourceColumn,
  lengths: readonly Column[] | undefined,
  least: number,
): number {
  let most = least;
  for (let i = 0; i < table.length; i += 1) {
    const { start } = tables[table[i]!]!.head;
    const seconds = values[table[i]!]!;
    const length = lengths?.[table[i]!];
    for (let fact = from[i]!; fact < to[i]!; fact += 1) {
      const last = start + seconds[fact]! + (length === undefined ? 0 : length[fact]! - 1);
      if (last > most) most = last;
    }
  }
  return most;
}
