import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { openPlace } from '../../../infra/local/table/place.ts';
import { compact } from '../../../lib/history/compact.ts';
import { hasOlderRows } from '../../../lib/history/compaction/rebuild.ts';
import { GRACE_MS } from '../../../lib/history/compaction/sweep.ts';
import { readManifest } from '../../../lib/history/storage/commit.ts';
import { CLAIM_MS } from '../../../lib/history/storage/draft.ts';
import { eventRecord } from '../../../lib/import/export/event-record.ts';
import { routes } from '../../../lib/routes.ts';
import { readSettings } from '../../../lib/settings.ts';
import { keys } from '../../../lib/store/keys.ts';
import { dyingTable, strikes, watchedTable } from '../../support/faults/faulty-table.ts';
import { itAtLength, tries } from '../../support/generators/depth.ts';
import { arbitraryHistory } from '../../support/generators/histories.ts';
import {
  expectedRows,
  freshHistory,
  loadEvents,
  manyEvents,
  orphans,
  readRows,
  storedSegments,
} from '../../support/generators/history.ts';
import { makeOlder } from '../../support/generators/older-segments.ts';
import { command } from '../../support/service/command.ts';
import { importRecords } from '../../support/service/import.ts';
import { run, runKilledOnce, withFolder } from '../../support/service/program.ts';
import { itInProcess, startService } from '../../support/service/service.ts';
import { freshTable } from '../../support/service/table.ts';

const fine = { segmentWeight: 250, factsAtOnce: 20 };
const LEASE_MS = 10 * 60_000;

/** Numbers from 0, below 1, that are the same in each run. */
function chance(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe('a rebuild that is killed', () => {
  it('at any of its writes leaves the same rows, and run again ends as if nothing had been', async () => {
    const table = await freshTable();
    const random = chance(31);
    let killed = 0;
    for (const events of fc.sample(arbitraryHistory, { numRuns: tries(4), seed: 12 })) {
      const straight = freshHistory(table);
      await loadEvents(straight, events);
      await compact(straight, fine);
      const segments = await storedSegments(straight);
      for (let most = 8; most <= 128; most *= 2) {
        const context = freshHistory(table);
        await loadEvents(context, events.slice(0, 9));
        await compact(context, fine);
        await loadEvents(context, events.slice(9));
        const writes = Math.floor(random() * most);
        const dying = { ...context, table: dyingTable(table, writes) };
        if (await strikes(() => compact(dying, { ...fine, rebuild: true }))) killed += 1;
        expect(await readRows(context)).toEqual(expectedRows(events));
        context.now += LEASE_MS; // else the dead one's lease keeps the next one off
        expect(await compact(context, { ...fine, rebuild: true })).toBe(true);
        expect(await readRows(context)).toEqual(expectedRows(events));
        expect(await storedSegments(context)).toEqual(segments);
        context.now += CLAIM_MS + GRACE_MS + LEASE_MS;
        await compact(context, fine);
        expect(await orphans(context)).toEqual([]);
      }
    }
    expect(killed).toBeGreaterThan(2);
  });

  itAtLength('as a process, wherever it is, leaves reports as they were', async () => {
    await withFolder(async (folder) => {
      const place = await openPlace({ dataDir: folder }, readSettings());
      try {
        const own = ['--data-dir', folder, '--site', 'acme'];
        await command(['site', 'add', 'acme', '--data-dir', folder]);
        const context = {
          ...{ table: place.table, site: { name: 'acme' }, newId: randomUUID, late: 0 },
          clock: () => Date.now() + context.late,
        };
        const events = manyEvents();
        await loadEvents(context, events);
        await compact(context, fine);
        await makeOlder(context);
        const report = async (field: string) =>
          (
            await command([
              'report',
              '--fields',
              field,
              '--min',
              '2020-01',
              '--max',
              '2030-01',
              '--by',
              'action_agent',
              ...own,
            ])
          ).out;
        const before = await report('outbound_interactions');
        const random = chance(7);
        let halfway = 0;
        for (let kill = 0; kill < 40 && halfway < tries(4); kill += 1) {
          const moment = random() * 0.1;
          await runKilledOnce(['compact', '--rebuild', ...own], async () => {
            const isAtWork = (await place.table.get(keys.lease('acme'))) !== undefined;
            return isAtWork && random() < moment;
          });
          if ((await place.table.get(keys.lease('acme'))) === undefined) continue; // it had come to its end
          halfway += 1;
          const again = await run(['compact', '--rebuild', ...own]);
          expect([again.status, again.out]).toEqual([0, expect.stringContaining('another process folds it just now')]);
          expect(await report('outbound_interactions')).toBe(before);
          await place.table.delete(keys.lease('acme')); // as if ten minutes had passed
        }
        expect(halfway).toBeGreaterThan(0);
        context.late = LEASE_MS; // of those that were killed
        expect(await compact(context, { ...fine, rebuild: true })).toBe(true);
        expect(hasOlderRows(await readManifest(place.table, 'acme'))).toBe(false);
        expect(await readRows(context)).toEqual(expectedRows(events));
        expect(await report('outbound_interactions')).toBe(before);
      } finally {
        await place.close();
      }
    });
  });
});

describe('a request between any two writes of a rebuild', () => {
  itInProcess('is answered right, or refused with a sentence where older rows lack what it asks for', async () => {
    const { ask, table, site } = await startService(routes);
    const records = manyEvents().slice(0, 200).map(eventRecord);
    expect((await importRecords(table, site, records)).rejected).toEqual([]);
    const time = { min: '2020-01-01T00:00:00Z', max: '2030-01-01T00:00:00Z', window_size: 'month' };
    const asked = (field: string) =>
      ask('POST', '/api/v2/insights3/reports', { body: { fields: [field], time, dimension1: 'action_agent' } });
    const [plain, waits] = [await asked('outbound_interactions'), await asked('reply_time')];
    const context = { table, site, clock: Date.now, newId: randomUUID };
    await compact(context, fine);
    await makeOlder(context);
    const said = { right: 0, refused: 0 };
    const look = async (): Promise<void> => {
      expect((await asked('outbound_interactions')).body.data).toEqual(plain.body.data);
      const reply = await asked('reply_time');
      if (reply.status === 200) {
        expect(reply.body.data).toEqual(waits.body.data);
        said.right += 1;
      } else {
        expect([reply.status, reply.body.message]).toEqual([503, expect.stringContaining('support compact --rebuild')]);
        said.refused += 1;
      }
    };
    expect(await compact({ ...context, table: watchedTable(table, look) }, { ...fine, rebuild: true })).toBe(true);
    expect((await asked('reply_time')).body.data).toEqual(waits.body.data);
    expect(said.refused).toBeGreaterThan(0);
  });
});
