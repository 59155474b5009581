import { type CellStyle, type CellValue, type ColumnDef, type WriteSheet, writeXlsx } from 'hucre/xlsx';
import { type CellKind, type Sheet, type SheetCell, type SheetColumn, wallClock } from './sheet.ts';
import { text } from './text/text.ts';

/** Number formats: durations go on past a day, and whole numbers have no point behind them. */
const FORMATS: Readonly<Partial<Record<CellKind, string>>> = {
  seconds: '[h]:mm:ss',
  percent: '0.0%',
  hour: 'yyyy-mm-dd hh:mm',
  day: 'yyyy-mm-dd',
  week: 'yyyy-mm-dd',
  month: 'yyyy-mm',
  moment: 'yyyy-mm-dd hh:mm:ss',
};

const DAY = 86_400; // s
const WIDTHS = { least: 8, most: 48 } as const; // characters

/** Sheets as a workbook. Texts are stored as texts, so that none is run as a formula. */
export const toXlsx = (sheets: readonly Sheet[]): Promise<Uint8Array> => {
  const taken = new Set<string>();
  return writeXlsx({ sheets: sheets.map((sheet) => sheetOf(sheet, taken)) });
};

function sheetOf({ name, about = [], columns, rows }: Sheet, taken: Set<string>): WriteSheet {
  const above: CellValue[][] = about.length === 0 ? [] : [...about.map((line) => [plainText(line)]), []];
  const header: CellValue[] = columns.map((column) => column.header);
  const cells = rows.map((row) => row.map((cell, index) => stored(cell, columns[index]?.kind ?? 'text')));
  return {
    name: freeName(sheetName(name), taken),
    columns: columns.map((column, index) => columnOf(column, rows, index)),
    rows: [...above, header, ...cells],
    cells: linksOf({ columns, rows }, above.length),
    freezePane: { rows: above.length + 1 },
  };
}

const LONGEST_NAME = 31; // characters of a sheet's name, in Excel

/** A name that Excel takes for a sheet. */
const sheetName = (name: string): string =>
  plainText(name)
    .replaceAll(/[\\/?*[\]:]/g, ' ')
    .replaceAll(/^'+|'+$/g, '')
    .slice(0, LONGEST_NAME)
    .trim() || text.report.title;

/** A name that no other sheet of the workbook has, whatever its case; "By channel (2)". */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free.toLowerCase()); count += 1) {
    const end = ` (${count})`;
    free = `${name.slice(0, LONGEST_NAME - end.length).trimEnd()}${end}`;
  }
  taken.add(free.toLowerCase());
  return free;
}

const LINK: CellStyle = { font: { underline: true, color: { rgb: '0563C1' } } };
const MOST_LINKS = 65_530; // of a sheet, in Excel

/** The links of a sheet's cells, by row and column from 0; the header is row `header`. */
const linksOf = (
  { columns, rows }: Pick<Sheet, 'columns' | 'rows'>,
  header: number,
): NonNullable<WriteSheet['cells']> =>
  new Map(
    columns.flatMap(({ address }, at) =>
      address === undefined
        ? []
        : rows.slice(0, MOST_LINKS).map((row, nth) => {
            const link = { hyperlink: { target: address(String(row[at])) }, style: LINK };
            return [`${header + nth + 1},${at}`, link] as const;
          }),
    ),
  );

function columnOf({ header, kind }: SheetColumn, rows: Sheet['rows'], index: number): ColumnDef {
  const widest = rows.reduce((most, row) => Math.max(most, String(row[index] ?? '').length), header.length);
  const format = kind === 'number' ? numberFormat(rows.map((row) => row[index] ?? null)) : FORMATS[kind];
  return {
    width: Math.min(WIDTHS.most, Math.max(WIDTHS.least, widest + 2)),
    ...(format !== undefined && { numFmt: format }),
  };
}

const numberFormat = (cells: readonly SheetCell[]): string =>
  cells.every((cell) => typeof cell !== 'number' || Number.isInteger(cell)) ? '#,##0' : '#,##0.00';

function stored(cell: SheetCell, kind: CellKind): CellValue {
  if (typeof cell === 'string') return wallClock(cell, kind) ?? plainText(cell);
  if (cell === null) return null;
  if (kind === 'seconds') return cell / DAY;
  return kind === 'percent' ? cell / 100 : cell;
}

const LONGEST = 32_767; // characters of a cell, in Excel

/** A text as the format can hold it: without what XML refuses, and `_x0041_` not taken for the letter A. */
const plainText = (text: string): string =>
  text
    .slice(0, LONGEST)
    .replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_');
