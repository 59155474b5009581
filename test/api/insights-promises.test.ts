import { routes } from '../../lib/routes.ts';
import { readCsv } from '../support/generators/read-csv.ts';
import { importRecords } from '../support/service/import.ts';
import { startService } from '../support/service/service.ts';

const { ask, table, site } = await startService(routes);
const CASES = '/api/v2/insights3/cases';
const REPORTS = '/api/v2/insights3/reports';

const at = (time: string): string => `2025-03-${time}Z`;
const message = (id: string, key: number, time: string, agent?: number) => ({
  ...{ type: 'interaction', id, case: key, at: at(time) },
  ...(agent === undefined ? { direction: 'inbound' } : { direction: 'outbound', agent, group: 7 }),
});
const opened = (key: number, time: string, company: number) => [
  { type: 'case.created', id: 'a', case: key, at: at(time), company, priority: 9 },
  message('b', key, time),
];
const week = ['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, [['09:00', '17:00']]]);
const OFFICE = { type: 'calendar', id: 1, name: 'Office', time_zone: 'UTC', hours: Object.fromEntries(week) };
const GOLD = {
  ...{ type: 'sla_policy', id: 3, name: 'Gold', position: 1 },
  filters: [[['Include', 'Companies', [{ id: '9' }]]]],
  targets: [
    { metric: 'first_response', priorities: [8, 9, 10], seconds: 3600, hours: 'business' },
    { metric: 'resolution', seconds: 172_800 },
  ],
};

const take = async (records: readonly unknown[]) =>
  expect((await importRecords(table, site, records)).rejected).toEqual([]);

const time = { min: at('03T00:00:00'), max: at('08T00:00:00'), window_size: 'none' };
const FIELDS = ['met', 'missed', 'rate'].map((what) => `sla_first_response_${what}`);

describe('promises', () => {
  it('in working time need a calendar', async () => {
    await take([GOLD, ...opened(1, '03T16:30:00', 9), message('c', 1, '04T09:30:00', 42)]); // Monday to Tuesday
    await take([...opened(2, '03T16:30:00', 9), message('c', 2, '04T09:30:01', 42)]);
    await take([...opened(3, '03T16:30:00', 10), message('c', 3, '06T09:30:00', 42)]);
    await take([...opened(4, '07T16:30:00', 9)]); // Friday: too late on Monday
    const reply = await ask('POST', REPORTS, { body: { fields: FIELDS, time } });
    expect([reply.status, reply.body.errors]).toEqual([422, { hours: ['not_found'] }]);
  });

  it('in working time are left out of a story without a calendar, and the others are told', async () => {
    const backup = { metric: 'first_response', seconds: 60 }; // the promise in working time comes first
    await take([{ ...GOLD, targets: [...GOLD.targets, backup] }]);
    const { facts } = (await ask('GET', `${CASES}/1`)).body;
    expect(facts.filter(({ field }: { field: string }) => field.startsWith('sla_'))).toEqual([
      expect.objectContaining({ field: 'sla_resolution_missed', at: '2025-03-05T16:30:01+00:00', value: 1 }),
    ]);
    await take([GOLD]);
  });

  it('are counted by the records as they are now, with totals, comparison and CSV', async () => {
    await take([OFFICE]);
    const body = { fields: FIELDS, time: { ...time, window_size: 'day' }, totals: true };
    const reply = await ask('POST', REPORTS, { body });
    expect(reply.body.data).toEqual([
      ['2025-03-03 00:00:00', null, null, 0, 0, null],
      ['2025-03-04 00:00:00', null, null, 1, 1, 50],
      ...['05', '06', '07'].map((day) => [`2025-03-${day} 00:00:00`, null, null, 0, 0, null]),
    ]);
    expect(reply.body.totals.all).toEqual([[null, null, null, 1, 1, 50]]);
    const next = { ...time, min: at('10T00:00:00'), max: at('15T00:00:00'), compare: time };
    const later = await ask('POST', REPORTS, { body: { fields: FIELDS, time: next } });
    expect([later.body.data, later.body.comparison.data]).toEqual([
      [[null, null, null, 0, 1, 0]],
      [[null, null, null, 1, 1, 50]],
    ]);
    const csv = await ask('POST', `${REPORTS}?format=csv`, { body: { fields: FIELDS, time, dimension1: 'company' } });
    expect(readCsv(csv.text).at(-1)).toEqual(['', '9', '9', '1', '1', '50']);
  });

  it('lead to the cases behind them, and to the story of each', async () => {
    const behind = async (field: string) => (await ask('POST', CASES, { body: { fields: [field], time } })).body.cases;
    expect(await behind('sla_first_response_rate')).toEqual([
      expect.objectContaining({ case: 1, at: '2025-03-04T09:30:00+00:00', value: 1, counted: true }),
      expect.objectContaining({ case: 2, at: '2025-03-04T09:30:01+00:00', value: 0, counted: false }),
    ]);
    const facts = async (key: number) => (await ask('GET', `${CASES}/${key}`)).body.facts;
    expect(await facts(1)).toContainEqual({
      ...{
        field: 'sla_first_response_met',
        at: '2025-03-04T09:30:00+00:00',
        agent: 42,
        group: 7,
        value: 1,
        counted: true,
      },
    });
    expect(await facts(2)).toContainEqual({
      ...{ field: 'sla_first_response_missed', at: '2025-03-04T09:30:01+00:00', agent: null, group: null },
      ...{ value: 1, counted: true },
    });
    expect(await facts(2)).toContainEqual(
      expect.objectContaining({ field: 'sla_resolution_missed', at: '2025-03-05T16:30:01+00:00' }),
    );
  });

  it('change with their records, and end with them', async () => {
    await take([{ ...GOLD, targets: [{ metric: 'first_response', seconds: 86_400 }] }]);
    const report = async () => (await ask('POST', REPORTS, { body: { fields: FIELDS, time } })).body.data;
    expect(await report()).toEqual([[null, null, null, 2, 0, 100]]);
    await take([{ type: 'sla_policy', id: 3, deleted: true }]);
    expect(await report()).toEqual([[null, null, null, 0, 0, null]]);
  });

  it('are defined with the dimensions by which nobody has broken one', async () => {
    const { fields } = (await ask('GET', '/api/v2/report_definitions')).body;
    expect(fields.filter(({ name }: { name: string }) => name.startsWith('sla_'))).toHaveLength(9);
    expect(fields).toContainEqual(
      expect.objectContaining({
        ...{ name: 'sla_reply_rate', unit: 'percent', kind: 'rate', extension: true, may_change: false },
        null_by: ['action_agent', 'action_group'],
      }),
    );
  });
});
