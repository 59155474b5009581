import { certain } from '../certain.ts';
import { type DimensionName, dimensionNamed } from './dimensions.ts';
import { type DurationName, SAMPLES_ADD_UP } from './durations.ts';
import { ADDS_UP, type Measure } from './measures.ts';
import { type Plan, planReport } from './plan.ts';
import type { Reference } from './reference.ts';
import { NO_DIMENSIONS, type ReportRequest } from './request.ts';
import type { Partial } from './scan/partial.ts';
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

/** The table whose cells are added up, over its windows or over its members. */
interface Source {
  readonly table: TablePlan;
  readonly over: 'windows' | 'members';
}

/** What each table shows the rows of: several of a report without windows or without dimensions are the same. */
export type TableNames = Readonly<Record<TableName, TableName>>;

/** Which of the tables of a report are others of them. */
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
  const data = tableOf('data', { ...planned(request), keepsNone });
  const overMembers = (table: TablePlan): Source | undefined => (keepsNone ? { table, over: 'members' } : undefined);
  const members = tableOf('members', { ...planned(whole(request)), keepsNone }, { table: data, over: 'windows' });
  const windows = tableOf('windows', planned(unsplit), overMembers(data));
  const all = (): TablePlan =>
    tableOf('all', planned(whole(unsplit)), overMembers(members) ?? { table: windows, over: 'windows' });
  const totals = { members: () => members, windows: () => windows, all };
  return [data, ...TOTALS.filter((name) => names[name] === name).map((name) => totals[name]())];
}

/** Whether a case has one member at most of each dimension, all of which are asked for: so each counts for one pair of them. */
function eachInOne({ dimension1, dimension1_values, dimension2, dimension2_values }: ReportRequest): boolean {
  const isOfCase = (name: DimensionName | null): boolean =>
    name === null || dimensionNamed(name).source('created').of === 'case';
  const isWhole = (values: readonly unknown[] | null): boolean => values === null || values.length === 0;
  const isSplit = dimension1 !== null || dimension2 !== null;
  return isSplit && [dimension1, dimension2].every(isOfCase) && [dimension1_values, dimension2_values].every(isWhole);
}

function tableOf(name: TableName, plan: Plan, from?: Source): TablePlan {
  const left = new Set([...plan.measures].filter((measure) => !isAddedUp(from, measure)));
  if (left.size === plan.measures.size) return { name, plan, scanned: plan, from: undefined };
  const samples = new Set([...plan.samples].filter((duration) => !isSampleAddedUp(from, duration)));
  return { name, plan, scanned: left.size === 0 ? undefined : { ...plan, measures: left, samples }, from };
}

/** Whether the sums of a table's cells give those of another: an agent is online for several groups. */
const isAddedUp = (from: Source | undefined, measure: Measure): boolean =>
  from?.table.plan.measures.has(measure) === true &&
  (from.over === 'windows' ? ADDS_UP.has(measure) : measure !== 'onlineSeconds');

const isSampleAddedUp = (from: Source | undefined, duration: DurationName): boolean =>
  from?.table.plan.samples.has(duration) === true && (from.over === 'members' || SAMPLES_ADD_UP.has(duration));

/** What was found for a table, from what its scan found and from the table that it adds up. */
export function totalOf({ plan, from }: TablePlan, scanned: Partial | undefined, source: Partial | undefined): Partial {
  const found = scanned === undefined ? [] : [scanned];
  return from && source ? addedUp(plan, [cellsFor(plan, from, source), ...found]) : certain(found[0]);
}

/** Windows of one plan as those of another that begin at the same time; a whole range may begin at any. */
function sameWindows(of: Plan, as: Plan, windows: Int32Array): Int32Array {
  const places = new Map([...as.windows.starts].map((start, place) => [start, place]));
  return windows.map((window) => certain(places.get(certain(of.windows.starts[window]))));
}

/** The cells of a table with the windows or members of another, which adds them up. */
function cellsFor(plan: Plan, from: Source, partial: Partial): Partial {
  const places = partial.measures.flatMap((measure, place) => (isAddedUp(from, measure) ? [place] : []));
  const zeros = new Int32Array(partial.windows.length);
  return {
    ...partial,
    ...(from.over === 'windows'
      ? { windows: zeros }
      : {
          members: [[null], [null]],
          ...{ first: zeros, second: zeros },
          windows: plan.windows.size === 'none' ? zeros : sameWindows(from.table.plan, plan, partial.windows),
        }),
    measures: places.map((place) => certain(partial.measures[place])),
    sums: places.map((place) => certain(partial.sums[place])),
    samples: new Map([...partial.samples].filter(([duration]) => isSampleAddedUp(from, duration))),
  };
}
