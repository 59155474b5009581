import type { FileStart } from '../import/recognise.ts';
import type { CsvSample } from '../import/sniff.ts';
import type { Understanding } from './shapes.ts';

const ROWS = 10;
const COLUMNS = 60;
const CELL = 120; // characters
const LINES = 5;
const LINE = 400;

/** The first rows of a table, or the first lines of another file. */
export function previewOf({ bytes }: FileStart, sample: CsvSample | undefined): Understanding['preview'] {
  const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);
  if (sample !== undefined) {
    const row = (cells: readonly string[]): string[] => cells.slice(0, COLUMNS).map((cell) => cut(cell, CELL));
    return { header: row(sample.header), rows: sample.rows.slice(0, ROWS).map(row) };
  }
  const lines = new TextDecoder().decode(bytes.subarray(0, 65_536)).split(/\r?\n/);
  return {
    lines: lines
      .filter((line) => line.trim() !== '')
      .slice(0, LINES)
      .map((line) => cut(line, LINE)),
  };
}
