import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChecks } from '../cloud/checks.ts';
import { jsonOf, mustRun, ROOT, run } from '../cloud/command.ts';
import { pythonPrograms } from '../cloud/python.ts';
import { sampledReports } from '../support/generators/report-requests.ts';
import { askedOf } from '../support/oracle/sql-reports.ts';
import { startProgram } from '../support/service/program.ts';
import { runPrograms } from './programs.ts';
import { OF_FILES, TOUR } from './tour.ts';

const SCHEMATHESIS = 'schemathesis==4.32.5';
const PYTHON_GENERATOR = 'openapi-python-client==0.29.1';
const TYPESCRIPT_GENERATOR = 'swagger-typescript-api@13.13.0';
const POLARS = 'polars==2.1.0';
const TRINO_PARSERS = ['sqlglot==30.30.0', 'trino-sql-validator==0.23.0'] as const;
const STATEMENTS = 1000;
const EXAMPLES = 2000; // requests that the fuzzer makes at least
const AN_OPERATION = 40; // of them for each operation and phase
const MOST_SAID = 8_000; // characters of the fuzzer's findings that are printed
const USER = { login: 'administrator@demo.example', password: 'demo-password' };

/**
 * `npm run test:clients`: generates a client in Python and one in TypeScript from the API document, makes a tour of every
 * operation with each, runs programs that were written for the original service, and lets schemathesis fuzz this one. Its
 * findings are none, or are named in `schemathesis.toml`.
 */
async function main(): Promise<void> {
  const checks = createChecks(console.log, Date.now);
  const folder = await mkdtemp(join(tmpdir(), 'clients-'));
  const service = await startProgram(join(folder, 'data'), { DEMO: '1', LOG_LEVEL: 'debug' });
  try {
    await checks.step('the tour holds every operation', tourHoldsAll);
    await checks.step('a Python client does the tour', () => pythonTour(folder, service.url));
    await checks.step('a TypeScript client does the tour', () => typescriptTour(folder, service.url));
    await runPrograms(checks, { folder, url: service.url, said: () => service.out() + service.err(), ...USER });
    await checks.step('Polars opens each file of a warehouse', () => warehouseTour(folder));
    await checks.step('parsers of Trino take the statements of reports', trinoTakesStatements);
    const fuzzed = await checks.step('schemathesis finds nothing new', () => fuzz(service.url));
    if (fuzzed !== undefined) console.log(`          ${fuzzed}`);
  } finally {
    await service.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
  checks.conclude('clients');
}

async function tourHoldsAll(): Promise<void> {
  const { paths } = JSON.parse(await readFile(join(ROOT, 'openapi.json'), 'utf8'));
  const all = Object.values<Record<string, { operationId?: string }>>(paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId }) => operationId ?? []),
  );
  const missing = all.filter((name) => !OF_FILES.includes(name) && !TOUR.some(({ operation }) => operation === name));
  if (missing.length > 0) throw new Error(`add to test/clients/tour.ts: ${missing.join(', ')}`);
}

/** Exports the demo site while the service runs on it, and counts it with Polars. */
async function warehouseTour(folder: string): Promise<void> {
  const [programs, to] = [await pythonPrograms([POLARS]), join(folder, 'warehouse')];
  const exported = await mustRun('npx', [
    ...['support', 'warehouse', 'export', '--to', to, '--data-dir', join(folder, 'data'), '--json'],
  ]);
  const [{ files, rows }] = jsonOf(exported).sites;
  const counted = await mustRun(join(programs, 'python'), [join(ROOT, 'test/clients/warehouse.py'), to]);
  const found = jsonOf(counted);
  if (found.files !== files || found.cases !== rows.cases || found.created !== rows.cases || found.agents < 2)
    throw new Error(`Polars found ${counted}`);
}

async function trinoTakesStatements(): Promise<void> {
  const programs = await pythonPrograms(TRINO_PARSERS);
  const statements = sampledReports(STATEMENTS, 61).map((example) => askedOf(example, 'trino').sql);
  const program = join(ROOT, 'test/clients/statements.py');
  const taken = await mustRun(join(programs, 'python'), [program], { input: JSON.stringify(statements) });
  const { parsed, checked } = jsonOf(taken);
  if (parsed !== STATEMENTS || checked < STATEMENTS / 2) throw new Error(taken);
}

async function pythonTour(folder: string, url: string): Promise<void> {
  const programs = await pythonPrograms([PYTHON_GENERATOR]);
  const document = join(ROOT, 'openapi.json');
  const options = ['generate', '--path', document, '--output-path', join(folder, 'tour_client'), '--meta', 'none'];
  const env = { PATH: `${programs}:${process.env.PATH}` }; // it formats by a program that lies beside it
  await mustRun(join(programs, 'openapi-python-client'), [...options, '--fail-on-warning'], { env });
  const tour = join(ROOT, 'test/clients/python-tour.py');
  expectTour(await mustRun(join(programs, 'python'), [tour, folder, 'tour_client', url], { input: stepsOf('python') }));
}

async function typescriptTour(folder: string, url: string): Promise<void> {
  await mustRun('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', TYPESCRIPT_GENERATOR]);
  const document = join(ROOT, 'openapi.json');
  const generator = join(folder, 'node_modules/.bin/swagger-typescript-api');
  await mustRun(generator, ['generate', '-p', document, '-o', folder, '-n', 'api.ts', '--extract-request-params']);
  const tour = [
    '--import',
    'tsx',
    join(ROOT, 'test/clients/typescript-tour.ts'),
    join(folder, 'api.ts'),
    url,
    document,
  ];
  expectTour(await mustRun(process.execPath, tour, { input: stepsOf('typescript') }));
}

/** The steps for a client, whose name `$client` stands for: a custom field can be made once, and never removed. */
const stepsOf = (client: string): string => JSON.stringify(TOUR).replaceAll('"$client"', JSON.stringify(client));

/** Throws where a step of the tour was answered with another status. */
function expectTour(printed: string): void {
  const lines = printed.split('\n').filter((line) => line.startsWith('{"operation"'));
  const found = lines.map((line) => JSON.parse(line) as { operation: string; status: number });
  const wrong = TOUR.flatMap(({ operation, status }, place) =>
    found[place]?.status === status
      ? []
      : [`${operation}: ${found[place]?.status ?? 'no answer'} instead of ${status}`],
  );
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}

/** Returns the fuzzer's summary line. */
async function fuzz(url: string): Promise<string> {
  const programs = await pythonPrograms([SCHEMATHESIS]);
  const config = ['--config-file', join(ROOT, 'test/clients/schemathesis.toml')];
  // `ignored_auth` sends wrong passwords until the service takes it for somebody who guesses: 429 instead of 401, as it should be.
  const how = [
    '-a',
    `${USER.login}:${USER.password}`,
    '-c',
    'all',
    '--exclude-checks',
    'ignored_auth',
    '-n',
    String(AN_OPERATION),
    '--exclude-operation-id', // its wrong passwords count as guesses, likewise
    'updateMe',
    '--seed',
    '1',
    '--continue-on-failure',
  ];
  const { status, output } = await run(
    join(programs, 'schemathesis'),
    ['--no-color', ...config, 'run', `${url}/openapi.json`, '-u', url, ...how, '--suppress-health-check', 'all'],
    { within: 20 * 60_000 },
  );
  const found = output.indexOf('= FAILURES =');
  if (status !== 0) throw new Error(found < 0 ? output : output.slice(found, found + MOST_SAID));
  const [, made = '0'] = /(\d+) generated/.exec(output) ?? [];
  if (Number(made) < EXAMPLES) throw new Error(`only ${made} requests were made`);
  return `${made} requests`;
}

await main();
