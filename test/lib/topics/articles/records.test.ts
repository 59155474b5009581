import * as fc from 'fast-check';
import { createCollections } from '../../../../lib/store/collection.ts';
import { keys } from '../../../../lib/store/keys.ts';
import type { Item, Table } from '../../../../lib/store/table.ts';
import { takeArticleTranslationRecords } from '../../../../lib/topics/articles/records.ts';
import { tries } from '../../../support/generators/depth.ts';
import { importRecords } from '../../../support/service/import.ts';
import { newSite } from '../../../support/service/service.ts';
import { freshTable } from '../../../support/service/table.ts';

type Records = Parameters<typeof takeArticleTranslationRecords>[1];

const table = await freshTable();
const day = (number: number): number => Date.UTC(2026, 0, number);
let sites = 0;

/** A fresh site with some articles, and where their translations go. */
async function withArticles(count: number, under: Table = table) {
  sites += 1;
  const site = await newSite(
    table,
    { name: `translated-${sites}`, locales: ['en_us', 'de', 'ja'] },
    { default: false },
  );
  const articles = Array.from({ length: count }, (_, n) => ({
    type: 'article',
    id: n + 1,
    subject: `${n}`,
    body: 'b',
  }));
  await importRecords(table, site, articles);
  const to = { site: site.name, table: under, collections: createCollections(), now: day(20), defaultLocale: 'en_us' };
  return { site, to };
}

describe('importing many translations of articles together', () => {
  const text = fc.option(fc.constantFrom('x', 'y'), { freq: 3 });
  const record = fc.record(
    {
      ...{ article: fc.integer({ min: 1, max: 4 }), locale: fc.constantFrom('de', 'ja', 'en_us') },
      ...{ subject: fc.constantFrom('a', 'b'), body: text, body_chat: text, outdated: fc.boolean() },
      ...{ deleted: fc.boolean(), updated_at: fc.integer({ min: 1, max: 9 }).map(day) },
    },
    { requiredKeys: ['article', 'locale'] },
  );

  /** What a site of three articles holds after translations were imported in parts of some size. */
  async function heldAfter(records: Records, size: number) {
    const { site, to } = await withArticles(3);
    const reasons: unknown[] = [];
    for (let at = 0; at < records.length; at += size)
      reasons.push(...(await takeArticleTranslationRecords(to, records.slice(at, at + size))));
    const partitions = [keys.reference(site.name, 'article'), keys.articleText(site.name)];
    const held = (await Promise.all(partitions.map(({ pk }) => table.query(pk)))).flat();
    const without = ({ pk: _, ...item }: Item) => item;
    return { reasons, items: held.filter(({ sk }) => sk !== 'head').map(without) };
  }

  it('leaves what importing them one by one leaves, texts and all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 14 }), async (records) => {
        expect(await heldAfter(records as Records, 100)).toEqual(await heldAfter(records as Records, 1));
      }),
      { numRuns: tries(25, 1 / 4) },
    );
  });

  it('writes those of many articles in one transaction, and an article once for all its languages', async () => {
    let [transactions, puts] = [0, 0];
    const counting: Table = {
      ...table,
      transact: async (writes) => {
        transactions += 1;
        puts += writes.filter((write) => 'put' in write && write.put.sk !== 'head').length;
        return table.transact(writes);
      },
    };
    const { to } = await withArticles(200, counting);
    const records = Array.from({ length: 400 }, (_, n) => ({
      ...{ article: 1 + Math.floor(n / 2), locale: n % 2 === 0 ? 'de' : 'ja', subject: `${n}`, body: 'text' },
    }));
    expect(new Set(await takeArticleTranslationRecords(to, records))).toEqual(new Set([undefined]));
    expect([transactions, puts]).toEqual([5, 200]);
  });

  it('writes no more bytes in a transaction than it may have', async () => {
    const { to } = await withArticles(40);
    const subject = 'x'.repeat(120_000);
    const records = Array.from({ length: 40 }, (_, n) => ({ article: n + 1, locale: 'de', subject }));
    expect(new Set(await takeArticleTranslationRecords(to, records))).toEqual(new Set([undefined]));
  });
});
