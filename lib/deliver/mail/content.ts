import type { Definitions } from '../../console/model/definitions.ts';
import { canStack, countsSomething, findField, totalName, unitOf } from '../../console/model/fields.ts';
import type { Format } from '../../console/model/format.ts';
import { emptyText, type Names } from '../../console/model/names.ts';
import { type Change, changeOf, changeText } from '../../console/model/report/change.ts';
import { gridOf, type Member, type Report, type Row, rangesText } from '../../console/model/report/report.ts';
import { type Column, columnsOf, rowsOf } from '../../console/model/report/table.ts';
import { text } from '../../console/model/text/text.ts';

/** A mail before it is HTML or text: all its texts are as the site has them, not escaped. */
export interface MailContent {
  readonly title: string;
  readonly lead: readonly string[]; // sentences below the title
  readonly sections: readonly Section[];
  readonly link: { readonly href: string; readonly label: string };
  readonly why: string; // why one gets it
}

export type Section = NumbersSection | TableSection | NoteSection | WordsSection;

/** A heading or a text of a board. */
export interface WordsSection {
  readonly kind: 'heading' | 'text';
  readonly words: string;
}

/** Numbers beside each other. */
export interface NumbersSection {
  readonly kind: 'numbers';
  readonly numbers: readonly ShownNumber[];
}

interface ShownNumber {
  readonly label: string;
  readonly value: string;
  readonly change?: ShownChange | undefined; // to the period before
  readonly why?: readonly string[]; // what adds most to the change
  readonly ranges?: string | undefined; // where the numbers of a mail have several
  readonly goal?: string | undefined; // and whether it is kept, in words
}

interface ShownChange {
  readonly text: string; // `+12% better, before: 40`
  readonly verdict: Change['verdict'];
}

interface TableSection {
  readonly kind: 'table';
  readonly title: string;
  readonly range: string;
  readonly goal?: string | undefined; // and whether it is kept, in words
  readonly columns: readonly { readonly title: string; readonly isNumber: boolean }[];
  readonly rows: readonly (readonly ShownCell[])[];
  readonly total: readonly ShownCell[] | undefined;
  readonly empty: string; // in place of rows, where there are none
  readonly left: number; // rows that are not shown
  readonly isDense?: boolean; // has many narrow columns
}

export interface ShownCell {
  readonly text: string;
  readonly bar?: number; // 0 … 1, of the largest in its column
  readonly shade?: number; // 0 … 1, of the largest in the table
}

/** A sentence in place of a tile. */
interface NoteSection {
  readonly kind: 'note';
  readonly title: string;
  readonly note: string;
}

/** How many rows are not shown, for people. */
export const moreRows = (left: number): string => (left === 1 ? '1 more row' : `${left} more rows`);

const MOST_ROWS = 15; // of a table in a mail

/** Heights in px at 700 px width, about: what a mail of a board may have, and what its parts take. */
const HEIGHT = { most: 1_480, around: 330, numbers: 84, why: 40, ranges: 60, table: 140, row: 26, denseRow: 19 };

/** The rows that each table of a mail shows beside tiles of so many numbers (one alone has its why; `ranges` of their own are above them), so that a board of some tables stays a page that one looks over. */
export function rowsOfTables(tiles: readonly number[], tables: number, { ranges = false } = {}): number {
  const numbers = tiles.reduce((sum, each) => sum + each, 0);
  const whys = tiles.filter((each) => each === 1).length;
  const extra = whys * HEIGHT.why + (ranges ? Math.min(tiles.length, Math.ceil(numbers / 2)) * HEIGHT.ranges : 0);
  const left = HEIGHT.most - HEIGHT.around - Math.ceil(numbers / 2) * HEIGHT.numbers - extra;
  const rows = Math.floor((left / Math.max(1, tables) - HEIGHT.table) / HEIGHT.row);
  return Math.max(2, Math.min(MOST_ROWS, rows));
}

/** How a report is written: the names of the site, and the formats of its language. */
export interface Writing {
  readonly definitions: Definitions;
  readonly names: Names;
  readonly format: Format;
}

/** The numbers of a report without its rows: each field with its change. `title` replaces the name of a single field. */
export function numbersOf(report: Report, title: string | undefined, writing: Writing): ShownNumber[] {
  const { definitions, names, format } = writing;
  const [all, before] = [report.totals?.all, report.before?.totals?.all.values];
  return report.fields.map((field, index) => {
    const definition = findField(definitions, field);
    const unit = definition?.unit ?? '';
    const [value, earlier] = [all?.values[index] ?? null, before?.[index] ?? null];
    const change = definition && changeOf(value, earlier, all?.chance?.[index], definition);
    return {
      label: report.fields.length === 1 && title !== undefined ? title : names.field(field),
      value: format.value(value, unit),
      change: change && {
        text: `${changeText(change, format)}, before: ${format.value(earlier, unit)}`,
        verdict: change.verdict,
      },
    };
  });
}

/** The table of a report, at most so many rows, with the total at its end; `bars` draws the first field of each row. */
export function tableSectionOf(
  report: Report,
  title: string,
  { bars, most = MOST_ROWS }: { readonly bars: boolean; readonly most?: number },
  writing: Writing,
): TableSection {
  const { names, format, definitions } = writing;
  const grid = gridSectionOf(report, title, writing, most);
  if (grid !== undefined) return grid;
  const columns = columnsOf(report);
  const all = rowsOf(report, null, names);
  const unit = (field: number): string => unitOf(definitions, report.fields[field] ?? '');
  const first = report.fields[0] ?? '';
  const drawn = bars && countsSomething(definitions, first) ? columns.findIndex(({ kind }) => kind === 'field') : -1;
  const largest = Math.max(0, ...all.map(({ row }) => row.values[0] ?? 0));
  const shown = (row: Row, before: Row | undefined, column: Column, isTotal: boolean): string => {
    if (column.kind === 'window') return row.window === null ? '' : format.window(row.window, report.size);
    if (column.kind === 'dimension') return isTotal ? '' : names.of(column.dimension, row.members[column.index]);
    const values = column.kind === 'field' ? row.values : before?.values;
    return format.value(values?.[column.field] ?? null, unit(column.field));
  };
  const cellsOf = (row: Row, before: Row | undefined, isTotal: boolean): ShownCell[] =>
    columns.map((column, index) => ({
      text: index === 0 && isTotal ? totalName(definitions, report.fields) : shown(row, before, column, isTotal),
      ...(index === drawn && !isTotal && largest > 0 && { bar: Math.max(0, row.values[0] ?? 0) / largest }),
    }));
  return {
    kind: 'table',
    title,
    range: rangesText(report, format),
    columns: columns.map((column) => ({ title: titleOf(report, column, names), isNumber: isNumber(column) })),
    rows: all.slice(0, most).map(({ row, before }) => cellsOf(row, before, false)),
    total: report.totals && all.length > 1 ? cellsOf(report.totals.all, report.before?.totals?.all, true) : undefined,
    empty: emptyText(names, report),
    left: Math.max(0, all.length - most),
  };
}

const MOST_COLUMNS = { members: 8, cells: 24 }; // of a series, the others are added up; of a heat map

/**
 * The table of one field by two things: a row a window with a column a member, or a heat map of two dimensions. Undefined
 * for other reports, and for a heat map that is too wide.
 */
function gridSectionOf(
  report: Report,
  title: string,
  { names, format, definitions }: Writing,
  most: number,
): TableSection | undefined {
  const grid = report.fields.length === 1 && report.before === undefined ? gridOf(report) : undefined;
  if (grid === undefined) return undefined;
  const [field = ''] = report.fields;
  const [one = '', two = ''] = report.dimensions;
  const isSeries = report.size !== 'none';
  const valueAt = (down: Member, across: Member): number | null => grid.at(down, across)?.values[0] ?? null;
  const sizes = new Map(report.totals?.members.map(({ members, values }) => [members[0], values[0] ?? 0]));
  const largestFirst = [...grid.down].sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
  const columns = isSeries ? largestFirst.slice(0, MOST_COLUMNS.members) : names.drawn(two, grid.across);
  const others = isSeries && canStack(definitions, field) ? largestFirst.slice(MOST_COLUMNS.members) : [];
  if (!isSeries && columns.length > MOST_COLUMNS.cells) return undefined;
  const lines = isSeries ? grid.across : names.drawn(one, grid.down);
  const isDense = columns.length > MOST_COLUMNS.members;
  const fitting = isDense ? Math.floor((most * HEIGHT.row) / HEIGHT.denseRow) : most;
  const shown = isSeries ? lines.slice(-most) : lines.slice(0, fitting);
  const cell = (line: Member, column: Member): number | null =>
    isSeries ? valueAt(column, line) : valueAt(line, column);
  const largest = Math.max(0, ...shown.flatMap((line) => columns.map((column) => cell(line, column) ?? 0)));
  const unit = unitOf(definitions, field);
  const empty = countsSomething(definitions, field) ? 0 : null;
  const cellOf = (value: number | null, isShaded: boolean): ShownCell => ({
    text: format.value(value ?? empty, unit),
    ...(isShaded && largest > 0 ? { shade: Math.max(0, value ?? 0) / largest } : {}),
  });
  const dimension = isSeries ? one : two;
  const heading = isSeries ? text.report.windowHeader(report.size) : names.label(one);
  return {
    kind: 'table',
    title,
    range: rangesText(report, format),
    columns: [
      { title: heading, isNumber: false },
      ...columns.map((column) => ({ title: memberTitle(dimension, column, names), isNumber: true })),
      ...(others.length > 0 ? [{ title: 'Others', isNumber: true }] : []),
    ],
    rows: shown.map((line) => [
      { text: isSeries ? format.window(String(line), report.size) : names.of(one, line) },
      ...columns.map((column) => cellOf(cell(line, column), !isSeries)),
      ...(others.length > 0
        ? [
            cellOf(
              others.reduce<number>((sum, member) => sum + (valueAt(member, line) ?? 0), 0),
              false,
            ),
          ]
        : []),
    ]),
    total: undefined,
    empty: emptyText(names, report),
    left: lines.length - shown.length,
    isDense,
  };
}

/** The title of a column for a member: hours are short, as a day of them has to fit a mail. */
const memberTitle = (dimension: string, member: Member, names: Names): string =>
  names.written(dimension) === 'hour' ? names.of(dimension, member).slice(0, 2) : names.of(dimension, member);

const isNumber = ({ kind }: Column): boolean => kind === 'field' || kind === 'before';

function titleOf({ fields, size }: Report, column: Column, names: Names): string {
  if (column.kind === 'window') return size === 'none' ? '' : text.report.windowHeader(size);
  if (column.kind === 'dimension') return names.label(column.dimension);
  const label = names.field(fields[column.field] ?? '');
  return column.kind === 'field' ? label : text.report.before(label);
}
