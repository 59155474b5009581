import { deliverDue } from '../../../lib/deliver/deliver.ts';
import { forgetInDeliveries } from '../../../lib/deliver/forget.ts';
import { createDeliverRoutes } from '../../../lib/deliver/routes.ts';
import { createHistoryReader, type HistoryReader } from '../../../lib/history/read.ts';
import { createTasks } from '../../../lib/http/task.ts';
import { routes } from '../../../lib/routes.ts';
import { testDeliverer } from '../../support/mail/deliverer.ts';
import { openMailbox } from '../../support/mail/mailbox.ts';
import { importRecords } from '../../support/service/import.ts';
import { startService } from '../../support/service/service.ts';

const mailbox = await openMailbox();
afterAll(() => mailbox.close());
const MANAGER = 'business-manager@test.example';
const NAME = 'E<mail> & "friends"';
const DOORS = ['a saved report', 'a board', 'an alert'] as const;
const MAILS = DOORS.slice(0, 2);
const time = { last: 1, unit: 'day', window_size: 'none' };

/** A site of which 4 cases were created on 28 February and 1 on 1 March, with a mail or an alert that is due on 2 March. */
async function due(door: (typeof DOORS)[number], request: object = {}, comparison = 'below') {
  mailbox.mails.length = 0;
  const service = await startService(routes, { roles: ['Administrator', 'Business Manager'] });
  const { ask, table, site, now, clock } = service;
  now.at = Date.parse('2026-03-01T12:00:00Z');
  const created = (id: number, day: string, more: object) => ({
    ...{ type: 'case.created', id: `c${id}`, case: `c${id}`, at: `${day}T13:00:00Z`, ...more },
  });
  await importRecords(table, site, [
    { type: 'channel', id: 1, name: NAME },
    { type: 'channel', id: 2, name: 'Chat' },
    { type: 'agent', id: 5, name: 'Ann Becker' },
    ...[1, 2].map((id) => ({
      ...{ type: 'case.assigned', id: `a${id}`, case: `c${id}`, at: '2026-02-28T14:00:00Z', agent: 5 },
    })),
    ...[1, 2, 3].map((id) => created(id, '2026-02-28', { channel: 1, priority: 4, company: 9 })),
    created(4, '2026-02-28', { channel: 2, priority: 4, company: 9 }),
    created(5, '2026-03-01', { channel: 2, priority: 4, company: 9 }),
  ]);
  const saved = { name: 'Created', request: { fields: ['case_creates'], time, ...request } };
  const report: number = (await ask('POST', '/api/v2/saved_reports', { body: saved })).body.id;
  const tiles = [{ saved_report: report, shown_as: 'number' }];
  const board: number = (await ask('POST', '/api/v2/boards', { body: { name: 'Monday', tiles } })).body.id;
  const usual = { recipients: [MANAGER] };
  const made =
    door === 'an alert'
      ? { ...usual, name: 'Few', saved_report: report, comparison, bound: 2, check: 'day', at: '07:00' }
      : { ...usual, ...(door === 'a board' ? { board } : { saved_report: report }), every: 'day', at: '07:00' };
  const path = `/api/v2/${door === 'an alert' ? 'alerts' : 'subscriptions'}`;
  const { status, body } = await ask('POST', path, { body: made });
  expect(status).toBe(201);
  now.at = Date.parse('2026-03-02T07:00:00Z');
  const tools = testDeliverer(table, clock, mailbox.url);
  return {
    ...service,
    ...{ tools, path: `${path}/${body.id}` },
    async mail(more: Partial<typeof tools> = {}) {
      expect(await deliverDue({ ...tools, ...more })).toEqual({ sent: 1, failed: 0 });
      return mailbox.mails.at(-1);
    },
  };
}

/** A reader that reads so many times, and then no more. */
function readerOf(times: number): HistoryReader {
  const { read, ...others } = createHistoryReader({ cacheBytes: 0 });
  let left = times;
  return {
    ...others,
    async read(...asked) {
      if (left === 0) throw new Error('the disk is away');
      left -= 1;
      return read(...asked);
    },
  };
}

const BOTH_RANGES = { 'a saved report': 2, 'a board': 2, 'an alert': 3 } as const; // reads; an alert looks at the first alone

describe('why a number moved', () => {
  it.each(DOORS)('stands in the mail of %s in two lines, as the console tells it', async (door) => {
    const { mail } = await due(door);
    const { html = '', text } = (await mail()) ?? {};
    expect(text).toMatch(/\n {2}Ann Becker −2 \(2 → 0\)\n {2}E<mail> & "friends" −3 \(3 → 0\)\n/);
    expect(html).toContain('E&lt;mail&gt; &amp; &quot;friends&quot; −3 (3 → 0)</div>');
    expect(text?.match(/ → /g)).toHaveLength(2);
  });

  it.each(DOORS)('is left out of the mail of %s where it cannot be told, and the mail is sent', async (door) => {
    const { mail, table, clock, tools } = await due(door);
    const told: string[] = [];
    const log = (_level: string, message: string) => void told.push(message);
    const own = { table, log, clock, newId: tools.newId, routes: createDeliverRoutes(readerOf(BOTH_RANGES[door])) };
    const { text } = (await mail({ doTask: createTasks(own) })) ?? {};
    expect(text).toMatch(/: 1\b/);
    expect(text).not.toContain('→');
    expect(told).toEqual(['why a number moved is not told']);
  });

  it.each<[string, object, (typeof DOORS)[number][]?]>([
    ['a number that did not move', { filters: [[['Include', 'Channels', [{ id: 2 }]]]] }],
    ['an empty number', { fields: ['csat_score'] }],
    ['several numbers', { fields: ['case_creates', 'case_resolves'] }],
    ['all time', { time: { all: true, window_size: 'none' } }],
    ['a table', { dimension1: 'channel' }, ['a saved report']],
  ])('is not told of %s', async (_, request, doors: readonly (typeof DOORS)[number][] = MAILS) => {
    for (const door of doors) {
      const { mail } = await due(door, request);
      expect((await mail())?.text).not.toContain('→');
    }
  });

  it.each(['a saved report', 'an alert'] as const)(
    'is not told in the mail of %s, nor any change, against days of which hardly one has data',
    async (door) => {
      const compare = { min: '2026-02-01T00:00:00Z', max: '2026-03-01T00:00:00Z' }; // the data begins on the 28th
      const day = { min: '2026-03-01T00:00:00Z', max: '2026-03-02T00:00:00Z', window_size: 'none' };
      const { mail } = await due(door, { time: { ...day, compare } });
      const { text } = (await mail()) ?? {};
      expect(text).toContain('(your data begins on Feb 28, 2026)');
      expect(text).not.toMatch(/→|%|before: 4|before 4/);
    },
  );

  it('of an alert comes with its change, over the same two ranges, and once a mail is due alone', async () => {
    const { mail, ask, path } = await due('an alert');
    const [day, before] = ['Sun, Mar 1, 2026', 'Sat, Feb 28, 2026'];
    const soon = (await ask('POST', `${path}/check`)).body;
    expect(soon).toMatchObject({
      value: 1,
      before: 4,
      shown_period: day,
      why: ['Ann Becker −2 (2 → 0)', expect.stringContaining('−3')],
    });
    const { text, subject } = (await mail()) ?? {};
    expect(text).toContain('The number is below 2: 1, in the period before 4.');
    expect(text).toContain(`${day}, compared with ${before}`);
    expect(subject).toBe(`Alert: Few 1, below 2 – ${day}`);
    expect((await ask('POST', `${path}/check`)).body).toMatchObject({
      value: 1,
      before: null,
      shown_period: day,
      why: [],
    });
  });

  it('of an alert is the one of a compared report where it changes by so much', async () => {
    const { mail } = await due('an alert', {}, 'changed_by');
    expect((await mail())?.text).toContain('E<mail> & "friends" −3 (3 → 0)');
  });

  it('is dropped from an alert that waits to be sent once somebody was erased', async () => {
    const { mail, tools, table, site } = await due('an alert');
    const send = () => Promise.reject(new Error('the mail server is away'));
    expect(await deliverDue({ ...tools, send })).toEqual({ sent: 0, failed: 1 });
    await forgetInDeliveries(table, site.name, { aliases: new Map(), words: undefined });
    expect((await mail())?.text).not.toContain('→');
  });
});
