import { isUtf8 } from 'node:buffer';
import { cellsOf, columnNames, type Dialect, readCsv } from './formats/csv.ts';

/** The beginning of a CSV: its dialect, header and first rows. */
export interface CsvSample {
  readonly dialect: Dialect;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[]; // each with as many cells as the header
}

const SEPARATORS = [',', ';', '\t', '|'] as const;
const MARK = '\uFEFF';
/** What no name of a column has: control characters, as in packed files, and line ends that are a bare CR. */
const NO_TEXT = /[^\P{Cc}\t\r\n]|\r(?!\n)/u;

/**
 * Guesses the encoding of a file from its beginning: UTF-16 by its byte-order mark, UTF-8 if it is valid as such. Its last
 * character may be incomplete.
 */
function encodingOf(start: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' {
  const [first, second] = start;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  for (let cut = 0; cut < 4; cut += 1) if (isUtf8(start.subarray(0, start.length - cut))) return 'utf-8';
  return 'windows-1252';
}

/**
 * Reads the beginning of a CSV; undefined if it looks like none: the header must have at least two different columns.
 */
export async function sniffCsv(start: Uint8Array): Promise<CsvSample | undefined> {
  const encoding = encodingOf(start);
  const text = new TextDecoder(encoding).decode(start).replace(MARK, '');
  const skip = /^sep=.\r?\n/i.test(text) ? 1 : 0;
  let best: { readonly sample: CsvSample; readonly score: number } | undefined;
  for (const separator of SEPARATORS) {
    const dialect = { separator, quote: '"', encoding, skip };
    const sample = await readSample(wholeLines(text), dialect);
    if (sample === undefined) continue;
    const score = scoreOf(sample);
    if (best === undefined || score > best.score) best = { sample, score };
  }
  if (best === undefined) return undefined;
  const { header, rows } = best.sample;
  return { ...best.sample, rows: rows.filter((row) => row.length === header.length) };
}

/** Drops the last line, which may be incomplete, unless there is at most one line end. */
function wholeLines(text: string): string {
  const end = text.lastIndexOf('\n');
  return end < 0 || text.indexOf('\n') === end ? text : text.slice(0, end);
}

async function readSample(text: string, dialect: Dialect): Promise<CsvSample | undefined> {
  const rows: (readonly string[])[] = [];
  for await (const read of readCsv(once(Buffer.from(text)), { ...dialect, encoding: 'utf-8' })) {
    for (const row of read) if (!('reason' in row)) rows.push(cellsOf(row, dialect).map((cell) => cell.trim()));
  }
  const [header, ...rest] = rows;
  if (header === undefined || header.length < 2 || new Set(header).size < 2) return undefined;
  if (header.some((name) => NO_TEXT.test(name))) return undefined;
  return { dialect, header: columnNames(header), rows: rest };
}

/**
 * Scores how well rows fit the header: first by the share of rows with as many cells, then by the number of columns.
 */
function scoreOf({ header, rows }: CsvSample): number {
  const agreeing = rows.filter(({ length }) => length === header.length).length;
  return (rows.length === 0 ? 1 : agreeing / rows.length) * 1_000 + header.length;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
