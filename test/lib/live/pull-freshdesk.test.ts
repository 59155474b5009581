import { memberId } from '../../../lib/access/member-id.ts';
import { type FreshdeskDesk, startFreshdesk } from '../../support/desks/freshdesk-desk.ts';
import { type LiveSite, reportsOf, startLiveSite } from '../../support/desks/live-site.ts';
import { importRecords } from '../../support/service/import.ts';
import { startImportSite } from '../../support/service/import-site.ts';

const DAY = 86_400_000;
let site: LiveSite;
let desk: FreshdeskDesk;
beforeEach(async () => {
  site = await startLiveSite({ rating: 'yes_no' });
  desk = await startFreshdesk();
  Object.defineProperty(desk.headers, 'date', { enumerable: true, get: () => new Date(site.now.at).toUTCString() });
});
afterEach(() => desk.close());

const connect = (more: object = {}) => {
  const body = { system: 'freshdesk', url: desk.url, credentials: { token: 'right-token' }, ...more };
  return site.ask('POST', '/api/v2/connections', { body });
};
const shown = async () => (await site.ask('GET', '/api/v2/connections/1')).body;
const later = (ms = 600_000) => void (site.now.at += ms);
const eventsOf = async (id: string) => (await site.events()).get(id) ?? [];
const since = (at: number) => Math.floor(at / 1000);

/** The numbers of a site that was told what happened at the desk. */
async function byTruth(): Promise<unknown> {
  const told = await startImportSite({ rating: 'yes_no' });
  told.now.at = site.now.at;
  expect((await importRecords(told.table, told.site, desk.truth)).rejected).toEqual([]);
  return reportsOf(told.ask);
}
/** What happens at the desk between two pulls. */
const changeSome = () => {
  later(40_000_000);
  const at = site.now.at - 60_000;
  desk.reply(3, at);
  desk.reply(4, at, { incoming: true, user_id: 900 });
  desk.setStatus(5, at, 3);
  desk.rate(5, at, 103);
  desk.rate(60, at, -101);
  desk.rate(61, at, 100);
  const label = memberId('label', 'refund');
  desk.set(
    9,
    at,
    { tags: ['refund'], priority: 4, responder_id: 43, group_id: null, company_id: null },
    ...[
      { type: 'case.labels', set: [label] },
      { type: 'case.priority', priority: 10 },
      { type: 'case.assigned', agent: 43, group: null },
      { type: 'case.company', company: null },
    ],
  );
  desk.set(10, at, { spam: true }, { type: 'case.deleted' });
  desk.set(11, at, { deleted: true }, { type: 'case.deleted' });
  desk.add(3, at - 30_000_000, at);
};

describe('a connection to Freshdesk', () => {
  it('has the numbers of what happened there, after backfill and changes', async () => {
    desk.add(130, site.now.at - 700 * DAY, site.now.at - DAY);
    for (const id of [4, 9, 33, 70]) desk.rate(id, site.now.at - 3 * DAY, [103, 101, 100, -103][id % 4] ?? 100);
    await connect();
    expect([await site.pull(), (await shown()).error]).toEqual(['done', null]);
    expect(await reportsOf(site.ask)).toEqual(await byTruth());
    changeSome();
    await site.pull();
    expect(await reportsOf(site.ask)).toEqual(await byTruth());
  });

  it('has them after faults, and a kill at any write', async () => {
    desk.add(90, site.now.at - 200 * DAY, site.now.at - DAY);
    desk.rate(7, site.now.at - DAY, 101);
    await connect();
    let calls = 0;
    desk.fault = () => {
      calls += 1;
      if (calls % 31 === 0) return { status: 500, text: '<html>' };
      if (calls % 47 === 0) return { cut: true };
      return calls % 53 === 0 ? { status: 429, headers: { 'retry-after': '30' } } : undefined;
    };
    const { transact } = site.table;
    for (let tries = 0; (await shown()).backfill.done === false || tries < 3; tries += 1) {
      let writes = 2 + (tries % 5);
      const dying: typeof transact = async (...given) => {
        if ((writes -= 1) < 0) throw new Error('killed');
        return transact(...given);
      };
      const table = { ...site.table, metered: () => table, transact: tries % 2 === 0 ? dying : transact };
      await site.pull({ table }).catch(() => 'killed');
      later(61_000);
      if (tries > 400) throw new Error('it does not come to an end');
    }
    desk.fault = undefined;
    changeSome();
    expect(await site.pull()).toBe('done');
    expect((await shown()).error).toBeNull();
    expect(await reportsOf(site.ask)).toEqual(await byTruth());
  });

  it('has all of 350 tickets of which 250 changed in one second', async () => {
    desk.add(350, site.now.at - 30 * DAY, site.now.at - DAY);
    const at = site.now.at - DAY / 2;
    for (let id = 50; id < 300; id += 1) desk.set(id, at, { priority: 1 });
    await connect();
    await site.pull();
    expect((await site.events()).size).toBe(350);
  });
});

describe('a ticket of Freshdesk', () => {
  it('that is deleted, taken back and deleted again is so here', async () => {
    desk.add(2, site.now.at - 5 * DAY, site.now.at - DAY);
    desk.setStatus(1, site.now.at - DAY, 3);
    await connect();
    await site.pull();
    const steps: (readonly [string, unknown])[] = [];
    const times: number[] = [];
    for (const values of [{ deleted: true }, { deleted: false }, { spam: true }]) {
      later();
      times.push(site.now.at - 60_000);
      desk.set(1, site.now.at - 60_000, values);
      await site.pull();
      const last = (await eventsOf('1')).at(-1);
      steps.push([last?.id ?? '', last?.type]);
    }
    const [, back = 0, again = 0] = times.map(since);
    expect(steps).toEqual([
      ['fd:1:gone', 'case.deleted'],
      [`fd:o:1:${back}:status`, 'case.status'],
      [`fd:o:1:${again}:gone`, 'case.deleted'],
    ]);
  });

  it('that was deleted before the connection is not here', async () => {
    desk.add(3, site.now.at - 5 * DAY, site.now.at - DAY);
    desk.set(2, site.now.at - DAY, { deleted: true });
    await connect();
    await site.pull();
    expect([...(await site.events()).keys()]).toEqual(['1', '3']);
  });

  it('stores no text, no name of a customer, and no custom field that is as long as a text', async () => {
    desk.add(5, site.now.at - 5 * DAY, site.now.at - DAY);
    desk.rate(1, site.now.at - DAY, 101);
    await connect();
    await site.pull();
    const stored: unknown[] = [];
    for await (const items of site.table.scan()) stored.push(items);
    const all = JSON.stringify([stored, site.logged, await shown()]);
    for (const secret of ['SECRET', 'right-token']) expect(all).not.toContain(secret);
    expect((await site.ask('GET', '/api/v2/insights3/meta')).text).toContain('Bob'); // who left is asked for once
  });
});

describe('a pull of Freshdesk', () => {
  it('asks four lists if nothing changed, and one call a ticket that did', async () => {
    desk.add(130, site.now.at - 100 * DAY, site.now.at - DAY);
    await connect();
    const connected = desk.requests.length;
    await site.pull();
    later();
    await site.pull();
    later();
    desk.requests.length = 0;
    await site.pull();
    const idle = desk.requests.length;
    for (let id = 1; id <= 100; id += 1) desk.reply(id, site.now.at - 60_000 + id * 100, { user_id: 42 });
    later();
    desk.requests.length = 0;
    await site.pull();
    expect([connected, idle, desk.requests.length]).toEqual([1, 4, 100 + 3 + 3]); // pages overlap by a second
  });

  it.each([
    ['filters', () => void (desk.takesFilters = false)],
    [
      'ratings',
      () => {
        desk.fault = ({ pathname }) => (pathname.includes('satisfaction') ? { status: 403, text: '{}' } : undefined);
      },
    ],
  ])('does without %s where there are none', async (_, without) => {
    without();
    desk.add(5, site.now.at - 5 * DAY, site.now.at - DAY);
    await connect();
    expect([await site.pull(), (await site.events()).size]).toEqual(['done', 5]);
  });

  it('waits for the reset at less than a tenth of the limit, by the headers of Freshdesk', async () => {
    desk.add(2, site.now.at - 5 * DAY, site.now.at - DAY);
    Object.assign(desk.headers, { 'x-ratelimit-total': '700', 'x-ratelimit-remaining': '69' });
    await connect();
    await site.pull();
    expect(site.paused).toContain(60_000);
  });
});

describe('connecting Freshdesk', () => {
  it.each([
    [{ credentials: { token: 'wrong' } }, { credentials: ['refused'] }],
    [{ url: undefined }, { url: ['blank'] }],
    [{ url: 'https://acme.freshdesk.com.evil.example' }, { url: ['forbidden'] }],
    [{ url: 'https://acme.zendesk.com' }, { url: ['forbidden'] }],
  ])('refuses %j', async (wrong, errors) => {
    const { status, body } = await connect(wrong);
    expect([status, body.errors]).toEqual([422, errors]);
  });

  it('makes a secret for its doorbell, which sends it as it is', async () => {
    desk.add(3, site.now.at - 5 * DAY, site.now.at - DAY);
    const { body } = await connect();
    expect(body.webhook_secret).toMatch(/^[0-9a-f]{48}$/);
    await site.pull();
    const path = body.doorbell.url.slice(site.origin.length);
    const ring = async (given: object, secret = body.webhook_secret) => {
      const headers = { 'X-Doorbell-Secret': secret };
      return (await site.ask('POST', path, { body: JSON.stringify(given), headers, as: null })).status;
    };
    expect(await ring({ ticket_id: 2 }, 'wrong')).toBe(401);
    expect(await ring({ freshdesk_webhook: { ticket_id: 2, ticket_subject: 'SECRET' } })).toBe(204);
    expect(await ring({ ticket_id: '3' })).toBe(204);
    expect((await shown()).doorbell).toMatchObject({ rung: 2, refused: 1, waiting: 2 });
    later(1000);
    desk.requests.length = 0;
    await site.pull();
    expect(desk.requests.filter((one) => /tickets\/[23]\?include=stats$/.test(one))).toHaveLength(2);
  });
});
