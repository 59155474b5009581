import { isCrossed } from '../../../lib/console/model/alert-kinds.ts';
import { deliverDue } from '../../../lib/deliver/deliver.ts';
import { routes } from '../../../lib/routes.ts';
import { keys } from '../../../lib/store/keys.ts';
import { testDeliverer } from '../../support/mail/deliverer.ts';
import { openMailbox } from '../../support/mail/mailbox.ts';
import { importRecords } from '../../support/service/import.ts';
import { startService } from '../../support/service/service.ts';

const mailbox = await openMailbox();
afterAll(() => mailbox.close());
const MANAGER = 'business-manager@test.example';
const PATH = '/api/v2/alerts';
const DAY = 'Sun, Mar 1, 2026, 12:00 AM –';

async function watched(fields: object = {}, request: object = {}) {
  mailbox.mails.length = 0;
  const service = await startService(routes, { roles: ['Administrator', 'Business Manager'] });
  const { ask, table, site, now, clock } = service;
  now.at = Date.parse('2026-03-01T12:30:00Z');
  const saved = {
    name: 'Created today',
    request: {
      ...{ fields: ['case_creates'], time: { last: 1, unit: 'day', window_size: 'none', including_current: true } },
      ...request,
    },
  };
  const report: number = (await ask('POST', '/api/v2/saved_reports', { body: saved })).body.id;
  const usual = { name: 'Many cases', saved_report: report, comparison: 'above', bound: 2, recipients: [MANAGER] };
  const made = await ask('POST', PATH, { body: { ...usual, ...fields } });
  const tools = testDeliverer(table, clock, mailbox.url);
  return {
    ...service,
    ...{ report, made, usual, path: `${PATH}/${made.body.id}` },
    create: (at: string, ...ids: string[]) =>
      importRecords(
        table,
        site,
        ids.map((id) => ({ type: 'case.created', id, at, case: id })),
      ),
    async at(time: string): Promise<string[]> {
      now.at = Date.parse(time);
      const before = mailbox.mails.length;
      await deliverDue(tools);
      return mailbox.mails.slice(before).map(({ subject }) => subject ?? '');
    },
  };
}

describe('an alert', () => {
  it('is sent when it begins and when it ends, and never between', async () => {
    const { at, create, ask, report } = await watched();
    const told = async () => (await ask('GET', '/api/v2/deliveries')).body._embedded.entries[0];
    await create('2026-03-01T12:40:00Z', '1', '2', '3');
    expect(await at('2026-03-01T12:45:00Z')).toEqual([]);
    expect(await told()).toMatchObject({ state: 'waiting', crossed: null, next_at: '2026-03-01T13:00:00Z' });
    expect(await at('2026-03-01T13:00:00Z')).toEqual([`Alert: Many cases 3, above 2 – ${DAY} 1:00 PM`]);
    expect(await told()).toMatchObject({ state: 'done', crossed: true, sent_at: '2026-03-01T13:00:00Z' });
    expect(mailbox.mails.at(-1)?.text).toContain('The number is above 2: 3, in the period before 0.');
    expect(mailbox.mails.at(-1)?.html).toContain(`href="https://help.acme.example/console/saved/${report}"`);
    for (const time of ['13:30', '14:00', '15:00', '23:00']) expect(await at(`2026-03-01T${time}:00Z`)).toEqual([]);
    expect(await at('2026-03-02T00:00:00Z')).toEqual(['Over: Many cases 0, no longer above 2 – Mon, Mar 2, 2026']);
    expect(await at('2026-03-02T01:00:00Z')).toEqual([]);
    expect(await told()).toMatchObject({
      crossed: false,
      next_at: '2026-03-02T02:00:00Z',
      sent_at: '2026-03-02T00:00:00Z',
    });
  });

  it('waits for an import, an hour at most, and says so then', async () => {
    const { at, create, table, site } = await watched();
    await create('2026-03-01T12:40:00Z', '1', '2', '3');
    const importing = (time: string) => {
      const expiresAt = Date.parse(time) + 20_000;
      return table.put({ ...keys.uploadTurn(site.name), owner: 'import', change: 'import', expiresAt });
    };
    for (const time of ['13:05', '13:30', '14:00', '14:04', '14:05']) {
      await importing(`2026-03-01T${time}:00Z`);
      expect([time, await at(`2026-03-01T${time}:00Z`)]).toEqual([
        time,
        time < '14:05' ? [] : [`Alert: Many cases 3, above 2 – ${DAY} 2:00 PM`],
      ]);
    }
    expect(mailbox.mails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Alert: Many cases 3/)]);
    expect(mailbox.mails.at(-1)?.text).toContain('An import was at work when this mail was made');
  });

  it('on an empty number neither begins nor ends', async () => {
    const fields = { comparison: 'below', bound: 60 };
    const { at, ask, path } = await watched(fields, { fields: ['csat_positive_rate'] });
    expect(await at('2026-03-01T13:00:00Z')).toEqual([]);
    const { body } = await ask('POST', `${path}/check`);
    expect(body).toEqual({
      ...{ value: null, before: null, crossed: null },
      ...{
        shown: '–',
        shown_before: '–',
        shown_bound: '60%',
        shown_period: `${DAY} 1:00 PM`,
        shown_range: `${DAY} 1:00 PM`,
        why: [],
      },
    });
  });

  it('writes its bound as its number is written', async () => {
    const fields = { comparison: 'below', bound: 5400 };
    const { at, create, table, site, ask, path } = await watched(fields, { fields: ['avg_time_to_resolution'] });
    await create('2026-03-01T12:00:00Z', '1');
    const resolved = { type: 'case.status', id: '2', at: '2026-03-01T12:30:00Z', case: '1', to: 'resolved' };
    await importRecords(table, site, [resolved]);
    expect(await at('2026-03-01T13:00:00Z')).toEqual([`Alert: Many cases 30m, below 1h 30m – ${DAY} 1:00 PM`]);
    expect(mailbox.mails.at(-1)?.text).toContain('The number is below 1h 30m: 30m.');
    await ask('PATCH', path, { body: { comparison: 'changed_by', bound: 20 } });
    expect((await ask('POST', `${path}/check`)).body.shown_bound).toBe('20%');
  });

  it('that is changed begins anew, and one that is off is quiet', async () => {
    const { at, create, ask, path } = await watched();
    await create('2026-03-01T12:40:00Z', '1', '2', '3');
    expect(await at('2026-03-01T13:00:00Z')).toHaveLength(1);
    await ask('PATCH', path, { body: { bound: 1 } });
    expect(await at('2026-03-01T14:00:00Z')).toEqual([`Alert: Many cases 3, above 1 – ${DAY} 2:00 PM`]);
    await ask('PATCH', path, { body: { enabled: false } });
    expect(await at('2026-03-02T14:00:00Z')).toEqual([]);
  });

  it('that is changed while its mail could not be sent sends no mail of what it watched before', async () => {
    const { at, create, ask, path, table, clock, now } = await watched();
    await create('2026-03-01T12:40:00Z', '1', '2', '3');
    now.at = Date.parse('2026-03-01T13:00:00Z');
    const send = () => Promise.reject(new Error('the mail server is away'));
    expect(await deliverDue({ ...testDeliverer(table, clock, mailbox.url), send })).toMatchObject({ failed: 1 });
    await ask('PATCH', path, { body: { comparison: 'below', bound: 3 } });
    expect(await at('2026-03-01T13:30:00Z')).toEqual([]);
    expect(await at('2026-03-01T14:00:00Z')).toEqual([]);
    await ask('PATCH', path, { body: { bound: 4 } });
    expect(await at('2026-03-01T15:00:00Z')).toEqual([`Alert: Many cases 3, below 4 – ${DAY} 3:00 PM`]);
    expect(mailbox.mails.at(-1)?.text).toContain('The number is below 4: 3, in the period before 0.');
  });

  it('watches one number, and is refused with every fault', async () => {
    const { ask, usual, report } = await watched();
    const time = { last: 1, unit: 'day', window_size: 'none' };
    const save = async (request: object): Promise<number> =>
      (await ask('POST', '/api/v2/saved_reports', { body: { name: 'Another', request } })).body.id;
    const cases: readonly [object, object][] = [
      [{ name: ' ' }, { name: ['blank'] }],
      [{ saved_report: 999_999 }, { saved_report: ['not_found'] }],
      [{ saved_report: await save({ fields: ['case_creates', 'case_views'], time }) }, { saved_report: ['invalid'] }],
      [
        { saved_report: await save({ fields: ['case_creates'], time, dimension1: 'channel' }) },
        { saved_report: ['invalid'] },
      ],
      [
        { saved_report: await save({ fields: ['case_creates'], time: { ...time, window_size: 'hour' } }) },
        { saved_report: ['invalid'] },
      ],
      [{ comparison: 'near' }, { comparison: ['invalid'] }],
      [{ bound: 'many' }, { bound: ['invalid'] }],
      [{ check: 'minute' }, { check: ['invalid'] }],
      [{ recipients: Array.from({ length: 200 }, (_, at) => `ann-${at}@acme.example`) }, { recipients: ['too_long'] }],
    ];
    for (const [fields, errors] of cases) {
      const reply = await ask('POST', PATH, { body: { ...usual, ...fields } });
      expect([fields, reply.status, reply.body.errors]).toEqual([fields, 422, errors]);
    }
    expect(report).toBeGreaterThan(0);
  });

  it('compares with its bound, and a change with the number before', () => {
    const above = (value: number | null) =>
      isCrossed({ comparison: 'above', bound: 2 }, { value, before: null, unit: 'cases' });
    const below = (value: number | null) =>
      isCrossed({ comparison: 'below', bound: 2 }, { value, before: null, unit: 'cases' });
    const by = (bound: number, value: number | null, before: number | null, unit = 'cases') =>
      isCrossed({ comparison: 'changed_by', bound }, { value, before, unit });
    expect([above(2), above(3), above(null)]).toEqual([false, true, null]);
    expect([below(2), below(0), below(null)]).toEqual([false, true, null]);
    expect([by(20, 120, 100), by(20, 121, 100), by(20, 79, 100)]).toEqual([false, true, true]);
    expect([by(20, 5, 0), by(20, 5, null), by(20, null, 5)]).toEqual([null, null, null]);
    expect([by(5, 84, 80, 'percent'), by(5, 86, 80, 'percent')]).toEqual([false, true]);
  });
});
