import { macroItem } from '../../lib/macros/macro.ts';
import { takeMacros } from '../../lib/macros/records.ts';
import { routes } from '../../lib/routes.ts';
import { COLLECTION_LIMITS } from '../../lib/store/bounds.ts';
import { createCollections } from '../../lib/store/collection.ts';
import { keys, members } from '../../lib/store/keys.ts';
import type { Item, Table } from '../../lib/store/table.ts';
import { takeTopicRecords } from '../../lib/topics/records.ts';
import { itInProcess, startService } from '../support/service/service.ts';

const AT = 1_770_000_000_000; // epoch ms
const ids = (count: number): number[] => Array.from({ length: count }, (_, place) => place + 1);

/** Writes as many members as a collection may have. */
async function fill(table: Table, pk: string, count: number, items: (id: number) => readonly Item[]): Promise<void> {
  await table.batchWrite(ids(count).flatMap((id) => items(id).map((put) => ({ put }))));
  await table.put({ ...keys.order({ pk }), ids: ids(count).join(',') });
  await table.put({ ...keys.head({ pk }), version: 1 });
}

const topicItems =
  (pk: string) =>
  (id: number): Item[] => [
    {
      ...{ pk, sk: members.topic(id), id, allow_questions: true, in_support_center: true, brands: [] },
      ...{ created_at: AT, updated_at: AT },
    },
    {
      ...{ pk, sk: members.translation(id, 'en_us'), topic: id, locale: 'en_us', name: `topic ${id}` },
      ...{ description: 'x'.repeat(200), created_at: AT, updated_at: AT },
    },
  ];

const macroItems =
  (pk: string) =>
  (id: number): Item[] => [
    {
      ...macroItem({ pk } as Parameters<typeof macroItem>[0], {
        ...{ state: 'live', id, name: `macro ${id}`, description: 'x'.repeat(200), enabled: true, position: id },
        ...{ folders: ['a folder'], updated_at: AT },
      }),
      unused: true, // made over the API: a deleted one goes, and leaves its room
    },
  ];

describe('as many topics and macros as a site may have', () => {
  itInProcess('are listed, and one more is refused by the API and by imports', async () => {
    const { ask, again, table, site } = await startService(routes);
    const topics = keys.topics(site.name).pk;
    const macros = keys.macros(site.name).pk;
    await fill(table, topics, COLLECTION_LIMITS.topics, topicItems(topics));
    await fill(table, macros, COLLECTION_LIMITS.macros, macroItems(macros));
    await table.put({ ...keys.head(keys.ids(site.name)), version: 20_000 });
    const took: Record<string, number> = {};
    for (const [path, most] of [
      ['/api/v2/topics', COLLECTION_LIMITS.topics],
      ['/api/v2/macros', COLLECTION_LIMITS.macros],
    ] as const) {
      const cold = again({});
      await cold('GET', '/api/v2/users/me'); // checks the password
      const begun = process.cpuUsage();
      const { body } = await cold('GET', `${path}?per_page=1000`);
      const { user, system } = process.cpuUsage(begun);
      took[path] = Math.round((user + system) / 1000);
      expect(body.total_entries).toBe(most);
      const reply = await ask('POST', path, { body: { name: 'one more' } });
      expect([reply.status, reply.body.errors]).toEqual([422, { base: ['too_large'] }]);
      expect(reply.body.details[0].message).toMatch(/^There are \d+ .* at most: delete some first\.$/);
    }
    if (process.env.SHOW_TIMES) process.stderr.write(`${JSON.stringify(took)}\n`);
    const target = { site: site.name, table, collections: createCollections(), now: AT };
    const macroRecords = [
      { id: 30_000, name: 'one more' },
      { id: 5, name: 'another name' },
    ];
    expect(await takeMacros(target, macroRecords)).toEqual([
      expect.stringMatching(/^There are 10000 macros/),
      undefined,
    ]);
    const withLocale = { ...target, defaultLocale: 'en_us' };
    expect(await takeTopicRecords(withLocale, [{ id: 30_000, name: 'one more' }])).toEqual([
      expect.stringMatching(/^There are 5000 topics/),
    ]);
    expect((await ask('DELETE', '/api/v2/macros/7')).status).toBe(204);
    expect((await ask('POST', '/api/v2/macros', { body: { name: 'one more' } })).status).toBe(201);
  });
});
