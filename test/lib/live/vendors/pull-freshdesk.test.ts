import { memberId } from '../../../../lib/access/member-id.ts';
import { type FreshdeskDesk, startFreshdesk } from '../../../support/desks/freshdesk-desk.ts';
import {
  callsOfPull,
  connectTo,
  expectTruth,
  type LiveSite,
  pullThroughFaults,
  reportsOf,
  reportsOfTruth,
  shareClock,
  shownConnection,
  startLiveSite,
  tracesOf,
} from '../../../support/desks/live-site.ts';

const DAY = 86_400_000;
let site: LiveSite;
let desk: FreshdeskDesk;
beforeEach(async () => {
  site = await startLiveSite({ rating: 'yes_no' });
  desk = await startFreshdesk();
  shareClock(site, desk);
});
afterEach(() => desk.close());

const connect = (more: object = {}) => connectTo(site, desk, { system: 'freshdesk', ...more });
const shown = () => shownConnection(site);
const later = (ms = 600_000) => void (site.now.at += ms);
const eventsOf = async (id: string) => (await site.events()).get(id) ?? [];
const since = (at: number) => Math.floor(at / 1000);

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
    await expectTruth(site, desk.truth, changeSome);
  });

  it('has them after faults, and a kill at any write', async () => {
    desk.add(90, site.now.at - 200 * DAY, site.now.at - DAY);
    desk.rate(7, site.now.at - DAY, 101);
    await connect();
    await pullThroughFaults(site, desk);
    changeSome();
    expect(await site.pull()).toBe('done');
    expect((await shown()).error).toBeNull();
    expect(await reportsOf(site.ask)).toEqual(await reportsOfTruth(site.now.at, desk.truth));
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
    const all = await tracesOf(site);
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
    const idle = await callsOfPull(site, desk);
    for (let id = 1; id <= 100; id += 1) desk.reply(id, site.now.at - 60_000 + id * 100, { user_id: 42 });
    expect([connected, idle, await callsOfPull(site, desk)]).toEqual([1, 4, 100 + 3 + 3]); // pages overlap by a second
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
