import { ImportFault } from '../formats/import-fault.ts';
import type { Archive } from './archive.ts';
import { percentText } from './cell-format.ts';
import { eachElement, localName, readElements } from './elements.ts';
import type { SheetRow, Sheets } from './sheet-lines.ts';

export const ODS_PART = 'content.xml';
const MOST_COLUMNS = 16_384; // beyond which only repetitions of empty cells reach
const MOST_SAME_ROWS = 10_000; // rows with texts that are written as one: no table has more

/** Opens the sheets of an OpenDocument workbook, which are read as a stream. */
export async function odsSheets(name: string, archive: Archive): Promise<Sheets> {
  const names: string[] = [];
  await eachElement(archive, ODS_PART, {
    open(element, attributes) {
      if (element === 'table:table' && attributes['table:name']) names.push(attributes['table:name']);
    },
  });
  return { names, rows: (sheet) => rowsOf(name, archive, sheet) };
}

type Attributes = Readonly<Record<string, string>>;

async function* rowsOf(name: string, archive: Archive, sheet: string): AsyncGenerator<SheetRow> {
  let rows: SheetRow[] = [];
  let [inSheet, inText, isAside] = [false, false, false];
  let [index, sameRows] = [0, 1];
  let values: string[] = [];
  let empty = 0; // cells since the last text
  let cell: Attributes | undefined;
  let paragraphs: string[] = [];
  const fill = (text: string, count: number): void => {
    if (text === '') {
      empty += count;
      return;
    }
    for (; empty > 0 && values.length < MOST_COLUMNS; empty -= 1) values.push('');
    for (let at = 0; at < count && values.length < MOST_COLUMNS; at += 1) values.push(text);
  };
  const add = (text: string): void => {
    const last = paragraphs.length - 1;
    if (inText && last >= 0) paragraphs[last] += text;
  };
  const reading = readElements(archive, ODS_PART, {
    open(element, attributes) {
      if (element === 'table:table') inSheet = attributes['table:name'] === sheet;
      if (!inSheet) return;
      const local = localName(element);
      if (local === 'table-row') {
        sameRows = Number(attributes['table:number-rows-repeated'] ?? 1);
        [values, empty] = [[], 0];
      } else if (local === 'table-cell' || local === 'covered-table-cell') {
        cell = attributes;
        paragraphs = [];
      } else if (local === 'annotation') isAside = true;
      else if (local === 'p' && cell !== undefined && !isAside) {
        inText = true;
        paragraphs.push('');
      } else if (local === 's') add(' '.repeat(Math.min(Number(attributes['text:c'] ?? 1) || 1, 1_000)));
      else if (local === 'tab') add('\t');
      else if (local === 'line-break') add('\n');
    },
    text: add,
    close(element) {
      if (element === 'table:table') inSheet = false;
      const local = localName(element);
      if (local === 'annotation') isAside = false;
      if (local === 'p') inText = isAside && inText;
      if (!inSheet) return;
      if (cell !== undefined && (local === 'table-cell' || local === 'covered-table-cell')) {
        if ('table:formula' in cell && !('office:value-type' in cell))
          throw new ImportFault(`${name} has formulas without a value: open it in a spreadsheet, and save it.`);
        fill(cellText(cell, paragraphs.join('\n')), Number(cell['table:number-columns-repeated'] ?? 1));
        cell = undefined;
      } else if (local === 'table-row') {
        if (values.length > 0 && sameRows > MOST_SAME_ROWS)
          throw new ImportFault(`${name} has one row ${sameRows} times: save the sheet as CSV.`);
        for (let at = 0; values.length > 0 && at < sameRows; at += 1) rows.push({ index: index + at, values });
        index += sameRows;
      }
    },
  });
  for await (const _ of reading) {
    yield* rows;
    rows = [];
  }
}

/** The text that a cell shows; of a number its value, which may be shown with other signs. */
function cellText(cell: Attributes, shown: string): string {
  const type = cell['calcext:value-type'] === 'error' ? 'error' : cell['office:value-type'];
  if (type === 'float' || type === 'currency') return cell['office:value'] ?? '';
  if (type === 'percentage') return percentText(Number(cell['office:value']));
  if (type === 'boolean') return cell['office:boolean-value'] === 'true' ? 'TRUE' : 'FALSE';
  if (type === 'date') return (cell['office:date-value'] ?? shown).replace('T', ' ').replace(/(?<=\d)\.0+$/, '');
  if (type === 'time' && !/^\d+:\d\d/.test(shown)) return durationText(cell['office:time-value'] ?? '');
  return shown;
}

/** Writes `PT26H30M00S` as 26:30:00. */
function durationText(value: string): string {
  const [, hours = '0', minutes = '0', seconds = '0'] =
    /^PT(\d+)H(?:(\d+)M)?(?:(\d+)(?:[.,]\d+)?S)?$/.exec(value) ?? [];
  return [hours, minutes, seconds].map((part) => part.padStart(2, '0')).join(':');
}
