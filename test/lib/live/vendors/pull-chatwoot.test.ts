import { createHmac } from 'node:crypto';
import { parseInstant } from '../../../../lib/history/cases/instant.ts';
import { hasPostgres, type Postgres, startPostgres } from '../../../support/database/postgres.ts';
import { CHATWOOT_TABLES, type ChatwootDesk, startChatwoot } from '../../../support/desks/chatwoot-desk.ts';
import {
  callsOfPull,
  connectTo,
  type LiveSite,
  pullThroughFaults,
  reportsOf,
  shareClock,
  shownConnection,
  startLiveSite,
  tracesOf,
} from '../../../support/desks/live-site.ts';
import { importRecords } from '../../../support/service/import.ts';
import { startImportSite } from '../../../support/service/import-site.ts';

const DAY = 86_400_000;
let site: LiveSite;
let desk: ChatwootDesk;
beforeEach(async () => {
  site = await startLiveSite({ rating: 'yes_no' });
  desk = await startChatwoot();
  shareClock(site, desk);
});
afterEach(() => desk.close());

const connect = (more: object = {}) => connectTo(site, desk, { system: 'chatwoot', account: 4, ...more });
const shown = () => shownConnection(site);
const later = (ms = 600_000) => void (site.now.at += ms);
const eventsOf = async (id: string) => (await site.events()).get(id) ?? [];
/** What happens at the desk between two pulls. */
const changeSome = () => {
  later(40_000_000);
  const at = site.now.at - 60_000;
  desk.reply(3, at);
  desk.setStatus(5, at, 'resolved');
  desk.rate(5, at, 5);
  desk.rate(80, at + 1000, 2); // of an old conversation, and no activity of it
  desk.add(3, at - 30_000_000, at);
};

describe('a connection to Chatwoot', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    if (hasPostgres) postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  /** The numbers of a site that has the database by the query of the documentation. */
  async function byFile(): Promise<{ reports: unknown; lines: unknown[] }> {
    const printed = await postgres.print('chatwoot', CHATWOOT_TABLES + desk.sql());
    const lines = printed.map((line) => JSON.parse(line));
    const filed = await startImportSite({ rating: 'yes_no' });
    filed.now.at = site.now.at;
    expect((await importRecords(filed.table, filed.site, lines)).rejected).toEqual([]);
    return { reports: await reportsOf(filed.ask), lines };
  }

  (hasPostgres ? it : it.skip)('has the numbers of its database, and counts each event of it once', async () => {
    desk.add(120, site.now.at - 700 * DAY, site.now.at - DAY);
    for (const id of [4, 9, 33, 70]) desk.rate(id, site.now.at - 3 * DAY, (id % 5) + 1);
    await connect();
    expect([await site.pull(), (await shown()).error]).toEqual(['done', null]);
    const { reports, lines } = await byFile();
    expect(await reportsOf(site.ask)).toEqual(reports);
    expect((await importRecords(site.table, site.site, lines)).rejected).toEqual([]);
    expect(await reportsOf(site.ask)).toEqual(reports);
    changeSome();
    await site.pull();
    expect(await reportsOf(site.ask)).toEqual((await byFile()).reports);
  });

  (hasPostgres ? it : it.skip)('has them after faults, pages that change, and a kill at any write', async () => {
    desk.add(90, site.now.at - 200 * DAY, site.now.at - DAY);
    desk.rate(7, site.now.at - DAY, 1);
    Object.assign(desk, { shuffled: true, pageSize: 10 });
    await connect();
    await pullThroughFaults(site, desk, ({ pathname }, calls) => {
      if (pathname.endsWith('/messages') && calls % 40 === 0) desk.reply((calls % 89) + 1, site.now.at - 1000);
      return undefined;
    });
    changeSome();
    expect(await site.pull()).toBe('done');
    expect((await shown()).error).toBeNull();
    expect(await reportsOf(site.ask)).toEqual((await byFile()).reports);
  });
});

describe('a conversation', () => {
  const begin = () => {
    desk.add(1, site.now.at - 2 * DAY, site.now.at - 2 * DAY + 20_000_001);
    const [one] = desk.conversations;
    const at = site.now.at - DAY;
    Object.assign(one!, { created: at, active: at, status: 'open', priority: 'high', assignee: 42, team: null });
    Object.assign(one!, { labels: ['vip'], messages: [], events: [] });
    return at;
  };
  const us = (at: number) => parseInstant(new Date(Math.floor(at / 1000) * 1000).toISOString());

  it('is told by its messages and reporting events', async () => {
    const at = begin();
    const say = { at, private: false, sender: null, sender_id: null };
    desk.conversations[0]!.messages.push(
      { ...say, id: 1, type: 0, sender: 'Contact', sender_id: 5 },
      { ...say, id: 2, type: 1, sender: 'User', sender_id: 43 },
      { ...say, id: 3, type: 1, sender: 'User', sender_id: 42, private: true },
      { ...say, id: 4, type: 1, sender: 'AgentBot', sender_id: 9 },
      { ...say, id: 5, type: 3 },
      { ...say, id: 6, type: 2 },
    );
    desk.conversations[0]!.events.push(
      { id: 8, name: 'conversation_resolved', at: at + 5, user: 42 },
      { id: 9, name: 'conversation_opened', at: at + 1500, user: null },
      { id: 10, name: 'first_response', at, user: 42 },
    );
    desk.rate(1, at + 2000, 4);
    desk.rate(1, at + 3000, 3);
    desk.rate(1, at + 4000, 1);
    await connect();
    await site.pull();
    expect((await eventsOf('1')).map(({ id, type, at: _, ...rest }) => [id, type, rest])).toEqual([
      ['cw:1', 'case.created', { case: '1', channel: 3, priority: 8, labels: [11] }],
      ['cw:1:a', 'case.assigned', { case: '1', to: { agent: 42 } }],
      ['cw:m:1', 'interaction', { case: '1', direction: 'inbound' }],
      ['cw:m:2', 'interaction', { case: '1', agent: 43, direction: 'outbound' }],
      ['cw:m:3', 'note', { case: '1', agent: 42 }],
      ['cw:m:4', 'interaction', { case: '1', automated: true, direction: 'outbound' }],
      ['cw:m:5', 'interaction', { case: '1', automated: true, direction: 'outbound' }],
      ['cw:e:8', 'case.status', { case: '1', agent: 42, to: 'resolved' }],
      ['cw:e:9', 'case.status', { case: '1', to: 'open' }],
      ['cw:r:700', 'csat.rated', { case: '1', score: 1 }],
      ['cw:r:702', 'csat.rated', { case: '1', score: 0 }],
    ]);
    expect((await site.ask('GET', '/api/v2/insights3/meta')).text).toContain('Bob'); // who left is known by what he wrote
  });

  it('gets what differs later at its last change, and nothing twice', async () => {
    begin();
    await connect();
    await site.pull();
    const first = (await eventsOf('1')).length;
    const changed = site.now.at - 30_000;
    desk.set(1, changed, { assignee: null, team: 5, priority: null, labels: ['refund'] });
    later();
    await site.pull();
    later();
    await site.pull();
    const E = Math.floor(changed / 1000);
    const base = { at: us(changed), case: '1' };
    expect((await eventsOf('1')).slice(first)).toEqual([
      { type: 'case.assigned', id: `cw:o:1:${E}:assigned`, ...base, to: { agent: null, group: 5 } },
      { type: 'case.labels', id: `cw:o:1:${E}:labels`, ...base, set: [12] },
      { type: 'case.priority', id: `cw:o:1:${E}:priority`, ...base, priority: null },
    ]);
  });

  it.each([
    ['404', undefined],
    ['403', { status: 403, text: '{"error":"not for you"}' }],
  ])('has its present status where there are no reporting events (%s)', async (_, fault) => {
    begin();
    desk.hasEvents = false;
    desk.fault = ({ pathname }) => (pathname.endsWith('/reporting_events') ? fault : undefined);
    Object.assign(desk.conversations[0]!, { status: 'resolved' });
    desk.add(5, site.now.at - 5 * DAY, site.now.at - DAY);
    await connect();
    await site.pull();
    expect((await eventsOf('1'))[0]).toMatchObject({ id: 'cw:1', status: 'resolved' }); // and no solve
    expect(desk.requests.filter((one) => one.includes('reporting_events'))).toHaveLength(1);
    later();
    const [reopened, wrote] = [site.now.at - 300_000, site.now.at - 200_000];
    desk.setStatus(1, reopened, 'open'); // with an activity
    desk.reply(1, wrote);
    await site.pull();
    expect((await eventsOf('1')).at(-2)).toEqual({
      ...{
        type: 'case.status',
        id: `cw:o:1:${Math.floor(reopened / 1000)}:status`,
        at: us(reopened),
        case: '1',
        to: 'open',
      },
    });
    Object.assign(desk.conversations[0]!, { status: 'snoozed', active: wrote + 5000 }); // without one
    later();
    await site.pull();
    expect((await eventsOf('1')).at(-1)).toMatchObject({ type: 'case.status', at: us(wrote + 5000), to: 'pending' });
  });

  it('of many messages is read whole, though they come by time and are asked for by id', async () => {
    begin();
    const at = site.now.at - DAY;
    const { messages } = desk.conversations[0]!;
    for (let id = 1; id <= 350; id += 1)
      messages.push({ id, at: at + (id ^ 3) * 1000, type: 0, private: false, sender: 'Contact', sender_id: 5 });
    await connect();
    await site.pull();
    expect((await eventsOf('1')).filter(({ type }) => type === 'interaction')).toHaveLength(350);
  });
});

describe('a pull of Chatwoot', () => {
  it.each([
    ['three calls a conversation that did', true, 300],
    ['two where there are no reporting events', false, 200 + 1],
  ])('asks two lists if nothing changed, and %s', async (_, hasEvents, calls) => {
    desk.hasEvents = hasEvents;
    desk.add(130, site.now.at - 100 * DAY, site.now.at - DAY);
    await connect();
    const connected = desk.requests.length;
    await site.pull();
    const idle = await callsOfPull(site, desk);
    for (let id = 1; id <= 100; id += 1) desk.reply(id, site.now.at - 60_000 + id);
    expect([connected, idle, await callsOfPull(site, desk)]).toEqual([1, 2, calls + 5 + 1 + 1]); // pages of conversations, ratings, labels
  });

  it('finds all that changed since an earlier pull, also if it was stopped in the middle of the list', async () => {
    desk.add(60, site.now.at - 100 * DAY, site.now.at - 30 * DAY);
    await connect();
    await site.pull();
    desk.pageSize = 10;
    for (let id = 1; id <= 50; id += 1) desk.reply(id, site.now.at + id * 1000);
    later();
    desk.fault = ({ searchParams }) => (searchParams.get('page') === '4' ? { status: 503 } : undefined);
    expect(await site.pull()).toBe('failed');
    for (let id = 45; id <= 55; id += 1) desk.reply(id, site.now.at + id * 1000);
    desk.fault = undefined;
    later();
    expect(await site.pull()).toBe('done');
    const events = await site.events();
    for (const { id, messages } of desk.conversations) {
      const ids = new Set(events.get(String(id))?.map((event) => event.id));
      for (const message of messages) if (message.type !== 2) expect(ids).toContain(`cw:m:${message.id}`);
    }
  });

  it('misses nothing where others are deleted while the list is read', async () => {
    desk.add(60, site.now.at - 100 * DAY, site.now.at - DAY);
    desk.pageSize = 10;
    await connect();
    let pages = 0;
    desk.fault = ({ pathname }) => {
      if (!pathname.endsWith('/conversations') || (pages += 1) > 6) return undefined;
      const newest = [...desk.conversations].sort((a, b) => b.active - a.active);
      for (const one of newest.slice(0, 3)) desk.remove(one.id);
      return undefined;
    };
    await site.pull();
    const events = await site.events();
    for (const { id } of desk.conversations) expect([id, events.has(String(id))]).toEqual([id, true]);
  });
});

describe('connecting Chatwoot', () => {
  it.each([
    [{ account: undefined }, { account: ['blank'] }],
    [{ account: 5 }, { account: ['invalid'] }],
    [{ account: 8 }, { credentials: ['refused'] }],
    [{ credentials: { token: 'wrong' } }, { credentials: ['refused'] }],
    [{ url: undefined }, { url: ['blank'] }],
  ])('refuses %j', async (wrong, errors) => {
    const { status, body } = await connect(wrong);
    expect([status, body.errors]).toEqual([422, errors]);
  });

  it('stores no token, text, or name of a customer', async () => {
    desk.add(5, site.now.at - 5 * DAY, site.now.at - DAY);
    desk.rate(1, site.now.at - DAY, 5);
    await connect({ webhook_secret: 'bell-secret' });
    await site.pull();
    const all = await tracesOf(site);
    for (const secret of ['SECRET', 'right-token', 'bell-secret']) expect(all).not.toContain(secret);
  });

  it('has a doorbell that names a conversation by the number people see', async () => {
    desk.add(5, site.now.at - 5 * DAY, site.now.at - DAY);
    const { body } = await connect({ webhook_secret: 'bell' });
    await site.pull();
    const path = body.doorbell.url.slice(site.origin.length);
    const ring = async (given: object, at = site.now.at) => {
      const text = JSON.stringify(given);
      const stamp = String(Math.floor(at / 1000));
      const hmac = createHmac('sha256', 'bell').update(`${stamp}.${text}`).digest('hex');
      const headers = { 'X-Chatwoot-Signature': `sha256=${hmac}`, 'X-Chatwoot-Timestamp': stamp };
      return (await site.ask('POST', path, { body: text, headers, as: null })).status;
    };
    const waiting = async () => (await shown()).doorbell.waiting;
    expect([await ring({ event: 'contact_created', id: 2 }), await waiting()]).toEqual([204, 0]);
    expect([await ring({ event: 'message_created', id: 900, conversation: { id: 2 } }), await waiting()]).toEqual([
      204, 1,
    ]);
    expect([await ring({ event: 'conversation_status_changed', id: 3 }), await waiting()]).toEqual([204, 2]);
    expect(await ring({ event: 'message_created' }, site.now.at - 301_000)).toBe(401);
    desk.requests.length = 0;
    later(1000);
    await site.pull();
    expect(desk.requests.filter((one) => /conversations\/[23]$/.test(one))).toHaveLength(2);
  });
});
