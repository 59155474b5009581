import { valueKey } from '../../lib/insights/meta.ts';
import { routes } from '../../lib/routes.ts';
import { importRecords } from '../support/service/import.ts';
import { startService } from '../support/service/service.ts';

const { ask, table, site } = await startService(routes);
const REPORTS = '/api/v2/insights3/reports';
const CASES = '/api/v2/insights3/cases';
const time = { min: '2026-03-01T00:00:00Z', max: '2026-03-02T00:00:00Z', window_size: 'none' };
const fields = ['case_creates'];

const records = [
  { type: 'label', id: 3, name: 'Billing' },
  { type: 'agent', id: 42, name: 'Ann' },
  { type: 'agent', id: 43, name: 'Bob', deleted: true },
  { type: 'custom_field', id: 12, object: 'case', name: 'plan', values: ['gold'] },
  { type: 'custom_field', id: 13, object: 'case', name: 'order' },
  { type: 'case.created', id: 'a', case: 1, at: '2026-03-01T08:00:00Z', labels: [3, 4], channel: 2, company: 9 },
  { type: 'macro.applied', id: 'b', case: 1, at: '2026-03-01T08:00:00Z', macro: 5, agent: 42, group: 7 },
];
expect((await importRecords(table, site, records)).rejected).toEqual([]);

const unknownOf = async (body: object): Promise<unknown> => {
  const reply = await ask('POST', REPORTS, { body: { fields, time, ...body } });
  expect(reply.status).toBe(200);
  return reply.body.unknown;
};

describe('what a report names and nobody has', () => {
  it.each<[string, readonly (number | string)[], readonly (number | string)[]]>([
    ['action_agent', [42, '43', 44, '4.2e1'], [44, '4.2e1']],
    ['assigned_group', [7, 8], [8]],
    ['channel', [2, 1], [1]],
    ['label', ['3', 4, 'Billing'], ['Billing']], // a label that only a case names is known too
    ['macro', [5, 6], [6]],
    ['company', [9, 10], [10]],
    ['priority', [1, 10, 11], [11]],
    ['csat_score', [0, 4, 5], [5]],
    ['status', ['open', 'Open'], ['Open']],
    ['hour_of_day', [0, 23, 24], [24]],
    ['weekday', [0, 1, 7], [0]],
    ['custom_field', [valueKey(12, 'gold'), valueKey(12, 'silver'), 12, 13, '13:x', 14], [12, '13:x', 14]],
    ['custom_field:12', [valueKey(12, 'gold'), 13], [13]],
  ])('of %s %j is %j', async (dimension, values, unknown) => {
    expect(await unknownOf({ dimension1: dimension, dimension1_values: values })).toEqual({
      dimension1_values: unknown,
    });
    expect(await unknownOf({ dimension2: dimension, dimension2_values: unknown })).toEqual({
      dimension2_values: unknown,
    });
  });

  it('is listed by condition where filters name it', async () => {
    const filters = [
      [['Include', 'Labels', [{ id: '3' }, { id: 77 }]]],
      [
        ['Include', 'Statuses', [{ id: 'open' }]],
        ['Exclude', 'Custom Fields', 'Contains', 'go', false, [{ id: '14' }]],
      ],
    ];
    expect(await unknownOf({ filters })).toEqual({
      filters: [
        { place: 'filters.0.0', object: 'Labels', ids: [77] },
        { place: 'filters.1.1', object: 'Custom Fields', ids: ['14'] },
      ],
    });
  });

  it('stands in no reply of a request that names nothing of the kind, and changes no echo', async () => {
    const body = { fields, time, dimension1: 'label', dimension1_values: [3, 99] };
    const reply = await ask('POST', REPORTS, { body });
    expect(Object.keys(reply.body)).toEqual(['request', 'header', 'data', 'unknown', '_links']);
    expect(reply.body.request.dimension1_values).toEqual([3, 99]);
    const known = await ask('POST', REPORTS, { body: { ...body, dimension1_values: [3] } });
    expect(known.text).not.toContain('unknown');
    expect(known.body.data).toEqual(reply.body.data);
    const dimensionless = await ask('POST', REPORTS, { body: { fields, time, dimension1_values: [99] } });
    expect(dimensionless.text).not.toContain('unknown');
  });

  it('is told where cases behind a number are asked for, and not in CSV', async () => {
    const body = { fields, time, dimension1: 'label', dimension1_values: [99] };
    expect((await ask('POST', CASES, { body })).body).toMatchObject({
      total_entries: 0,
      unknown: { dimension1_values: [99] },
    });
    const csv = await ask('POST', `${REPORTS}?format=csv`, { body });
    expect(csv.text).toBe('window_time,label,label_name,case_creates\r\n');
  });
});
