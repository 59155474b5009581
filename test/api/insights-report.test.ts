import { routes } from '../../lib/routes.ts';
import { importRecords } from '../support/service/import.ts';
import { startService } from '../support/service/service.ts';

const { ask, table, site } = await startService(routes, { site: { timeZone: 'Europe/Berlin' } });
const REPORTS = '/api/v2/insights3/reports';
const time = { min: '2026-03-01T00:00:00+01:00', max: '2026-03-03T00:00:00+01:00', window_size: 'day' };

describe('POST /api/v2/insights3/reports', () => {
  it('answers 200 with the request, a header and a row for every window', async () => {
    const reply = await ask('POST', REPORTS, { body: { fields: ['case_creates', 'avg_handle_time'], time } });
    expect(reply.status).toBe(200);
    expect(reply.headers.location).toBeUndefined();
    expect(reply.headers.etag).toMatch(/^"/);
    expect(reply.body).toEqual({
      request: {
        fields: ['case_creates', 'avg_handle_time'],
        time,
        dimension1: null,
        dimension1_values: null,
        dimension2: null,
        dimension2_values: null,
        filters: null,
      },
      header: ['window_time', 'dimension1_value', 'dimension2_value', 'case_creates', 'avg_handle_time'],
      data: [
        ['2026-03-01 00:00:00', null, null, 0, null],
        ['2026-03-02 00:00:00', null, null, 0, null],
      ],
      _links: { self: { href: null, class: 'report' } },
    });
  });

  it.each([
    ['20261001T000000Z', '2026-10-01T00:00:00Z'],
    ['2026-10-01T00Z', '2026-10-01T00:00:00Z'],
    ['2026-09-30T24:00:00Z', '2026-10-01T00:00:00Z'],
    ['2026-W40-4T00:00:00Z', '2026-10-01T00:00:00Z'],
    ['2026-274T00:00:00Z', '2026-10-01T00:00:00Z'],
  ])('takes %s at either end, and echoes no zone that nobody sent', async (form, instant) => {
    const ends = { before: '2026-09-01T00:00:00Z', after: '2026-11-01T00:00:00Z' };
    const echoOf = async (min: string, max: string) => {
      const body = { fields: ['case_creates'], time: { min, max, window_size: 'none' } };
      const reply = await ask('POST', REPORTS, { body });
      expect(reply.status).toBe(200);
      return reply.body.request.time;
    };
    for (const [sent, same] of [
      [await echoOf(form, ends.after), await echoOf(instant, ends.after)],
      [await echoOf(ends.before, form), await echoOf(ends.before, instant)],
    ]) {
      expect(sent).toEqual(same);
      expect(Object.keys(sent)).toEqual(['min', 'max', 'window_size']);
    }
  });

  it('counts each fact in its own window where the range begins before the first fact', async () => {
    const created = ['2025-01-06T10:00:00Z', '2025-01-08T10:00:00Z', '2025-01-20T10:00:00Z'].map((at, place) => ({
      ...{ type: 'case.created', id: String(place), case: place, at },
    }));
    expect((await importRecords(table, site, created)).rejected).toEqual([]);
    const weeks = { min: '2024-12-16T00:00:00+01:00', max: '2025-01-28T00:00:00+01:00', window_size: 'week' };
    const reply = await ask('POST', REPORTS, { body: { fields: ['case_creates'], time: weeks } });
    expect(reply.body.data.map(([week, , , count]: unknown[]) => [week, count])).toEqual([
      ['2024-12-16 00:00:00', 0],
      ['2024-12-23 00:00:00', 0],
      ['2024-12-30 00:00:00', 0],
      ['2025-01-06 00:00:00', 2],
      ['2025-01-13 00:00:00', 0],
      ['2025-01-20 00:00:00', 1],
      ['2025-01-27 00:00:00', 0],
    ]);
  });

  it('reports every fault of a body together, each at its place', async () => {
    const body = {
      fields: ['case_creates', 'case_creates'],
      time: { min: '2026-03-02', max: null, window_size: 'year' },
      dimension1: 'planet',
      dimension2_values: 7,
      filters: [
        [
          ['Include', 'Labels', []],
          ['Include', 'Moons', []],
        ],
      ],
    };
    const reply = await ask('POST', REPORTS, { body });
    expect([reply.status, reply.body]).toEqual([
      422,
      {
        message: 'Validation Failed',
        details: expect.any(Array),
        errors: {
          fields: ['invalid'],
          time: { min: ['invalid'], max: ['blank'], window_size: ['invalid'] },
          dimension1: ['invalid'],
          dimension2_values: ['invalid'],
          filters: { 0: { 1: ['invalid'] } },
        },
      },
    ]);
  });
});
