import type { Context } from '../context.ts';
import { type CsvCell, csvText } from '../csv.ts';
import { etagOf, fitsReply, REPLY_LIMIT, type Reply } from '../http/reply.ts';
import type { DimensionName } from './definitions/dimensions.ts';
import { NOTHING } from './json-bytes.ts';
import { type MemberNames, memberNames } from './member-names.ts';
import type { ComputedReport } from './report-json.ts';
import type { ReportRequest } from './request.ts';
import { type ComputedTable, type Tables, tableIn, tableRows, tooManyRows } from './table-rows.ts';
import { tooLarge } from './too-large.ts';
import { TOTALS, tableNames } from './totals.ts';
import { windowTimes, zonedTime } from './windows.ts';

/** A dimension as two columns of CSV: its members and their names. */
interface NamedDimension {
  readonly index: 0 | 1;
  readonly dimension: DimensionName;
  readonly nameOf: MemberNames;
}

/** Loads the names of a report's members; returns how to show the report as CSV, which throws the 422 `too_large`. */
export async function csvOfReport(
  context: Context,
  request: ReportRequest,
): Promise<(report: ComputedReport) => Reply> {
  const asked = [request.dimension1, request.dimension2].flatMap((dimension, index) =>
    dimension === null ? [] : [{ index: index === 0 ? (0 as const) : (1 as const), dimension }],
  );
  const dimensions = await Promise.all(
    asked.map(async (one) => ({ ...one, nameOf: await memberNames(context, one.dimension) })),
  );
  return (report) => {
    const csv = reportCsv(request, report, dimensions);
    if (!fitsReply(csv)) throw tooLarge(request, 'would take more than the 5.5 MB that a reply may have');
    const { min, max } = request.time;
    const last = Math.max(min, Math.min(max, Math.ceil(context.now / 1000)) - 1); // the last second that is counted
    return csvReply(csv, `report-${dayOf(request, min)}-${dayOf(request, last)}`);
  };
}

/** Makes a reply with CSV that a browser saves as `<name>.csv`. */
export const csvReply = (csv: string, name: string): Reply => ({
  status: 200,
  body: csv,
  headers: {
    ETag: etagOf(csv),
    Vary: 'Accept-Encoding, Accept',
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': `attachment; filename="${name}.csv"`,
  },
});

const dayOf = ({ time }: ReportRequest, second: number): string => zonedTime(time.zone, second).slice(0, 10);

/** The rows of a report; if it has totals or a comparison, the first column names the table of each row. */
function reportCsv(
  request: ReportRequest,
  { tables, compared }: ComputedReport,
  dimensions: readonly NamedDimension[],
): string {
  const isAlone = request.totals !== true && compared === undefined;
  const titles = dimensions.flatMap(({ dimension }) => [dimension, `${dimension}_name`]);
  const header = [...(isAlone ? [] : ['part']), 'window_time', ...titles, ...request.fields];
  let csv = csvText([header]);
  for (const { part, table } of [...partsOf(tables, ''), ...(compared ? partsOf(compared, 'comparison.') : [])]) {
    csv += tableCsv(table, { before: isAlone ? [] : [part], dimensions, room: REPLY_LIMIT - csv.length });
  }
  return csv;
}

/** The tables of a report or of its comparison, each with its path in the JSON. */
function partsOf(tables: Tables, before: string): { readonly part: string; readonly table: ComputedTable }[] {
  const { request } = tableIn(tables, 'data').plan;
  const names = tableNames(request);
  const of = (name: keyof typeof names) => tableIn(tables, names[name]);
  const totals = request.totals === true ? TOTALS : [];
  return [
    { part: `${before}data`, table: of('data') },
    ...totals.map((name) => ({ part: `${before}totals.${name}`, table: of(name) })),
  ];
}

/** How the rows of a table are written. */
interface CsvRows {
  readonly before: readonly CsvCell[]; // the first cells of each row
  readonly dimensions: readonly NamedDimension[];
  readonly room: number; // characters at most
}

function tableCsv(table: ComputedTable, { before, dimensions, room }: CsvRows): string {
  const { plan, result } = table;
  const timeOf = windowTimes(plan.windows);
  const { columns, each } = tableRows(table);
  const numbers = [result.first, result.second];
  const memberAt = (index: 0 | 1, cell: number) =>
    cell < 0 ? null : (result.members[index][numbers[index]?.[cell] ?? 0] ?? null);
  let csv = '';
  let rows = 0;
  each((cell, window) => {
    const members = dimensions.flatMap(({ index, nameOf }): CsvCell[] => {
      const member = memberAt(index, cell);
      return [member, member === null ? null : nameOf(member)];
    });
    const fields = columns.map(({ values, empty }) => (cell < 0 ? empty : (values[cell] ?? empty)));
    csv += csvText([[...before, timeOf(window), ...members, ...fields.map(shown)]]);
    if (csv.length > room) throw tooManyRows(plan.request, rows);
    rows += 1;
  });
  return csv;
}

const shown = (value: number): CsvCell => (value === NOTHING ? null : value);
