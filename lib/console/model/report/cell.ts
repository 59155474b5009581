import { nextWindow, type Period, type WindowSize } from '../period.ts';
import type { Member, Report, Row } from './report.ts';
import type { ReportState } from './report-state.ts';

/** A cell of a report that the user chose: a field in a row, which may be a row of totals. */
export interface Cell {
  readonly row: Pick<Row, 'window' | 'members'>;
  readonly field: number; // index in the report's fields
}

/** The dimensions of which a row has a member, with that member as the state writes it. */
function membersOf(report: Report, { members }: Cell['row']): { dimension: string; member: string }[] {
  return named(report, members).map(({ dimension, member }) => ({ dimension, member: String(member) }));
}

function named({ dimensions }: Report, [first, second]: readonly [Member, Member]) {
  const [one, two = one] = dimensions; // if only `dimension2` was asked for, its member is the second
  const pairs =
    dimensions.length === 2 ? [[one, first] as const, [two, second] as const] : [[one, first ?? second] as const];
  return pairs.flatMap(([dimension, member]) =>
    dimension === undefined || member === null ? [] : [{ dimension, member }],
  );
}

/** The part of a report's range, or of the one that it is compared with, that one of its windows covers. */
export function windowPeriod(
  { size, min, max }: Pick<Report, 'size' | 'min' | 'max'>,
  start: string,
): Extract<Period, { kind: 'range' }> {
  const local = start.replace(' ', 'T');
  if (size === 'none') throw new Error('a report without windows has no window to look at');
  const end = nextWindow(local, size);
  const [first, last] = [min.slice(0, 19), max.slice(0, 19)];
  return { kind: 'range', from: shorter(local < first ? first : local), until: shorter(end > last ? last : end) };
}

/** Shortens a local time: without seconds of 0, and without a time of 00:00. */
const shorter = (local: string): string => local.replace(/(T00:00)?:00$/, '').replace(/T00:00$/, '');

/** The report of one cell alone, which the list of its cases is requested for. */
export function cellState(state: ReportState, report: Report, { row, field }: Cell): ReportState {
  const [by, and] = membersOf(report, row);
  return {
    ...state,
    fields: [report.fields[field] ?? ''],
    by: by?.dimension ?? null,
    byValues: by ? [by.member] : [],
    and: and?.dimension ?? null,
    andValues: and ? [and.member] : [],
    per: 'none',
    period: row.window === null ? state.period : windowPeriod(report, row.window),
    compare: null,
    chart: null,
    chartField: 0,
    sort: null,
  };
}

const SMALLER: Readonly<Record<WindowSize, WindowSize>> = {
  month: 'week',
  week: 'day',
  day: 'hour',
  hour: 'hour',
  none: 'none',
};

/** The same report over one of its windows, in smaller windows. */
export function zoomState(state: ReportState, report: Report, start: string): ReportState {
  return { ...state, period: windowPeriod(report, start), per: SMALLER[report.size], sort: null };
}

/** The same report for only one member of a dimension. */
export function onlyState(state: ReportState, dimension: string, member: string): ReportState {
  if (state.by === dimension) return { ...state, byValues: [member] };
  return state.and === dimension ? { ...state, andValues: [member] } : state;
}

/** A cell broken out by another dimension: one of its members stays chosen, and its window becomes the period. */
export function breakOutState(state: ReportState, report: Report, { row }: Cell, dimension: string): ReportState {
  const [kept] = membersOf(report, row).filter((each) => each.dimension !== dimension);
  const period = row.window === null ? state.period : windowPeriod(report, row.window);
  const per = row.window === null ? state.per : SMALLER[report.size];
  const by = { by: dimension, byValues: [], and: null, andValues: [] };
  const both = kept && { by: kept.dimension, byValues: [kept.member], and: dimension, andValues: [] };
  return { ...state, ...(both ?? by), period, per, chart: null, sort: null };
}
