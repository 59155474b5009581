import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { FIELD_NAMES } from '../../../lib/insights/definitions/fields.ts';
import type { Row } from '../../support/oracle/example.ts';
import { madeSite, withHistory } from '../data/made-site.ts';
import { median, warmTime } from '../figures.ts';
import { bareReadMs } from '../rivals/bare-read.ts';
import { startDuckdb } from '../rivals/duckdb.ts';
import { hasPostgres, startPostgres } from '../rivals/postgres.ts';
import type { Rival } from '../rivals/rival.ts';
import { rivalData } from '../rivals/rival-data.ts';
import { startServiceProcess } from '../service-process.ts';
import { measureExtended } from './extended.ts';
import { EXTENDED_QUERIES } from './extended-queries.ts';
import { type Contestant, race } from './race.ts';
import {
  ORIGINAL_FIELDS,
  ORIGINAL_FIELDS_BODY,
  REPORT_QUERIES,
  type ReportQuery,
  TOO_LARGE,
} from './report-queries.ts';
import { type Scanned, scanOf, storedOf } from './segment-scan.ts';

/** The measurements of a query; times are in ms. */
interface Measured {
  readonly query: ReportQuery;
  readonly rows: readonly Row[];
  readonly signIn: number; // the first request to a new process, which checks the password
  readonly cold: number; // the first report of that process, after the password was checked
  readonly warm: number;
  readonly bare: number; // another new process only reads the same segments
  readonly scanned: Scanned;
}

/**
 * Reads the options: `--scale 1` is the size that the documented figures are for; `--data-dir` keeps the made-up data
 * for the next run; `--extended` runs only the shorter bench.
 */
function readOptions(words: readonly string[]) {
  const { values } = parseArgs({
    args: [...words],
    options: {
      scale: { type: 'string', default: '1' },
      runs: { type: 'string', default: '5' }, // of which the median counts
      'data-dir': { type: 'string' },
      extended: { type: 'boolean', default: false }, // only requests beyond the original interface
    },
  });
  const { scale, runs, extended: isShort, 'data-dir': dataDir } = values;
  return { scale: Number(scale), runs: Number(runs), isShort, dataDir };
}

/** Compares and times reports over the made-up history by the service, PostgreSQL 15 and DuckDB. */
export async function bench(words: readonly string[]): Promise<string> {
  const { scale, runs, isShort, dataDir: named } = readOptions(words);
  const { dataDir, loaded, remove } = await madeSite(scale, named);
  try {
    const perEvent = await printStored(dataDir, loaded);
    const { contestants, summary: own } = isShort ? NOTHING : await original(dataDir, runs);
    const extended = await measureExtended(dataDir, runs);
    const memory = await peakMemory(dataDir);
    console.log(memory);
    const files = await rivalData(scale, dataDir);
    const worst: string[] = [];
    for (const start of rivals()) worst.push(await race(start, files, [...contestants, ...extended.contestants], runs));
    return `${cpus().length} cores, ${perEvent}, ${memory}, ${own}${extended.summary}; ${worst.join('; ')}`;
  } finally {
    remove();
  }
}

const NOTHING = { contestants: [], summary: '' };

/** Measures the reports of the original interface. */
async function original(dataDir: string, runs: number): Promise<{ contestants: Contestant[]; summary: string }> {
  const measured: Measured[] = [];
  for (const query of REPORT_QUERIES) measured.push(await measure(query, dataDir, runs));
  const ratios = await fieldRatios(dataDir, runs);
  print(measured.map(ownFigures));
  const contestants = measured.map(({ query, rows, warm }) => ({
    ...{ name: query.name, sql: query.sql, rows, warm },
    ours: async () => (await withHistory(dataDir, (context) => scanOf(context, query.body, runs))).reportMs,
  }));
  return { contestants, summary: `${ratios}; ` };
}

/** The rivals: first with one thread each, then with two, as they would run on two cores. */
function rivals(): (() => Promise<Rival>)[] {
  if (!hasPostgres()) console.log('PostgreSQL 15 is not here (Debian: apt-get install postgresql-15): it is left out.');
  const postgres = (workers: number) => (hasPostgres() ? [() => startPostgres(workers)] : []);
  return [...postgres(0), () => startDuckdb(1), ...postgres(1), () => startDuckdb(2)];
}

async function printStored(dataDir: string, { events, seconds }: { events: number; seconds: number }): Promise<string> {
  const { facts, segments, segmentBytes, ledgerBytes } = await withHistory(dataDir, storedOf);
  const perFact = (segmentBytes / facts).toFixed(2);
  const perEvent = ((segmentBytes + ledgerBytes) / events).toFixed(1);
  console.log(
    `${count(events)} events, ${count(facts)} facts in ${segments} segments of ${megabytes(segmentBytes)} MB, ` +
      `ledger ${megabytes(ledgerBytes)} MB; loaded and compacted in ${seconds.toFixed(0)} s, ${count(events / seconds)} events/s`,
  );
  return `${perFact} bytes a fact, ${perEvent} bytes an event`;
}

async function measure(query: ReportQuery, dataDir: string, runs: number): Promise<Measured> {
  const processes: (Asked & Pick<Measured, 'bare'>)[] = [];
  for (let turn = 0; turn < PROCESSES; turn += 1) {
    const asked = await askNewProcess(query, dataDir, runs);
    processes.push({ ...asked, bare: await bareReadMs(dataDir, query.body) });
  }
  const scanned = await withHistory(dataDir, (context) => scanOf(context, query.body, runs));
  const middle = (name: 'signIn' | 'cold' | 'warm' | 'bare'): number => median(processes.map((asked) => asked[name]));
  const rows = processes[0]?.rows ?? [];
  return {
    ...{ query, rows, scanned },
    ...{ signIn: middle('signIn'), cold: middle('cold'), warm: middle('warm'), bare: middle('bare') },
  };
}

const PROCESSES = 7; // new processes for each query

/** The measurements of a new process; times are in ms. */
type Asked = Pick<Measured, 'rows' | 'signIn' | 'cold' | 'warm'>;

async function askNewProcess({ body }: ReportQuery, dataDir: string, runs: number): Promise<Asked> {
  const service = await startServiceProcess(dataDir);
  try {
    const signIn = await timed(service.signIn);
    const cold = await timed(() => service.ask('reports', body));
    const { data: rows } = JSON.parse(await service.ask('reports', body));
    const warm = await warmTime(runs, () => service.ask('reports', body));
    return { rows, signIn, cold, warm };
  } finally {
    await service.stop();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The peak memory of one process that has answered every query and refused the reports that are too large. */
async function peakMemory(dataDir: string): Promise<string> {
  const service = await startServiceProcess(dataDir);
  try {
    for (const { body } of [...REPORT_QUERIES, ...REPORT_QUERIES]) await service.ask('reports', body);
    for (const { path, body } of [...EXTENDED_QUERIES, ...EXTENDED_QUERIES]) await service.ask(path, body);
    for (const body of TOO_LARGE) await service.ask('reports', body).catch(() => undefined); // refused
    return `peak memory ${megabytes(service.peakMemory())} MB, of which ${megabytes(service.fileMemory())} are pages of files`;
  } finally {
    await service.stop();
  }
}

function ownFigures(measured: Measured): Record<string, unknown> {
  const { query, rows, signIn, cold, warm, bare, scanned } = measured;
  const { segments, facts, firstMs, scanMs, reportMs } = scanned;
  return {
    query: query.name,
    rows: rows.length,
    segments,
    'sign-in ms': tidy(signIn),
    'HTTP cold ms': tidy(cold),
    'bare read ms': tidy(bare),
    'HTTP warm ms': tidy(warm),
    'HTTP adds ms': tidy(warm - reportMs),
    'cold / (2 warm + bare)': tidy(cold / (2 * warm + bare)),
    'first scan ms': tidy(firstMs),
    'report ms': tidy(reportMs),
    'scan ms': tidy(scanMs),
    'M facts/s': tidy(facts / scanMs / 1000),
  };
}

/**
 * Compares the time of all fields, and of the original fields, in one report with each field alone in the same report.
 */
async function fieldRatios(dataDir: string, runs: number): Promise<string> {
  const msOf = async (fields: readonly string[]): Promise<number> =>
    (await withHistory(dataDir, (context) => scanOf(context, { ...ORIGINAL_FIELDS_BODY, fields }, runs))).reportMs;
  const times: FieldTime[] = [];
  for (const field of FIELD_NAMES) {
    if (field !== 'agent_time_online') times.push({ field, ms: await msOf([field]) }); // it is null for such members
  }
  times.sort((a, b) => a.ms - b.ms);
  const original = await msOf(ORIGINAL_FIELDS);
  print(times.map(({ field, ms }) => ({ field, 'report ms': tidy(ms), 'original fields take': tidy(original / ms) })));
  const originals = times.filter(({ field }) => ORIGINAL_FIELDS.includes(field));
  return (
    `the ${ORIGINAL_FIELDS.length} original fields ${beside(original, originals)}, ` +
    `all ${FIELD_NAMES.length} fields ${beside(await msOf(FIELD_NAMES), times)}`
  );
}

interface FieldTime {
  readonly field: string;
  readonly ms: number; // in a report of its own
}

/** Compares the time of fields together with the times of each field alone, which rise. */
function beside(together: number, times: readonly FieldTime[]): string {
  const ratio = (ms = Number.NaN): string => `${(together / ms).toFixed(1)}x`;
  return (
    `${ratio(times.at(-1)?.ms)} the slowest of them alone, ${ratio(median(times.map(({ ms }) => ms)))} the median, ` +
    `${ratio(times[0]?.ms)} the quickest, ${ratio(times.reduce((sum, { ms }) => sum + ms, 0))} one after the other`
  );
}

const print = (lines: readonly Record<string, unknown>[]): void => console.table(lines);
const count = (value: number): string => Math.round(value).toLocaleString('en');
const tidy = (value: number): number => Number(value.toPrecision(3));
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
