import { valueKey } from '../../lib/insights/meta.ts';
import { routes } from '../../lib/routes.ts';
import { readCsv } from '../support/generators/read-csv.ts';
import { exampleSites } from '../support/service/example-site.ts';
import { importRecords } from '../support/service/import.ts';
import { itByItsClock, startService } from '../support/service/service.ts';

const service = await startService(routes);
const { ask, table, site } = service;
const REPORTS = '/api/v2/insights3/reports';
const time = { min: '2026-03-01T00:00:00Z', max: '2026-03-03T00:00:00Z', window_size: 'day' };
const csv = { Accept: 'text/csv' };

describe('a report as CSV', () => {
  it('is answered to Accept: text/csv and to ?format=csv, with a name to save it by', async () => {
    const body = { fields: ['case_creates'], time };
    const reply = await ask('POST', REPORTS, { body, headers: csv });
    expect([reply.status, reply.text]).toEqual([
      200,
      'window_time,case_creates\r\n2026-03-01 00:00:00,0\r\n2026-03-02 00:00:00,0\r\n',
    ]);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': expect.stringMatching(/^attachment; filename="report-2026-03-01-2026-03-0[12]\.csv"$/),
      vary: 'Accept-Encoding, Accept',
    });
    expect((await ask('POST', `${REPORTS}?format=csv`, { body })).text).toBe(reply.text);
    expect((await ask('POST', `${REPORTS}?format=json`, { body, headers: csv })).body.data).toHaveLength(2);
  });

  itByItsClock('is named by the last day that is counted by now', async () => {
    const { headers } = await ask('POST', REPORTS, { body: { fields: ['case_creates'], time }, headers: csv });
    expect(headers['content-disposition']).toBe('attachment; filename="report-2026-03-01-2026-03-01.csv"');
  });

  it('names an unknown format beside the faults of the body, as JSON', async () => {
    const reply = await ask('POST', `${REPORTS}?format=xml`, { body: { fields: ['case_creates'] }, headers: csv });
    expect([reply.status, reply.body.errors]).toEqual([422, { format: ['invalid'], time: ['blank'] }]);
  });

  it('names members, so that a spreadsheet runs none of the names', async () => {
    const records = [
      { type: 'label', id: 3, name: '=HYPERLINK("x")' },
      { type: 'custom_field', id: 12, object: 'case', name: 'plan', values: ['gold'] },
      {
        type: 'case.created',
        id: 'a',
        case: 1,
        at: '2026-03-01T08:00:00Z',
        labels: [3, 4],
        custom_fields: { 12: 'gold' },
      },
    ];
    expect((await importRecords(table, site, records)).rejected).toEqual([]);
    const body = { fields: ['case_creates'], time, dimension1: 'label', dimension2: 'custom_field' };
    const { text } = await ask('POST', REPORTS, { body, headers: csv });
    const key = valueKey(12, 'gold');
    expect(readCsv(text)).toEqual([
      ['window_time', 'label', 'label_name', 'custom_field', 'custom_field_name', 'case_creates'],
      ['2026-03-01 00:00:00', '3', '\'=HYPERLINK("x")', key, 'gold', '1'],
      ['2026-03-01 00:00:00', '4', '4', key, 'gold', '1'],
    ]);
  });

  it('has the cells of the JSON over random histories', async () => {
    for (const { body, host } of await exampleSites(service, 12, 39)) {
      const [json, table] = [
        (await ask('POST', REPORTS, { body, host })).body,
        (await ask('POST', REPORTS, { body, host, headers: csv })).text,
      ];
      const columns = [0, ...(body.dimension1 ? [1] : []), ...(body.dimension2 ? [2] : [])];
      const cells = [json.header, ...json.data].map((row: (string | number | null)[]) =>
        [...columns.map((place) => row[place]), ...row.slice(3)].map((cell) => `${cell ?? ''}`),
      );
      const rows = readCsv(table);
      const named = rows.map((row) => row.filter((_, place) => !rows[0]?.[place]?.endsWith('_name')));
      expect(named.slice(1)).toEqual(cells.slice(1));
    }
  });

  it('has the cells of totals and of the comparison, too', async () => {
    let cells = 0;
    for (const { body: plain, host } of await exampleSites(service, 8, 41)) {
      const compare = { min: '2025-10-01T00:00:00Z', max: '2025-11-15T00:00:00Z' };
      const body = { ...plain, time: { ...plain.time, compare }, totals: true };
      const { status, body: json } = await ask('POST', REPORTS, { body, host });
      expect(status).toBe(200);
      const { data, totals, comparison } = json;
      const tablesOf = (of: { data: unknown[][]; totals: Record<string, unknown[][]> }, before: string) =>
        Object.entries({ data: of.data, ...prefixed('totals.', of.totals) }).flatMap(([part, rows]) =>
          rows.map((row) => [before + part, ...row]),
        );
      const places = [0, 1, ...(body.dimension1 ? [2] : []), ...(body.dimension2 ? [3] : [])];
      const expected = [...tablesOf({ data, totals }, ''), ...tablesOf(comparison, 'comparison.')].map((row) =>
        [...places.map((place) => row[place]), ...row.slice(4)].map((cell) => `${cell ?? ''}`),
      );
      const rows = readCsv((await ask('POST', REPORTS, { body, host, headers: csv })).text);
      const named = rows.map((row) => row.filter((_, place) => !rows[0]?.[place]?.endsWith('_name')));
      expect(named.slice(1)).toEqual(expected);
      cells += expected.flat().length;
    }
    expect(cells).toBeGreaterThan(100);
  });
});

const prefixed = (before: string, tables: Record<string, unknown[][]>): Record<string, unknown[][]> =>
  Object.fromEntries(Object.entries(tables).map(([name, rows]) => [before + name, rows]));
