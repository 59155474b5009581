import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../../../infra/bundle.ts';
import { buildConsole } from '../../../infra/console/build.ts';
import { FUNCTIONS, type FunctionName } from '../../../infra/stack/functions.ts';
import { newToken, tokenWrites } from '../../../lib/access/tokens.ts';
import { readUser } from '../../../lib/access/users.ts';
import { compact } from '../../../lib/history/compact.ts';
import { loadHistory } from '../../../lib/import/load.ts';
import { FIELD_NAMES } from '../../../lib/insights/definitions/fields.ts';
import { madeEvents, rowsOf } from '../data/history.ts';
import { print } from '../figures.ts';
import { engineTable, SITE, startBenchService, toEvent } from '../service.ts';

const HEAP = 0.9; // of a function's memory, as Lambda's runtime of Node gives the heap

/** What a function is asked, one after the other; the first is the usual request of a program with a token. */
type Calls = readonly (readonly [what: string, event: unknown])[];

/**
 * Prints the most memory that each function needed: after its start, and after usual requests. Each runs as it is
 * deployed, bundled, in a process of its own with the heap that Lambda would give it, on an engine like DynamoDB.
 */
export async function bench(options: readonly string[]): Promise<string> {
  const scale = Number(options[options.indexOf('--scale') + 1] ?? Number.NaN) || 0.08; // scale 1 has 12.8 million facts
  const store = await engineTable();
  const folder = mkdtempSync(join(tmpdir(), 'memory-'));
  try {
    const { table } = await startBenchService(store);
    const events = [...madeEvents(scale)];
    const context = { table, site: { name: SITE }, clock: Date.now, newId: randomUUID };
    const on = { onReference: () => undefined, onRejected: () => undefined, onConflict: () => undefined };
    await loadHistory(context, rowsOf(events), { spillFolder: folder, ...on });
    await compact(context);
    const user = await readUser(table, SITE, 'bench@bench.example');
    if (user === undefined) throw new Error('there is no user');
    const { text, token } = newToken(user, { name: 'bench' }, Date.now());
    await table.transact(tokenWrites(SITE, { before: undefined, after: token }));
    writeFileSync(join(folder, 'console.json'), JSON.stringify(await buildConsole()));
    let most = 0;
    print(
      `${events.length} events\n| function | MB given | after the start | and then, one after the other |\n|---|---|---|---|`,
    );
    for (const [name, calls] of Object.entries(callsOf(`Bearer ${text}`)) as [FunctionName, Calls][]) {
      const { memory } = FUNCTIONS[name];
      const file = join(folder, `${name}.mjs`);
      await bundle(`functions/${name}.ts`, file);
      const [start = 0, ...later] = peaks(file, memory, store.endpoint, calls);
      const told = calls.map(([what], place) => `${what} ${megabytes(later[place])}`);
      print(`| ${name} | ${memory} | ${megabytes(start)} | ${told.join(', ')} |`);
      most = Math.max(most, ...[start, ...later].map((bytes) => bytes / 2 ** 20 / memory));
    }
    return `at most ${(100 * most).toFixed(0)} % of a function's memory (target 60 %)`;
  } finally {
    await store.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

const megabytes = (bytes = 0): string => (bytes / 2 ** 20).toFixed(0);

/** A program that starts a function and calls it, and prints the most memory that was resident after each. */
const PROGRAM = `
const { readFileSync } = await import('node:fs');
const [file, calls] = process.argv.slice(1);
const peaks = [];
const look = () => peaks.push(1024 * Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]));
const { handler } = await import(file);
look();
for (const event of JSON.parse(readFileSync(calls, 'utf8'))) {
  const reply = await handler(event, { getRemainingTimeInMillis: () => 500_000 });
  if (reply?.statusCode >= 300 || reply?.batchItemFailures?.length > 0) throw new Error(JSON.stringify(reply));
  look();
}
console.error(JSON.stringify(peaks));
process.exit();
`;

/** The bytes of memory that were resident at most: after the start of a function, and after each call. */
function peaks(file: string, memory: number, endpoint: string, calls: Calls): number[] {
  writeFileSync(`${file}.json`, JSON.stringify(calls.map(([, event]) => event)));
  const env = {
    ...{ PATH: process.env.PATH, AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
    ...{ TABLE_NAME: SITE, DYNAMODB_ENDPOINT: endpoint, MAIL_FROM: 'bench@bench.example', PUBLIC_URL: 'https://bench' },
  };
  const heap = `--max-old-space-size=${Math.floor(HEAP * memory)}`;
  const args = [heap, '--input-type=module', '-e', PROGRAM, file, `${file}.json`];
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`${file}: ${stderr}`);
  return JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
}

const TIME = { min: '2025-01-01T00:00:00Z', max: '2026-01-01T00:00:00Z' };
const AT = '2026-02-01T10:00:00Z';

function callsOf(Authorization: string): Partial<Record<FunctionName, Calls>> {
  const ask = (target: string, body?: unknown, headers = {}) =>
    toEvent(body === undefined ? 'GET' : 'POST', target, body, headers);
  const byToken = (target: string, body?: unknown) => ask(target, body, { Authorization });
  const reports = '/api/v2/insights3/reports';
  const report = (fields: readonly string[], window_size: string) => ({ fields, time: { ...TIME, window_size } });
  return {
    topics: [
      ['a list', byToken('/api/v2/topics')],
      ['the same by password', ask('/api/v2/topics')],
    ],
    macros: [
      ['a list', byToken('/api/v2/macros')],
      ['the same by password', ask('/api/v2/macros')],
    ],
    insights: [
      ['a count by day', byToken(reports, report(['case_creates'], 'day'))],
      ['all fields by day', byToken(reports, report(FIELD_NAMES, 'day'))],
      ['the same by password', ask(reports, report(FIELD_NAMES, 'day'))],
    ],
    imports: [
      ['a list', byToken('/api/v2/imports')],
      ['the same by password', ask('/api/v2/imports')],
    ],
    console: [['a page', ask('/console')]],
    ingest: [['ten records', { Records: Array.from({ length: 10 }, (_, place) => record(place)) }]],
    compact: [['folding these', { force: true }]],
    deliver: [['a look at what is due', {}]],
  };
}

/** A message of the queue. */
const record = (place: number) => ({
  messageId: `${place}`,
  attributes: { MessageGroupId: `live-${place}` },
  messageAttributes: { site: { stringValue: SITE } },
  body: JSON.stringify({ type: 'case.created', id: 'a', at: AT, case: `live-${place}`, channel: 1 }),
});
