import { keys } from '../../../../lib/store/keys.ts';
import { type ImportSite, startImportSite } from '../../../support/service/import-site.ts';

const META = '/api/v2/insights3/meta';
let site: ImportSite;
beforeAll(async () => {
  site = await startImportSite();
});

describe('an import of members', () => {
  it('shows them in meta, and changes nothing when it is run again', async () => {
    const records = [
      { type: 'agent', id: 42, name: 'Ann', groups: [7] },
      { type: 'user', id: 43, name: 'Bob' },
      { type: 'group', id: 7, name: 'Desk' },
      { type: 'label', id: 3, name: 'billing' },
      { type: 'channel', id: 0, name: 'Portal' },
      { type: 'company', id: 9, name: 'Acme' },
      { type: 'custom_field', id: 12, name: 'Tier', object: 'case', values: ['gold'] },
      { type: 'custom_field', id: 13, name: 'Region', object: 'customer', values: ['north'] },
    ];
    expect((await site.load(...records)).rejected).toEqual([]);
    const { headers, body } = await site.ask('GET', META);
    expect(body).toMatchObject({
      channels: { '0': { name: 'Portal' } },
      agents: { '42': { name: 'Ann', deleted: false }, '43': { name: 'Bob', deleted: false } },
      groups: { '7': { name: 'Desk', deleted: false } },
      labels: { '3': { name: 'billing', deleted: false } },
      custom_fields: { '12': { name: 'Tier', id: 12 } },
    });
    expect(Object.values(body.customer_custom_fields)).toEqual([{ name: 'north' }]);
    await site.load(...records);
    expect((await site.ask('GET', META)).headers.etag).toBe(headers.etag);
  });

  it('keeps the name of one that is deleted, and lets the newest record win whatever the order', async () => {
    await site.load({ type: 'label', id: 4, name: 'old', updated_at: '2026-01-02T00:00:00Z' });
    await site.load({ type: 'label', id: 4, name: 'older', updated_at: '2026-01-01T00:00:00Z' });
    expect((await site.show(META)).labels['4']).toEqual({ name: 'old', deleted: false });
    await site.load({ type: 'label', id: 4, deleted: true, updated_at: '2026-01-03T00:00:00Z' });
    await site.load({ type: 'label', id: 4, name: 'late', updated_at: '2026-01-02T12:00:00Z' });
    expect((await site.show(META)).labels['4']).toEqual({ name: 'old', deleted: true });
    await site.load({ type: 'label', id: 4, name: 'new', deleted: false });
    expect((await site.show(META)).labels['4']).toEqual({ name: 'new', deleted: false });
  });

  it('takes many at a time', async () => {
    const labels = Array.from({ length: 2_500 }, (_, index) => ({
      type: 'label',
      id: 10_000 + index,
      name: `l${index}`,
    }));
    expect((await site.load(...labels)).records).toEqual({ label: 2_500 });
    expect((await site.show(META)).labels['12499']).toEqual({ name: 'l2499', deleted: false });
  });

  it('refuses a brand that never had a name', async () => {
    expect(
      await site.reasons({ type: 'brand', id: 8, deleted: true }, { type: 'brand', id: 8, deleted: false }),
    ).toEqual([[2, 'name is missing']]);
  });

  describe('of articles', () => {
    const body = 'Words of Ann';
    const article = {
      type: 'article',
      id: 70,
      subject: 'Help',
      topics: [],
      body,
      body_chat: body,
      internal_notes: body,
    };
    const german = { type: 'article_translation', article: 70, locale: 'de', subject: 'Hilfe', body, body_chat: body };
    const texts = () => site.table.query(keys.articleText(site.site.name).pk);

    it('leaves no text of one that is removed, also where it is run again after a crash', async () => {
      await site.load(article, german);
      expect(await texts()).toHaveLength(4);
      const left = await texts();
      await site.load({ type: 'article', id: 70, deleted: true });
      expect(await texts()).toEqual([]);
      await site.table.batchWrite(left.map((put) => ({ put }))); // as a killed import leaves them
      await site.load({ type: 'article', id: 70, deleted: true, body });
      expect(await texts()).toEqual([]);
      const stored = await site.table.query(keys.reference(site.site.name, 'article').pk);
      expect(JSON.stringify(stored)).not.toMatch(/Words of Ann|Hilfe/);
      expect(stored).toContainEqual(expect.objectContaining({ id: 70, subject: 'Help', deleted: true }));
    });

    it('leaves none of the earlier texts of one that is removed and comes back in one file', async () => {
      await site.load(article, german);
      await site.load(
        { type: 'article', id: 70, deleted: true },
        { type: 'article', id: 70, subject: 'New', deleted: false },
      );
      expect(await texts()).toEqual([]);
    });

    it('leaves no text of a translation that is removed', async () => {
      await site.load(article, german);
      const left = (await texts()).filter(({ sk }) => sk.includes('de'));
      for (const _ of ['now', 'again after a crash']) {
        await site.table.batchWrite(left.map((put) => ({ put })));
        await site.load({ type: 'article_translation', article: 70, locale: 'de', deleted: true });
        expect((await texts()).map(({ sk }) => sk)).toEqual(['article#70', 'channels#70']);
      }
    });
  });
});
