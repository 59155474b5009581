import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { FIELD_NAMES } from '../../../lib/insights/fields.ts';
import type { Row } from '../../support/oracle/example.ts';
import { madeSite, withHistory } from '../data/made-site.ts';
import { inTurns, median } from '../figures.ts';
import { bareReadMs } from '../rivals/bare-read.ts';
import { startDuckdb } from '../rivals/duckdb.ts';
import { hasPostgres, startPostgres } from '../rivals/postgres.ts';
import type { Rival } from '../rivals/rival.ts';
import { rivalData } from '../rivals/rival-data.ts';
import { startServiceProcess } from '../service-process.ts';
import { REPORT_QUERIES, type ReportQuery, TOO_LARGE } from './report-queries.ts';
import { type Scanned, scanOf, storedOf } from './segment-scan.ts';

/** What was measured of a query; times in ms. */
interface Measured {
  readonly query: ReportQuery;
  readonly rows: readonly Row[];
  readonly signIn: number; // the first request of a new process, whose password has to be checked
  readonly cold: number; // its first report, as soon as the password is checked
  readonly warm: number;
  readonly bare: number; // another new process reads the same segments, and does nothing with them
  readonly scanned: Scanned;
}

/** `--scale`: 1 is the size that the promises speak of; `--data-dir`: where what is made is kept for the next run. */
function readOptions(words: readonly string[]): { scale: number; runs: number; dataDir: string | undefined } {
  const { values } = parseArgs({
    args: [...words],
    options: {
      scale: { type: 'string', default: '1' },
      runs: { type: 'string', default: '5' }, // of which the median counts
      'data-dir': { type: 'string' },
    },
  });
  return { scale: Number(values.scale), runs: Number(values.runs), dataDir: values['data-dir'] };
}

/** Reports over the made-up history by the service, PostgreSQL 15 and DuckDB, their answers compared before they are timed. */
export async function bench(words: readonly string[]): Promise<string> {
  const { scale, runs, dataDir: named } = readOptions(words);
  const { dataDir, loaded, remove } = await madeSite(scale, named);
  try {
    const perEvent = await printStored(dataDir, loaded);
    const measured: Measured[] = [];
    for (const query of REPORT_QUERIES) measured.push(await measure(query, dataDir, runs));
    const ratios = await fieldRatios(dataDir, measured, runs);
    const memory = await peakMemory(dataDir);
    print(measured.map(ownFigures));
    const files = await rivalData(scale, dataDir);
    const worst: string[] = [];
    for (const start of rivals()) worst.push(await race(start, files, measured, { dataDir, runs }));
    return `${cpus().length} cores, ${perEvent}, peak memory ${megabytes(memory)} MB, ${ratios}; ${worst.join('; ')}`;
  } finally {
    remove();
  }
}

/** Who is raced, thread for thread first, then as they would be run on two cores. */
function rivals(): (() => Promise<Rival>)[] {
  if (!hasPostgres()) console.log('PostgreSQL 15 is not here (Debian: apt-get install postgresql-15): it is left out.');
  return [
    ...(hasPostgres() ? [() => startPostgres(0), () => startPostgres(1)] : []),
    () => startDuckdb(1),
    () => startDuckdb(2),
  ];
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

const PROCESSES = 7; // new ones that are asked a query

/** How a new process answers; times in ms. */
type Asked = Pick<Measured, 'rows' | 'signIn' | 'cold' | 'warm'>;

async function askNewProcess({ body }: ReportQuery, dataDir: string, runs: number): Promise<Asked> {
  const service = await startServiceProcess(dataDir);
  try {
    const signIn = await timed(service.signIn);
    const cold = await timed(() => service.report(body));
    const rows = await service.report(body);
    const times: number[] = [];
    for (let turn = 0; turn < runs; turn += 1) times.push(await timed(() => service.report(body)));
    return { rows, signIn, cold, warm: median(times) };
  } finally {
    await service.stop();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Of one process that has answered every query, and what has more cells or rows than it may. */
async function peakMemory(dataDir: string): Promise<number> {
  const service = await startServiceProcess(dataDir);
  try {
    for (const { body } of [...REPORT_QUERIES, ...REPORT_QUERIES]) await service.report(body);
    for (const body of TOO_LARGE) await service.report(body).catch(() => undefined); // it says so
    return service.peakMemory();
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
    'cold / (2 warm + bare)': tidy(cold / (2 * warm + bare)),
    'first scan ms': tidy(firstMs),
    'report ms': tidy(reportMs),
    'scan ms': tidy(scanMs),
    'M facts/s': tidy(facts / scanMs / 1000),
  };
}

const QUICK = 500; // ms: what takes a rival less is timed in several rounds, since the machine may be slow for a second or two
const ROUNDS = 5;

/** Compares a rival's answers, times it and us in turn, and tells its ratios to us. */
async function race(
  start: () => Promise<Rival>,
  files: string,
  measured: readonly Measured[],
  { dataDir, runs }: { readonly dataDir: string; readonly runs: number },
): Promise<string> {
  const rival = await start();
  try {
    await rival.load(files);
    const lines: { readonly query: string; readonly ratio: number; readonly answers: string }[] = [];
    for (const { query, rows, warm } of measured) {
      const differences = differencesOf(rows, await rival.answer(query.sql));
      const ask = (): Promise<number> => rival.time(query.sql, runs);
      const report = async (): Promise<number> =>
        (await withHistory(dataDir, (context) => scanOf(context, query.body, runs))).reportMs;
      const rounds = (await ask()) < QUICK ? ROUNDS : 1;
      const { a: ms, b: reportMs, ratio } = await inTurns(rounds, ask, report);
      const answers = differences === 0 ? 'equal' : `${differences} rows differ`;
      lines.push({
        query: query.name,
        ...{ ms: tidy(ms), 'our report ms': tidy(reportMs), ratio: tidy(ratio) },
        ...{ 'ratio over HTTP': tidy(ms / warm), answers },
      });
    }
    console.log(`\n${rival.name}`);
    print(lines);
    const ratios = lines.map(({ ratio }) => ratio);
    const equal = lines.filter(({ answers }) => answers === 'equal').length;
    return `${rival.name} ${Math.min(...ratios)}x to ${Math.max(...ratios)}x slower, ${equal} of ${lines.length} answers equal`;
  } finally {
    await rival.close();
  }
}

/** Rows of either side that the other has not; numbers may differ by the rounding of two decimals. */
function differencesOf(ours: readonly Row[], theirs: readonly unknown[][]): number {
  const keyOf = (row: readonly unknown[]): string =>
    row
      .slice(0, 3)
      .map((cell) => String(cell ?? ''))
      .join('|');
  const found = new Map(theirs.map((row) => [keyOf(row), row]));
  const expected = ours.filter((row) => found.has(keyOf(row)) || row.slice(3).some((value) => value !== 0));
  const equal = expected.filter((row) => {
    const other = found.get(keyOf(row)) ?? [];
    return row.slice(3).every((value, place) => sameNumber(value, other[place + 3]));
  });
  return expected.length - equal.length + Math.abs(theirs.length - expected.length);
}

const sameNumber = (ours: unknown, theirs: unknown): boolean =>
  ours === null || theirs == null ? ours === (theirs ?? null) : Math.abs(Number(ours) - Number(theirs)) < 0.00501;

/** What all fields cost beside each by itself, over the same members and windows. */
async function fieldRatios(dataDir: string, measured: readonly Measured[], runs: number): Promise<string> {
  const all = measured.find(({ query }) => query.body.fields.length === FIELD_NAMES.length);
  if (all === undefined) return '';
  const times: { readonly field: string; readonly ms: number }[] = [];
  for (const field of all.query.body.fields) {
    if (field === 'agent_time_online') continue; // null for such members
    const body = { ...all.query.body, fields: [field] };
    const { reportMs } = await withHistory(dataDir, (context) => scanOf(context, body, runs));
    times.push({ field, ms: reportMs });
  }
  times.sort((a, b) => a.ms - b.ms);
  const { reportMs } = all.scanned;
  print(times.map(({ field, ms }) => ({ field, 'report ms': tidy(ms), 'all 22 take': tidy(reportMs / ms) })));
  const ratio = (ms = Number.NaN): string => (reportMs / ms).toFixed(1);
  return (
    `all 22 fields ${ratio(times.at(-1)?.ms)}x the slowest of them alone, ${ratio(median(times.map(({ ms }) => ms)))}x the median, ` +
    `${ratio(times[0]?.ms)}x the quickest, ${ratio(times.reduce((sum, { ms }) => sum + ms, 0))}x one after the other`
  );
}

const print = (lines: readonly Record<string, unknown>[]): void => console.table(lines);
const count = (value: number): string => Math.round(value).toLocaleString('en');
const tidy = (value: number): number => Number(value.toPrecision(3));
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
