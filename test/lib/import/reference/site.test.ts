import { readSite } from '../../../../lib/access/sites.ts';
import { type ImportSite, startImportSite } from '../../../support/service/import-site.ts';

let site: ImportSite;
beforeAll(async () => {
  site = await startImportSite();
});

describe('an import of a site', () => {
  it('sets what the record names, null sets back, and an older record changes nothing', async () => {
    await site.load({ type: 'site', name: 'Help', time_zone: 'Europe/Berlin', week_start: 'sunday', rating: 'yes_no' });
    await site.load({ type: 'site', locales: ['de', 'fr'], week_start: null });
    await site.load({ type: 'site', time_zone: 'UTC', updated_at: '2020-01-01T00:00:00Z' });
    expect(await readSite(site.table, site.site.name)).toEqual({
      ...site.site,
      version: 3,
      updated_at: Date.parse('2026-03-01T12:00:00Z'),
      title: 'Help',
      timeZone: 'Europe/Berlin',
      weekStart: 'monday',
      rating: 'yes_no',
      locales: ['de', 'fr'],
      defaultLocale: 'de',
    });
    expect(await site.reasons({ type: 'site', locales: [] })).toEqual([[1, 'locales: a site has at least one']]);
  });

  it('rates by the scale of the record from there on', async () => {
    const rated = { type: 'csat.rated', at: '2026-01-01T00:00:00Z', case: 1 };
    const records = [
      { type: 'site', rating: 'yes_no' },
      { ...rated, id: 1, score: 1 },
      { ...rated, id: 2, score: 4 },
    ];
    expect(await site.reasons(...records)).toEqual([[3, 'score: 4 is not 0 or 1, as the site rates yes_no']]);
  });
});
