import type { Definitions } from '../definitions.ts';
import { isUntold, untoldBy } from '../fields.ts';
import type { Format } from '../format.ts';
import type { LocalTime, WindowSize } from '../period.ts';
import { text } from '../text/text.ts';
import { localIn } from '../zone.ts';

/** A member as the API writes it; null if the dimension was not asked for. */
export type Member = string | number | null;

/** One row of a report: its window's start, its members, and a value for each field. */
export interface Row {
  readonly window: string | null;
  readonly members: readonly [first: Member, second: Member];
  readonly values: readonly (number | null)[];
  readonly chance?: readonly ByChance[]; // by field, of a report with a comparison
}

/**
 * Whether the change of a number is no more than chance gives; null where nothing tells, `partial` where the earlier
 * range has data of a small part of its days alone, so that the two are not compared.
 */
export type ByChance = boolean | null | 'partial';

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
  readonly until: LocalTime; // how far it is counted: `max`, or the moment of the report where that is earlier
  readonly begins?: LocalTime | undefined; // when the facts of the site begin, where that is after `min`
  readonly rows: readonly Row[];
  readonly totals: Totals | undefined;
}

export interface Report extends Side {
  readonly fields: readonly string[];
  readonly dimensions: readonly string[]; // the dimensions asked for, none to two
  readonly size: WindowSize;
  readonly before: Side | undefined;
  readonly zone: string; // of its windows: a name, or an offset such as `+02:00`
  readonly at: number; // epoch ms; when it was computed
}

/** A reply of `POST /api/v2/insights3/reports`. */
export interface ReportReply {
  readonly request: {
    readonly fields: readonly string[];
    readonly time: RangeReply & { readonly window_size: WindowSize; readonly time_zone?: string | null };
    readonly dimension1: string | null;
    readonly dimension2: string | null;
  };
  readonly data: readonly RawRow[];
  readonly totals?: RawTotals;
  readonly comparison?: {
    readonly time: RangeReply;
    readonly data: readonly RawRow[];
    readonly totals?: RawTotals;
    readonly chance?: RawChance;
  };
}

interface RangeReply {
  readonly min: string;
  readonly max: string;
  readonly until?: string; // of a report with a comparison
  readonly begins?: string; // of what it is compared with
}

interface RawChance {
  readonly data: readonly (readonly ByChance[])[];
  readonly totals?: Readonly<Record<keyof RawTotals, readonly (readonly ByChance[])[]>>;
}

type RawRow = readonly [window: string | null, first: Member, second: Member, ...values: (number | null)[]];

interface RawTotals {
  readonly members: readonly RawRow[];
  readonly windows: readonly RawRow[];
  readonly all: readonly RawRow[];
}

/** When a report was computed, and the zone of reports that name none. */
export interface ReportMoment {
  readonly now: number; // epoch ms
  readonly zone: string; // of the site
  readonly definitions?: Definitions | undefined; // undefined: they are not there yet
}

/**
 * Reads a reply into the form that pages use. A window that begins after the moment of the report has no values, nor has
 * a field that no source of the site tells, or where members of a dimension stand by which it means nothing.
 */
export function readReport({ request, data, totals, comparison }: ReportReply, moment: ReportMoment): Report {
  const { fields, time, dimension1, dimension2 } = request;
  const dimensions = [dimension1, dimension2].filter((name) => name !== null);
  const never = fields.map((field) => isUntold(moment.definitions, field));
  const untold = fields.map((field) => untoldBy(moment.definitions, field, dimensions) !== undefined);
  return withParts({
    fields,
    dimensions,
    size: time.window_size,
    zone: zoneOf(time, moment),
    at: moment.now,
    ...readSide(
      { ...time, until: countedUntil(time, moment) },
      { never, untold },
      { data, totals },
      comparison?.chance,
    ),
    before: comparison && readSide(comparison.time, { never, untold }, comparison),
  });
}

/** Marks the numbers that are compared with those of hardly any days; where no day has data they are 0 or nothing. */
function withParts(report: Report): Report {
  const { before, totals } = report;
  if (before === undefined || !lacksData(before, NO_CHANGE) || lacksData(before, 1)) return report;
  const mark = (row: Row): Row =>
    row.window === null ? { ...row, chance: row.values.map(() => 'partial' as const) } : row;
  return {
    ...report,
    rows: report.rows.map(mark),
    totals: totals && { ...totals, members: totals.members.map(mark), all: mark(totals.all) },
  };
}

/** From these parts of a range on that have no data, the words for it say so, and no change against it is told. */
const [SAID, NO_CHANGE] = [0.5, 0.9];

/** Whether such a part of a range, or more, lies before the day on which the facts of the site begin. */
function lacksData({ min, until, begins }: Range, part: number): boolean {
  if (begins === undefined) return false;
  const at = (local: string): number => Date.parse(`${local}Z`);
  const from = at(min.slice(0, 19));
  return at(`${begins.slice(0, 10)}T00:00:00`) - from >= part * (at(until) - from);
}

/** How far a range is counted, on the report's own clock. */
function countedUntil(time: ReportReply['request']['time'], moment: ReportMoment): string {
  const { max, until } = time;
  const { now } = moment;
  if (until !== undefined) return until;
  if (Date.parse(max) <= now) return max;
  const named = zoneOf(time, moment);
  if (!/^([+-]|Z$)/.test(named)) return localIn(named, new Date(now).toISOString());
  return new Date(Date.parse(`${max.slice(0, 19)}Z`) - Date.parse(max) + now).toISOString();
}

/** The zone of a report: the one that it names, else the site's if its offset is the one sent, else that offset. */
const zoneOf = ({ min, time_zone }: ReportReply['request']['time'], { zone }: ReportMoment): string =>
  time_zone ?? (localIn(zone, min) === min.slice(0, 19) ? zone : min.slice(19));

/** By field, whether it has no values: nowhere, or beside members. */
interface Untold {
  readonly never: readonly boolean[];
  readonly untold: readonly boolean[];
}

function readSide(
  time: RangeReply,
  { never, untold }: Untold,
  { data, totals }: Pick<ReportReply, 'data'> & { readonly totals?: RawTotals | undefined },
  chance?: RawChance,
): Side {
  const { min, max } = time;
  const until = (time.until ?? max).slice(0, 19);
  const readRow = ([window, first, second, ...values]: RawRow, byChance: readonly ByChance[] | undefined): Row => ({
    window,
    members: [first, second],
    values: isAhead({ until }, window)
      ? values.map(() => null)
      : values.map((value, field) => (never[field] ? null : value)),
    ...(byChance && { chance: byChance }),
  });
  const readMembers = (raw: RawRow, byChance: readonly ByChance[] | undefined): Row => {
    const row = readRow(raw, byChance);
    return { ...row, values: row.values.map((value, field) => (untold[field] ? null : value)) };
  };
  return {
    min,
    max,
    until,
    begins: time.begins?.slice(0, 19),
    rows: data.map((raw, index) => readMembers(raw, chance?.data[index])),
    totals: totals && {
      members: totals.members.map((raw, index) => readMembers(raw, chance?.totals?.members[index])),
      windows: totals.windows.map((raw, index) => readRow(raw, chance?.totals?.windows[index])),
      all: totals.all[0]
        ? readRow(totals.all[0], chance?.totals?.all[0])
        : { window: null, members: [null, null], values: [] },
    },
  };
}

/** Whether a window begins after all that a report counts. */
export const isAhead = ({ until }: Pick<Side, 'until'>, window: Member): boolean =>
  typeof window === 'string' && window.replace(' ', 'T') >= until;

export type Range = Omit<Side, 'rows' | 'totals'>;

/** What is counted, and what it is compared with. */
export interface Ranges extends Range {
  readonly before: Range | undefined;
}

/** The number that the one of a report is compared with; null where the two are not compared. */
export const numberBefore = ({ before, totals }: Report): number | null =>
  totals?.all.chance?.[0] === 'partial' ? null : (before?.totals?.all.values[0] ?? null);

/** The range that a side counts, in words. */
export const rangeText = ({ min, max, until }: Range, format: Format): string =>
  format.range(min.slice(0, 19), until > min ? until : max.slice(0, 19));

/** The range that a report counts, and the one that it is compared with, in words. */
export function rangesText({ before, ...range }: Ranges, format: Format): string {
  if (before === undefined) return rangeText(range, format);
  const compared = text.report.compared(rangeText(range, format), rangeText(before, format));
  if (before.begins === undefined || !lacksData(before, SAID)) return compared;
  return `${compared} ${text.report.begins(format.date(before.begins.slice(0, 10)))}`;
}

/** The same with the zone, where that is not the site's. */
export const datesText = (
  report: Ranges & Pick<Report, 'zone'>,
  format: Format,
  siteZone: string | undefined,
): string => (report.zone === siteZone ? rangesText(report, format) : `${rangesText(report, format)} · ${report.zone}`);

/** A report whose ranges are those of all, one with a comparison where there is one; undefined where they differ. */
export function oneRange(reports: readonly Report[]): Report | undefined {
  const told = reports.find(({ before }) => before !== undefined) ?? reports[0];
  const isTold = (side: Side | undefined, other: Side | undefined): boolean =>
    side?.min === other?.min && side?.max === other?.max;
  const isAll = reports.every(
    (each) =>
      isTold(each, told) && each.zone === told?.zone && (each.before === undefined || isTold(each.before, told.before)),
  );
  return isAll ? told : undefined;
}

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

/** Returns a function that finds the window that one is compared with: the n-th of the period before. */
export function createWindowBefore(report: Report): (window: string) => string | undefined {
  const indexes = new Map(windowsOf(report).map((start, index) => [start, index]));
  const earlier = report.before === undefined ? [] : windowsOf(report.before);
  return (window) => earlier[indexes.get(window) ?? -1];
}

/** Returns a function that finds the row to compare with: the same members in the n-th window of the period before. */
export function createRowBefore(report: Report): (row: Row) => Row | undefined {
  const windowBefore = createWindowBefore(report);
  const rows = new Map(report.before?.rows.map((row) => [`${row.window} ${memberKey(row)}`, row]));
  return (row) => {
    const window = row.window === null ? null : (windowBefore(row.window) ?? '');
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
  const empty = [...indexes.keys()].map((start) => (counts && !isAhead(report, start) ? 0 : null));
  const series = new Map<string, { row: Row; values: (number | null)[] }>();
  for (const row of report.rows) {
    const index = row.window === null ? undefined : indexes.get(row.window);
    if (index === undefined) continue;
    const key = memberKey(row);
    const entry = series.get(key) ?? { row, values: [...empty] };
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

/** Numbers by size, then texts. */
function byMember(a: Member, b: Member): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number') return -1;
  if (typeof b === 'number') return 1;
  return String(a) < String(b) ? -1 : 1;
}
