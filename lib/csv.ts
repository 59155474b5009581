import { withoutFormula } from './text.ts';

export type CsvCell = string | number | boolean | null;

/** Cells as CSV (RFC 4180), each line ended by CRLF; null is an empty cell. */
export const csvText = (rows: readonly (readonly CsvCell[])[]): string =>
  rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');

function csvCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = withoutFormula(cell);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const QUOTED = /[",\r\n]/;
