import { ImportFault } from '../formats/import-fault.ts';
import { UNPACK_LIMITS } from './unpack-limits.ts';

/** A row of a sheet. */
export interface SheetRow {
  readonly index: number; // from 0
  readonly values: readonly string[]; // what its cells show
}

/** The sheets of a workbook. */
export interface Sheets {
  readonly names: readonly string[]; // of those that are not hidden
  readonly rows: (sheet: string) => AsyncIterable<SheetRow>;
}

const LOOK = 30; // rows of a sheet that show whether it has a table
const TOP = 50; // rows whose widest one says how many columns the sheet has
const CHUNK = 65_536; // characters

/** The first row of two or more cells, if there is another such row below it; else no cell. */
export async function headerOf(rows: AsyncIterable<SheetRow>): Promise<readonly string[]> {
  let header: readonly string[] | undefined;
  let looked = 0;
  for await (const { values } of rows) {
    looked += 1;
    if (looked > LOOK) return [];
    if (widthOf(values) < 2) continue;
    if (header !== undefined) return header;
    header = values.slice(0, widthOf(values));
  }
  return [];
}

/**
 * Yields rows as CSV. Each row is one line, and its number is that of the row in the sheet; all rows have as many cells
 * as the widest at the top: those of later rows that lie beyond are of no column.
 */
export async function* csvLines(rows: AsyncIterable<SheetRow>, name: string): AsyncGenerator<Uint8Array> {
  const top: SheetRow[] = [];
  let width = 0;
  let next = 0; // row of the sheet
  let text = '';
  const add = ({ index, values }: SheetRow): void => {
    if (index < next || index > next + 1_048_576)
      throw new ImportFault(`${name} is damaged: its rows are out of order.`);
    text += '\n'.repeat(index - next);
    next = index + 1;
    const cells = values.slice(0, width).map((value) => cellText(value, name));
    while (cells.length < width) cells.push('');
    text += `${cells.every((cell) => cell === '') ? '' : cells.join(',')}\n`;
  };
  for await (const row of rows) {
    if (top.length < TOP) {
      top.push(row);
      width = Math.max(width, widthOf(row.values));
      if (top.length < TOP) continue;
      for (const one of top) add(one);
    } else add(row);
    if (text.length < CHUNK) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (top.length < TOP) for (const one of top) add(one);
  if (text !== '') yield Buffer.from(text);
}

/** The number of cells up to the last that is not empty. */
function widthOf(values: readonly string[]): number {
  let width = values.length;
  while (width > 0 && values[width - 1] === '') width -= 1;
  return width;
}

function cellText(text: string, name: string): string {
  if (text.length > UNPACK_LIMITS.cell) throw new ImportFault(`${name} has a cell of ${text.length} characters.`);
  if (!/[",\r\n]/.test(text)) return text;
  return `"${text.replaceAll('"', '""').replaceAll(/\s*[\r\n]+\s*/g, ' ')}"`;
}
