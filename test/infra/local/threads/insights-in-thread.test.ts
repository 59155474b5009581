import { setTimeout as sleep } from 'node:timers/promises';
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
    let [answer, refused] = [(): void => undefined, Promise.resolve()];
    /** Has a task done in a thread, and gives its outcome once the other request was refused. */
    const held = ({ doTask }: InsightsThread): InsightsThread['doTask'] => {
      return async (task) => {
        const outcome = await doTask(task);
        await refused;
        return outcome;
      };
    };
    const first = again({ apart: held(busy) });
    const second = processes === 1 ? first : again({ apart: held(newThread({ script: BUSY })) });
    for (const [index, [method, path]] of pairs.entries()) {
      for (const [otherMethod, otherPath] of pairs) {
        refused = new Promise((resolve) => (answer = resolve));
        const early = first(method, path, doing('answer'));
        await sleep([1, 3, 10, 30][index]);
        const both = [early, second(otherMethod, otherPath, doing('answer'))];
        const { status, headers } = await Promise.race(both);
        expect([status, headers['x-rate-limit-remaining']]).toEqual([429, '0']);
        answer();
        expect((await Promise.all(both)).map((reply) => reply.status).sort()).toEqual([200, 429]);
        await table.delete(keys.lock(site.name)); // the turn of who was refused
      }
    }
  });

  it.each([
    ['dies', 'die', {}, 'the thread of reports died'],
    ['hangs', 'hang', { answerWithin: 1_000 }, 'the thread of reports hangs and is replaced'],
  ])('where the thread %s: it is replaced, its request gets 503, and the lock is free', async (_, what, soon, line) => {
    const lost = await again({ apart: busy.doTask, ...soon })('POST', REPORTS, doing(what));
    expect([lost.status, lost.headers['retry-after']]).toEqual([503, '1']);
    while ((await table.get(keys.lock(site.name)))?.owner !== undefined) await sleep(10);
    expect((await again({ apart: busy.doTask })('POST', REPORTS, doing('answer'))).status).toBe(200);
    expect(logged).toContain(line);
  });

  it('end with a service that waits for a thread that is slow to close its table', async () => {
    const slow = newThread({ script: BUSY });
    expect((await again({ apart: slow.doTask })('POST', REPORTS, doing('end slowly'))).status).toBe(200);
    await slow.close();
    expect(logged).toContain('ended by itself');
  });
});
