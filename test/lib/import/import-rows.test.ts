import type { Item } from '../../../lib/store/table.ts';
import { importRecords } from '../../support/service/import.ts';
import { type ImportSite, startImportSite } from '../../support/service/import-site.ts';

let site: ImportSite;
beforeAll(async () => {
  site = await startImportSite();
});

const NOTE = { type: 'note', id: 1, at: '2026-01-01T00:00:00Z', case: 1 };

describe('importRows', () => {
  it('tells what was added, what was there before and what is in conflict', async () => {
    const first = await site.load(NOTE, { ...NOTE, id: 2 }, 'nonsense');
    expect(first).toMatchObject({ records: { note: 2 }, events: 2, added: 2, unchanged: 0 });
    expect(first.rejected).toEqual([{ line: 3, raw: '"nonsense"', reason: '"nonsense" is not an object' }]);
    const second = await site.load(NOTE, { ...NOTE, id: 2, agent: 5 }, { ...NOTE, id: 3 });
    expect(second).toMatchObject({ events: 3, added: 1, unchanged: 1 });
    expect(second.rejected).toEqual([
      { line: 2, reason: 'id: "2" is already the id of another event of case 1, which stays' },
    ]);
  });

  it('writes nothing in a dry run, but tells what it would refuse', async () => {
    const before = (await site.ask('GET', '/api/v2/insights3/meta')).headers.etag;
    const records = [
      { type: 'label', id: 500, name: 'x' },
      { ...NOTE, agent: 501 },
      { type: 'csat.rated', id: 9, at: NOTE.at, case: 1, score: 0 },
    ];
    const { rejected } = await importRecords(site.table, site.site, records, { dryRun: true });
    expect(rejected.map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'score: 0 is not 1 to 4, as the site rates four_star'],
      [2, 'id: "1" is already the id of another event of case 1, which stays'],
    ]);
    expect((await site.ask('GET', '/api/v2/insights3/meta')).headers.etag).toBe(before);
  });

  it('refuses in a dry run just what a real run refuses, for what the site holds or the file brings', async () => {
    await site.load(
      { type: 'agent', id: 70, name: 'Ann', login: 'ann@example.com' },
      { type: 'topic', id: 71, name: 'Known' },
      { type: 'macro', id: 72, name: 'Known' },
    );
    const records = [
      { type: 'agent', id: 73, name: 'Another Ann', login: 'ann@example.com' },
      { type: 'agent', id: 74, name: 'Bob', login: 'bob@example.com' },
      { type: 'agent', id: 75, name: 'Another Bob', login: 'bob@example.com' },
      { type: 'brand', id: 76 },
      { type: 'topic_translation', topic: 71, locale: 'fr', name: 'Connu' },
      { type: 'topic_translation', topic: 77, locale: 'de', name: 'Neu' },
      { type: 'topic_translation', topic: 78, locale: 'de', name: 'Ohne' },
      { type: 'topic', id: 77, name: 'New' },
      { type: 'macro_action', id: 79, macro: 72, action: 'set-case-status', value: 'closed' },
      { type: 'macro_action', id: 80, macro: 81, action: 'set-case-status', value: 'closed' },
      { type: 'macro_action', id: 83, macro: 82, action: 'set-case-status', value: 'closed' },
      { type: 'macro', id: 82, name: 'New' },
      { type: 'site', locales: [] },
      { type: 'site', rating: 'yes_no' },
      { type: 'csat.rated', id: 84, at: NOTE.at, case: 2, score: 4 },
      { type: 'csat.rated', id: 85, at: NOTE.at, case: 2, score: 0 },
    ];
    const everything = async () => {
      const items: Item[] = [];
      for await (const page of site.table.scan()) items.push(...page);
      return items;
    };
    const before = await everything();
    const dry = await importRecords(site.table, site.site, records, { dryRun: true });
    expect(await everything()).toEqual(before);
    expect(dry).toEqual(await site.load(...records));
    expect(dry.rejected.map(({ line }) => line).sort((a, b) => a - b)).toEqual([1, 3, 4, 5, 7, 10, 13, 15]);
  });
});
