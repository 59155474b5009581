import type { Readable } from 'node:stream';
import { Parser } from 'htmlparser2';
import { ImportFault } from '../formats/import-fault.ts';
import { type Archive, faultOf } from './archive.ts';
import { csvLines, headerOf, type SheetRow } from './sheet-lines.ts';
import { UNPACK_LIMITS } from './unpack-limits.ts';

/** The kinds of workbook that are read: those of Office Open XML and of OpenDocument. */
export type WorkbookKind = 'xlsx' | 'ods';

/** A workbook whose parts were checked. */
export interface Workbook {
  readonly name: string;
  readonly kind: WorkbookKind;
  readonly sheets: readonly string[]; // those that are not hidden
  readonly is1904: boolean; // its days count from 1904
  readonly rows: (sheet: string, most?: number) => AsyncIterable<SheetRow>;
  readonly hasOpenFormula: (sheet: string) => Promise<boolean>; // one without a stored value, which the rows do not show
}

const PARTS = { xlsx: 'xl/workbook.xml', ods: 'content.xml' } as const;

/** What a zip file is; throws `ImportFault` for documents that hold no table. */
export function workbookKind(name: string, { names }: Archive): WorkbookKind | undefined {
  const has = (part: string): boolean => names.includes(part);
  if (has('xl/workbook.bin')) throw new ImportFault(`${name} is a binary workbook: save it as .xlsx.`);
  if (has('word/document.xml')) throw new ImportFault(`${name} is a text document: save its table as CSV or .xlsx.`);
  if (has('ppt/presentation.xml')) throw new ImportFault(`${name} is a presentation: save its table as .xlsx.`);
  if (has(PARTS.xlsx)) return 'xlsx';
  return has('mimetype') && has(PARTS.ods) ? 'ods' : undefined;
}

/**
 * Opens a workbook; `bytes` begins to read the file. Throws `ImportFault` if it runs programs, takes values from other
 * files, or is too large.
 */
export async function openWorkbook(
  name: string,
  kind: WorkbookKind,
  archive: Archive,
  bytes: () => Readable | Buffer,
): Promise<Workbook> {
  const isOf = (folder: string) => archive.names.some((part) => part.startsWith(folder));
  if (isOf('xl/vbaProject') || isOf('Basic/'))
    throw new ImportFault(`${name} holds macros: save it as a workbook without them.`);
  if (isOf('xl/externalLinks/'))
    throw new ImportFault(`${name} takes values from other files: save it with values alone, or as CSV.`);
  if (kind === 'xlsx') await checkHeldParts(name, archive);
  const { sheets, is1904 } = kind === 'xlsx' ? await xlsxSheets(archive) : await odsSheets(archive);
  if (sheets.length === 0) throw new ImportFault(`${name} has no sheet.`);
  return {
    name,
    kind,
    sheets,
    is1904,
    rows: (sheet, most) => rowsOf({ name, kind, bytes, sheet, most }),
    hasOpenFormula: (sheet) => HAS_OPEN_FORMULA[kind](archive, sheet),
  };
}

/**
 * Refuses a workbook whose parts beside its sheets are too large to be held: the reader keeps them as objects, which
 * take 640 bytes for a text of one letter. Throws `ImportFault`.
 */
async function checkHeldParts(name: string, archive: Archive): Promise<void> {
  const parts = archive.names.filter((part) => HELD.test(part));
  const size = parts.reduce((sum, part) => sum + (archive.sizes.get(part) ?? 0), 0);
  let tags = 0;
  try {
    for (const part of size > UNPACK_LIMITS.strings ? [] : parts) {
      let rest = '';
      for await (const chunk of (await archive.open(part)).setEncoding('latin1')) {
        const text = rest + String(chunk);
        tags += text.match(TAG_OR_ATTRIBUTE)?.length ?? 0;
        rest = text.endsWith('=') ? '=' : '';
        if (tags > UNPACK_LIMITS.tags) break;
      }
    }
  } catch (error) {
    throw faultOf(name, error);
  }
  if (size > UNPACK_LIMITS.strings || tags > UNPACK_LIMITS.tags)
    throw new ImportFault(`${name} has more texts than are read of a workbook: save it as CSV.`);
}

const HELD = /^(?!xl\/(?:worksheets|media|pivotCache)\/).*\.(?:xml|rels)$/i;
const TAG_OR_ATTRIBUTE = /<|=["']/g;

interface RowsRequest {
  readonly name: string;
  readonly kind: WorkbookKind;
  readonly bytes: () => Readable | Buffer;
  readonly sheet: string;
  readonly most: number | undefined; // rows
}

/** Reads rows. The package that reads workbooks is loaded only here, when there is one. */
async function* rowsOf({ name, kind, bytes, sheet, most }: RowsRequest): AsyncGenerator<SheetRow> {
  const given = bytes();
  const input = Buffer.isBuffer(given) ? given : webStream(given);
  const limit = most === undefined ? {} : { maxRows: most };
  try {
    if (kind === 'xlsx') yield* (await import('hucre/xlsx')).streamXlsxRows(input, { sheet, ...limit });
    else yield* (await import('hucre/ods')).streamOdsRows(input, { sheets: [sheet], ...limit });
  } catch (error) {
    throw faultOf(name, error);
  } finally {
    if (!Buffer.isBuffer(given)) given.destroy();
  }
}

/** The same bytes as a stream of the web, which the reader of workbooks takes. */
function webStream(stream: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void stream.destroy(),
  });
}

/** A sheet with a table: a row of two or more cells, and another below it. */
export interface SheetTable {
  readonly name: string;
  readonly header: readonly string[]; // the first such row
}

const TOP = 30; // rows of a sheet that show whether it has a table

/** Returns the sheets that have a table: more than one, and a person must choose. */
export async function tablesOf(workbook: Workbook): Promise<readonly SheetTable[]> {
  const { sheets } = workbook;
  const [only] = sheets;
  if (only !== undefined && sheets.length === 1) return [{ name: only, header: [] }];
  const tables: SheetTable[] = [];
  for (const name of sheets) {
    const header = await headerOf(workbook.rows(name, TOP));
    if (header.length > 0) tables.push({ name, header });
  }
  return tables;
}

/** Yields a sheet as the CSV that it would be, in UTF-8 with commas. */
export async function* sheetCsv(workbook: Workbook, wanted: string | undefined): AsyncGenerator<Uint8Array> {
  const { name, sheets } = workbook;
  if (wanted !== undefined && !sheets.includes(wanted))
    throw new ImportFault(`${name} has no sheet "${wanted}": its sheets are ${sheets.join(', ')}.`);
  const [only, ...others] = wanted === undefined ? (await tablesOf(workbook)).map((table) => table.name) : [wanted];
  if (only === undefined) throw new ImportFault(`${name} has no table: it needs a header and rows below it.`);
  if (others.length > 0) {
    throw new ImportFault(
      `${name} has several sheets with a table: ${[only, ...others].join(', ')}. Name one, as in "${name}/${only}".`,
    );
  }
  yield* csvLines(workbook.rows(only), workbook);
  // At the end, so that a file's beginning is not read twice; nothing is stored before all of a file was read.
  if (await workbook.hasOpenFormula(only))
    throw new ImportFault(`${name} has formulas without a value: open it in a spreadsheet, and save it.`);
}

/** A cell with a formula and no value; that of a text may be empty. Bounded, so that no sheet makes it slow. */
const OPEN_FORMULA =
  /<(\w{0,9}:?)c(?![^>]{0,300}\st="str")[^>]{0,300}>\s*<\1f(?:[^>]{0,300}\/|[^>]{0,300}>[^<]{0,9000}<\/\1f)>\s*(?:<\1v\s*\/>|<\1v>\s*<\/\1v>)?\s*<\/\1c>/;
const FORMULA = /<(?:\w{1,9}:)?f[\s/>]/;
const LONGEST_CELL = 65_536; // characters; Excel's formulas have up to 8,192

/** Looks in a sheet for a formula that no program has computed. */
const HAS_OPEN_FORMULA: Readonly<Record<WorkbookKind, (archive: Archive, sheet: string) => Promise<boolean>>> = {
  xlsx: hasOpenFormulaInXlsx,
  async ods(archive, sheet) {
    let inSheet = false;
    let found = false;
    await eachElement(archive, PARTS.ods, (element, attributes) => {
      if (element === 'table:table') inSheet = attributes['table:name'] === sheet;
      if (inSheet && 'table:formula' in attributes && !('office:value-type' in attributes)) found = true;
    });
    return found;
  },
};

async function hasOpenFormulaInXlsx(archive: Archive, sheet: string): Promise<boolean> {
  let id: string | undefined;
  await eachElement(archive, PARTS.xlsx, (element, { name, 'r:id': ref }) => {
    if (/(?:^|:)sheet$/.test(element) && name === sheet) id = ref;
  });
  let part: string | undefined;
  await eachElement(archive, 'xl/_rels/workbook.xml.rels', (_, { Id, Target }) => {
    if (Id === id && Target !== undefined) part = Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`;
  });
  if (part === undefined || !archive.names.includes(part)) return false;
  let rest = '';
  for await (const chunk of (await archive.open(part)).setEncoding('latin1')) {
    const text = rest + String(chunk);
    if (FORMULA.test(text) && OPEN_FORMULA.test(text)) return true;
    rest = text.slice(Math.max(text.lastIndexOf('<c '), text.length - LONGEST_CELL));
  }
  return false;
}

/** Calls `open` for each element of a part of an archive. */
async function eachElement(
  archive: Archive,
  part: string,
  open: (name: string, attributes: Readonly<Record<string, string>>) => void,
): Promise<void> {
  const parser = new Parser({ onopentag: open }, { xmlMode: true });
  for await (const chunk of (await archive.open(part)).setEncoding('utf8')) parser.write(String(chunk));
  parser.end();
}

async function xlsxSheets(archive: Archive): Promise<{ sheets: string[]; is1904: boolean }> {
  const sheets: string[] = [];
  let is1904 = false;
  await eachElement(archive, PARTS.xlsx, (element, attributes) => {
    const [, local = element] = /:(.+)$/.exec(element) ?? [];
    if (local === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
    if (local === 'sheet' && attributes.name && (attributes.state ?? 'visible') === 'visible')
      sheets.push(attributes.name);
  });
  return { sheets, is1904 };
}

async function odsSheets(archive: Archive): Promise<{ sheets: string[]; is1904: boolean }> {
  const sheets: string[] = [];
  await eachElement(archive, PARTS.ods, (element, attributes) => {
    if (element === 'table:table' && attributes['table:name']) sheets.push(attributes['table:name']);
  });
  return { sheets, is1904: false };
}
