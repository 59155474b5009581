import { certain } from '../../certain.ts';
import { Rejection } from '../../json-readers.ts';
import { decoding, isLabelOfUtf8 } from './encodings.ts';
import { shownName } from './input.ts';
import type { LineSet } from './line-set.ts';
import { MAX_LINE, readLines } from './lines.ts';
import { unreadable } from './ndjson.ts';
import type { Raw, RejectedRow } from './row.ts';

/** The syntax of a CSV file. */
export interface Dialect {
  readonly separator: string; // one character
  readonly quote: string; // one character; doubled inside quotes
  readonly encoding: string; // as `decoding` takes it
  readonly skip: number; // lines before the header to skip
}

/** Says that a CSV has not even a header. */
export const emptyCsv = (path: string): string => `${shownName(path)} is empty: a CSV starts with its header.`;

/** A whole row. */
export interface CsvRow {
  readonly line: number; // where it starts, from 1
  readonly raw: string; // unchanged text; its lines are joined by LF
  readonly quoted?: readonly string[]; // its cells without quotes; absent if the row has no quotes
}

/** A row that cannot be split into cells. */
export interface BrokenRow extends RejectedRow {
  readonly raw: Raw;
  readonly isTooLong?: boolean; // its line, or a cell over several lines, is longer than is read
}

export type FileRow = CsvRow | BrokenRow;

/** Longest row over several lines, in characters: in a longer one the quote counts as a stray one. */
const MAX_ROW = 1_048_576;

/**
 * Reads CSV: rows may span lines inside quotes, blank lines are skipped. A row that cannot be split is yielded as
 * broken. Written by hand: 120,000 rows of 36 cells take 0.2 s, and 1.6 s with `csv-parse`.
 */
export async function* readCsv(bytes: AsyncIterable<Uint8Array>, dialect: Dialect): AsyncGenerator<readonly FileRow[]> {
  const cutter: RowCutter = { dialect, open: notOpen(), rows: [] };
  for await (const { first, lines } of readLines(inUtf8(bytes, dialect.encoding))) {
    for (const [index, raw] of lines.entries()) {
      if (first + index > dialect.skip) take(cutter, first + index, raw);
    }
    yield cutter.rows;
    cutter.rows = [];
  }
  while (cutter.open.lines.length > 0) giveUp(cutter);
  yield cutter.rows;
}

/** Yields the rows that start at the wanted lines, unchanged. */
export async function* pickRows(
  bytes: AsyncIterable<Uint8Array>,
  dialect: Dialect,
  wanted: Pick<LineSet, 'has'>,
): AsyncGenerator<readonly [line: number, raw: Raw]> {
  for await (const rows of readCsv(bytes, dialect)) {
    for (const { line, raw } of rows) if (wanted.has(line)) yield [line, raw];
  }
}

const END_OF_FILE = '\x1a'; // Ctrl-Z, with which old programs end a text

/** Whether no cell of a row has a text. Most rows begin with one, so that the whole row is seldom looked at. */
export function isEmptyRow({ raw, quoted }: CsvRow, { separator }: Dialect): boolean {
  if (quoted !== undefined) return quoted.every((cell) => cell.trim() === '');
  if (raw[0] !== separator && raw[0] !== ' ') return false;
  return raw.replaceAll(separator, '').trim() === '';
}

/** Returns all cells of a row. */
export const cellsOf = ({ raw, quoted }: CsvRow, { separator }: Dialect): readonly string[] =>
  quoted ?? raw.split(separator);

/** Returns the trimmed names of a file's columns; of several columns with the same name the second is `Labels (2)`. */
export function columnNames(header: readonly string[]): string[] {
  const given = header.map((name) => name.trim());
  const names = new Set(given);
  const met = new Map<string, number>();
  return given.map((name) => {
    let times = (met.get(name) ?? 0) + 1;
    met.set(name, times);
    if (times === 1 || name === '') return name;
    while (names.has(`${name} (${times})`)) times += 1;
    names.add(`${name} (${times})`);
    return `${name} (${times})`;
  });
}

/** Finds columns that are not used although one of the same name is: that name, and their own name by `columnNames`. */
export function unusedDuplicateColumns(
  header: readonly string[],
  names: readonly string[],
  used: ReadonlySet<number>,
): { readonly taken: string; readonly left: string }[] {
  return names.flatMap((left, index) => {
    const taken = (header[index] ?? '').trim();
    return taken === left || used.has(index) || !used.has(names.indexOf(taken)) ? [] : [{ taken, left }];
  });
}

/**
 * Returns the cells at some indexes, given in rising order, of a row that must have `columns` cells; further empty
 * cells are ignored. The other cells are not copied: 16 of 36 cells take half the time of all. Throws `Rejection`.
 */
export function pickCells(row: CsvRow, { separator }: Dialect, indexes: readonly number[], columns: number): string[] {
  const { raw, quoted } = row;
  if (quoted !== undefined) {
    checkCount(quoted, columns);
    return indexes.map((index) => certain(quoted[index]));
  }
  const picked: string[] = [];
  let count = 0;
  for (let from = 0; from >= 0; count += 1) {
    const end = raw.indexOf(separator, from);
    if (count === indexes[picked.length]) picked.push(end < 0 ? raw.slice(from) : raw.slice(from, end));
    from = end < 0 ? end : end + 1;
  }
  if (count !== columns) checkCount(raw.split(separator), columns);
  return picked;
}

function checkCount(cells: readonly string[], columns: number): void {
  if (cells.length < columns) throw new Rejection(`the row has ${cells.length} of ${columns} columns`);
  if (cells.slice(columns).some((cell) => cell.trim() !== '')) {
    throw new Rejection(`the row has ${cells.length} columns instead of ${columns}`);
  }
}

/**
 * Splits a text into cells and appends them to `cells`. If a quote is not closed, `openAt` is its index. Returns a
 * text, the reason, if the text cannot be split.
 */
function cutQuoted(
  row: string,
  { separator, quote }: Dialect,
  cells: string[] = [],
): { readonly cells: string[]; readonly openAt?: number } | string {
  for (let at = 0; ; ) {
    if (row[at] === quote) {
      const end = closing(row, at + 1, quote);
      if (end < 0) return { cells, openAt: at };
      if (end + 1 < row.length && row[end + 1] !== separator) {
        return `cell ${cells.length + 1} has text after its closing quote`;
      }
      cells.push(row.slice(at + 1, end).replaceAll(quote + quote, quote));
      at = end + 1;
    } else {
      const end = row.indexOf(separator, at);
      cells.push(end < 0 ? row.slice(at) : row.slice(at, end));
      at = end < 0 ? row.length : end;
    }
    if (at >= row.length) return { cells };
    at += 1;
  }
}

/** A row with a quote that is not closed yet. */
interface OpenRow {
  line: number;
  lines: string[];
  length: number;
  cells: string[]; // cells before the one with the open quote
  parts: string[]; // lines of the cell with the open quote, from the quote on
}

const notOpen = (): OpenRow => ({ line: 0, lines: [], length: 0, cells: [], parts: [] });

/** Joins lines into rows. */
interface RowCutter {
  readonly dialect: Dialect;
  open: OpenRow;
  rows: FileRow[]; // complete rows
}

function take(cutter: RowCutter, line: number, raw: Raw): void {
  const { dialect, open, rows } = cutter;
  if (typeof raw !== 'string') {
    while (open.lines.length > 0) giveUp(cutter);
    const reason = unreadable(raw, ', and the mapping names no other csv.encoding');
    rows.push({ line, raw, reason, isTooLong: raw.length > MAX_LINE });
    return;
  }
  if (open.lines.length > 0) {
    open.lines.push(raw);
    open.length += raw.length + 1;
    // Only a line that closes the quote is split, and no cell is split twice, so the time is linear in the row's length.
    if (closing(raw, 0, dialect.quote) < 0) open.parts.push(raw);
    else tryToClose(cutter, raw);
    if (cutter.open.length > MAX_ROW) giveUp(cutter, true);
    return;
  }
  if (raw.trim() === '' || raw === END_OF_FILE) return;
  if (!raw.includes(dialect.quote)) {
    rows.push({ line, raw });
    return;
  }
  const cut = cutQuoted(raw, dialect);
  if (typeof cut === 'string') rows.push({ line, raw, reason: cut });
  else if (cut.openAt === undefined) rows.push({ line, raw, quoted: cut.cells });
  else cutter.open = { line, lines: [raw], length: raw.length, cells: cut.cells, parts: [raw.slice(cut.openAt)] };
}

/** Goes on splitting from the open quote, with the line that closes it. */
function tryToClose(cutter: RowCutter, raw: string): void {
  const { dialect, open, rows } = cutter;
  const text = [...open.parts, raw].join('\n');
  const cut = cutQuoted(text, dialect, open.cells);
  if (typeof cut === 'string') {
    giveUp(cutter); // a stray quote: rejects only this line, not all that follow
    return;
  }
  if (cut.openAt !== undefined) {
    cutter.open = { ...open, cells: cut.cells, parts: [text.slice(cut.openAt)] };
    return;
  }
  rows.push({ line: open.line, raw: open.lines.join('\n'), quoted: cut.cells });
  cutter.open = notOpen();
}

/** Rejects the line that opened the quote and reads the lines after it again. */
function giveUp(cutter: RowCutter, isTooLong = false): void {
  const { dialect, open, rows } = cutter;
  const { line, lines } = open;
  const [raw = '', ...rest] = lines;
  cutter.open = notOpen();
  const end = isTooLong ? `not closed within ${MAX_ROW} characters` : 'never closed';
  rows.push({ line, raw, reason: `a quote ${dialect.quote} is opened and ${end}`, isTooLong });
  for (const [index, later] of rest.entries()) take(cutter, line + 1 + index, later);
}

/** Returns the index of the quote that closes a cell; −1 if there is none. */
function closing(row: string, from: number, quote: string): number {
  let end = row.indexOf(quote, from);
  while (end >= 0 && row[end + 1] === quote) end = row.indexOf(quote, end + 2);
  return end;
}

async function* inUtf8(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = isLabelOfUtf8(encoding) ? undefined : decoding(encoding);
  if (decoder === undefined) return yield* bytes; // not decoded, so that invalid bytes are found, not replaced
  for await (const chunk of bytes) yield Buffer.from(decoder.decode(chunk));
  yield Buffer.from(decoder.end());
}
