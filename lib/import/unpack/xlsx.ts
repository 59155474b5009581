import { ImportFault } from '../formats/import-fault.ts';
import type { Archive } from './archive.ts';
import { builtInFormat, type CellFormat, shownNumber, writtenFormat } from './cell-format.ts';
import { eachElement, localName, readElements } from './elements.ts';
import type { Sheets } from './sheet-lines.ts';
import { UNPACK_LIMITS } from './unpack-limits.ts';

export const XLSX_PART = 'xl/workbook.xml';
const [RELATIONS, STYLES, TEXTS] = ['xl/_rels/workbook.xml.rels', 'xl/styles.xml', 'xl/sharedStrings.xml'];
const MOST_COLUMNS = 16_384;

/** Opens the sheets of an Office Open XML workbook. What its cells share is held, and its sheets are read as a stream. */
export async function xlsxSheets(name: string, archive: Archive): Promise<Sheets> {
  await checkHeldParts(name, archive);
  const targets = new Map<string, string>();
  const sheets = new Map<string, string>(); // those that are not hidden, and their parts
  let is1904 = false;
  const has = (part: string): boolean => archive.names.includes(part);
  if (has(RELATIONS))
    await eachElement(archive, RELATIONS, {
      open: (_, { Id = '', Target = '' }) =>
        void targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`),
    });
  await eachElement(archive, XLSX_PART, {
    open(element, attributes) {
      const local = localName(element);
      if (local === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      if (local !== 'sheet' || !attributes.name || (attributes.state ?? 'visible') !== 'visible') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      sheets.set(attributes.name, targets.get(id) ?? '');
    },
  });
  let shared: { readonly formats: readonly CellFormat[]; readonly texts: readonly string[] } | undefined;
  return {
    names: [...sheets.keys()],
    async *rows(sheet) {
      const part = sheets.get(sheet) ?? '';
      if (!has(part))
        throw new ImportFault(`${name} is damaged (it lacks the sheet ${sheet}): fetch or save it again.`);
      shared ??= {
        formats: has(STYLES) ? await formatsOf(archive) : [],
        texts: has(TEXTS) ? await textsOf(archive) : [],
      };
      yield* rowsOf(archive, part, { ...shared, is1904, name });
    },
  };
}

interface Shared {
  readonly name: string;
  readonly is1904: boolean;
  readonly formats: readonly CellFormat[]; // by the style of a cell
  readonly texts: readonly string[];
}

async function* rowsOf(archive: Archive, part: string, shared: Shared) {
  let rows: { index: number; values: string[] }[] = [];
  let [row, column] = [-1, -1];
  let cell: { readonly type: string; readonly style: number } | undefined;
  let [values, value, text]: [string[], string, string] = [[], '', ''];
  let into: 'value' | 'text' | undefined;
  let [hasFormula, isAside] = [false, false];
  const reading = readElements(archive, part, {
    open(element, { r, t = '', s = '' }) {
      const local = localName(element);
      if (local === 'row') {
        row = r === undefined ? row + 1 : Number(r) - 1;
        [values, column] = [[], -1];
      } else if (local === 'c') {
        column = r === undefined ? column + 1 : columnOf(r);
        if (!(column >= 0 && column < MOST_COLUMNS))
          throw new ImportFault(`${shared.name} is damaged (a cell ${r}): fetch or save it again.`);
        cell = { type: t, style: Number(s) };
        [value, text, hasFormula] = ['', '', false];
      } else if (local === 'rPh')
        isAside = true; // how a text is spoken
      else if (local === 'f') hasFormula = true;
      else if (local === 'v') into = 'value';
      else if (local === 't' && !isAside) into = 'text';
    },
    text(part) {
      if (into === 'value') value += part;
      else if (into === 'text') text += part;
    },
    close(element) {
      const local = localName(element);
      if (local === 'v' || local === 't') into = undefined;
      else if (local === 'rPh') isAside = false;
      else if (local === 'row') rows.push({ index: row, values });
      else if (local === 'c' && cell !== undefined) {
        if (hasFormula && value === '' && cell.type !== 'str')
          throw new ImportFault(`${shared.name} has formulas without a value: open it in a spreadsheet, and save it.`);
        const shown = cellText(cell, value, text, shared);
        if (shown !== '') {
          while (values.length < column) values.push('');
          values[column] = shown;
        }
        cell = undefined;
      }
    },
  });
  for await (const _ of reading) {
    yield* rows;
    rows = [];
  }
}

function cellText(
  { type, style }: { readonly type: string; readonly style: number },
  value: string,
  text: string,
  shared: Shared,
): string {
  if (type === 's') return shared.texts[Number(value)] ?? '';
  if (type === 'inlineStr') return unescaped(text);
  if (type === 'str') return unescaped(value);
  if (type === 'b') return /^(?:1|true)$/i.test(value) ? 'TRUE' : 'FALSE';
  if (type === 'd') return value.replace('T', ' ');
  const number = Number(value);
  if (type === 'e' || value === '' || Number.isNaN(number)) return value;
  return shownNumber(number, shared.formats[style] ?? 'number', shared);
}

/** Letters that XML cannot hold are written by their codes: `_x000D_`. */
const unescaped = (text: string): string =>
  text.replaceAll(/_x([\dA-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** The number of a column by the name of a cell, from 0: `AB12` is 27. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/i.exec(reference)?.[0].toUpperCase() ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

async function formatsOf(archive: Archive): Promise<CellFormat[]> {
  const written = new Map<string, CellFormat>();
  const formats: CellFormat[] = [];
  let isOfCells = false;
  await eachElement(archive, STYLES, {
    open(element, { numFmtId = '', formatCode = '' }) {
      const local = localName(element);
      if (local === 'numFmt') written.set(numFmtId, writtenFormat(formatCode));
      if (local === 'cellXfs') isOfCells = true;
      if (local === 'xf' && isOfCells) formats.push(written.get(numFmtId) ?? builtInFormat(Number(numFmtId)));
    },
    close(element) {
      if (localName(element) === 'cellXfs') isOfCells = false;
    },
  });
  return formats;
}

async function textsOf(archive: Archive): Promise<string[]> {
  const texts: string[] = [];
  let text = '';
  let [isText, isAside] = [false, false];
  await eachElement(archive, TEXTS, {
    open(element) {
      const local = localName(element);
      if (local === 'si') text = '';
      if (local === 'rPh') isAside = true;
      if (local === 't' && !isAside) isText = true;
    },
    text(part) {
      if (isText) text += part;
    },
    close(element) {
      const local = localName(element);
      if (local === 'si') texts.push(unescaped(text));
      if (local === 'rPh') isAside = false;
      if (local === 't') isText = false;
    },
  });
  return texts;
}

const HELD = /^(?!xl\/(?:worksheets|media|pivotCache)\/).*\.(?:xml|rels)$/i;
const TAG_OR_ATTRIBUTE = /<|=["']/g;

/** Refuses a workbook whose parts beside its sheets are too large to be held. Throws `ImportFault`. */
async function checkHeldParts(name: string, archive: Archive): Promise<void> {
  const parts = archive.names.filter((part) => HELD.test(part));
  const size = parts.reduce((sum, part) => sum + (archive.sizes.get(part) ?? 0), 0);
  let tags = 0;
  for (const part of size > UNPACK_LIMITS.strings ? [] : parts) {
    let rest = '';
    for await (const chunk of (await archive.open(part)).setEncoding('latin1')) {
      const text = rest + String(chunk);
      tags += text.match(TAG_OR_ATTRIBUTE)?.length ?? 0;
      rest = text.endsWith('=') ? '=' : '';
      if (tags > UNPACK_LIMITS.tags) break;
    }
  }
  if (size > UNPACK_LIMITS.strings || tags > UNPACK_LIMITS.tags)
    throw new ImportFault(`${name} has more texts than are read of a workbook: save it as CSV.`);
}
