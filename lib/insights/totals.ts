import { certain } from '../certain.ts';
import { type DimensionName, dimensionNamed } from './definitions/dimensions.ts';
import { samplesAddUp } from './definitions/durations.ts';
import { addsUp, type Measure } from './definitions/measures.ts';
import { type Plan, planReport } from './plan.ts';
import type { Reference } from './reference.ts';
import { NO_DIMENSIONS, type ReportRequest } from './request.ts';
import { mergeResults } from './scan/scan.ts';
import { type ScanResult, someMeasures, someWindows } from './scan/scan-result.ts';
import type { Range } from './windows.ts';

export const TOTALS = ['members', 'windows', 'all'] as const;
type TotalName = (typeof TOTALS)[number];

/** The tables of a reply: the report itself, and its totals. */
export type TableName = 'data' | TotalName;

/** How one table of a report is computed: by a scan, from the cells of another table, or both. */
export interface TablePlan {
  readonly name: TableName;
  readonly plan: Plan;
  readonly scanned: Plan | undefined; // the plan with the measures that a scan must find; undefined if there are none
  readonly from: AddedUp | undefined; // what the other measures are added up from
}

/**
 * A table whose cells are added up, over its windows or over its members. It is computed before the tables that need
 * its cells.
 */
interface AddedUp {
  readonly table: TablePlan;
  readonly over: 'windows' | 'members';
}

/**
 * For each table of a report the table whose rows it shows: mostly itself, but without windows or without dimensions
 * several tables have the same rows.
 */
export type TableNames = Readonly<Record<TableName, TableName>>;

/** Finds the tables of a report that have the same rows as another one. */
export function tableNames({ time, dimension1, dimension2 }: ReportRequest): TableNames {
  const isCut = time.size !== 'none';
  const isSplit = dimension1 !== null || dimension2 !== null;
  const windows = isSplit ? 'windows' : 'data';
  return {
    data: 'data',
    members: isCut ? 'members' : 'data',
    windows,
    all: isCut && isSplit ? 'all' : isCut ? 'members' : windows,
  };
}

/** Plans the tables of a report; a table that adds up another comes after it. Throws as `planReport` does. */
export function planTables(request: ReportRequest, reference: Reference, extent?: Range): [TablePlan, ...TablePlan[]] {
  const planned = (of: ReportRequest): Plan => planReport(of, reference, extent);
  if (request.totals !== true) return [tableOf('data', planned(request))];
  const names = tableNames(request);
  const whole = (of: ReportRequest): ReportRequest => ({ ...of, time: { ...of.time, size: 'none' } });
  const unsplit = { ...request, ...NO_DIMENSIONS };
  const keepsNone = eachInOne(request);
  const cut = (plan: Plan): Plan => ({ ...plan, total: names.members === 'members' && !addsUpOverWindows(plan) });
  const data = tableOf('data', cut({ ...planned(request), keepsNone }));
  const members = tableOf('members', { ...planned(whole(request)), keepsNone }, { table: data, over: 'windows' });
  const windows = tableOf('windows', cut(planned(unsplit)), keepsNone ? { table: data, over: 'members' } : undefined);
  const all = (): TablePlan => tableOf('all', planned(whole(unsplit)), { table: windows, over: 'windows' });
  const totals = { members: () => members, windows: () => windows, all };
  return [data, ...TOTALS.filter((name) => names[name] === name).map((name) => totals[name]())];
}

const addsUpOverWindows = ({ measures, samples }: Plan): boolean =>
  [...measures].every(addsUp) && [...samples].every(samplesAddUp);

/**
 * Whether each case counts in exactly one pair of members, so that totals over members are sums: each dimension is one
 * attribute of the case, and the report shows all members.
 */
function eachInOne({ dimension1, dimension1_values, dimension2, dimension2_values }: ReportRequest): boolean {
  const isOfCase = (name: DimensionName | null): boolean =>
    name === null || dimensionNamed(name).source('created').of === 'case';
  const isWhole = (values: readonly unknown[] | null): boolean => values === null || values.length === 0;
  const isSplit = dimension1 !== null || dimension2 !== null;
  return isSplit && [dimension1, dimension2].every(isOfCase) && [dimension1_values, dimension2_values].every(isWhole);
}

/**
 * Plans one table: by a scan, or from another table. Time online cannot be added over members, because an agent in
 * several groups counts in each of them, so it is scanned for.
 */
function tableOf(name: TableName, plan: Plan, from?: AddedUp): TablePlan {
  if (from?.over === 'windows') return { name, plan, scanned: undefined, from };
  const isLeft = from === undefined ? () => true : (measure: Measure) => measure === 'onlineSeconds';
  const left = new Set([...plan.measures].filter(isLeft));
  if (left.size === plan.measures.size) return { name, plan, scanned: plan, from: undefined };
  return { name, plan, scanned: left.size === 0 ? undefined : { ...plan, measures: left, samples: new Set() }, from };
}

/** Returns the results of all tables; `scanned` returns the result of a table's scan, or undefined if it had none. */
export function tableResults(
  plans: readonly TablePlan[],
  scanned: (name: TableName) => ScanResult | undefined,
): ReadonlyMap<TableName, { readonly plan: Plan; readonly result: ScanResult }> {
  const found = new Map<TableName, ScanResult>();
  for (const { name, plan, from } of plans) {
    const own = scanned(name);
    const source = from && certain(found.get(from.table.name));
    const parts = [...(source ? cellsFor(plan, from, source) : []), ...(own ? [own] : [])];
    found.set(name, source ? mergeResults(plan, parts) : certain(own));
  }
  const shown = ({ name, plan }: TablePlan): ScanResult =>
    plan.total === true ? inWindows(plan, certain(found.get(name))) : certain(found.get(name));
  return new Map(plans.map((table) => [table.name, { plan: table.plan, result: shown(table) }]));
}

// A plan with `total` has the total of all windows in a window after the last.
const inWindows = ({ windows: { starts } }: Plan, result: ScanResult): ScanResult =>
  someWindows(result, (window) => window < starts.length);
const inTotal = ({ windows: { starts } }: Plan, result: ScanResult): ScanResult =>
  someWindows(result, (window) => window === starts.length);

/** The cells of a source table, moved to the windows and members of the table that adds them up. */
function cellsFor(plan: Plan, { table, over }: AddedUp, result: ScanResult): ScanResult[] {
  const zeros = new Int32Array(result.windows.length);
  if (over === 'members') {
    const windows = sameWindows(table.plan, plan, result.windows);
    const measures = (measure: Measure): boolean => measure !== 'onlineSeconds';
    return [{ ...someMeasures(result, measures), members: [[null], [null]], first: zeros, second: zeros, windows }];
  }
  const summed = someMeasures({ ...result, windows: zeros }, addsUp, samplesAddUp);
  if (table.plan.total !== true) return [summed];
  const total = someMeasures(
    inTotal(table.plan, result),
    (measure) => !addsUp(measure),
    (duration) => !samplesAddUp(duration),
  );
  return [summed, { ...total, windows: new Int32Array(total.windows.length) }];
}

/** Translates window indexes of one plan to another plan, by their start; without windows all are window 0. */
function sameWindows(of: Plan, as: Plan, windows: Int32Array): Int32Array {
  if (as.windows.size === 'none') return new Int32Array(windows.length);
  const indexes = new Map([...as.windows.starts].map((start, index) => [start, index]));
  const translate = (window: number): number =>
    window === of.windows.starts.length
      ? as.windows.starts.length
      : certain(indexes.get(certain(of.windows.starts[window])));
  return windows.map(translate);
}
