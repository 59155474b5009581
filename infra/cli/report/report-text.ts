import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import type { Definitions } from '../../../lib/console/model/definitions.ts';
import { isUntold, noDataOn } from '../../../lib/console/model/fields.ts';
import { createFormat } from '../../../lib/console/model/format.ts';
import { fieldNamed, isFieldName } from '../../../lib/insights/definitions/fields.ts';
import type { MemberNames } from '../../../lib/insights/member-names.ts';
import type { reportShape } from '../../../lib/insights/report-json.ts';
import { TOTALS } from '../../../lib/insights/totals.ts';
import { columns } from '../columns.ts';

type Report = z.infer<ReturnType<typeof reportShape>>;
type Rows = Report['data'];
type Cell = Rows[number][number];

/** How to print a table. */
export interface TableOptions {
  readonly zone: string; // time zone of the windows
  readonly human: boolean; // durations as `2d 3h` instead of seconds
  readonly names: readonly [MemberNames, MemberNames]; // names of the members of each dimension
  readonly definitions?: Definitions | undefined; // by which it is known what the site's sources do not tell; absent: all is told
}

const HEADINGS = {
  members: 'The whole time',
  windows: 'Without dimensions',
  all: 'All',
} as const satisfies Record<(typeof TOTALS)[number], string>;

/**
 * A report as aligned tables, without unused columns, with members by name. Below it totals and comparison, if
 * requested and different from what is shown, then the unknown members of the request.
 */
export function reportTable(report: Report, options: TableOptions): string {
  const { comparison, unknown } = report;
  const parts = [
    rowsTable(report, report.data, options),
    ...totalsOf(report, report, options),
    ...(comparison
      ? [
          `Compared with ${comparison.time.min} to ${comparison.time.max}:\n${rowsTable(report, comparison.data, options)}`,
          ...totalsOf(report, comparison, options),
        ]
      : []),
    ...(unknown ? [unknownIn(unknown)] : []),
    ...noDataOn(options.definitions, report.header.slice(3)),
    `Times in ${options.zone}.`,
  ];
  return parts.join('\n\n');
}

function totalsOf(report: Report, { data, totals }: Pick<Report, 'data' | 'totals'>, options: TableOptions): string[] {
  if (totals === undefined) return [];
  const shown = TOTALS.filter(
    (name, at) =>
      !isDeepStrictEqual(totals[name], data) &&
      !TOTALS.slice(0, at).some((other) => isDeepStrictEqual(totals[name], totals[other])),
  );
  return shown.map((name) => `${HEADINGS[name]}:\n${rowsTable(report, totals[name], options)}`);
}

function unknownIn({ dimension1_values = [], dimension2_values = [], filters = [] }: NonNullable<Report['unknown']>) {
  const members = [...dimension1_values, ...dimension2_values];
  const all = [
    ...(members.length > 0 ? [`members ${members.join(', ')}`] : []),
    ...filters.map(({ object, ids }) => `${object} ${ids.join(', ')}`),
  ];
  return `Unknown: ${all.join('; ')}.`;
}

function rowsTable({ request, header }: Report, data: Rows, { human, names, definitions }: TableOptions): string {
  const wanted = header.map((_, index) => index >= 3 || data.some((row) => row[index] !== null));
  const keep = <T>(row: readonly T[]): T[] => row.filter((_, index) => wanted[index]);
  const titles = header.map((name, index) => titleOf(name, index, request, human));
  const decimals = header.map((_, index) => data.reduce((most, row) => Math.max(most, decimalsOf(row[index])), 0));
  const rows = data.map((row) =>
    row.map((cell, index) => {
      if (index >= 3 && isUntold(definitions, header[index] ?? '')) return '–';
      if (cell === null) return index < 3 ? '' : '-';
      if (index === 1 || index === 2) return printableName(names[index - 1 ? 1 : 0](cell));
      return show(cell, human && unitOf(header[index] ?? '') === 'seconds', decimals[index] ?? 0);
    }),
  );
  const right = keep(header.map((_, index) => index >= 3));
  return columns(keep(titles), rows.map(keep), right) || 'No rows.';
}

function titleOf(name: string, index: number, request: Report['request'], human: boolean): string {
  if (index === 0) return 'window';
  if (index < 3) return String(request[`dimension${index}`] ?? '');
  const unit = unitOf(name);
  return unit === 'percent' ? `${name} %` : unit === 'seconds' && !human ? `${name} s` : name;
}

/** A number with as many decimals as the longest of its column, so that the points align. */
function show(cell: string | number, isDuration: boolean, decimals: number): string {
  if (typeof cell === 'string') return cell;
  return isDuration ? durationText(cell) : cell.toLocaleString('en-US', { minimumFractionDigits: decimals });
}

const decimalsOf = (cell: Cell | undefined): number =>
  typeof cell === 'number' ? (String(cell).split('.')[1] ?? '').length : 0;

const unitOf = (name: string): string | undefined => (isFieldName(name) ? fieldNamed(name).unit : undefined);

const format = createFormat('en');

/** `187265` seconds → `2d 4h`, as the console and mails write it. */
export const durationText = (seconds: number): string => format.value(seconds, 'seconds');

/** A name without control characters: they could break the table or command the terminal. */
export const printableName = (name: string): string => name.replaceAll(/\p{Cc}/gu, ' ');
