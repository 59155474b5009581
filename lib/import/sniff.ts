import { cellsOf, columnNames, type Dialect, isEmptyRow, readCsv } from './formats/csv.ts';
import { decoded, encodingCandidates } from './formats/encodings.ts';
import { once } from './formats/lines.ts';

/** The beginning of a CSV: its dialect, header and first rows. */
export interface CsvSample {
  readonly dialect: Dialect;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[]; // each with as many cells as the header
}

const SEPARATORS = [',', ';', '\t', '|'] as const;
/** Unpacked bytes that are read of a file to know what it is. */
export const START = 262_144;
const MARK = '\uFEFF';
/** What no name of a column has: control characters, as in packed files, and line ends that are a bare CR. */
const NO_TEXT = /[^\P{Cc}\t\r\n]|\r(?!\n)/u;

/**
 * Reads the beginning of a CSV; undefined if it looks like none: the header must have at least two different columns.
 * `chosen` is the encoding that a person named.
 */
export async function sniffCsv(start: Uint8Array, chosen?: string): Promise<CsvSample | undefined> {
  const encoding = chosen ?? encodingCandidates(start)[0];
  const isWhole = start.length < START;
  const text = decoded(start, encoding).replace(MARK, '');
  const skip = /^sep=.\r?\n/i.test(text) ? 1 : 0;
  let best: { readonly sample: CsvSample; readonly score: number } | undefined;
  for (const separator of SEPARATORS) {
    const dialect = { separator, quote: '"', encoding, skip };
    const sample = await readSample(isWhole ? text : wholeLines(text), dialect);
    if (sample === undefined) continue;
    const score = scoreOf(sample);
    if (best === undefined || score > best.score) best = { sample, score };
  }
  if (best === undefined) return undefined;
  const { header, rows } = best.sample;
  return { ...best.sample, rows: rows.filter((row) => row.length === header.length) };
}

/** Drops the last line, which may be incomplete. */
function wholeLines(text: string): string {
  const end = text.lastIndexOf('\n');
  return end < 0 ? text : text.slice(0, end);
}

async function readSample(text: string, dialect: Dialect): Promise<CsvSample | undefined> {
  const rows: SampleRow[] = [];
  for await (const read of readCsv(once(Buffer.from(text)), { ...dialect, encoding: 'utf-8' })) {
    for (const row of read)
      if (!('reason' in row || isEmptyRow(row, dialect)))
        rows.push({ line: row.line, cells: cellsOf(row, dialect).map((cell) => cell.trim()) });
  }
  const above = titleRows(rows);
  const [header, ...rest] = rows.slice(above).map(({ cells }) => cells);
  if (header === undefined || header.length < 2 || new Set(header).size < 2) return undefined;
  if (header.some((name) => NO_TEXT.test(name))) return undefined;
  const skip = above === 0 ? dialect.skip : (rows[above]?.line ?? 1) - 1;
  return { dialect: { ...dialect, skip }, header: columnNames(header), rows: rest };
}

interface SampleRow {
  readonly line: number;
  readonly cells: readonly string[];
}

const MOST_TITLES = 10; // rows above the header

/** Returns how many rows above the header are a title: they have less than half as many cells as the rows below. */
function titleRows(rows: readonly SampleRow[]): number {
  const filled = rows.map(({ cells }) => cells.filter((cell) => cell !== '').length);
  const [middle = 0] = [...filled].sort((a, b) => a - b).slice(Math.floor(filled.length / 2));
  const header = filled.findIndex((count) => count > 1 && count * 2 > middle);
  return header > 0 && header <= MOST_TITLES ? header : 0;
}

/**
 * Scores how well rows fit the header: first by the share of rows with as many cells, then by the number of columns.
 */
function scoreOf({ header, rows }: CsvSample): number {
  const agreeing = rows.filter(({ length }) => length === header.length).length;
  return (rows.length === 0 ? 1 : agreeing / rows.length) * 1_000 + header.length;
}
