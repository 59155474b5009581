import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { DEMO_PASSWORD, demoLogin } from '../../../infra/demo/users.ts';
import type { FakeDesk } from '../../support/desks/desk.ts';
import { startZammad } from '../../support/desks/zammad-desk.ts';
import { startZendesk } from '../../support/desks/zendesk-desk.ts';
import { basic } from '../../support/service/credentials.ts';
import { print } from '../figures.ts';
import { peakMemoryOf } from '../process-memory.ts';
import { listeningPort } from '../service-process.ts';

const DAY = 86_400_000; // ms
const LATENCY = 20; // ms that a help desk takes for a call
const CHANGED = 100; // cases
const SECRET = 'bench-bell';
const MB = 1024 * 1024;

/** A help desk of the bench, with what connects it. */
interface Rival {
  readonly system: string;
  readonly desk: FakeDesk & { add(count: number, from: number, to: number): void };
  readonly credentials: object;
  readonly change: (id: number) => void; // now
  readonly latest: () => number; // the id of the last case that was added
  readonly tick: () => void; // its clock goes on
}

async function rivals(): Promise<readonly Rival[]> {
  const zendesk = await startZendesk({ now: Date.now() });
  const zammad = await startZammad();
  const credentials = { login: 'ann@acme.example', token: 'right-token' };
  return [
    {
      ...{ system: 'zendesk', desk: zendesk, credentials },
      change: (id) => {
        zendesk.now = Date.now();
        zendesk.touch(id, 'solved');
      },
      latest: () => zendesk.tickets.length,
      tick: () => void (zendesk.now = Date.now() + 62_000), // so that its list has the last minute, too
    },
    {
      ...{ system: 'zammad', desk: zammad, credentials: { token: 'right-token' }, tick: () => undefined },
      latest: () => zammad.tickets.length,
      change: (id) => zammad.answer(id, Date.now()),
    },
  ];
}

type Ask = (method: string, path: string, body?: object) => Promise<unknown>;

interface Service {
  readonly child: ChildProcess;
  readonly ask: Ask;
}

async function startService(folder: string): Promise<Service> {
  const program = fileURLToPath(new URL('../../../bin/support.js', import.meta.url));
  const env = { ...process.env, DATA_DIR: folder, PORT: '0', DEMO: '1', LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = `http://127.0.0.1:${await listeningPort(child)}`;
  const Authorization = basic(demoLogin('Administrator'), DEMO_PASSWORD);
  const ask: Ask = async (method, path, body) => {
    for (;;) {
      const sent = { method, headers: { Authorization }, ...(body && { body: JSON.stringify(body) }) };
      const reply = await fetch(`${url}${path}`, sent);
      const text = await reply.text();
      if (reply.status < 300) return text === '' ? {} : JSON.parse(text);
      if (reply.status !== 429) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
      await sleep(100);
    }
  };
  return { child, ask };
}

/** Waits until a connection is as it should be; returns it. */
async function reach(ask: Ask, isRight: (shown: Shown) => boolean): Promise<Shown> {
  for (;;) {
    const [one] = pageOf.parse(await ask('GET', '/api/v2/connections'))._embedded.entries;
    if (one?.error) throw new Error(one.error.message);
    if (one && isRight(one)) return one;
    await sleep(25);
  }
}

const pageOf = z.object({ _embedded: z.object({ entries: z.array(z.custom<Shown>()) }) });

const rowsOf = z.object({ data: z.array(z.unknown()).min(1) });

interface Shown {
  readonly id: number;
  readonly error: { readonly message: string } | null;
  readonly backfill: { readonly done: boolean };
  readonly last_pull: {
    readonly started_at: string;
    readonly ended_at: string | null;
    readonly requests: number;
  } | null;
  readonly doorbell: { readonly url: string };
}

/** Has changes pulled; returns the pull. */
async function pulled({ ask }: Service): Promise<NonNullable<Shown['last_pull']>> {
  const before = await reach(ask, ({ last_pull }) => last_pull?.ended_at != null);
  await ask('POST', `/api/v2/connections/${before.id}/pull`, {});
  const after = await reach(
    ask,
    ({ last_pull }) => last_pull?.ended_at != null && last_pull.started_at !== before.last_pull?.started_at,
  );
  return after.last_pull as NonNullable<Shown['last_pull']>;
}

/** Has the peak memory of a process counted from now on; returns what it has now, in bytes. */
function freshPeak(pid: number | undefined): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return peakMemoryOf(pid);
}

const lengthOf = ({ started_at, ended_at }: NonNullable<Shown['last_pull']>): number =>
  Date.parse(ended_at ?? '') - Date.parse(started_at);

/**
 * Connects a service in a process of its own to fake help desks that take 20 ms for a call, and measures pulls, memory
 * and doorbells: `--cases 1000`.
 */
export async function bench(words: readonly string[]): Promise<string> {
  const { values } = parseArgs({ args: [...words], options: { cases: { type: 'string', default: '1000' } } });
  const cases = Number(values.cases);
  print(
    '| system | calls of a connect, beside those of its cases | of an idle pull | of 100 changed cases | the pull in ms | its calls in ms | more |',
  );
  print('|---|---|---|---|---|---|---|');
  const found: string[] = [];
  for (const rival of await rivals()) found.push(await measure(rival, cases));
  return found.join('; ');
}

async function measure(rival: Rival, cases: number): Promise<string> {
  const { system, desk } = rival;
  const folder = mkdtempSync(join(tmpdir(), 'bench-live-'));
  const service = await startService(folder);
  try {
    desk.delay = LATENCY;
    desk.add(cases, Date.now() - 300 * DAY, Date.now() - 3_600_000);
    rival.tick();
    await service.ask('POST', '/api/v2/insights3/reports', REPORT);
    const least = freshPeak(service.child.pid);
    const body = { system, url: desk.url, credentials: rival.credentials, webhook_secret: SECRET };
    await service.ask('POST', '/api/v2/connections', body);
    await reach(service.ask, ({ backfill }) => backfill.done);
    const ofCases = desk.requests.filter((one) => /audits|ticket_history|by_ticket|tickets\/\d+/.test(one)).length;
    const ofConnect = desk.requests.length - ofCases;
    const idle = await pulled(service);
    const many = await changedPull(rival, service);
    const memory = peakMemoryOf(service.child.pid) - least;
    const share = ((many.pull / many.calls - 1) * 100).toFixed(1);
    print(
      `| ${system} | ${ofConnect} (${cases} cases: ${ofCases}) | ${idle.requests} | ${many.requests} | ${many.pull} | ${many.calls} | ${share} % |`,
    );
    const bells = system === 'zendesk' ? await ring(rival, service) : '';
    const parts = [`${system}: a pull of ${CHANGED} cases takes ${share} % more than its calls (at most 10 %)`];
    return [...parts, `${Math.round(memory / MB)} MB more memory (below 150)`, bells].filter(Boolean).join(', ');
  } finally {
    service.child.kill('SIGTERM');
    await once(service.child, 'exit');
    await desk.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const REPORT = {
  fields: ['case_creates'],
  time: {
    min: new Date(Date.now() - DAY).toISOString(),
    max: new Date(Date.now() + DAY).toISOString(),
    window_size: 'none',
  },
};

/** A pull of changed cases, beside the time of its calls as the help desk sees them. */
async function changedPull({ desk, change, tick }: Rival, service: Service) {
  for (let id = 1; id <= CHANGED; id += 1) change(id);
  tick();
  desk.busy = 0;
  const pull = await pulled(service);
  return { pull: lengthOf(pull), calls: Math.round(desk.busy), requests: pull.requests };
}

/** Rings beside a pull of many cases, and once for a case that changed: how long the answer takes, and until reports have it. */
async function ring({ desk, change, tick, latest }: Rival, service: Service): Promise<string> {
  const { doorbell } = await reach(service.ask, () => true);
  const bell = doorbell.url.replace('localhost', '127.0.0.1');
  const send = async (id: number): Promise<number> => {
    const text = JSON.stringify({ detail: { id: String(id) }, once: randomUUID() });
    const time = new Date().toISOString();
    const signature = createHmac('sha256', SECRET)
      .update(time + text)
      .digest('base64');
    const headers = { 'X-Zendesk-Webhook-Signature': signature, 'X-Zendesk-Webhook-Signature-Timestamp': time };
    const begun = performance.now();
    const reply = await fetch(bell, { method: 'POST', headers, body: text });
    await reply.arrayBuffer();
    if (reply.status !== 204) throw new Error(`a ring was answered ${reply.status}`);
    return performance.now() - begun;
  };
  for (let id = 1; id <= 4 * CHANGED; id += 1) change(id);
  tick();
  const { id } = await reach(service.ask, () => true);
  await service.ask('POST', `/api/v2/connections/${id}/pull`, {});
  const took: number[] = [];
  for (let rings = 0; rings < 500; rings += 1) {
    took.push(await send(1 + (rings % 50)));
    await sleep(20);
  }
  took.sort((a, b) => a - b);
  const median = took[250] ?? 0;
  const p99 = took[Math.ceil(took.length * 0.99) - 1] ?? 0;
  const count = async (): Promise<string> => {
    const { data } = rowsOf.parse(await service.ask('POST', '/api/v2/insights3/reports', REPORT));
    return JSON.stringify(data);
  };
  await pulled(service);
  const before = await count();
  desk.add(1, Date.now() - 2000, Date.now() - 1000);
  const begun = performance.now();
  await send(latest());
  while ((await count()) === before) await sleep(50);
  const seen = (performance.now() - begun) / 1000;
  print(
    `500 rings beside a pull: ${median.toFixed(1)} ms at the median, ${p99.toFixed(1)} ms at the 99th percentile; a new case is in reports ${seen.toFixed(1)} s after its ring`,
  );
  return `a ring takes ${p99.toFixed(1)} ms at the 99th percentile (at most 50), and is in reports after ${seen.toFixed(1)} s (at most 10)`;
}
