import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { readUser, removed } from '../../../lib/access/users.ts';
import { deliverDue } from '../../../lib/deliver/deliver.ts';
import { deliveryIn } from '../../../lib/deliver/delivery.ts';
import { forgetInDeliveries } from '../../../lib/deliver/forget.ts';
import { smtpSend } from '../../../lib/deliver/transport/smtp.ts';
import { routes } from '../../../lib/routes.ts';
import { unavailable } from '../../../lib/store/faults.ts';
import { keys } from '../../../lib/store/keys.ts';
import { itAtLength } from '../../support/generators/depth.ts';
import { testDeliverer } from '../../support/mail/deliverer.ts';
import { type Arrived, openMailbox } from '../../support/mail/mailbox.ts';
import { importRecords } from '../../support/service/import.ts';
import { startService } from '../../support/service/service.ts';
import { putUser, setSite } from '../../support/service/stored-access.ts';

const DAY = 86_400_000; // ms
const mailbox = await openMailbox();
afterAll(() => mailbox.close());
const [ADMIN, MANAGER, OTHER] = ['administrator', 'business-manager', 'workflow-manager'].map(
  (name) => `${name}@test.example`,
) as [string, string, string];

/** A site in Berlin with a saved report and a subscription to it each day at 07:00. */
async function daily(fields: object = {}, request: object = {}) {
  mailbox.mails.length = 0;
  mailbox.refusals.clear();
  const service = await startService(routes, {
    site: { timeZone: 'Europe/Berlin' },
    roles: ['Administrator', 'Business Manager', 'Workflow Manager'],
  });
  const { ask, table, site, now, clock } = service;
  now.at = Date.parse('2026-03-01T12:00:00Z');
  const body = {
    name: 'Cases',
    request: { fields: ['case_creates'], time: { last: 1, unit: 'day', window_size: 'day' }, ...request },
  };
  const report: number = (await ask('POST', '/api/v2/saved_reports', { body })).body.id;
  const made = await ask('POST', '/api/v2/subscriptions', {
    body: { saved_report: report, every: 'day', recipients: [MANAGER], ...fields },
  });
  const tools = testDeliverer(table, clock, mailbox.url);
  const member = `subscription#${made.body.id}`;
  return {
    ...service,
    ...{ report, tools, member, path: `/api/v2/subscriptions/${made.body.id}` },
    state: async () => deliveryIn(await table.get(keys.delivery(site.name, member))).kept,
    /** Runs at a time of Berlin's clock in winter; returns the mails that it sent. */
    async at(time: string, more: Partial<typeof tools> = {}): Promise<Arrived[]> {
      now.at = Date.parse(time);
      const before = mailbox.mails.length;
      await deliverDue({ ...tools, ...more });
      return mailbox.mails.slice(before);
    },
  };
}

describe('a subscription', () => {
  beforeEach(() => {
    mailbox.mails.length = 0;
  });

  it('brings nobody back who is erased while its mails are sent', async () => {
    const { at, table, site, state, member, tools } = await daily({ recipients: [MANAGER, OTHER] });
    await at('2026-03-02T06:00:00Z');
    const key = keys.delivery(site.name, member);
    const ended = [{ login: OTHER, at: 1, why: 'left', generation: 0 }];
    await table.put({ ...(await table.get(key)), ...key, ended });
    const send: typeof tools.send = async (message, ending) => {
      await forgetInDeliveries(table, site.name, { aliases: new Map([[OTHER, 'erased-1']]), words: undefined });
      return tools.send(message, ending);
    };
    expect(await at('2026-03-03T06:00:00Z', { send })).toHaveLength(1);
    expect(await state()).toMatchObject({ done: '2026-03-03', ended: [] });
  });

  it('that cannot be read is told, and keeps no other from being sent', async () => {
    const { at, ask, table, site, report, path } = await daily();
    const { id } = (
      await ask('POST', '/api/v2/subscriptions', { body: { saved_report: report, every: 'day', recipients: [OTHER] } })
    ).body;
    const key = { pk: keys.subscriptions(site.name).pk, sk: `subscription#${id}` };
    await table.put({ ...(await table.get(key)), ...key, every: 'fortnight' });
    const told: unknown[] = [];
    expect(await at('2026-03-02T06:00:00Z', { log: (...line) => told.push(line) })).toHaveLength(1);
    expect(told).toEqual([['warn', 'mail put off', expect.objectContaining({ of: key.sk })]]);
    expect((await ask('GET', path)).status).toBe(200);
  });

  it('is mailed once for each due time, with numbers, table and link', async () => {
    const { at, table, site, report } = await daily();
    const created = (id: string) => ({ type: 'case.created', id, at: '2026-03-01T10:00:00Z', case: id });
    await importRecords(table, site, [created('1'), created('2'), created('3')]);
    expect(await at('2026-03-01T13:00:00Z')).toEqual([]);
    expect(await at('2026-03-02T05:59:59Z')).toEqual([]);
    const [mail, ...others] = await at('2026-03-02T06:00:00Z');
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      envelope: [MANAGER],
      from: { name: 'Support reports', address: 'reports@acme.example' },
      to: [{ address: MANAGER }],
      subject: 'Cases: Sun, Mar 1, 2026',
    });
    const headers = new Map(mail?.headers.map(({ key, value }) => [key, value]));
    expect(headers.get('list-unsubscribe')).toMatch(
      /^<https:\/\/help\.acme\.example\/unsubscribe\?site=[a-z0-9-]+&from=subscription-\d+&key=[0-9a-f]{32}>$/,
    );
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail?.text).toMatch(/Sun, Mar 1, 2026 +3/);
    expect(mail?.html).toContain('>3<');
    expect(mail?.html).toContain('https://help.acme.example/console/report?show=case_creates&amp;per=day&amp;last=1d');
    const csv = mail?.attachments[0];
    expect([csv?.filename, csv?.mimeType]).toEqual(['1-cases.csv', 'text/csv']);
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(csv?.content as ArrayBuffer)).toBe(
      '\uFEFFpart,window_time,case_creates\r\ndata,2026-03-01 00:00:00,3\r\ntotals.members,,3\r\ntotals.windows,2026-03-01 00:00:00,3\r\ntotals.all,,3\r\n',
    );
    expect(await at('2026-03-02T06:00:30Z')).toEqual([]);
    expect(await at('2026-03-02T22:00:00Z')).toEqual([]);
    const next = await at('2026-03-03T06:10:00Z');
    expect(next.map(({ subject }) => subject)).toEqual(['Cases: Mon, Mar 2, 2026']);
    expect(next[0]?.messageId).not.toBe(mail?.messageId);
    expect(report).toBeGreaterThan(0);
  });

  it('that is late has the numbers of its due time, and comes once after a pause', async () => {
    const { at } = await daily(
      { every: 'week', weekday: 'monday' },
      { time: { last: 1, unit: 'week', window_size: 'none' } },
    );
    const mails = await at('2026-03-18T12:00:00Z');
    expect(mails.map(({ subject }) => subject)).toEqual(['Cases: Mon, Mar 9 – Sun, Mar 15, 2026']);
    expect(await at('2026-03-19T12:00:00Z')).toEqual([]);
  });

  it('is sent once by runs beside each other', async () => {
    const { now, tools } = await daily({ recipients: [MANAGER, OTHER] });
    now.at += DAY;
    const counts = await Promise.all([1, 2, 3, 4].map(() => deliverDue(tools)));
    expect(counts.reduce((sum, { sent }) => sum + sent, 0)).toBe(2);
    expect(mailbox.mails.map(({ envelope }) => envelope).sort()).toEqual([[MANAGER], [OTHER]]);
  });

  it('follows the zone of the site, without a second mail on one date', async () => {
    const { at, table, site } = await daily();
    expect(await at('2026-03-02T06:00:00Z')).toHaveLength(1);
    const moved = { ...site, timeZone: 'America/New_York' };
    await setSite(table, { ...site, version: 1 }, moved);
    expect(await at('2026-03-02T12:00:00Z')).toEqual([]);
    expect(await at('2026-03-03T11:59:00Z')).toEqual([]);
    expect(await at('2026-03-03T12:00:00Z')).toHaveLength(1);
  });

  it('comes once in the nights that have no 02:30 and that have two', async () => {
    const { at } = await daily({ at: '02:30' });
    expect(await at('2026-03-28T02:00:00Z')).toHaveLength(1);
    expect(await at('2026-03-29T01:29:00Z')).toEqual([]);
    expect(await at('2026-03-29T01:30:00Z')).toHaveLength(1);
    expect(await at('2026-10-24T12:00:00Z')).toHaveLength(1);
    expect(await at('2026-10-25T00:30:00Z')).toHaveLength(1);
    expect(await at('2026-10-25T01:30:00Z')).toEqual([]);
  });

  it('goes to no user who was removed, and to the others', async () => {
    const { at, table, site } = await daily({ recipients: [MANAGER, OTHER] });
    const user = await readUser(table, site.name, MANAGER);
    if (user) await putUser(table, site.name, removed(user), false);
    const mails = await at('2026-03-02T06:00:00Z');
    expect(mails.map(({ envelope }) => envelope)).toEqual([[OTHER]]);
  });

  it('of a removed user, or of one without reports, sends nothing and says why', async () => {
    const { at, table, site, state } = await daily();
    const user = await readUser(table, site.name, ADMIN);
    if (user) await putUser(table, site.name, { ...user, role: 'Agent' }, false);
    expect(await at('2026-03-02T06:00:00Z')).toEqual([]);
    expect(await state()).toMatchObject({ done: '2026-03-02', problem: `${ADMIN} is no user with reports any more.` });
  });

  it('to a removed report sends nothing and says why', async () => {
    const { at, ask, report, state } = await daily();
    await ask('DELETE', `/api/v2/saved_reports/${report}`);
    expect(await at('2026-03-02T06:00:00Z')).toEqual([]);
    expect(await state()).toMatchObject({ done: '2026-03-02', problem: `There is no saved report ${report}.` });
  });

  it('shows no problem once it is mended: by a change of itself, of its report, or of its owner', async () => {
    const { at, ask, table, site, now, path, report } = await daily();
    const problems = async (): Promise<(string | null)[]> =>
      (await ask('GET', '/api/v2/deliveries')).body._embedded.entries.map((each: { problem: string }) => each.problem);
    const patch = (what: string, body: object) => {
      now.at += 1_000;
      return ask('PATCH', what, { body });
    };
    const request = { fields: ['case_creates'], time: { last: 1, unit: 'day', window_size: 'none' } };
    const number = (await ask('POST', '/api/v2/saved_reports', { body: { name: 'One', request } })).body.id;
    const alert = { name: 'Many', saved_report: number, comparison: 'above', bound: 2, recipients: [OTHER] };
    await ask('POST', '/api/v2/alerts', { body: { ...alert, check: 'day' }, as: 'Business Manager' });
    const ofNumber = `/api/v2/saved_reports/${number}`;
    await patch(ofNumber, { request: { ...request, fields: ['case_creates', 'resolved_cases'] } });
    await ask('DELETE', `/api/v2/saved_reports/${report}`);
    await at('2026-03-02T06:00:00Z');
    expect(await problems()).toEqual([`There is no saved report ${report}.`, expect.stringMatching(/one number/)]);
    await patch(path, { saved_report: number });
    expect(await problems()).toEqual([null, expect.stringMatching(/one number/)]);
    await patch(ofNumber, { request });
    expect(await problems()).toEqual([null, null]);

    const user = await readUser(table, site.name, MANAGER);
    if (user) await putUser(table, site.name, { ...user, role: 'Agent' }, false);
    const without = `${MANAGER} is no user with reports any more.`;
    expect(await problems()).toEqual([null, without]); // before the next check
    await at('2026-03-03T06:00:00Z');
    const demoted = await readUser(table, site.name, MANAGER);
    if (demoted) await putUser(table, site.name, { ...demoted, role: 'Business Manager' }, false);
    expect(await problems()).toEqual([null, null]);
  });

  it('that was removed leaves nothing', async () => {
    const { at, ask, path, table, site } = await daily();
    expect(await at('2026-03-02T06:00:00Z')).toHaveLength(1);
    await ask('DELETE', path);
    expect(await at('2026-03-03T06:00:00Z')).toEqual([]);
    expect(await table.query(keys.deliveries(site.name).pk)).toEqual([]);
  });

  it('waits for an import at work, an hour at most, and says so then', async () => {
    const { at, table, site, now } = await daily();
    const work = (until: string) =>
      table.put({ ...keys.uploadTurn(site.name), owner: 'import', change: 'import', expiresAt: Date.parse(until) });
    await work('2026-03-02T06:10:00Z');
    expect(await at('2026-03-02T06:00:00Z')).toEqual([]);
    expect(await at('2026-03-02T06:10:00Z')).toHaveLength(1);
    await work('2026-03-03T07:10:00Z');
    expect(await at('2026-03-03T06:59:59Z')).toEqual([]);
    const [mail] = await at('2026-03-03T07:00:00Z');
    expect(mail?.text).toContain('An import was at work when this mail was made');
    expect(now.at).toBeGreaterThan(0);
  });

  it('says that it waits for an import', async () => {
    const { at, table, site, ask } = await daily();
    const expiresAt = Date.parse('2026-03-02T06:10:00Z');
    await table.put({ ...keys.uploadTurn(site.name), owner: 'import', change: 'import', expiresAt });
    const problem = async () => (await ask('GET', '/api/v2/deliveries')).body._embedded.entries[0].problem;
    expect(await at('2026-03-02T06:00:00Z')).toEqual([]);
    expect(await problem()).toBe('An import of the site is at work: this waits for it, an hour at most.');
    expect(await at('2026-03-02T06:10:00Z')).toHaveLength(1);
    expect(await problem()).toBeNull();
  });

  it('is sent, and listed, after a clock that was ahead by months', async () => {
    const { at, ask, state } = await daily({ every: 'week', weekday: 'monday' });
    expect(await at('2026-06-10T06:00:00Z')).toHaveLength(1);
    expect(await state()).toMatchObject({ done: '2026-06-08' });
    expect(await at('2026-03-02T05:59:59Z')).toEqual([]);
    const { status, body } = await ask('GET', '/api/v2/deliveries');
    expect([status, body._embedded.entries[0].next_at]).toEqual([200, '2026-03-02T06:00:00Z']);
    expect(await at('2026-03-02T06:00:00Z')).toHaveLength(1);
    expect(await at('2026-03-02T05:30:00Z')).toEqual([]); // set back by minutes it repeats nothing
    expect(await at('2026-03-02T06:00:30Z')).toEqual([]);
  });

  it('is computed once while the mail server is out of reach, tried less and less, and says why', async () => {
    const { at, ask, report, tools } = await daily();
    for (const recipients of [[OTHER], [OTHER]])
      await ask('POST', '/api/v2/subscriptions', { body: { saved_report: report, every: 'day', recipients } });
    const computed: string[] = [];
    const doTask: typeof tools.doTask = (task) => {
      computed.push(task.route);
      return tools.doTask(task);
    };
    const down = smtpSend('smtp://127.0.0.1:1');
    const tried: string[] = [];
    const send: typeof tools.send = (message, ending) => {
      tried.push(message.to);
      return down(message, ending);
    };
    const start = Date.parse('2026-03-02T06:00:00Z');
    for (let minute = 0; minute < 180; minute += 1)
      expect(await at(new Date(start + minute * 60_000).toISOString(), { send, doTask })).toEqual([]);
    expect(computed).toHaveLength(1); // the others are not even computed while the server is down
    expect(tried.length).toBeLessThan(30);
    const { entries } = (await ask('GET', '/api/v2/deliveries')).body._embedded;
    expect(entries.map(({ problem }: { problem: string }) => problem)).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^The mail server takes no mails: .*ECONNREFUSED/)),
    );
    expect(await at('2026-03-02T11:00:00Z', { doTask })).toHaveLength(3);
    expect(computed).toHaveLength(3);
  });

  it('gives a mail server a minute for each mail, in all', async () => {
    const { at, ask, tools } = await daily();
    const minutes: number[] = [];
    const timeout = AbortSignal.timeout;
    AbortSignal.timeout = (ms) => {
      minutes.push(ms / 60_000);
      return timeout.call(AbortSignal, 200);
    };
    const dripping = createServer((socket) => {
      socket.on('error', () => undefined).write('220-');
      const drips = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(drips));
    });
    await once(dripping.listen(0, '127.0.0.1'), 'listening');
    const { port } = dripping.address() as AddressInfo;
    try {
      expect(await at('2026-03-02T06:00:00Z', { send: smtpSend(`smtp://127.0.0.1:${port}`) })).toEqual([]);
    } finally {
      AbortSignal.timeout = timeout;
      await new Promise((resolve) => dripping.close(resolve)); // every connection was ended
    }
    expect(minutes).toEqual([1]);
    const { problem } = (await ask('GET', '/api/v2/deliveries')).body._embedded.entries[0];
    expect(problem).toBe('The mail server takes no mails: It took a mail for longer than 60 s.');
    expect(await at('2026-03-02T06:00:30Z', { send: tools.send })).toHaveLength(1);
  });

  it('waits its turn for the lock of the site, and leaves it to the next run if that does not come', async () => {
    const { at, table, site, now } = await daily();
    const lock = { ...keys.lock(site.name), owner: 'report', change: 'report' };
    await table.put({ ...lock, expiresAt: Date.parse('2026-03-02T06:00:20Z') });
    const waits: number[] = [];
    const pause = async (ms: number): Promise<void> => {
      waits.push(ms);
    };
    expect(await at('2026-03-02T06:00:00Z', { pause })).toEqual([]);
    expect(waits).toHaveLength(4);
    const ending = async (ms: number): Promise<void> => {
      now.at += Math.max(ms, 10_000);
    };
    expect(await at('2026-03-02T06:00:01Z', { pause: ending })).toHaveLength(1);
  });

  itAtLength('lets reports of people go first, however many mails are due', async () => {
    const { at, ask, report, tools } = await daily();
    const more = { saved_report: report, every: 'day', recipients: [OTHER] };
    for (let count = 1; count < 100; count += 1) await ask('POST', '/api/v2/subscriptions', { body: more });
    const ofPeople: number[] = [];
    const doTask: typeof tools.doTask = async (task) => {
      const { status } = await ask('POST', `/api/v2/saved_reports/${report}/run`); // while the mail computes
      ofPeople.push(status);
      return tools.doTask(task);
    };
    const sent = await at('2026-03-02T06:00:00Z', { doTask });
    expect(sent).toHaveLength(100);
    expect(ofPeople).toEqual(Array.from({ length: 100 }, () => 200));
  });

  it('that a table without answers held up is sent by the next run', async () => {
    const { at, table } = await daily();
    const deaf = async (): Promise<never> => {
      throw unavailable(new Error('no answer'));
    };
    await expect(at('2026-03-02T06:00:00Z', { table: { ...table, query: deaf } })).rejects.toThrow();
    expect(await at('2026-03-02T06:00:00Z', { table: { ...table, put: deaf } })).toEqual([]);
    expect(await at('2026-03-02T06:00:30Z')).toHaveLength(1);
  });

  it('is tried again for the address that was not reached, and for no other', async () => {
    const { at, state } = await daily({ recipients: [MANAGER, OTHER] });
    mailbox.refusals.set(MANAGER, { code: 451, message: 'later' });
    expect((await at('2026-03-02T06:00:00Z')).map(({ envelope }) => envelope)).toEqual([[OTHER]]);
    expect((await state()).problem).toMatch(/^business-manager@test\.example: .*later/);
    mailbox.refusals.clear();
    expect((await at('2026-03-02T06:00:30Z')).map(({ envelope }) => envelope)).toEqual([[MANAGER]]);
    expect(await state()).toMatchObject({ done: '2026-03-02', sent: [] });
  });

  it('ends for an address that is refused for good, until it is changed', async () => {
    const { at, ask, path, now } = await daily();
    mailbox.refusals.set(MANAGER, { code: 550, message: 'no such user' });
    expect(await at('2026-03-02T06:00:00Z')).toEqual([]);
    mailbox.refusals.clear();
    expect(await at('2026-03-03T06:00:00Z')).toEqual([]);
    now.at += 1_000;
    await ask('PATCH', path, { body: { recipients: [MANAGER, OTHER] } });
    expect(await at('2026-03-04T06:00:00Z')).toHaveLength(2);
  });

  it('tells what became of it, and changes no ETag of it', async () => {
    const { at, ask, path, report } = await daily({ recipients: [MANAGER, OTHER] });
    const told = async () => (await ask('GET', '/api/v2/deliveries')).body._embedded.entries[0];
    const { headers } = await ask('GET', path);
    mailbox.refusals.set(MANAGER, { code: 451, message: 'later' });
    expect(await at('2026-03-02T06:00:00Z')).toHaveLength(1);
    expect(await told()).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(/^business-manager@test\.example: .*later/),
      ...{ next_at: '2026-03-02T06:00:00Z', sent_at: '2026-03-02T06:00:00Z', ended: [] },
    });
    mailbox.refusals.set(MANAGER, { code: 550, message: 'no such user' });
    expect(await at('2026-03-02T06:00:30Z')).toEqual([]);
    const done = { state: 'done', problem: null, next_at: '2026-03-03T06:00:00Z', sent_at: '2026-03-02T06:00:00Z' };
    expect(await told()).toMatchObject({ ...done, ended: [{ login: MANAGER, why: 'refused' }] });
    expect((await ask('GET', path, { headers: { 'If-None-Match': String(headers.etag) } })).status).toBe(304);
    await ask('DELETE', `/api/v2/saved_reports/${report}`);
    expect(await at('2026-03-03T06:00:00Z')).toEqual([]);
    const gone = { state: 'failed', problem: `There is no saved report ${report}.`, sent_at: done.sent_at };
    expect(await told()).toMatchObject(gone);
  });
});
