import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../../../infra/local/server/server.ts';
import { openStore } from '../../../infra/local/table/store.ts';
import { createInsightsThread } from '../../../infra/local/threads/insights-in-thread.ts';
import { NEW_SITE } from '../../../lib/access/site-fields.ts';
import { newTokenText, tokenHash } from '../../../lib/access/tokens.ts';
import { serve } from '../../../lib/http/serve.ts';
import { routes } from '../../../lib/routes.ts';
import { LIMITS, readSettings } from '../../../lib/settings.ts';
import { importRecords } from '../../support/service/import.ts';
import { addSite, putUser } from '../../support/service/stored-access.ts';
import { addToken } from '../../support/service/tokens.ts';
import { inTurns, median, print } from '../figures.ts';

const LOGIN = 'bench@bench.example';
const ROUNDS = 40;
const CALLS = 25; // in each round
const CASES = 300;
const TARGET = 0.3; // ms more than in the thread that takes requests

const day = (index: number): string => new Date(Date.UTC(2026, 0, 1 + (index % 28), 9)).toISOString();
const records = Array.from({ length: CASES }, (_, index) => [
  { type: 'case.created', id: 'a', at: day(index), case: index + 1, channel: index % 4 },
  { type: 'interaction', id: 'b', at: day(index), case: index + 1, direction: 'outbound', agent: (index % 30) + 1 },
]).flat();
const time = { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z' };
const REPORTS = {
  'one row': { fields: ['case_creates'], time: { ...time, window_size: 'none' } },
  'a day, an agent': {
    fields: ['outbound_interactions'],
    time: { ...time, window_size: 'day' },
    dimension1: 'action_agent',
  },
};

/** Measures what the thread of reports adds to a warm report over HTTP: the same service with it and without it, in turns. */
export async function bench(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-apart-'));
  const { table, close } = await openStore(folder);
  const site = { ...NEW_SITE, name: 'bench', title: 'bench', hosts: ['localhost'] };
  await addSite(table, site, { default: true });
  await putUser(table, site.name, { login: LOGIN, role: 'Administrator', deleted: false }, true);
  const token = newTokenText(LOGIN);
  await addToken(table, site.name, { hash: tokenHash(token), login: LOGIN, name: 'bench', created: 1 });
  await importRecords(table, site, records);
  const log = () => undefined;
  const thread = createInsightsThread({ options: {}, settings: readSettings({}, {}), folder }, log);
  const wiring = { routes, open: {}, table, log, clock: Date.now, newId: randomUUID, ...LIMITS };
  const here = await listen({ handler: serve(wiring), log, newId: randomUUID }, 0, '127.0.0.1');
  const apart = await listen(
    { handler: serve({ ...wiring, apart: thread.doTask }), log, newId: randomUUID },
    0,
    '127.0.0.1',
  );
  const extras: number[] = [];
  try {
    for (const [name, body] of Object.entries(REPORTS)) {
      const ask = asker(token, JSON.stringify(body));
      const rounds = (count: number) =>
        inTurns(
          count,
          () => spell(() => ask(apart.port)),
          () => spell(() => ask(here.port)),
        );
      await rounds(ROUNDS / 2); // each thread compiles the code for itself
      const { a, b } = await rounds(ROUNDS);
      print(`${name}: in a thread of its own ${a.toFixed(2)} ms, in the same ${b.toFixed(2)} ms`);
      extras.push(a - b);
    }
    return `${extras.map((extra) => extra.toFixed(2)).join(' and ')} ms more (target ${TARGET})`;
  } finally {
    await Promise.all([here.close(), apart.close()]);
    await thread.close();
    await close();
    await rm(folder, { recursive: true });
  }
}

/** Median ms of a call. */
async function spell(call: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < CALLS; index += 1) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  return median(times);
}

const agent = new Agent({ keepAlive: true });

/** Returns a function that asks a port for a report. */
const asker =
  (token: string, body: string) =>
  (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Host: 'localhost' };
      const sent = request(
        { port, host: '127.0.0.1', method: 'POST', path: '/api/v2/insights3/reports', headers, agent },
        (response) => {
          response.resume().on('end', () => {
            if (response.statusCode === 200) resolve();
            else reject(new Error(`the report got ${response.statusCode}`));
          });
        },
      );
      sent.on('error', reject).end(body);
    });
