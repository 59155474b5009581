import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { openCsv } from '../../lib/import/import-files.ts';
import { parseMapping } from '../../lib/import/mapping/parse-mapping.ts';
import { importBatches } from '../support/service/import.ts';
import { type ImportSite, startImportSite } from '../support/service/import-site.ts';
import { describeWithData } from '../support/service/shared-data.ts';

const MONTHS = { min: '2016-02-01T00:00:00Z', max: '2016-06-01T00:00:00Z', window_size: 'month' };
const EVER = { min: '2016-01-01T00:00:00Z', max: '2018-01-01T00:00:00Z', window_size: 'none' };

/** Imports a data set by its mapping into a site of its own. */
async function siteWith(path: string, mapping: string): Promise<ImportSite> {
  const site = await startImportSite();
  const text = readFileSync(`test/data/${mapping}`, 'utf8');
  const { batches } = await openCsv({ path, mapping: parseMapping(text, mapping), folder: tmpdir() });
  const { rejected } = await importBatches(site.table, site.site, batches);
  expect(rejected).toEqual([]);
  return site;
}

async function report({ ask }: ImportSite, body: unknown): Promise<unknown[][]> {
  return (await ask('POST', '/api/v2/insights3/reports', { body })).body.data;
}

describeWithData('incident-log.csv.gz', 'reports over the incident log', (path) => {
  let site: ImportSite;
  beforeAll(async () => {
    site = await siteWith(path, 'incident-log.mapping.json');
  });

  it('give the golden numbers of docs/rules.md', async () => {
    const creates = await report(site, { fields: ['case_creates'], time: MONTHS });
    expect(creates.map(([window, , , count]) => [window, count])).toEqual([
      ['2016-02-01 00:00:00', 207],
      ['2016-03-01 00:00:00', 8_995],
      ['2016-04-01 00:00:00', 7_934],
      ['2016-05-01 00:00:00', 3_633],
    ]);
    const fields = ['case_creates', 'case_resolves', 'resolved_cases', 'case_reopens', 'avg_time_to_resolution'];
    expect(await report(site, { fields, time: EVER })).toEqual([
      [null, null, null, 20_769, 21_045, 20_768, 277, 622_247.18],
    ]);
  });
});

describeWithData('conversations.csv.gz', 'reports over the conversations', (path) => {
  it('give the golden numbers of docs/rules.md, and of its rule 7', async () => {
    const site = await siteWith(path, 'conversations.mapping.json');
    const fields = ['case_creates', 'inbound_interactions', 'outbound_interactions'];
    const time = { min: '2000-01-01T00:00:00Z', max: '2030-01-01T00:00:00Z', window_size: 'none' };
    expect(await report(site, { fields, time })).toEqual([[null, null, null, 360, 1_595, 3_636]]);
  });
});
