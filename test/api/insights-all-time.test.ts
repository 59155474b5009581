import { routes } from '../../lib/routes.ts';
import { importRecords } from '../support/service/import.ts';
import { startService } from '../support/service/service.ts';

const start = async () => {
  const service = await startService(routes);
  const { ask, table, site } = service;
  return {
    ask,
    load: (...records: readonly unknown[]) => importRecords(table, site, records),
    report: (time: object, more: object = {}) =>
      ask('POST', '/api/v2/insights3/reports', { body: { fields: ['case_creates'], time, ...more } }),
  };
};
const all = { all: true, window_size: 'none', time_zone: 'UTC' };
const created = (key: string, at: string) => ({ type: 'case.created', case: key, at, id: `${key} created` });

describe('all time', () => {
  it('of an empty site has no rows, with or without windows, dimensions and totals', async () => {
    const { report } = await start();
    for (const window_size of ['none', 'hour', 'month'])
      for (const more of [{}, { dimension1: 'channel' }, { fields: ['open_cases', 'agent_time_online'] }]) {
        const { status, body } = await report({ ...all, window_size }, { ...more, totals: true });
        expect([status, body.data, body.totals]).toEqual([200, [], { members: [], windows: [], all: [] }]);
      }
  });

  it('is from the first fact to a second after the newest, time online included', async () => {
    const { report, load } = await start();
    await load(created('1', '2024-05-06T07:08:09Z'), created('2', '2026-02-03T04:05:06Z'));
    const range = async () => {
      const { request, data } = (await report(all)).body;
      return [request.time.min, request.time.max, data[0].at(-1)];
    };
    expect(await range()).toEqual(['2024-05-06T07:08:09+00:00', '2026-02-03T04:05:07+00:00', 2]);
    expect((await report(all)).body.request.time).toMatchObject({ all: true, window_size: 'none' });
    const handled = {
      type: 'case.handled',
      case: '2',
      id: 'h',
      from: '2026-02-03T05:00:00Z',
      to: '2026-02-03T05:10:00Z',
    };
    await load({ ...handled, at: '2026-02-03T05:10:00Z' });
    expect((await range())[1]).toBe('2026-02-03T05:10:00+00:00');
    const online = { type: 'agent.session', agent: 5, id: 's', at: '2023-01-01T00:00:00Z' };
    await load({ ...online, from: '2023-01-01T00:00:00Z', to: '2023-01-01T01:00:00Z' });
    expect((await range())[0]).toBe('2023-01-01T00:00:00+00:00');
    expect((await report({ ...all, window_size: 'month' })).body.data).toHaveLength(38);
  });

  it('does not count what an event took back or a newer version of a case replaced', async () => {
    const { report, load } = await start();
    const version = (key: string, at: string, day: number) => ({
      ...created(key, at),
      ...{ source: 'file', as_of: `2026-03-0${day}T00:00:00Z` },
    });
    await load(version('1', '2020-01-01T00:00:00Z', 1), version('2', '2022-02-02T00:00:00Z', 1));
    await load(version('1', '2023-03-03T00:00:00Z', 2));
    expect((await report(all)).body.request.time).toMatchObject({
      ...{ min: '2022-02-02T00:00:00+00:00', max: '2023-03-03T00:00:01+00:00' },
    });
  });

  it('is refused beside a range, and with a comparison', async () => {
    const { report } = await start();
    const refused = async (time: object) => {
      const { status, body } = await report({ ...all, ...time });
      return [status, ...body.details.map(({ field }: { readonly field: string }) => field)];
    };
    expect(await refused({ compare: 'previous_period' })).toEqual([422, 'time.compare']);
    expect(await refused({ compare: { min: '2026-01-01T00:00:00Z', max: '2026-01-02T00:00:00Z' } })).toEqual([
      ...[422, 'time.compare'],
    ]);
    expect(await refused({ last: 1, unit: 'week' })).toEqual([422, 'time.all']);
    expect(await refused({ min: '2026-01-01T00:00:00Z' })).toEqual([422, 'time.all']);
    expect(await refused({ all: 'yes' })).toContain('time.all');
  });

  it('lists the cases behind its numbers, is saved and run, and gives CSV', async () => {
    const { ask, load } = await start();
    await load(created('1', '2024-05-06T07:08:09Z'), created('2', '2026-02-03T04:05:06Z'));
    const request = { fields: ['case_creates'], time: all };
    const cases = await ask('POST', '/api/v2/insights3/cases', { body: request });
    expect([cases.status, cases.body.total_entries]).toEqual([200, 2]);
    const { id } = (await ask('POST', '/api/v2/saved_reports', { body: { name: 'All', request } })).body;
    expect((await ask('POST', `/api/v2/saved_reports/${id}/run`)).body.data[0].at(-1)).toBe(2);
    const csv = await ask('POST', '/api/v2/insights3/reports?format=csv', { body: request });
    expect(csv.headers['content-disposition'] ?? csv.headers['Content-Disposition']).toContain('2024-05-06');
  });
});
