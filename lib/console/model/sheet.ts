import { caseAddress } from '../../case-url.ts';
import { type CsvStyle, csvText } from '../../csv.ts';
import { type CaseEntry, statusOf } from './cases.ts';
import type { Definitions } from './definitions.ts';
import { totalName, unitOf } from './fields.ts';
import { asUtc, type Format } from './format.ts';
import type { Names } from './names.ts';
import type { WindowSize } from './period.ts';
import { type Member, type Report, type Row, rangesText } from './report/report.ts';
import type { Sort } from './report/report-state.ts';
import { columnsOf, headerOf, rowsOf, type TableRow } from './report/table.ts';
import { caseText } from './text/case-text.ts';
import { text } from './text/text.ts';
import { localIn } from './zone.ts';

/** What the cells of a column are: texts, numbers, seconds, percent (0 to 100), or local times as the API writes them. */
export type CellKind = 'text' | 'number' | 'seconds' | 'percent' | 'moment' | Exclude<WindowSize, 'none'>;

export type SheetCell = string | number | null;

export interface SheetColumn {
  readonly header: string;
  readonly kind: CellKind;
  readonly address?: (text: string) => string; // makes each cell, all of which are texts, a link
}

/** A table for a spreadsheet, as the screen shows it. */
export interface Sheet {
  readonly name: string;
  readonly about?: readonly string[]; // lines above the table of a workbook
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly (readonly SheetCell[])[];
}

/** What sheets take from the site: names of members, and units. */
export interface SheetSite {
  readonly names: Names;
  readonly definitions: Definitions | undefined;
  readonly format: Format;
}

/** What a sheet says of a report beside its numbers. */
interface SheetWords {
  readonly title?: string | undefined; // the name of a saved one
  readonly filters?: string | undefined; // in words
  readonly goal?: string | undefined; // in words
}

/** The table of a report with its totals, in the order of the screen. */
export function reportSheet(report: Report, sort: Sort | null, site: SheetSite, of: SheetWords = {}): Sheet {
  const { title = text.listAnd(report.fields.map(site.names.field)), filters = '', goal } = of;
  const { names, definitions } = site;
  const columns = columnsOf(report);
  const cells = ({ row, before }: TableRow): SheetCell[] =>
    columns.map((column) => {
      if (column.kind === 'window') return row.window;
      if (column.kind === 'dimension') return memberCell(column.dimension, row.members[column.index], names);
      return (column.kind === 'field' ? row : before)?.values[column.field] ?? null;
    });
  const rows = rowsOf(report, sort, names).map(cells);
  const { totals, before } = report;
  const last = totals && rows.length > 1 ? [cells({ row: withoutPlace(totals.all), before: before?.totals?.all })] : [];
  const fixed = columns.findIndex(({ kind }) => kind === 'field');
  return {
    name: title,
    about: [title, ...aboutReport(report, filters, site), ...(goal === undefined ? [] : [goal])],
    columns: columns.map((column) => ({
      header: headerOf(column, report, names),
      kind:
        column.kind === 'window'
          ? windowKind(report.size)
          : column.kind === 'dimension'
            ? memberKind(column.dimension, names)
            : valueKind(unitOf(definitions, report.fields[column.field] ?? '')),
    })),
    rows: [
      ...rows,
      ...last.map((row) =>
        row.map((cell, index) => (index === 0 && fixed > 0 ? totalName(definitions, report.fields) : cell)),
      ),
    ],
  };
}

/** The ranges of a report in words, its zone and site, its filters, and when it was computed by the site's clock. */
function aboutReport(report: Report, filters: string, { definitions, format }: SheetSite): string[] {
  const site = definitions?.site;
  const asOf = localIn(site?.time_zone ?? 'UTC', new Date(report.at).toISOString());
  return [
    rangesText(report, format),
    [report.zone, site?.title].filter(Boolean).join(' · '),
    ...(filters === '' ? [] : [filters]),
    text.boards.asOf(format.window(asOf, 'hour')),
  ];
}

const withoutPlace = (row: Row): Row => ({ ...row, window: null, members: [null, null] });

const windowKind = (size: WindowSize): CellKind => (size === 'none' ? 'text' : size);
const memberKind = (dimension: string, names: Names): CellKind =>
  names.written(dimension) === 'number' ? 'number' : 'text';
const valueKind = (unit: string): CellKind => (unit === 'seconds' || unit === 'percent' ? unit : 'number');

const memberCell = (dimension: string, member: Member, names: Names): SheetCell => {
  if (member === null) return null;
  return memberKind(dimension, names) === 'number' ? Number(member) : names.of(dimension, member);
};

/** The cases behind a number, with the columns of the screen. `field` is the one that the values are of. */
export function casesSheet(entries: readonly CaseEntry[], field: string, site: Omit<SheetSite, 'format'>): Sheet {
  const { names, definitions } = site;
  const template = definitions?.site.case_url;
  const isDuration = unitOf(definitions, field) === 'seconds'; // the entries of a rate are plain numbers, 0 or 1
  const named = (dimension: string, member: Member): SheetCell =>
    member === null ? null : names.of(dimension, member);
  return {
    name: text.cases.title,
    columns: [
      {
        header: caseText.case,
        kind: 'text',
        ...(template && { address: (id: string) => caseAddress(template, id) }),
      },
      { header: caseText.at, kind: 'moment' },
      { header: `${caseText.value}: ${names.field(field)}`, kind: isDuration ? 'seconds' : 'number' },
      { header: caseText.status, kind: 'text' },
      { header: caseText.channel, kind: 'text' },
      { header: caseText.priority, kind: 'number' },
      { header: caseText.assignee, kind: 'text' },
      { header: caseText.group, kind: 'text' },
      { header: caseText.labels, kind: 'text' },
    ],
    rows: entries.map((entry) => [
      ...[String(entry.case), entry.at, entry.value, statusOf(entry, names), named('channel', entry.channel)],
      ...[entry.priority, named('assigned_agent', entry.assignee), named('assigned_group', entry.group)],
      text.listAnd(entry.labels.map((label) => names.of('label', label))),
    ]),
  };
}

const BOM = '\uFEFF'; // without it Excel takes a CSV for another encoding than UTF-8

/**
 * A sheet as CSV for spreadsheets, with commas or with semicolons and decimal commas, as the spreadsheets of a language
 * expect it. Times are local; durations are seconds, and rates percent, as the header says. The
 * addresses of a column that has links are a column of their own, the last.
 */
export function sheetCsv({ columns, rows }: Sheet, style: CsvStyle = 'comma'): string {
  const header = columns.map(({ header: name, kind }) => (kind in UNITS ? `${name} (${UNITS[kind]})` : name));
  const cells = rows.map((row) =>
    row.map((cell, index) => (typeof cell === 'string' ? localText(cell, columns[index]?.kind) : cell)),
  );
  const links = columns.flatMap(({ header: name, address }, index) =>
    address === undefined ? [] : [[caseText.link(name), ...rows.map((row) => address(String(row[index])))]],
  );
  const all = [header, ...cells].map((row, at) => [...row, ...links.map((column) => column[at] ?? null)]);
  return BOM + csvText(all, style);
}

const UNITS: Readonly<Partial<Record<CellKind, string>>> = { seconds: 'seconds', percent: '%' };

/** The length of a local time that a kind of cells shows. */
const SHOWN: Readonly<Partial<Record<CellKind, number>>> = { hour: 16, day: 10, week: 10, month: 7, moment: 19 };

const isTime = (cell: string): boolean => /^\d{4}-\d\d-\d\d/.test(cell);

const localText = (cell: string, kind: CellKind = 'text'): string =>
  kind in SHOWN && isTime(cell) ? cell.replace('T', ' ').slice(0, SHOWN[kind]) : cell;

/** A local time as a spreadsheet keeps it: the same wall clock in UTC. Undefined for another text, such as "Total". */
export const wallClock = (cell: string, kind: CellKind): Date | undefined =>
  kind in SHOWN && isTime(cell) ? new Date(asUtc(cell)) : undefined;
