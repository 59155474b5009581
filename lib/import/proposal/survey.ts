import { type BrokenRow, cellsOf, columnNames, type Dialect, readCsv } from '../formats/csv.ts';
import { ImportFault } from '../formats/import-fault.ts';

/** A file as one pass sees it. */
export interface Survey {
  readonly dialect: Dialect;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[]; // trimmed, as many cells as the header; all rows, or some from the whole length
  readonly total: number; // rows of the file
  readonly isWhole: boolean; // `rows` are all rows
  readonly counts: readonly (ReadonlyMap<string, number> | undefined)[]; // by column: rows of each text; undefined: too many texts
}

/** Bounds of a survey, for tests. */
export interface SurveyBounds {
  readonly size: number; // characters of the rows that are kept
  readonly values: number; // different texts of a column that are counted
}
const BOUNDS: SurveyBounds = { size: 20_000_000, values: 200 };
/** What is kept of a file that is larger than the bound: as much of it says the same. */
const REST = 0.25;

/**
 * Reads a CSV once. Of a file beyond the bound it keeps whole cases: rows are chosen by a hash of their first cell that
 * the column `by` names, half as many whenever the bound is met again. Throws `ImportFault` if its header, or
 * a cell over several lines, is too long to be read.
 */
export async function surveyCsv(
  bytes: AsyncIterable<Uint8Array>,
  dialect: Dialect,
  by?: string,
  bounds: SurveyBounds = BOUNDS,
): Promise<Survey> {
  let header: readonly string[] | undefined;
  let keeping: Keeping | undefined;
  let total = 0;
  const counts: (Map<string, number> | undefined)[] = [];
  let tooLong: BrokenRow | undefined; // the row before, with an open quote
  for await (const read of readCsv(bytes, dialect)) {
    for (const row of read) {
      if ('reason' in row) {
        if (row.isTooLong && header === undefined) throw tooLongFault(row);
        if (row.isTooLong && typeof row.raw === 'string') tooLong ??= row;
        continue;
      }
      const cells = trimmed(cellsOf(row, dialect));
      if (header === undefined) {
        header = columnNames(cells);
        for (const _ of header) counts.push(new Map());
        keeping = newKeeping(by === undefined ? -1 : header.indexOf(by), bounds.size);
        continue;
      }
      if (!isRow(cells, header)) {
        if (tooLong !== undefined) throw tooLongFault(tooLong); // no stray quote, but lines of its cell
        continue;
      }
      tooLong = undefined;
      total += 1;
      cells.length = header.length;
      count(cells, counts, bounds.values);
      keeping?.take(cells);
    }
  }
  const rows = keeping?.rows() ?? [];
  return { dialect, header: header ?? [], rows, total, isWhole: rows.length === total, counts };
}

const tooLongFault = ({ line, reason }: BrokenRow): ImportFault =>
  new ImportFault(`Line ${line} is too long, and what follows cannot be read (${reason}): correct the file.`);

/** Trims cells; the array is the row's own, and nobody else reads it. */
function trimmed(cells: readonly string[]): string[] {
  const own = Array.isArray(cells) ? cells : [...cells];
  for (let index = 0; index < own.length; index += 1) own[index] = own[index].trim();
  return own;
}

/** Makes a survey of rows that are in memory: the beginning of a file. */
export function surveyOf(dialect: Dialect, header: readonly string[], all: readonly (readonly string[])[]): Survey {
  const rows = all.filter((cells) => isRow(cells, header));
  const counts: (Map<string, number> | undefined)[] = header.map(() => new Map());
  for (const cells of rows) count(cells, counts, BOUNDS.values);
  return { dialect, header, rows, total: rows.length, isWhole: true, counts };
}

/** Whether cells are a row of the table: neither blank, nor its header again, nor a remark. Loops: no array is made for a row. */
function isRow(cells: readonly string[], header: readonly string[]): boolean {
  let [filled, like] = [0, 0];
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index];
    if (cell !== '') filled += 1;
    if (cell !== '' && index >= header.length) return false;
    if (index < header.length && cell === header[index]) like += 1;
  }
  return filled > 0 && cells.length >= header.length && like < header.length;
}

function count(cells: readonly string[], counts: (Map<string, number> | undefined)[], most: number): void {
  for (let index = 0; index < counts.length; index += 1) {
    const values = counts[index];
    if (values === undefined) continue;
    const text = cells[index] ?? '';
    if (text === '') continue;
    const before = values.get(text);
    if (before === undefined && values.size >= most) counts[index] = undefined;
    else values.set(text, (before ?? 0) + 1);
  }
}

interface Keeping {
  readonly take: (cells: readonly string[]) => void;
  readonly rows: () => readonly (readonly string[])[];
}

/** Keeps rows up to a number of characters: all of a file, else every second, fourth, … case of it. */
function newKeeping(column: number, most: number): Keeping {
  let kept: { readonly mark: number; readonly cells: readonly string[]; readonly size: number }[] = [];
  let [size, mask, met] = [0, 0, 0];
  return {
    take(cells) {
      const mark = column < 0 ? met : hashOf(cells[column] ?? '');
      met += 1;
      if ((mark & mask) !== 0) return;
      const length = cells.reduce((sum, cell) => sum + cell.length + 1, 0);
      kept.push({ mark, cells, size: length });
      size += length;
      if (size <= most) return;
      while (size > most * REST) {
        mask = mask * 2 + 1;
        kept = kept.filter((one) => (one.mark & mask) === 0);
        size = kept.reduce((sum, one) => sum + one.size, 0);
      }
    },
    rows: () => kept.map(({ cells }) => cells),
  };
}

/** FNV-1a: any hash will do that spreads ids which count up. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
