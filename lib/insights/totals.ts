import { certain } from '../certain.ts';
import { type DimensionName, dimensionNamed } from './dimensions.ts';
import { SAMPLES_ADD_UP } from './durations.ts';
import { ADDS_UP, type Measure } from './measures.ts';
import { type Plan, planReport } from './plan.ts';
import type { Reference } from './reference.ts';
import { NO_DIMENSIONS, type ReportRequest } from './request.ts';
import { type Partial, someMeasures, someWindows } from './scan/partial.ts';
import { addedUp } from './scan/scan.ts';
import type { Range } from './windows.ts';

export const TOTALS = ['members', 'windows', 'all'] as const;
export type TotalName = (typeof TOTALS)[number];

/** What a reply shows rows of: the report itself, and its totals. */
export type TableName = 'data' | TotalName;

/** One of the tables of a report: what its rows are made by, and what a scan must find for them. */
export interface TablePlan {
  readonly name: TableName;
  readonly plan: Plan;
  readonly scanned: Plan | undefined; // the same with fewer measures; undefined where nothing is left to find
  readonly from: Source | undefined; // where the other measures come from
}

/** The table whose cells are added up, over its windows or over its members; it comes before the tables made of it. */
interface Source {
  readonly table: TablePlan;
  readonly over: 'windows' | 'members';
}

/** What each table shows the rows of: several of a report without windows or without dimensions are the same. */
export type TableNames = Readonly<Record<TableName, TableName>>;

/** Which tables of a report are the same as another one. */
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

/** Plans the tables of a report, each after the one that it adds up. Throws as `planReport` does. */
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
  [...measures].every((measure) => ADDS_UP.has(measure)) &&
  [...samples].every((duration) => SAMPLES_ADD_UP.has(duration));

/** Whether a case has one member at most of each dimension, all of which are asked for: so each counts for one pair of them. */
function eachInOne({ dimension1, dimension1_values, dimension2, dimension2_values }: ReportRequest): boolean {
  const isOfCase = (name: DimensionName | null): boolean =>
    name === null || dimensionNamed(name).source('created').of === 'case';
  const isWhole = (values: readonly unknown[] | null): boolean => values === null || values.length === 0;
  const isSplit = dimension1 !== null || dimension2 !== null;
  return isSplit && [dimension1, dimension2].every(isOfCase) && [dimension1_values, dimension2_values].every(isWhole);
}

/** A table of what a scan finds, or of another table; an agent is online for several groups, so that is found for each. */
function tableOf(name: TableName, plan: Plan, from?: Source): TablePlan {
  if (from?.over === 'windows') return { name, plan, scanned: undefined, from };
  const isLeft = from === undefined ? () => true : (measure: Measure) => measure === 'onlineSeconds';
  const left = new Set([...plan.measures].filter(isLeft));
  if (left.size === plan.measures.size) return { name, plan, scanned: plan, from: undefined };
  return { name, plan, scanned: left.size === 0 ? undefined : { ...plan, measures: left, samples: new Set() }, from };
}

/** What was found for the tables of a report, from what the scan of each found where it had one. */
export function foundTables(
  plans: readonly TablePlan[],
  scanned: (name: TableName) => Partial | undefined,
): ReadonlyMap<TableName, { readonly plan: Plan; readonly partial: Partial }> {
  const found = new Map<TableName, Partial>();
  for (const { name, plan, from } of plans) {
    const own = scanned(name);
    const source = from && certain(found.get(from.table.name));
    const parts = [...(source ? cellsFor(plan, from, source) : []), ...(own ? [own] : [])];
    found.set(name, source ? addedUp(plan, parts) : certain(own));
  }
  const shown = ({ name, plan }: TablePlan): Partial =>
    plan.total === true ? inWindows(plan, certain(found.get(name))) : certain(found.get(name));
  return new Map(plans.map((table) => [table.name, { plan: table.plan, partial: shown(table) }]));
}

/** The cells of a plan with totals that are of windows, and those of all windows together. */
const inWindows = ({ windows: { starts } }: Plan, partial: Partial): Partial =>
  someWindows(partial, (window) => window < starts.length);
const inTotal = ({ windows: { starts } }: Plan, partial: Partial): Partial =>
  someWindows(partial, (window) => window === starts.length);

/** The cells of a table with the windows or members of another, which adds them up. */
function cellsFor(plan: Plan, { table, over }: Source, partial: Partial): Partial[] {
  const zeros = new Int32Array(partial.windows.length);
  if (over === 'members') {
    const windows = sameWindows(table.plan, plan, partial.windows);
    const measures = (measure: Measure): boolean => measure !== 'onlineSeconds';
    return [{ ...someMeasures(partial, measures), members: [[null], [null]], first: zeros, second: zeros, windows }];
  }
  const summed = someMeasures(
    { ...partial, windows: zeros },
    (measure) => ADDS_UP.has(measure),
    (duration) => SAMPLES_ADD_UP.has(duration),
  );
  if (table.plan.total !== true) return [summed];
  const total = someMeasures(
    inTotal(table.plan, partial),
    (measure) => !ADDS_UP.has(measure),
    (duration) => !SAMPLES_ADD_UP.has(duration),
  );
  return [summed, { ...total, windows: new Int32Array(total.windows.length) }];
}

/** Windows of one plan as those of another that begin at the same time; a whole range may begin at any. */
function sameWindows(of: Plan, as: Plan, windows: Int32Array): Int32Array {
  if (as.windows.size === 'none') return new Int32Array(windows.length);
  const places = new Map([...as.windows.starts].map((start, place) => [start, place]));
  const placeOf = (window: number): number =>
    window === of.windows.starts.length
      ? as.windows.starts.length
      : certain(places.get(certain(of.windows.starts[window])));
  return windows.map(placeOf);
}
