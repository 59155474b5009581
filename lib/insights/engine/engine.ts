import { hash } from 'node:crypto';
import type { Context } from '../../context.ts';
import { Failure, oneFault } from '../../errors.ts';
import type { CustomValue } from '../../history/cases/case-row.ts';
import type { HistoryReader } from '../../history/read.ts';
import { ownJson } from '../../own-json.ts';
import type { Objects } from '../../store/objects.ts';
import type { QueryEngine } from '../../store/query-engine.ts';
import { comparedRequest, historyRead, WHOLE_HISTORY } from '../compute.ts';
import { countPromises, fieldNamed } from '../definitions/fields.ts';
import type { Plan } from '../plan.ts';
import type { EngineReport, ReportEngine } from '../report-engine.ts';
import type { ReportRequest } from '../request.ts';
import { askReport } from '../sql/report.ts';
import type { FactsRead } from '../sql/statement.ts';
import { knownMembers } from '../sql/written.ts';
import { planTables } from '../totals.ts';
import { resultRows } from './result-file.ts';
import {
  checkDay,
  forget,
  isFor,
  later,
  noteEnd,
  type Query,
  type Running,
  readRunning,
  TOO_MANY_BYTES,
  waitFor,
} from './running.ts';

/** The files of a site in the warehouse, which have every event up to now. */
export interface FreshFiles {
  readonly state: string; // of all that they depend on
  readonly bytes: (reads: readonly FactsRead[]) => number; // that a statement reads of them
}

/** What an engine works with. */
export interface EngineTools {
  readonly queries: QueryEngine;
  readonly results: Pick<Objects, 'read'>; // the bucket with what queries answered
  /** Has the files of a site have all of its events, and verdicts on promises. Throws the 503 that says when they will. */
  readonly freshFiles: (context: Context, areJudged: boolean) => Promise<FreshFiles>;
  /** The values of some custom fields in the files of a site. */
  readonly fieldValues: (context: Context, fields: ReadonlySet<number>) => Promise<Iterable<CustomValue>>;
  readonly facts: number; // the most that `auto` scans
  readonly dayBytes: number; // that queries of all sites may read in a day of UTC
}

const LARGEST = 256_000_000; // bytes of a result; that of a reply that fits has less than a tenth
const SITE_BYTES = 50e9; // that a query may read, where the site has no `engine_bytes`

/** Opens an engine for reports. */
export function createEngine(tools: EngineTools): ReportEngine {
  const read = new WeakMap<Context, Running | undefined>(); // for the report that follows: a change since is met by its write
  return {
    async begun(context, request) {
      if (context.site.engine === 'scan') return undefined;
      const running = await readRunning(context);
      read.set(context, running);
      if (running === undefined || !isFor(running, digestOf(request), context.clock())) return undefined;
      return { ...request, time: ownJson<ReportRequest['time']>(running.time), asOf: running.now };
    },
    async compute(context, report) {
      const { asOf } = report.request;
      if (asOf === undefined && !(await isLarge(tools, context, report))) return undefined;
      const before = read.has(context) ? read.get(context) : await readRunning(context);
      read.delete(context); // further reports of a board look themselves
      const kept = before?.now === asOf && before?.digest === digestOf(report.request) ? before : undefined;
      if (asOf !== undefined && kept === undefined) throw later(undefined, 1); // somebody else has taken its answer
      return ask(tools, context, report, { before, kept });
    },
    async checkList(context, report) {
      if (await isLarge(tools, context, report, 'auto')) throw tooLong();
    },
  };
}

/** The digest of what was asked: of a range that follows the present not the range as of now. */
function digestOf({ time, asOf: _, ...rest }: ReportRequest): string {
  const { size, zone, weekStart, extras } = time;
  const follows = extras?.last !== undefined || extras?.all !== undefined;
  const range = follows ? [] : [time.min, time.max];
  return hash('sha256', JSON.stringify([rest, size, zone, weekStart, extras, range]), 'hex');
}

/** The plans of all tables of a report and of what it is compared with. */
function plansOf({ request, reference }: Pick<EngineReport, 'request' | 'reference'>): [Plan[], Plan[]] {
  const compared = comparedRequest(request);
  const of = (asked: ReportRequest): Plan[] => planTables(asked, reference).map(({ plan }) => plan);
  return [of(request), compared ? of(compared) : []];
}

/** Whether what reads as much as a report is too much for a scan, or scans are not wanted by the setting of the site. */
async function isLarge(
  { facts }: EngineTools,
  context: Context,
  report: EngineReport,
  by = context.site.engine ?? 'auto',
): Promise<boolean> {
  if (context.site.engine === 'scan' || !isTold(report.request)) return false;
  const reads = plansOf(report).filter((plans) => plans.some(({ range }) => range.min < range.max));
  const wanted = reads.map((plans) => historyRead(context, plans)).filter(({ kinds }) => kinds.length > 0);
  if (by === 'warehouse') return wanted.length > 0;
  const sizes = await Promise.all(wanted.map((each) => report.reader.sizeOf(context, each)));
  return sizes.reduce((sum, size) => sum + size.facts, 0) > facts;
}

/** Whether a statement tells all that a report shows: what chance gives between percentiles only a scan does. */
const isTold = ({ chance, fields }: ReportRequest): boolean =>
  chance !== true || fields.every((name) => !('sample' in fieldNamed(name)));

async function ask(
  tools: EngineTools,
  context: Context,
  { request, reference, reader }: EngineReport,
  { before, kept }: { readonly before: Running | undefined; readonly kept: Running | undefined },
) {
  const { queries, results, freshFiles, fieldValues } = tools;
  const { site } = context;
  if (kept === undefined) await checkDay(context, tools.dayBytes);
  const areJudged = countPromises(request.fields);
  const files = kept ?? (await newFiles(context, reader, await freshFiles(context, areJudged).catch(asFailure)));
  const now = kept?.now ?? Math.floor(context.clock() / 1000);
  const { state, min, max } = files;
  const known = await knownMembers(request, reference, (fields) => fieldValues(context, fields).catch(asFailure));
  const asked = { site: site.name, request, reference: { ...reference, now }, known, extent: { min, max } };
  const { sql, reads, read } = askReport(asked, 'trino');
  if ('bytes' in files) checkBytes(context, files.bytes, reads);
  const tries = kept?.tries ?? 0;
  const token = hash('sha256', JSON.stringify([site.name, state, now, sql, tries]), 'hex');
  if (kept !== undefined && kept.token !== token) {
    await forget(context, queries, kept); // a name, field or calendar has changed since
    throw later(undefined, 1);
  }
  const time = JSON.stringify(request.time);
  const query: Query = { ...{ sql, digest: digestOf(request), token, tries, now, time }, ...{ state, min, max } };
  const { end, done } = await waitFor(context, queries, query, before);
  const file = await results.read(end.file, LARGEST).catch(asFailure);
  await noteEnd(context, end);
  await done();
  if (file === undefined) throw later(new Error(`no result ${end.file}`));
  if (file.isCut) throw oneFault('too_large', ['time'], TOO_MANY_ROWS);
  return read(resultRows(file.text));
}

/** Throws the 503 of a bucket that does not answer; a failure as it is. */
function asFailure(error: unknown): never {
  throw error instanceof Failure ? error : later(error);
}

/** Fresh files, with a range that has all of their facts. */
async function newFiles(context: Context, reader: HistoryReader, files: FreshFiles) {
  const { start, end } = await reader.sizeOf(context, WHOLE_HISTORY);
  return { ...files, min: start, max: end + 1 };
}

function checkBytes({ site }: Context, bytes: FreshFiles['bytes'], reads: readonly FactsRead[]): void {
  if (bytes(reads) > (site.engineBytes ?? SITE_BYTES)) throw oneFault('too_large', ['time'], TOO_MANY_BYTES);
}

const TOO_MANY_ROWS =
  'The report has more rows than a reply of 5.5 MB holds. It would fit with a shorter time, a larger time.window_size or one dimension less.';

const tooLong = (): Failure =>
  oneFault(
    'too_large',
    ['time'],
    'The list would read more facts than can be listed. It would fit with a shorter time.',
  );
