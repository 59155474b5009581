import { withoutFormula } from './text.ts';

export type CsvCell = string | number | boolean | null;

/** What separates cells: a comma, or a semicolon beside which numbers have decimal commas. */
export type CsvStyle = 'comma' | 'semicolon';

/** Cells as CSV (RFC 4180), each line ended by CRLF; null is an empty cell. */
export const csvText = (rows: readonly (readonly CsvCell[])[], style: CsvStyle = 'comma'): string => {
  const separator = style === 'comma' ? ',' : ';';
  return rows.map((row) => `${row.map((cell) => csvCell(cell, style)).join(separator)}\r\n`).join('');
};

function csvCell(cell: CsvCell, style: CsvStyle): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return style === 'comma' ? String(cell) : String(cell).replace('.', ',');
  const text = withoutFormula(cell);
  return QUOTED[style].test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const QUOTED = { comma: /[",\r\n]/, semicolon: /[";\r\n]/ } as const;
