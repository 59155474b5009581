import { ImportFault } from '../formats/import-fault.ts';
import { UNPACK_LIMITS } from './unpack-limits.ts';

/** A row of a sheet as the reader of workbooks gives it. */
export interface SheetRow {
  readonly index: number; // from 0
  readonly values: readonly unknown[];
}

const TOP = 50; // rows whose widest one says how many columns the sheet has
const CHUNK = 65_536; // characters

/** The first row of two or more cells, if there is another such row below it; else no cell. */
export async function headerOf(rows: AsyncIterable<SheetRow>): Promise<readonly string[]> {
  let header: readonly string[] | undefined;
  for await (const { values } of rows) {
    if (widthOf(values) < 2) continue;
    if (header !== undefined) return header;
    header = values.slice(0, widthOf(values)).map((value) => String(value ?? ''));
  }
  return [];
}

/**
 * Yields rows as CSV. Each row is one line, and its number is that of the row in the sheet; all rows have as many cells
 * as the widest at the top.
 */
export async function* csvLines(
  rows: AsyncIterable<SheetRow>,
  { name, is1904 }: { readonly name: string; readonly is1904: boolean },
): AsyncGenerator<Uint8Array> {
  const top: SheetRow[] = [];
  let width = 0;
  let next = 0; // row of the sheet
  let text = '';
  const add = ({ index, values }: SheetRow): void => {
    if (index < next || index > next + 1_048_576)
      throw new ImportFault(`${name} is damaged: its rows are out of order.`);
    text += '\n'.repeat(index - next);
    next = index + 1;
    const cells = values.slice(0, Math.max(width, widthOf(values))).map((value) => cellText(value, { name, is1904 }));
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
function widthOf(values: readonly unknown[]): number {
  let width = values.length;
  while (width > 0 && (values[width - 1] === null || values[width - 1] === undefined || values[width - 1] === ''))
    width -= 1;
  return width;
}

function cellText(value: unknown, sheet: { readonly name: string; readonly is1904: boolean }): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date || Object.prototype.toString.call(value) === '[object Date]')
    return timeText(Number(value), sheet.is1904);
  const text = String(value);
  if (text.length > UNPACK_LIMITS.cell) throw new ImportFault(`${sheet.name} has a cell of ${text.length} characters.`);
  if (!/[",\r\n]/.test(text)) return text;
  return `"${text.replaceAll('"', '""').replaceAll(/\s*[\r\n]+\s*/g, ' ')}"`;
}

const DAY = 86_400_000; // ms
const EPOCHS = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };
const LONGEST = 2_000 * DAY; // of a duration; later moments are dates

/** Writes a moment as a local time, or as a duration if it lies in the first years of a workbook's days. */
function timeText(at: number, is1904: boolean): string {
  const whole = Math.round(at / 1000) * 1000;
  const ms = Math.abs(at - whole) < 5 ? whole : Math.round(at); // days are fractions, so that seconds are never exact
  const since = ms - EPOCHS[is1904 ? 1904 : 1900];
  if (!Number.isFinite(ms)) return '';
  if (since < LONGEST) {
    const seconds = Math.round(since / 1000);
    const part = (value: number): string => String(Math.floor(value)).padStart(2, '0');
    return `${part(seconds / 3600)}:${part((seconds % 3600) / 60)}:${part(seconds % 60)}`;
  }
  const text = new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
  return text.endsWith('.000') ? text.slice(0, 19) : text;
}
