import { ImportFault } from '../formats/import-fault.ts';
import { type Archive, faultOf } from './archive.ts';
import { ODS_PART, odsSheets } from './ods.ts';
import { csvLines, headerOf, type Sheets } from './sheet-lines.ts';
import { XLSX_PART, xlsxSheets } from './xlsx.ts';

/** The kinds of workbook that are read: those of Office Open XML and of OpenDocument. */
export type WorkbookKind = 'xlsx' | 'ods';

/** A workbook whose parts were checked. */
export interface Workbook extends Sheets {
  readonly name: string;
}

/** What a zip file is; throws `ImportFault` for documents that hold no table. */
export function workbookKind(name: string, { names }: Archive): WorkbookKind | undefined {
  const has = (part: string): boolean => names.includes(part);
  if (has('xl/workbook.bin')) throw new ImportFault(`${name} is a binary workbook: save it as .xlsx.`);
  if (has('word/document.xml')) throw new ImportFault(`${name} is a text document: save its table as CSV or .xlsx.`);
  if (has('ppt/presentation.xml')) throw new ImportFault(`${name} is a presentation: save its table as .xlsx.`);
  if (has(XLSX_PART)) return 'xlsx';
  return has('mimetype') && has(ODS_PART) ? 'ods' : undefined;
}

/** Opens a workbook. Throws `ImportFault` if it runs programs, takes values from other files, or is too large. */
export async function openWorkbook(name: string, kind: WorkbookKind, archive: Archive): Promise<Workbook> {
  const isOf = (folder: string) => archive.names.some((part) => part.startsWith(folder));
  if (isOf('xl/vbaProject') || isOf('Basic/'))
    throw new ImportFault(`${name} holds macros: save it as a workbook without them.`);
  if (isOf('xl/externalLinks/'))
    throw new ImportFault(`${name} takes values from other files: save it with values alone, or as CSV.`);
  try {
    const { names, rows } = await (kind === 'xlsx' ? xlsxSheets : odsSheets)(name, archive);
    if (names.length === 0) throw new ImportFault(`${name} has no sheet.`);
    return { name, names, rows: (sheet) => told(name, rows(sheet)) };
  } catch (error) {
    throw faultOf(name, error);
  }
}

async function* told<T>(name: string, rows: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* rows;
  } catch (error) {
    throw faultOf(name, error);
  }
}

/** A sheet with a table: a row of two or more cells, and another below it. */
export interface SheetTable {
  readonly name: string;
  readonly header: readonly string[]; // the first such row
}

/** Returns the sheets that have a table: more than one, and a person must choose. */
export async function tablesOf({ names, rows }: Workbook): Promise<readonly SheetTable[]> {
  const [only] = names;
  if (only !== undefined && names.length === 1) return [{ name: only, header: [] }];
  const tables: SheetTable[] = [];
  for (const name of names) {
    const header = await headerOf(rows(name));
    if (header.length > 0) tables.push({ name, header });
  }
  return tables;
}

/** Yields a sheet as the CSV that it would be, in UTF-8 with commas. */
export async function* sheetCsv(workbook: Workbook, wanted: string | undefined): AsyncGenerator<Uint8Array> {
  const { name, names } = workbook;
  if (wanted !== undefined && !names.includes(wanted))
    throw new ImportFault(`${name} has no sheet "${wanted}": its sheets are ${names.join(', ')}.`);
  const [only, ...others] = wanted === undefined ? (await tablesOf(workbook)).map((table) => table.name) : [wanted];
  if (only === undefined) throw new ImportFault(`${name} has no table: it needs a header and rows below it.`);
  if (others.length > 0) {
    throw new ImportFault(
      `${name} has several sheets with a table: ${[only, ...others].join(', ')}. Name one, as in "${name}/${only}".`,
    );
  }
  yield* csvLines(workbook.rows(only), name);
}
