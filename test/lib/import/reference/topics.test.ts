import { importRecords } from '../../../support/service/import.ts';
import { type ImportSite, startImportSite } from '../../../support/service/import-site.ts';

let site: ImportSite;
beforeAll(async () => {
  site = await startImportSite();
});

const shown = async () => (await site.list('/api/v2/topics')).map(({ id, name, position }) => [id, name, position]);

describe('an import of topics', () => {
  it('places them, with translations that come before them, brands and articles', async () => {
    const { rejected } = await site.load(
      { type: 'topic_translation', topic: 20, locale: 'de', name: 'Rechnung' },
      { type: 'topic', id: 10, name: 'Second', position: 2 },
      { type: 'topic', id: 20, name: 'First', position: 1, description: 'd', in_support_center: true, brands: [1] },
      { type: 'topic', id: 5, name: 'Last' },
      { type: 'brand', id: 1, name: 'Acme', created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-02T00:00:00Z' },
      { type: 'article', id: 1, subject: 'Passwords', body: 'Reset yours', topics: [20], brands: [1] },
    );
    expect(rejected).toEqual([]);
    expect(await shown()).toEqual([
      [20, 'First', 1],
      [10, 'Second', 2],
      [5, 'Last', 3],
    ]);
    const topic = await site.show('/api/v2/topics/20');
    expect(topic).toMatchObject({ description: 'd', in_support_center: true, allow_questions: true });
    expect(topic._links.articles.count).toBe(1);
    expect((await site.show('/api/v2/topics/20/translations/de')).name).toBe('Rechnung');
    expect(await site.list('/api/v2/topics/20/brands')).toMatchObject([
      { id: 1, name: 'Acme', created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-02T00:00:00Z' },
    ]);
  });

  it('finds articles by their body, and by a new one', async () => {
    const count = async (text: string) =>
      (await site.list(`/api/v2/topics?article_search[text]=${text}`))[0]._links.articles.count;
    expect(await count('reset')).toBe(1);
    await site.load({ type: 'article', id: 1, subject: 'Passwords', body: 'Change yours' });
    expect([await count('reset'), await count('change')]).toEqual([0, 1]);
  });

  it('gives ids after it above the imported ones', async () => {
    const { body } = await site.ask('POST', '/api/v2/topics', { body: { name: 'New' } });
    expect(body).toMatchObject({ id: 21, position: 4 });
    const last = 2 ** 53 - 1;
    expect(await site.reasons({ type: 'topic', id: last, name: 'x' })).toEqual([
      [1, `id: ${last} is too large; the largest is ${2 ** 52}`],
    ]);
  });

  it('changes only what a record names, and nothing by an equal one', async () => {
    const before = await site.show('/api/v2/topics/20');
    await importRecords(site.table, site.site, [{ type: 'topic', id: 20, name: 'First', brands: [1] }], { now: 2e12 });
    expect(await site.show('/api/v2/topics/20')).toEqual(before);
    await site.load({ type: 'topic', id: 20, name: 'Renamed', description: null, position: 3 });
    expect(await site.show('/api/v2/topics/20')).toMatchObject({
      name: 'Renamed',
      description: null,
      position: 3,
      in_support_center: true,
    });
  });

  it('deletes, and an older record does not bring one back', async () => {
    await site.load({ type: 'topic', id: 20, deleted: true, updated_at: '2027-01-02T00:00:00Z' });
    await site.load({ type: 'topic', id: 20, name: 'Old', updated_at: '2027-01-01T00:00:00Z' });
    await site.load({ type: 'topic', id: 99, deleted: true, updated_at: '2027-01-02T00:00:00Z' });
    await site.load({ type: 'topic', id: 99, name: 'Old', updated_at: '2027-01-01T00:00:00Z' });
    expect((await shown()).map(([id]) => id)).toEqual([10, 5, 21]);
    await site.load({ type: 'topic', id: 20, name: 'Back', deleted: false, updated_at: '2027-01-03T00:00:00Z' });
    expect(await shown()).toContainEqual([20, 'Back', 4]);
    expect((await site.ask('GET', '/api/v2/topics/20/translations/de')).status).toBe(404);
  });

  it('refuses what does not fit the site, and takes the rest', async () => {
    const refused = await site.reasons(
      { type: 'topic_translation', topic: 77, locale: 'de', name: 'x' },
      { type: 'topic_translation', topic: 10, locale: 'fr', name: 'x' },
      { type: 'topic_translation', topic: 10, locale: 'en_us', deleted: true },
      { type: 'topic_translation', topic: 10, locale: 'en-US', name: 'Wording' },
    );
    expect(refused).toEqual([
      [1, 'topic: 77 is not a topic of this site'],
      [2, 'locale: fr is not enabled for this site'],
      [3, 'locale: en_us names the topic'],
    ]);
    expect((await site.show('/api/v2/topics/10')).name).toBe('Wording');
  });
});
