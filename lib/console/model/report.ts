import type { WindowSize } from './period.ts';

/** A member as the API writes it; null if the dimension was not asked for. */
export type Member = string | number | null;

/** One row of a report: its window's start, its members, and a value for each field. */
export interface Row {
  readonly window: string | null;
  readonly members: readonly [first: Member, second: Member];
  readonly values: readonly (number | null)[];
}

/** Totals from the service: sums of rows would be wrong, since distinct cases, means and percentiles do not add up. */
interface Totals {
  readonly members: readonly Row[]; // over all windows
  readonly windows: readonly Row[]; // over all members
  readonly all: Row;
}

/** One side of a report: its own period, or the period that it is compared with. */
export interface Side {
  readonly min: string;
  readonly max: string;
  readonly rows: readonly Row[];
  readonly totals: Totals | undefined;
}

export interface Report extends Side {
  readonly fields: readonly string[];
  readonly dimensions: readonly string[]; // the dimensions asked for, none to two
  readonly size: WindowSize;
  readonly before: Side | undefined;
}

/** A reply of `POST /api/v2/insights3/reports`. */
export interface ReportReply {
  readonly request: {
    readonly fields: readonly string[];
    readonly time: { readonly min: string; readonly max: string; readonly window_size: WindowSize };
    readonly dimension1: string | null;
    readonly dimension2: string | null;
  };
  readonly data: readonly RawRow[];
  readonly totals?: RawTotals;
  readonly comparison?: {
    readonly time: { readonly min: string; readonly max: string };
    readonly data: readonly RawRow[];
    readonly totals?: RawTotals;
  };
}

type RawRow = readonly [window: string | null, first: Member, second: Member, ...values: (number | null)[]];

interface RawTotals {
  readonly members: readonly RawRow[];
  readonly windows: readonly RawRow[];
  readonly all: readonly RawRow[];
}

/** Reads a reply into the form that pages use. */
export function readReport({ request, data, totals, comparison }: ReportReply): Report {
  const { fields, time, dimension1, dimension2 } = request;
  return {
    fields,
    dimensions: [dimension1, dimension2].filter((name) => name !== null),
    size: time.window_size,
    ...readSide(time, data, totals),
    before: comparison && readSide(comparison.time, comparison.data, comparison.totals),
  };
}

function readSide(time: { min: string; max: string }, data: readonly RawRow[], totals: RawTotals | undefined): Side {
  return {
    min: time.min,
    max: time.max,
    rows: data.map(readRow),
    totals: totals && {
      members: totals.members.map(readRow),
      windows: totals.windows.map(readRow),
      all: totals.all[0] ? readRow(totals.all[0]) : { window: null, members: [null, null], values: [] },
    },
  };
}

const readRow = ([window, first, second, ...values]: RawRow): Row => ({ window, members: [first, second], values });

/**
 * The starts of all windows in order, with empty windows if the reply has totals; none for a report without windows.
 */
export function windowsOf({ rows, totals }: Side): string[] {
  const starts = new Set<string>();
  for (const { window } of totals ? totals.windows : rows) if (window !== null) starts.add(window);
  return [...starts];
}

/** The key of a row among the rows of its window. */
const memberKey = ({ members }: Pick<Row, 'members'>): string => JSON.stringify(members);

/** Returns a function that finds the row to compare with: the same members in the n-th window of the period before. */
export function createRowBefore(report: Report): (row: Row) => Row | undefined {
  const { before } = report;
  if (before === undefined) return () => undefined;
  const indexes = new Map(windowsOf(report).map((start, index) => [start, index]));
  const earlier = windowsOf(before);
  const rows = new Map(before.rows.map((row) => [`${row.window} ${memberKey(row)}`, row]));
  return (row) => {
    const window = row.window === null ? null : (earlier[indexes.get(row.window) ?? -1] ?? '');
    return rows.get(`${window} ${memberKey(row)}`);
  };
}

/** A series of a chart: the values of a field by window, for a member or a pair of members. */
export interface Series {
  readonly key: string;
  readonly members: readonly [first: Member, second: Member];
  readonly field: number; // index in the report's fields
  readonly values: readonly (number | null)[];
}

/**
 * The values of a field by window, one series for each member or pair: the `most` largest by total, or by sum if the
 * report has no totals. An empty cell is 0 if the field `counts`, else null.
 */
export function seriesByWindow(report: Report, field: number, counts: boolean, most: number): Series[] {
  const indexes = new Map(windowsOf(report).map((start, index) => [start, index]));
  const series = new Map<string, { row: Row; values: (number | null)[] }>();
  for (const row of report.rows) {
    const index = row.window === null ? undefined : indexes.get(row.window);
    if (index === undefined) continue;
    const key = memberKey(row);
    const entry = series.get(key) ?? { row, values: new Array<number | null>(indexes.size).fill(counts ? 0 : null) };
    entry.values[index] = row.values[field] ?? null;
    series.set(key, entry);
  }
  const totals = new Map(report.totals?.members.map((row) => [memberKey(row), row.values[field] ?? 0]));
  const weight = (key: string, values: readonly (number | null)[]): number =>
    totals.get(key) ?? values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  return [...series]
    .map(([key, { row, values }]) => ({ key, members: row.members, field, values }))
    .sort((a, b) => weight(b.key, b.values) - weight(a.key, a.values))
    .slice(0, most);
}

/** A table with members down and members or windows across, and a row of the report for each crossing. */
export interface Grid {
  readonly down: readonly Member[];
  readonly across: readonly Member[];
  readonly at: (down: Member, across: Member) => Row | undefined;
}

/** The grid of a report with two dimensions, or with one dimension and windows across; undefined for other reports. */
export function gridOf(report: Report): Grid | undefined {
  const windows = report.size !== 'none';
  if (report.dimensions.length !== (windows ? 1 : 2)) return undefined;
  const cells = new Map<string, Row>();
  const down = new Set<Member>();
  const across = new Set<Member>(windows ? windowsOf(report) : []);
  for (const row of report.rows) {
    const [first, second] = row.members;
    const column = windows ? row.window : second;
    down.add(first);
    across.add(column);
    cells.set(JSON.stringify([first, column]), row);
  }
  const ordered = (members: Set<Member>): Member[] => [...members].sort(byMember);
  return {
    down: ordered(down),
    across: ordered(across),
    at: (first, column) => cells.get(JSON.stringify([first, column])),
  };
}

/** All members of a dimension that has a fixed number of them, also those without a row; otherwise the given ones. */
export function everyMember(dimension: string | undefined, members: readonly Member[]): readonly Member[] {
  const { first, count } = FIXED[dimension ?? ''] ?? { first: 0, count: 0 };
  return count === 0 ? members : Array.from({ length: count }, (_, index) => first + index);
}

const FIXED: Readonly<Record<string, { readonly first: number; readonly count: number }>> = {
  weekday: { first: 1, count: 7 },
  hour_of_day: { first: 0, count: 24 },
};

/** Numbers by size, then texts. */
function byMember(a: Member, b: Member): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number') return -1;
  if (typeof b === 'number') return 1;
  return String(a) < String(b) ? -1 : 1;
}
