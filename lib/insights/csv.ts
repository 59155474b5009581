export type CsvCell = string | number | boolean | null;

/** Cells as CSV (RFC 4180), each line ended by CRLF; null is an empty cell. */
export const csvText = (rows: readonly (readonly CsvCell[])[]): string =>
  rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');

function csvCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const FORMULA = /^[=+\-@\t\r]/; // spreadsheets run a text that starts like this as a formula
const QUOTED = /[",\r\n]/;
