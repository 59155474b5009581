import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createInsightsThread, type InsightsThread } from '../../../../infra/local/threads/insights-in-thread.ts';
import { projectPath } from '../../../../infra/project.ts';
import { routes } from '../../../../lib/routes.ts';
import { readSettings } from '../../../../lib/settings.ts';
import { keys } from '../../../../lib/store/keys.ts';
import { seedBrands } from '../../../support/service/seed.ts';
import { startService } from '../../../support/service/service.ts';
import { freshTable } from '../../../support/service/table.ts';

const REPORTS = '/api/v2/insights3/reports';
const META = '/api/v2/insights3/meta';
const time = { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z', window_size: 'week' };

const table = await freshTable('lmdb');
const logged: string[] = [];
const threads: InsightsThread[] = [];

/** A thread on the table's folder; with `script` another program. */
function newThread(options: Parameters<typeof createInsightsThread>[2] = {}): InsightsThread {
  const place = { options: {}, settings: readSettings({}, {}), folder: table.name };
  const log = (_: unknown, message: string) => void logged.push(message);
  const thread = createInsightsThread(place, log, { clock: () => clock(), ...options });
  threads.push(thread);
  return thread;
}
afterAll(() => Promise.all(threads.map((thread) => thread.close())));

const real = newThread();
const BUSY = projectPath('test/support/service/busy-thread.js');
const busy = newThread({ script: BUSY, grace: 100 });
const { ask, again, site, clock } = await startService(routes, {
  roles: ['Administrator', 'Agent'],
  wiring: { table },
});
await seedBrands(table, site.name, [{ id: 7 }]);

describe('a thread that computes reports', () => {
  it.each([
    ['a report', 'POST', REPORTS, { fields: ['case_creates'], time }],
    ['a table of a report', 'POST', `${REPORTS}?format=csv`, { fields: ['case_creates'], time }],
    ['faults', 'POST', REPORTS, { fields: ['case_create', 'x'] }],
    ['a body that is no JSON', 'POST', REPORTS, '{'],
    ['meta', 'GET', META, undefined],
    ['a story of no case', 'GET', '/api/v2/insights3/cases/nothing', undefined],
  ])('gives the same answer as none: %s', async (_, method, path, body) => {
    const apart = again({ apart: real.doTask });
    const [there, here] = [await apart(method, path, { body }), await ask(method, path, { body })];
    const { 'x-request-id': _id, 'x-amzn-requestid': _gateway, ...same } = here.headers;
    expect(there).toMatchObject({ status: here.status, text: here.text, headers: same });
  });

  it('is never asked by who may not ask', async () => {
    const apart = again({ apart: () => Promise.reject(new Error('asked')) });
    expect((await apart('POST', REPORTS, { as: null })).status).toBe(401);
    expect((await apart('POST', REPORTS, { as: 'Agent' })).status).toBe(403);
    expect((await apart('GET', '/api/v2/topics')).status).toBe(200);
  });
});

describe('two requests at once', () => {
  const doing = (what: string) => ({ headers: { 'X-Do': what }, body: { fields: ['case_creates'], time } });
  const pairs = [
    ['POST', REPORTS],
    ['GET', META],
    ['POST', '/api/v2/insights3/cases'],
    ['GET', '/api/v2/insights3/cases/1'],
  ] as const;

  it.each([
    ['of one process', 1],
    ['of two processes', 2],
  ])('%s get one 200 and one 429, whichever they are and however soon the second comes', async (_, processes) => {
    const first = again({ apart: busy.doTask });
    const second = processes === 1 ? first : again({ apart: newThread({ script: BUSY }).doTask });
    for (const [index, [method, path]] of pairs.entries()) {
      for (const [otherMethod, otherPath] of pairs) {
        const early = first(method, path, doing('300')); // ms, so that a busy machine sends the second in time
        await sleep([1, 3, 10, 30][index]);
        const late = await second(otherMethod, otherPath, doing('0'));
        expect([late.status, late.headers['x-rate-limit-remaining']]).toEqual([429, '0']);
        expect((await early).status).toBe(200);
        await table.delete(keys.lock(site.name)); // the turn of who was refused
      }
    }
  });

  it.each([
    ['dies', 'die', 'the thread of reports died'],
    ['hangs', 'hang', 'the thread of reports hangs and is replaced'],
  ])('where the thread %s: it is replaced, its request gets 503, and the lock is free', async (_, what, line) => {
    const apart = again({ apart: busy.doTask, answerWithin: 1_000, lease: 30_000 });
    const lost = await apart('POST', REPORTS, doing(what));
    expect([lost.status, lost.headers['retry-after']]).toEqual([503, '1']);
    for (let wait = 0; wait < 200 && (await table.get(keys.lock(site.name)))?.owner !== undefined; wait += 1)
      await sleep(10);
    expect((await apart('POST', REPORTS, doing('0'))).status).toBe(200);
    expect(logged).toContain(line);
  });
});
