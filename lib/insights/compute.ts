import type { Context } from '../context.ts';
import { createHistoryReader, type History, type HistoryReader } from '../history/read.ts';
import { SEGMENT_KINDS } from '../history/segments/row-position.ts';
import { unavailable } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import { type Plan, rangeRead } from './plan.ts';
import type { Reference } from './reference.ts';
import type { ReportEngine, ReportReader } from './report-engine.ts';
import type { ComputedReport } from './report-json.ts';
import type { ReportRequest } from './request.ts';
import { isByCase } from './scan/by-case.ts';
import type { ScanResult } from './scan/scan-result.ts';
import { createScanner, type ScanRun } from './scan/scanner.ts';
import { readReference } from './site-reference.ts';
import type { Tables } from './table-rows.ts';
import { planTables, type TablePlan, tableResults } from './totals.ts';
import { findUnknown } from './unknown-members.ts';
import { ALL_TIME, type Range } from './windows.ts';

const CACHE_BYTES = 128_000_000; // of deflated segments cached between reports: about 40 million facts

/** Creates the reader that reports read history with, and the engine that they ask where there is one. */
export const createReader = (engine?: ReportEngine): ReportReader => ({
  ...createHistoryReader({ cacheBytes: CACHE_BYTES }),
  engine,
});

/**
 * Computes a report as of now and returns what `show` makes of it before its buffers are released. Throws the 422
 * `too_large`, and `unavailable` past the deadline.
 */
export async function computeReport<T>(
  context: Context,
  request: ReportRequest,
  show: (report: ComputedReport) => T,
  reader: ReportReader = context.shared(createReader),
): Promise<T> {
  const [reference, unknown, begins] = await Promise.all([
    readReference(context, request),
    findUnknown(context, request),
    beginningOf(context, request, reader),
  ]);
  const found = await reader.engine?.compute(context, { request, reference, reader });
  if (found !== undefined) return show({ ...found, unknown, begins });
  const comparedWith = comparedRequest(request);
  const runs: Closing[] = [];
  const tablesOf = (asked: ReportRequest): Promise<Tables> =>
    findTables(context, reader, { request: asked, reference, runs });
  try {
    const tables = await tablesOf(request);
    const compared = comparedWith && (await tablesOf(comparedWith));
    return show({ tables, compared, unknown, begins });
  } finally {
    for (const run of runs) run.close();
  }
}

/** All of a history, to be read or sized. */
export const WHOLE_HISTORY = { from: ALL_TIME.min, to: ALL_TIME.max, kinds: SEGMENT_KINDS };

/** The first second of a history, for a report that says what its changes mean; undefined of an empty history. */
async function beginningOf(
  context: Context,
  { chance, time }: ReportRequest,
  reader: HistoryReader,
): Promise<number | undefined> {
  if (chance !== true || time.compared === undefined) return undefined;
  const version = context.version(keys.history(context.site.name));
  const { start, end } = await reader.sizeOf(context, { ...WHOLE_HISTORY, version });
  return start <= end ? start : undefined;
}

/** The request of the report that this one is compared with; undefined without `time.compare`. */
export function comparedRequest(request: ReportRequest): ReportRequest | undefined {
  const { compared, ...time } = request.time;
  return compared && { ...request, time: { ...time, ...compared } };
}

/** A scan that its caller closes. */
export type Closing = Pick<ScanRun, 'close'>;

/** Computes all tables of a report in one pass over the history, by scans that the caller closes. */
async function findTables(
  context: Context,
  reader: HistoryReader,
  { request, reference, runs }: { request: ReportRequest; reference: Reference; runs: Closing[] },
): Promise<Tables> {
  const { plans, resultOf } = await scanPlans(
    context,
    reader,
    (extent) => planTables(request, reference, extent),
    runs,
  );
  return tableResults(plans, resultOf);
}

/** A plan under a name, with what a scan must find of it; undefined if that is nothing. */
type NamedPlan<N extends string> = Pick<TablePlan, 'plan' | 'scanned'> & { readonly name: N };

/**
 * Scans for several plans of one range in one pass over the history, by scans that the caller closes. `plansOf` makes
 * the plans, also for a narrower range that has every fact of the site.
 */
export async function scanPlans<P extends NamedPlan<string>>(
  context: Context,
  reader: HistoryReader,
  plansOf: (extent?: Range) => readonly P[],
  runs: Closing[],
): Promise<{ readonly plans: readonly P[]; readonly resultOf: (name: P['name']) => ScanResult | undefined }> {
  const asked = plansOf();
  const ranges = asked.map(({ plan }) => plan.range);
  const wanted = historyRead(
    context,
    asked.map(({ plan }) => plan),
  );
  return reader.read(context, wanted, async (history) => {
    const extent = { min: history.start, max: history.end + 1 };
    const narrower = ranges.some((range) => extent.min > range.min || extent.max < range.max);
    const plans = narrower ? plansOf(extent) : asked;
    return { plans, resultOf: await scanAll(context, plans, history, runs) };
  });
}

/** Scans each segment while the next ones are being read. */
async function scanAll(
  context: Context,
  plans: readonly NamedPlan<string>[],
  { segments }: History,
  runs: Closing[],
): Promise<(name: string) => ScanResult | undefined> {
  const scanner = context.shared(createScanner);
  const onTime = (): void => {
    if (context.clock() > context.deadline) throw unavailable();
  };
  const wanted = plans.flatMap(({ name, scanned }) => (scanned ? [{ name, plan: { ...scanned, onTime } }] : []));
  const [first, ...others] = wanted
    .filter(({ plan }) => plan.byCase === true && isByCase(plan))
    .map(({ plan }) => plan);
  const split = first && scanner.split([first, ...others]);
  const together = new Set([first, ...others]);
  const alone = wanted.filter(({ plan }) => !together.has(plan));
  const started = new Map(alone.map(({ name, plan }) => [name, scanner.start(plan)]));
  const all = [...started.values(), ...(split ? [split] : [])];
  runs.push(...all);
  for await (const part of segments) {
    for (const run of all) await run.add(part);
    onTime();
  }
  const results = new Map([...started].map(([name, run]) => [name, run.result()]));
  const found = split?.results();
  for (const { name, plan } of wanted) {
    const result = found?.get(plan);
    if (result !== undefined) results.set(name, result);
  }
  return (name) => results.get(name);
}

/** The part of a history that plans need together. */
export function historyRead(context: Context, plans: readonly Plan[]) {
  const needs = plans.map(rangeRead);
  const measures = new Set(plans.flatMap((plan) => [...plan.measures]));
  const online = measures.has('onlineSeconds');
  return {
    from: Math.min(...needs.map(({ min }) => min)),
    to: Math.max(...needs.map(({ max }) => max)) - 1,
    rows: Math.max(...plans.map(({ rows }) => rows)),
    kinds: [
      ...(measures.size > (online ? 1 : 0) ? (['cases'] as const) : []),
      ...(online ? (['sessions'] as const) : []),
    ],
    version: context.version(keys.history(context.site.name)),
  };
}
