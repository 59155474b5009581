import { beforeAll, describe, expect, it } from '@jest/globals';
import { importRecords } from '../../support/import.ts';
import { type ImportSite, startImportSite } from '../../support/import-site.ts';

let site: ImportSite;
beforeAll(async () => {
  site = await startImportSite();
});

const NOTE = { type: 'note', id: 1, at: '2026-01-01T00:00:00Z', case: 1 };

describe('importRows', () => {
  it('tells what was added, what was there before and what is in conflict', async () => {
    const first = await site.load(NOTE, { ...NOTE, id: 2 }, 'nonsense');
    expect(first).toMatchObject({ records: { note: 2 }, events: 2, added: 2, repeated: 0 });
    expect(first.rejected).toEqual([{ line: 3, raw: '"nonsense"', reason: '"nonsense" is no object' }]);
    const second = await site.load(NOTE, { ...NOTE, id: 2, agent: 5 }, { ...NOTE, id: 3 });
    expect(second).toMatchObject({ events: 3, added: 1, repeated: 1 });
    expect(second.rejected).toEqual([{ line: 2, reason: 'id: "2" is the id of another event of case 1, which stays' }]);
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
      [2, 'id: "1" is the id of another event of case 1, which stays'],
    ]);
    expect((await site.ask('GET', '/api/v2/insights3/meta')).headers.etag).toBe(before);
  });
});
