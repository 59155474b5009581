import { createHmac } from 'node:crypto';
import { type IntercomDesk, startIntercom } from '../../../support/desks/intercom-desk.ts';
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
const ID = (nth: number): string => String(21_000_000 + nth);
const ANN = { type: 'admin', id: '42', name: 'Ann' };
let site: LiveSite;
let desk: IntercomDesk;
beforeEach(async () => {
  site = await startLiveSite({ rating: 'yes_no' });
  desk = await startIntercom();
  shareClock(site, desk);
});
afterEach(() => desk.close());

const connect = (more: object = {}) => connectTo(site, desk, { system: 'intercom', ...more });
const shown = () => shownConnection(site);
const later = (ms = 600_000) => void (site.now.at += ms);

/** What happens at the desk between two pulls. */
const changeSome = () => {
  later(40_000_000);
  const at = site.now.at - 60_000;
  desk.part(
    ID(3),
    at,
    { part_type: 'comment', author: ANN, body: 'SECRET' },
    { type: 'interaction', direction: 'outbound', agent: 42 },
  );
  const rating = { rating: 5, remark: 'SECRET', created_at: Math.floor(at / 1000), contact: { id: '6f00' } };
  desk.set(ID(5), at, { conversation_rating: rating }, { type: 'csat.rated', score: 1 });
  desk.set(ID(6), at, { conversation_rating: { ...rating, rating: 3 } }, { type: 'csat.rated', score: 0 });
  desk.set(ID(7), at, { conversation_rating: { ...rating, rating: null } });
  const tags = { type: 'tag.list', tags: [{ id: '12', name: 'refund' }] };
  desk.set(
    ID(9),
    at,
    { tags, priority: 'not_priority' },
    { type: 'case.labels', set: [12] },
    { type: 'case.priority', priority: null },
  );
  desk.add(3, at - 30_000_000, at);
};

const eventsOf = async (id: string) => (await site.events()).get(id) ?? [];

describe('a connection to Intercom', () => {
  it('has the numbers of what happened there, after backfill and changes', async () => {
    desk.add(120, site.now.at - 700 * DAY, site.now.at - DAY);
    await connect();
    await expectTruth(site, desk.truth, changeSome);
  });

  it.each([true, false])(
    'has them after faults, and a kill at any write (a search in order: %s)',
    async (isOrdered) => {
      desk.add(90, site.now.at - 200 * DAY, site.now.at - DAY);
      Object.assign(desk, { pageSize: 7, isOrdered });
      await connect();
      await pullThroughFaults(site, desk);
      changeSome();
      expect(await site.pull()).toBe('done');
      expect((await shown()).error).toBeNull();
      expect(await reportsOf(site.ask)).toEqual(await reportsOfTruth(site.now.at, desk.truth));
    },
  );
});

describe('a conversation of Intercom', () => {
  it('is told by its source and parts', async () => {
    desk.add(1, site.now.at - 2 * DAY, site.now.at - DAY);
    const [one] = desk.conversations;
    one!.parts.length = 0;
    Object.assign(one!, {
      priority: 'priority',
      tags: { tags: [{ id: '11', name: 'vip' }] },
      source: { type: 'email', author: { type: 'lead', id: 'x' } },
    });
    const at = site.now.at - DAY;
    const part = (nth: number, part_type: string, author: object, more: object = {}) =>
      one!.parts.push({
        id: String(nth),
        created_at: Math.floor(at / 1000) + nth,
        part_type,
        author,
        body: null,
        ...more,
      });
    part(1, 'assignment', ANN, { assigned_to: { type: 'team', id: '5' } });
    part(2, 'assign_and_reopen', ANN, { assigned_to: { type: 'admin', id: '43' }, body: 'SECRET' });
    part(3, 'away_mode_assignment', { type: 'bot', id: '9' }, { assigned_to: { type: 'nobody_admin', id: null } });
    part(4, 'close', ANN);
    part(5, 'open', { type: 'user', id: 'y' }, { body: 'SECRET' });
    part(6, 'note_and_reopen', ANN, { body: 'SECRET' });
    part(7, 'snoozed', { type: 'bot', id: '9' });
    part(8, 'something_new', ANN, { body: 'SECRET' });
    await connect();
    await site.pull();
    const id = ID(1);
    const told = (await eventsOf(id)).map(({ id: own, type, at: _, ...rest }) => [own, type, rest]);
    expect(JSON.parse(JSON.stringify(told).replaceAll(`"case":"${id}",`, ''))).toEqual([
      [`ic:${id}`, 'case.created', { channel: expect.any(Number), priority: 8, labels: [11] }],
      [`ic:${id}:m`, 'interaction', { direction: 'inbound' }],
      ['ic:p:1:a', 'case.assigned', { to: { group: 5 } }],
      ['ic:p:2', 'interaction', { agent: 42, direction: 'outbound' }],
      ['ic:p:2:a', 'case.assigned', { to: { agent: 43 } }],
      ['ic:p:2:s', 'case.status', { agent: 42, to: 'open' }],
      ['ic:p:3:a', 'case.assigned', { automated: true, to: { agent: null } }],
      ['ic:p:4:s', 'case.status', { agent: 42, to: 'resolved' }],
      ['ic:p:5', 'interaction', { direction: 'inbound' }],
      ['ic:p:5:s', 'case.status', { to: 'open' }],
      ['ic:p:6', 'note', { agent: 42 }],
      ['ic:p:6:s', 'case.status', { agent: 42, to: 'open' }],
      ['ic:p:7:s', 'case.status', { automated: true, to: 'pending' }],
    ]);
  });

  it('that is deleted is so here after a doorbell and another pull', async () => {
    desk.add(3, site.now.at - 5 * DAY, site.now.at - DAY);
    const { body } = await connect({ webhook_secret: 'bell' });
    await site.pull();
    const path = body.doorbell.url.slice(site.origin.length);
    const ring = async (given: object, secret = 'bell') => {
      const text = JSON.stringify(given);
      const headers = { 'X-Hub-Signature': `sha1=${createHmac('sha1', secret).update(text).digest('hex')}` };
      return (await site.ask('POST', path, { body: text, headers, as: null })).status;
    };
    desk.remove(ID(2));
    expect(await ring({ data: { item: { type: 'conversation', id: ID(2) } } }, 'wrong')).toBe(401);
    expect(await ring({ type: 'notification_event', topic: 'ping', data: { item: { type: 'ping', id: 5 } } })).toBe(
      204,
    );
    expect((await shown()).doorbell.waiting).toBe(0);
    expect(await ring({ data: { item: { type: 'conversation', id: ID(2) } } })).toBe(204);
    later(1000);
    await site.pull();
    later();
    await site.pull();
    expect((await eventsOf(ID(2))).at(-1)).toMatchObject({ type: 'case.deleted', id: `ic:${ID(2)}:gone` });
  });

  it('stores no text, and no name of a customer', async () => {
    desk.add(5, site.now.at - 5 * DAY, site.now.at - DAY);
    await connect();
    await site.pull();
    const all = await tracesOf(site);
    for (const secret of ['SECRET', 'right-token', '6f00']) expect(all).not.toContain(secret);
    expect((await site.ask('GET', '/api/v2/insights3/meta')).text).toContain('Bob'); // who left is known by what he wrote
  });
});

describe('a pull of Intercom', () => {
  it('asks one list if nothing changed, and one call a conversation that did', async () => {
    desk.add(130, site.now.at - 100 * DAY, site.now.at - DAY);
    await connect();
    const connected = desk.requests.length;
    await site.pull();
    const idle = await callsOfPull(site, desk);
    for (let nth = 1; nth <= 100; nth += 1)
      desk.part(ID(nth), site.now.at - 60_000 + nth, { part_type: 'comment', author: ANN, body: 'SECRET' });
    expect([connected, idle, await callsOfPull(site, desk)]).toEqual([1, 1, 101]);
  });

  it('waits for the reset that Intercom names', async () => {
    desk.add(2, site.now.at - 5 * DAY, site.now.at - DAY);
    const reset = String(Math.floor(site.now.at / 1000) + 7);
    Object.assign(desk.headers, {
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '9',
      'x-ratelimit-reset': reset,
    });
    await connect();
    await site.pull();
    expect(site.paused).toContain(7_000);
  });

  it('follows no redirect of a search', async () => {
    await connect();
    desk.fault = ({ pathname }) =>
      pathname.endsWith('/search') ? { status: 302, headers: { location: '/me' } } : undefined;
    expect(await site.pull()).toBe('failed');
    expect((await shown()).error.code).toBe('redirected');
  });
});

describe('connecting Intercom', () => {
  it.each([
    [{ credentials: { token: 'wrong' } }, { credentials: ['refused'] }],
    [{ url: 'https://api.intercom.io.evil.example' }, { url: ['forbidden'] }],
    [{ url: 'https://app.intercom.com' }, { url: ['forbidden'] }],
  ])('refuses %j', async (wrong, errors) => {
    const { status, body } = await connect(wrong);
    expect([status, body.errors]).toEqual([422, errors]);
  });
});
