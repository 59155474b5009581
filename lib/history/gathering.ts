import { byCodePoint } from '../text.ts';
import type { Column } from './byte-planes.ts';
import type { CaseRow } from './case-row.ts';
import type { CaseTable } from './case-table.ts';

/** Some rows of a table. */
export interface Picked {
  readonly table: CaseTable;
  readonly rows: Iterable<number>;
}

/** Rows of several tables in the order of a segment: by first fact, then by key. */
export interface Gathering {
  readonly tables: readonly CaseTable[];
  readonly runs: readonly Run[];
  readonly keys: readonly string[];
  readonly starts: readonly number[]; // s since 1970, rising
}

/** Rows of one table that stay neighbours: what they have is copied in one go. */
interface Run {
  readonly table: number;
  readonly from: number; // first row
  to: number; // exclusive
}

/** A column of a table: the values of row i lie at offsets[i] … offsets[i + 1] − 1; without offsets each row has one. */
export interface Part {
  readonly values: Column;
  readonly offsets?: Column;
}

/** The order of the rows in a segment: by first fact, then by key. */
export function compareRows(a: RowOrder, b: RowOrder): number {
  return a.start - b.start || byCodePoint(a.key, b.key);
}

type RowOrder = Pick<CaseRow, 'start' | 'key'>;

export function gather(picked: readonly Picked[]): Gathering {
  const rows = picked.flatMap(({ table, rows }, place) => {
    const [keys, starts] = [table.keys(), table.starts()];
    return Array.from(rows, (row) => ({ table: place, row, start: table.head.start + starts[row]!, key: keys[row]! }));
  });
  rows.sort(compareRows);
  const runs: Run[] = [];
  let last: Run | undefined;
  for (const { table, row } of rows) {
    if (last?.table === table && last.to === row) last.to += 1;
    else {
      last = { table, from: row, to: row + 1 };
      runs.push(last);
    }
  }
  return {
    tables: picked.map(({ table }) => table),
    runs,
    keys: rows.map(({ key }) => key),
    starts: rows.map(({ start }) => start),
  };
}

/** How many values each row has, in columns that have offsets. */
export function countValues({ runs, keys }: Gathering, parts: readonly Part[]): Int32Array {
  const counts = new Int32Array(keys.length);
  let at = 0;
  for (const { table, from, to } of runs) {
    const { offsets = [] } = parts[table]!;
    for (let row = from; row < to; row += 1) {
      counts[at] = offsets[row + 1]! - offsets[row]!;
      at += 1;
    }
  }
  return counts;
}

/** How many values all rows have. */
export const countAll = ({ runs }: Gathering, parts: readonly Part[]): number =>
  runs.reduce((sum, run) => sum + endOf(run, parts) - startOf(run, parts), 0);

/** The values of a column, one of `parts` for each table; `renumber`, likewise, says what becomes of each value. */
export function copyValues(gathering: Gathering, parts: readonly Part[], renumber?: readonly Int32Array[]): Column {
  const length = countAll(gathering, parts);
  const wide = !renumber && parts.some(({ values }) => values instanceof Float64Array);
  const copy = wide ? new Float64Array(length) : new Int32Array(length);
  let at = 0;
  for (const run of gathering.runs) {
    const { values } = parts[run.table]!;
    const [from, to] = [startOf(run, parts), endOf(run, parts)];
    const places = renumber?.[run.table];
    if (places) for (let i = from; i < to; i += 1) copy[at + i - from] = places[values[i]!]!;
    else for (let i = from; i < to; i += 1) copy[at + i - from] = values[i]!;
    at += to - from;
  }
  return copy;
}

function startOf({ table, from }: Run, parts: readonly Part[]): number {
  const { offsets } = parts[table]!;
  return offsets === undefined ? from : offsets[from]!;
}

function endOf({ table, to }: Run, parts: readonly Part[]): number {
  const { offsets } = parts[table]!;
  return offsets === undefined ? to : offsets[to]!;
}

/** The seconds of facts, counted from the fact before of the same row, the first of each from the row's start. */
export function copyDeltas(gathering: Gathering, parts: readonly Part[]): Column {
  const { tables, runs } = gathering;
  const count = countAll(gathering, parts);
  const wide = parts.some(({ values }) => values instanceof Float64Array);
  const deltas = wide ? new Float64Array(count) : new Int32Array(count);
  const starts = tables.map((table) => table.starts());
  let at = 0;
  for (const { table, from, to } of runs) {
    const { values: seconds, offsets = [] } = parts[table]!;
    const rowStarts = starts[table]!;
    for (let row = from; row < to; row += 1) {
      let last = rowStarts[row]!;
      const end = offsets[row + 1]!;
      for (let fact = offsets[row]!; fact < end; fact += 1) {
        deltas[at] = seconds[fact]! - last;
        last = seconds[fact]!;
        at += 1;
      }
    }
  }
  return deltas;
}

/** The largest second that facts touch, each for as many seconds as `lengths` says, else for one; at least `least`. */
export function lastSecond(
  { tables, runs }: Gathering,
  parts: readonly Part[],
  lengths: readonly Column[] | undefined,
  least: number,
): number {
  let most = least;
  for (const run of runs) {
    const { values: seconds } = parts[run.table]!;
    const { start } = tables[run.table]!.head;
    const length = lengths?.[run.table];
    const end = endOf(run, parts);
    for (let i = startOf(run, parts); i < end; i += 1) {
      const last = start + seconds[i]! + (length === undefined ? 0 : length[i]! - 1);
      if (last > most) most = last;
    }
  }
  return most;
}

/** Dictionaries made one, of the members that are met. */
export interface Merged<T> {
  readonly members: readonly T[]; // rising
  readonly indices: readonly Int32Array[]; // of each table: an index in its own dictionary → one in `members`, both from 1
}

/** Merges a dictionary of each table, of which `columns` are indices. */
export function mergeMembers<T>(
  { runs }: Gathering,
  dictionaries: readonly (readonly T[])[],
  columns: readonly (readonly Part[])[],
  { keyOf, compare }: { readonly keyOf: (member: T) => unknown; readonly compare: (a: T, b: T) => number },
): Merged<T> {
  const indices = dictionaries.map(({ length }) => new Int32Array(length + 1));
  for (const parts of columns) {
    for (const run of runs) {
      const { values } = parts[run.table]!;
      const met = indices[run.table]!;
      const end = endOf(run, parts);
      for (let i = startOf(run, parts); i < end; i += 1) met[values[i]!] = 1;
    }
  }
  const all = new Map<unknown, T>();
  eachMet(indices, dictionaries, (member) => void all.set(keyOf(member), member));
  const members = [...all.values()].sort(compare);
  const places = new Map(members.map((member, at) => [keyOf(member), at + 1]));
  eachMet(indices, dictionaries, (member, met, index) => {
    met[index] = places.get(keyOf(member))!;
  });
  for (const met of indices) met[0] = 0;
  return { members, indices };
}

function eachMet<T>(
  indices: readonly Int32Array[],
  dictionaries: readonly (readonly T[])[],
  visit: (member: T, met: Int32Array, index: number) => void,
): void {
  for (const [table, met] of indices.entries()) {
    for (let index = 1; index < met.length; index += 1) {
      if (met[index] !== 0) visit(dictionaries[table]![index - 1]!, met, index);
    }
  }
}
