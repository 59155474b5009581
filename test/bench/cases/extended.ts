import { withHistory } from '../data/made-site.ts';
import { warmTime } from '../figures.ts';
import { type ServiceProcess, startServiceProcess } from '../service-process.ts';
import { EXTENDED_QUERIES, type ExtendedBody, type ExtendedQuery, rowsOfReply } from './extended-queries.ts';
import type { Contestant } from './race.ts';
import { scanOf } from './segment-scan.ts';

/** Measures requests beyond the original interface: warm over HTTP, and reports of one table in the process too. */
export async function measureExtended(dataDir: string, runs: number) {
  const lines: Record<string, unknown>[] = [];
  const contestants: Contestant[] = [];
  const ratios: string[] = [];
  for (const query of EXTENDED_QUERIES) {
    const measured = await withService(dataDir, (service) => measure(service, query, runs));
    const inside = (body: ExtendedBody): Promise<number> => reportMs(dataDir, body, runs);
    const isOneTable = query.path === 'reports' && query.body.totals === undefined;
    const overHttp = () => withService(dataDir, async (service) => (await measure(service, query, runs)).warm);
    const ours = isOneTable ? () => inside(query.body) : overHttp;
    contestants.push({ name: query.name, sql: query.sql, rows: measured.rows, warm: measured.warm, ours });
    const { beside } = query;
    const ratio = beside && measured.less && measured.warm / measured.less;
    const insideRatio =
      beside && isOneTable
        ? (await inside(query.body)) / (await inside({ ...query.body, ...beside.changes }))
        : undefined;
    lines.push({
      query: query.name,
      rows: measured.rows.length,
      'HTTP first ms': tidy(measured.first),
      'HTTP warm ms': tidy(measured.warm),
      ...(beside && { beside: beside.what, 'at most': beside.most, 'HTTP ratio': tidy(ratio ?? 0) }),
      ...(insideRatio && { 'report ratio': tidy(insideRatio) }),
    });
    if (beside && ratio) ratios.push(`${tidy(insideRatio ?? ratio)}x ${beside.what}`);
  }
  console.table(lines);
  return { contestants, summary: `extensions ${ratios.join(', ')}` };
}

interface Measured {
  readonly rows: ReturnType<typeof rowsOfReply>;
  readonly first: number; // ms, in a new process that has checked the password
  readonly warm: number; // ms
  readonly less: number | undefined; // ms, of the smaller request that it is compared with
}

async function measure(
  service: ServiceProcess,
  { path, body, beside }: ExtendedQuery,
  runs: number,
): Promise<Measured> {
  const start = performance.now();
  const rows = rowsOfReply(JSON.parse(await service.ask(path, body)));
  const first = performance.now() - start;
  const warm = await warmTime(runs, () => service.ask(path, body));
  const less = beside && (await warmTime(runs, () => service.ask(path, { ...body, ...beside.changes })));
  return { rows, first, warm, less };
}

async function withService<T>(dataDir: string, work: (service: ServiceProcess) => Promise<T>): Promise<T> {
  const service = await startServiceProcess(dataDir);
  try {
    await service.signIn();
    return await work(service);
  } finally {
    await service.stop();
  }
}

/** The ms that a report of one table takes inside the process, measured by `scanOf`. */
const reportMs = async (dataDir: string, body: ExtendedBody, runs: number): Promise<number> =>
  (await withHistory(dataDir, (context) => scanOf(context, body, runs))).reportMs;

const tidy = (value: number): number => Number(value.toPrecision(3));
