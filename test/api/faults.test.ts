import { routes } from '../../lib/routes.ts';
import { keys } from '../../lib/store/keys.ts';
import { FAULT_NAMES, type FaultName } from '../support/faults/faulty-client.ts';
import { some } from '../support/generators/depth.ts';
import { struckTable } from '../support/service/engine-table.ts';
import { type Ask, itInProcess, type Received, startService } from '../support/service/service.ts';
import { freshTable, hasEngine } from '../support/service/table.ts';

/** The part of the calls that a fault strikes: sometimes the SDK gives up, too. It waits long after each throttle. */
const partOf = (fault: FaultName): number => (fault === 'throttle' ? 0.2 : 0.4);
const ROUNDS = 3;
const REPORT = {
  fields: ['case_creates'],
  time: { min: '2026-03-01T00:00:00Z', max: '2026-03-03T00:00:00Z', window_size: 'day' },
};
const PATIENCE = 120_000; // ms: the SDK waits between its repetitions

/** What a fault may do to a reply: nothing, or this. */
function isCleanlyUnavailable({ status, headers, body }: Received): boolean {
  if (status !== 503) return false;
  expect([body, headers['retry-after']]).toEqual([{ message: 'Service Unavailable' }, expect.stringMatching(/^[1-9]/)]);
  return true;
}

/** A service on a table that works, and the same service on the same table through a client that a fault strikes. */
async function twoWays(fault: FaultName) {
  const sound = await startService(routes, { wiring: { table: await freshTable('engine') } });
  return { sound, struck: sound.again({ table: struckTable(sound.table, fault, partOf(fault)) }) };
}

for (const fault of some(hasEngine ? FAULT_NAMES : [], 2)) {
  itInProcess(
    `gives right answers or a clean 503 under ${fault}, and loses and doubles nothing`,
    async () => {
      const { sound, struck } = await twoWays(fault);
      const namesOf = async (path: string): Promise<string[]> =>
        (await sound.ask('GET', path)).body._embedded.entries.map(({ name }: { name: string }) => name);
      let answered = 0;

      /** A write gives what it says, or a 503 after which it was done once or not at all. */
      async function write(path: string, status: number, after: readonly string[], send: () => Promise<Received>) {
        const before = await namesOf(path);
        const reply = await send();
        if (isCleanlyUnavailable(reply)) return expect([before, after]).toContainEqual(await namesOf(path));
        answered += 1;
        expect([reply.status, await namesOf(path)]).toEqual([status, after]);
      }
      async function read(...request: Parameters<Ask>) {
        const reply = await struck(...request);
        if (isCleanlyUnavailable(reply)) return;
        answered += 1;
        expect([reply.status, reply.body]).toEqual([200, (await sound.ask(...request)).body]);
      }

      for (let round = 0; round < ROUNDS; round += 1) {
        for (const path of ['/api/v2/topics', '/api/v2/macros']) {
          const name = `made in round ${round}`;
          await write(path, 201, [...(await namesOf(path)), name], () => struck('POST', path, { body: { name } }));
          await read('GET', path);
          const { entries } = (await sound.ask('GET', path)).body._embedded;
          const last = entries.at(-1);
          if (last === undefined) continue;
          const others = (await namesOf(path)).slice(0, -1);
          const renamed = `renamed in round ${round}`;
          const self = last._links.self.href;
          await write(path, 200, [...others, renamed], () => struck('PATCH', self, { body: { name: renamed } }));
          if (round % 2 === 1) await write(path, 204, others, () => struck('DELETE', self));
        }
        await read('GET', '/api/v2/insights3/meta');
        await read('POST', '/api/v2/insights3/reports', { body: REPORT });
        expect(await sound.table.get(keys.lock(sound.site.name))).toBeUndefined();
      }
      expect(answered).toBeGreaterThan(ROUNDS);
    },
    PATIENCE,
  );
}

itInProcess(
  'hides each fault that strikes fewer times than the SDK tries',
  async () => {
    if (!hasEngine) return;
    const sound = await startService(routes, { wiring: { table: await freshTable('engine') } });
    const struck = sound.again({ table: struckTable(sound.table, 'throttle', 1, 3) });
    expect(await struck('POST', '/api/v2/topics', { body: { name: 'made' } })).toMatchObject({ status: 201 });
  },
  PATIENCE,
);
