import type * as z from 'zod';
import type { Context } from '../context.ts';
import type { Reply } from '../http/reply.ts';
import { etagOf, fitsReply } from '../http/reply.ts';
import { type CsvCell, csvText } from './csv.ts';
import type { DimensionName } from './dimensions.ts';
import { type MemberNames, memberNames } from './member-names.ts';
import type { reportShape } from './report.ts';
import type { ReportRequest } from './request.ts';
import { tooLarge } from './too-large.ts';
import { TOTALS } from './totals.ts';
import { zonedTime } from './windows.ts';

type Report = z.infer<ReturnType<typeof reportShape>>;

/** A dimension as two columns of CSV: its members and their names. */
interface NamedDimension {
  readonly index: 1 | 2; // index of its member in a row
  readonly dimension: DimensionName;
  readonly nameOf: MemberNames;
}

/** Makes the CSV of a report from its JSON. Throws the 422 `too_large`. */
export async function reportCsvReply(context: Context, request: ReportRequest, json: string): Promise<Reply> {
  const asked = ([1, 2] as const).flatMap((index) => {
    const dimension = request[`dimension${index}`];
    return dimension === null ? [] : [{ index, dimension }];
  });
  const dimensions = await Promise.all(
    asked.map(async (one) => ({ ...one, nameOf: await memberNames(context, one.dimension) })),
  );
  const report: Report = JSON.parse(json);
  const csv = reportCsv(report, dimensions);
  if (!fitsReply(csv)) throw tooLarge(request, 'would take more than the 5.5 MB that a reply may have');
  return csvReply(csv, `report-${dayOf(request, request.time.min)}-${dayOf(request, request.time.max)}`);
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
function reportCsv(report: Report, dimensions: readonly NamedDimension[]): string {
  const { header, totals, comparison } = report;
  const isAlone = totals === undefined && comparison === undefined;
  const titles = dimensions.flatMap(({ dimension }) => [dimension, `${dimension}_name`]);
  const parts = [...partsOf(report, ''), ...(comparison ? partsOf(comparison, 'comparison.') : [])];
  const rows = parts.flatMap(({ part, rows }) =>
    rows.map((row): CsvCell[] => [
      ...(isAlone ? [] : [part]),
      row[0] ?? null,
      ...dimensions.flatMap(({ index, nameOf }) => {
        const member = row[index] ?? null;
        return [member, member === null ? null : nameOf(member)];
      }),
      ...row.slice(3),
    ]),
  );
  return csvText([[...(isAlone ? [] : ['part']), 'window_time', ...titles, ...header.slice(3)], ...rows]);
}

/** The tables of a report or of its comparison, each with its path in the JSON. */
const partsOf = ({ data, totals }: Pick<Report, 'data' | 'totals'>, before: string) => [
  { part: `${before}data`, rows: data },
  ...(totals ? TOTALS.map((name) => ({ part: `${before}totals.${name}`, rows: totals[name] })) : []),
];
