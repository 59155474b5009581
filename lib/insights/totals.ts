import { SAMPLES_ADD_UP } from './durations.ts';
import { ADDS_UP } from './measures.ts';
import { type Plan, planReport } from './plan.ts';
import type { Reference } from './reference.ts';
import type { ReportRequest } from './request.ts';
import type { Partial } from './scan/partial.ts';
import { mergePartials } from './scan/scan.ts';
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
  readonly addedUp: TableName | undefined; // the table whose windows give the other measures
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

/** Plans the tables of a report, each after the one whose windows it adds up. Throws as `planReport` does. */
export function planTables(request: ReportRequest, reference: Reference, extent?: Range): [TablePlan, ...TablePlan[]] {
  const data = tableOf('data', planReport(request, reference, extent));
  if (request.totals !== true) return [data];
  const names = tableNames(request);
  const whole = (of: ReportRequest): ReportRequest => ({ ...of, time: { ...of.time, size: 'none' } });
  const unsplit = { ...request, dimension1: null, dimension1_values: null, dimension2: null, dimension2_values: null };
  const plans: Record<TotalName, () => TablePlan> = {
    members: () => tableOf('members', planReport(whole(request), reference, extent), data),
    windows: () => tableOf('windows', planReport(unsplit, reference, extent)),
    all: () => tableOf('all', planReport(whole(unsplit), reference, extent), plans.windows()),
  };
  return [data, ...TOTALS.filter((name) => names[name] === name).map((name) => plans[name]())];
}

function tableOf(name: TableName, plan: Plan, of?: TablePlan): TablePlan {
  if (of === undefined) return { name, plan, scanned: plan, addedUp: undefined };
  const left = [...plan.measures].filter((measure) => !ADDS_UP.has(measure));
  if (left.length === plan.measures.size) return { name, plan, scanned: plan, addedUp: undefined };
  const samples = new Set([...plan.samples].filter((duration) => !SAMPLES_ADD_UP.has(duration)));
  const scanned = left.length === 0 ? undefined : { ...plan, measures: new Set(left), samples };
  return { name, plan, scanned, addedUp: of.name };
}

/** What was found for a table, from what its scan found and from the table whose windows it adds up. */
export function totalOf(plan: Plan, scanned: Partial = NOTHING_FOUND, addedUp?: Partial): Partial {
  return addedUp === undefined ? scanned : mergePartials(plan, [windowsAddedUp(addedUp), scanned]);
}

function windowsAddedUp(partial: Partial): Partial {
  const places = partial.measures.flatMap((measure, place) => (ADDS_UP.has(measure) ? [place] : []));
  return {
    ...partial,
    windows: new Int32Array(partial.windows.length),
    measures: places.map((place) => partial.measures[place]!),
    sums: places.map((place) => partial.sums[place]!),
    samples: new Map([...partial.samples].filter(([duration]) => SAMPLES_ADD_UP.has(duration))),
  };
}

const NOTHING_FOUND: Partial = {
  members: [[], []],
  first: new Int32Array(0),
  second: new Int32Array(0),
  windows: new Int32Array(0),
  measures: [],
  sums: [],
  samples: new Map(),
};
