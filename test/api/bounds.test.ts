import { macroItem } from '../../lib/macros/macro.ts';
import { takeMacros } from '../../lib/macros/records.ts';
import { routes } from '../../lib/routes.ts';
import { COLLECTION_LIMITS, type Limited } from '../../lib/store/bounds.ts';
import { createCollections } from '../../lib/store/collection.ts';
import { keys, members, type Partition } from '../../lib/store/keys.ts';
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

const TIME = { last: 1, unit: 'day', window_size: 'none' };
const REPORT = { name: 'Cases', request: { fields: ['case_creates'], time: TIME } };
const RECIPIENTS = ['business-manager@test.example'];
const ALERT = { recipients: RECIPIENTS, comparison: 'above', bound: 1, check: 'day' };

/** The other kinds that people make: their path under the API, their partition, and a body of one. */
const KINDS: Partial<Record<Limited, readonly [string, (site: string) => Partition, (report: number) => object]>> = {
  'saved reports': ['saved_reports', keys.savedReports, () => REPORT],
  boards: ['boards', keys.boards, () => ({ name: 'Monday' })],
  subscriptions: [
    'subscriptions',
    keys.subscriptions,
    (report) => ({ saved_report: report, every: 'day', recipients: RECIPIENTS }),
  ],
  alerts: ['alerts', keys.alerts, (report) => ({ name: 'Many', saved_report: report, ...ALERT })],
  calendars: [
    'calendars',
    (site) => keys.reference(site, 'calendar'),
    () => ({ name: 'Usual', time_zone: 'UTC', hours: { mon: [['09:00', '17:00']] } }),
  ],
};

describe.each(Object.entries(KINDS))('as many %s as a site may have', (kind, [path, partition, bodyOf]) => {
  itInProcess('leave no room for one more, until one is deleted', async () => {
    const { ask, again, table, site } = await startService(routes, { roles: ['Administrator', 'Business Manager'] });
    const report = (await ask('POST', '/api/v2/saved_reports', { body: REPORT })).body.id;
    const body = bodyOf(report);
    const made = (await ask('POST', `/api/v2/${path}`, { body })).body.id;
    const { pk } = partition(site.name);
    const item = (await table.query(pk)).find(({ id }) => id === made);
    if (item === undefined) throw new Error('no item');
    const most = COLLECTION_LIMITS[kind as Limited];
    await fill(table, pk, most, (id) => [{ ...item, pk, sk: item.sk.replace(String(made), String(id)), id }]);
    await table.put({ ...keys.head(keys.ids(site.name)), version: 20_000 });
    const cold = again({});
    const post = () => cold('POST', `/api/v2/${path}`, { body });
    const refused = await post();
    expect([refused.status, refused.body.errors]).toEqual([422, { base: ['too_large'] }]);
    expect(refused.body.details[0].message).toContain(`${most} at most`);
    expect((await cold('DELETE', `/api/v2/${path}/${most}`)).status).toBe(204);
    expect((await post()).status).toBe(201);
  });
});

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
