import * as fc from 'fast-check';
import { createCollections } from '../../../lib/store/collection.ts';
import { keys } from '../../../lib/store/keys.ts';
import { type TopicTarget, takeTopicRecords, takeTranslationRecords } from '../../../lib/topics/records.ts';
import { topicRoutes } from '../../../lib/topics/routes.ts';
import { tries } from '../../support/generators/depth.ts';
import { seedBrands } from '../../support/service/seed.ts';
import { startService } from '../../support/service/service.ts';

const { ask, table, site } = await startService(topicRoutes, { site: { locales: ['en_us', 'de'] } });
const TOPICS = '/api/v2/topics';
const day = (number: number): number => Date.UTC(2026, 0, number);
const into = (now = day(20)): TopicTarget => ({
  site: site.name,
  table,
  collections: createCollections(),
  now,
  defaultLocale: site.defaultLocale,
});
const target = into();
const importTopic = async (given: TopicTarget, record: Parameters<typeof takeTopicRecords>[1][number]) =>
  (await takeTopicRecords(given, [record]))[0];
const importTranslation = async (given: TopicTarget, record: Parameters<typeof takeTranslationRecords>[1][number]) =>
  (await takeTranslationRecords(given, [record]))[0];
const show = async (path: string | number) => (await ask('GET', `${TOPICS}/${path}`)).body;
const list = async () => (await ask('GET', TOPICS)).body._embedded.entries;
const order = async () => (await list()).map(({ id }: { id: number }) => id);
const tag = async () => (await ask('GET', TOPICS)).headers.etag;

await seedBrands(table, site.name, [{ id: 1 }, { id: 2 }]);

describe('importing topics', () => {
  it('lets them join the site’s own under their ids, and gives out later ids above', async () => {
    const times = { created_at: day(1), updated_at: day(2) };
    await importTopic(target, { id: 50, name: 'Imported', description: 'x', brands: [2, 1, 2, 77], ...times });
    expect(await show(50)).toMatchObject({
      name: 'Imported',
      description: 'x',
      position: 1,
      allow_questions: true,
      in_support_center: false,
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-02T00:00:00Z',
    });
    expect((await show('50/brands')).total_entries).toBe(2);
    expect((await show('50/translations/en_us')).name).toBe('Imported');
    expect((await ask('POST', TOPICS, { body: { name: 'Own' } })).body).toMatchObject({ id: 51, position: 2 });
  });

  it('puts them where their positions say, in whatever order they come', async () => {
    for (const { id } of await list()) await ask('DELETE', `${TOPICS}/${id}`);
    for (const position of [3, 1, 4, 2]) await importTopic(target, { id: 60 + position, name: 'x', position });
    await importTopic(target, { id: 70, name: 'without' });
    expect(await order()).toEqual([61, 62, 63, 64, 70]);
    await importTopic(target, { id: 61, name: 'x', position: 3 });
    expect(await order()).toEqual([62, 63, 61, 64, 70]);
  });

  it('changes nothing by the same record again', async () => {
    const record = { id: 80, name: 'Again', position: 2, updated_at: day(10) };
    const translation = { topic: 80, locale: 'de', name: 'Nochmal', updated_at: day(10) };
    await importTopic(target, record);
    expect(await importTranslation(target, translation)).toBeUndefined();
    const before = await tag();
    for (const again of [record, { id: 80, name: 'Again', position: 2 }]) await importTopic(into(day(25)), again);
    for (const again of [translation, { topic: 80, locale: 'de', name: 'Nochmal' }])
      await importTranslation(into(day(25)), again);
    expect(await tag()).toBe(before);
  });

  it('lets null clear, and keeps what a record leaves out', async () => {
    await importTopic(target, { id: 81, name: 'Full', description: 'x', allow_questions: false, brands: [1] });
    await importTopic(target, { id: 81, name: 'Fuller' });
    expect(await show(81)).toMatchObject({ name: 'Fuller', description: 'x', allow_questions: false });
    await importTopic(target, { id: 81, name: 'Bare', description: null, allow_questions: null, brands: null });
    expect(await show(81)).toMatchObject({ name: 'Bare', description: null, allow_questions: true });
    expect((await show('81/brands')).total_entries).toBe(0);
  });

  it('deletes a topic for good, unless a record says that it is there again', async () => {
    await importTopic(target, { id: 80, deleted: true, updated_at: day(21) });
    await importTopic(into(day(22)), { id: 80, name: 'Still gone' });
    expect(await importTranslation(into(day(22)), { topic: 80, locale: 'de', name: 'weg' })).toBeUndefined();
    expect((await ask('GET', `${TOPICS}/80`)).status).toBe(404);
    await importTopic(into(day(23)), { id: 80, name: 'Back', deleted: false });
    expect((await show('80/translations')).total_entries).toBe(1);
    await ask('DELETE', `${TOPICS}/80`);
    await importTopic(target, { id: 80, name: 'Back' });
    expect((await ask('GET', `${TOPICS}/80`)).status).toBe(404);
    await importTopic(target, { id: 82, deleted: true });
    await importTopic(target, { id: 82, name: 'Older', updated_at: day(1) });
    expect((await ask('GET', `${TOPICS}/82`)).status).toBe(404);
  });

  it('keeps a deleted translation gone, and refuses to delete the one that names the topic', async () => {
    await importTranslation(target, { topic: 81, locale: 'de', name: 'da' });
    await ask('DELETE', `${TOPICS}/81/translations/de`);
    await importTranslation(target, { topic: 81, locale: 'de', name: 'da' });
    expect((await ask('GET', `${TOPICS}/81/translations/de`)).status).toBe(404);
    expect((await ask('POST', `${TOPICS}/81/translations`, { body: { name: 'neu', locale: 'de' } })).status).toBe(201);
    expect(await importTranslation(into(day(99)), { topic: 81, locale: 'en_us', deleted: true })).toBe(
      'locale: en_us names the topic',
    );
    expect(await importTranslation(target, { topic: 999, locale: 'de', name: 'x' })).toBe(
      'topic: 999 is not a topic of this site',
    );
  });

  it('ends the same whatever the order of dated records', async () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const change = fc.record(
      { name, description: name, in_support_center: fc.boolean(), locale: fc.constantFrom('en_us', 'de') },
      { requiredKeys: ['name'] },
    );
    const changes = fc.uniqueArray(fc.tuple(fc.integer({ min: 2, max: 19 }), change), {
      selector: ([at]) => at,
      maxLength: 6,
    });
    let id = 1000;
    const outcome = async (records: readonly (readonly [number, { name: string; locale?: string }])[]) => {
      id += 1;
      const first = { description: 'd', in_support_center: false };
      await importTopic(target, { id, name: 'first', created_at: day(1), updated_at: day(1), ...first });
      for (const [at, { locale, ...record }] of records) {
        const dated = { created_at: day(1), updated_at: day(at), ...first, ...record };
        if (locale === undefined) await importTopic(target, { id, ...dated });
        else await importTranslation(target, { topic: id, locale, ...dated });
      }
      const { position: _position, _links, ...topic } = await show(id);
      const { _embedded } = await show(`${id}/translations`);
      const translations = _embedded.entries.map(({ _links, ...translation }: { _links: object }) => translation);
      return { ...topic, id: 0, translations };
    };
    await fc.assert(
      fc.asyncProperty(changes, async (records) => {
        const sorted = records.toSorted(([a], [b]) => a - b);
        expect(await outcome(records)).toEqual(await outcome(sorted));
      }),
      { numRuns: tries(30, 1 / 4) },
    );
  });
});

describe('importing many topics together', () => {
  const id = fc.integer({ min: 1, max: 6 });
  const updated_at = fc.integer({ min: 1, max: 9 }).map(day);
  const deleted = fc.boolean();
  const name = fc.constantFrom('a', 'b');
  const position = fc.integer({ min: 1, max: 6 });
  const topicRecord = fc.record({ id, name, position, deleted, updated_at }, { requiredKeys: ['id', 'name'] });
  const locale = fc.constantFrom('en_us', 'de');
  const translationRecord = fc.record(
    { topic: id, locale, name, deleted, updated_at },
    { requiredKeys: ['topic', 'locale', 'name'] },
  );

  /** What a site holds after topics and translations were imported in parts of some size. */
  async function heldAfter(
    topics: readonly Parameters<typeof takeTopicRecords>[1][number][],
    translations: readonly Parameters<typeof takeTranslationRecords>[1][number][],
    size: number,
  ) {
    const fresh = await startService(topicRoutes, { site: { locales: ['en_us', 'de'] } });
    const given = { ...into(), table: fresh.table, site: fresh.site.name, collections: createCollections() };
    const reasons: unknown[] = [];
    for (let at = 0; at < topics.length; at += size)
      reasons.push(...(await takeTopicRecords(given, topics.slice(at, at + size))));
    for (let at = 0; at < translations.length; at += size)
      reasons.push(...(await takeTranslationRecords(given, translations.slice(at, at + size))));
    const items = await fresh.table.query(keys.topics(given.site).pk);
    return { reasons, items: items.filter(({ sk }) => sk !== 'head').map(({ pk: _, ...item }) => item) };
  }

  it('leaves what importing them one by one leaves', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(topicRecord, { maxLength: 12 }),
        fc.array(translationRecord, { maxLength: 8 }),
        async (topics, translations) => {
          expect(await heldAfter(topics, translations, 100)).toEqual(await heldAfter(topics, translations, 1));
        },
      ),
      { numRuns: tries(30, 1 / 4) },
    );
  });

  it('writes their order once for a transaction full of them, not once for each', async () => {
    const { table: under, site: large } = await startService(topicRoutes);
    let orders = 0;
    const counting: TopicTarget['table'] = {
      ...under,
      transact: async (writes) => {
        orders += writes.filter((write) => 'put' in write && write.put.sk === 'order').length;
        expect(writes.length).toBeLessThanOrEqual(100);
        return under.transact(writes);
      },
    };
    const records = Array.from({ length: 400 }, (_, n) => ({ id: n + 1, name: `${n}`, position: n + 1 }));
    const given = { ...into(), table: counting, site: large.name, collections: createCollections() };
    expect((await takeTopicRecords(given, records)).filter((reason) => reason !== undefined)).toEqual([]);
    expect(orders).toBe(Math.ceil(400 / 46));
  });
});
