import { createHmac } from 'node:crypto';
import { type LiveSite, startLiveSite } from '../../../support/desks/live-site.ts';
import { startZammad, type ZammadDesk } from '../../../support/desks/zammad-desk.ts';

const DAY = 86_400_000;
let site: LiveSite;
let desk: ZammadDesk;
beforeEach(async () => {
  site = await startLiveSite();
  desk = await startZammad();
});
afterEach(() => desk.close());

const connect = () =>
  site.ask('POST', '/api/v2/connections', {
    body: { system: 'zammad', url: desk.url, credentials: { token: 'right-token' } },
  });
const iso = (at: number): string => new Date(at).toISOString();

describe('a connection to Zammad', () => {
  it('tells a ticket by its history and articles', async () => {
    const from = site.now.at - 2 * DAY;
    desk.add(1, from, from + 7_200_001);
    const [ticket] = desk.tickets;
    Object.assign(ticket!, {
      history: [],
      articles: [],
      state_id: 4,
      owner_id: 3,
      priority_id: 3,
      updated_at: iso(from),
    });
    const at = iso(from);
    Object.assign(ticket!, { created_at: at });
    ticket!.articles.push(
      { id: 1, created_at: at, sender: 'Customer', created_by_id: 4, internal: false },
      { id: 2, created_at: at, sender: 'Agent', created_by_id: 3, internal: true },
      { id: 3, created_at: at, sender: 'System', created_by_id: 1, internal: false },
    );
    const change = { object: 'Ticket', type: 'updated', created_at: at };
    ticket!.history.push(
      { ...change, id: 10, attribute: 'state', id_from: 1, id_to: 4, created_by_id: 3 },
      { ...change, id: 11, attribute: 'owner', id_from: 1, id_to: 3, created_by_id: 4 },
      { ...change, id: 12, attribute: 'priority', id_from: 2, id_to: 3, created_by_id: 1 },
      { ...change, id: 13, type: 'added', attribute: 'tag', value_to: 'vip', created_by_id: 4 },
      { ...change, id: 14, object: 'Ticket::Article', attribute: 'body', created_by_id: 3 },
    );
    expect((await connect()).status).toBe(201);
    expect(await site.pull()).toBe('done');
    const events = (await site.events()).get('1')!;
    expect(events.map(({ id, type, at: _, ...rest }) => [id, type, rest])).toEqual([
      ['za:1', 'case.created', { case: '1', channel: 5, priority: 5 }],
      ['za:1:a', 'case.assigned', { case: '1', to: { group: 1 } }],
      ['za:h:10', 'case.status', { case: '1', agent: 3, to: 'resolved' }],
      ['za:h:11', 'case.assigned', { case: '1', to: { agent: 3 } }],
      ['za:h:12', 'case.priority', { case: '1', automated: true, priority: 8 }],
      ['za:h:13', 'case.labels', { case: '1', add: [expect.any(Number)] }],
      ['za:m:1', 'interaction', { case: '1', direction: 'inbound' }],
      ['za:m:2', 'note', { case: '1', agent: 3 }],
      ['za:m:3', 'interaction', { case: '1', automated: true, direction: 'outbound' }],
    ]);
  });

  it('has every change once, of 450 tickets of which some change while the list is read', async () => {
    desk.add(450, site.now.at - 30 * DAY, site.now.at - DAY);
    await connect();
    let moved = 0;
    desk.fault = ({ pathname }) => {
      if (pathname.includes('ticket_history') && (moved += 1) % 50 === 0)
        desk.answer((moved / 50) * 9, site.now.at - 1000);
      return undefined;
    };
    await site.pull();
    desk.fault = undefined;
    site.now.at += 600_000;
    await site.pull();
    const events = await site.events();
    expect(events.size).toBe(450);
    for (const { id, history, articles } of desk.tickets) {
      const ids = new Set((events.get(String(id)) ?? []).map((event) => event.id));
      for (const change of history) if (change.type !== 'created') expect(ids).toContain(`za:h:${change.id}`);
      for (const article of articles) expect(ids).toContain(`za:m:${article.id}`);
    }
    desk.requests.length = 0;
    site.now.at += 600_000;
    await site.pull();
    expect(desk.requests.length).toBe(1);
  });

  it('makes a secret for its doorbell and shows it once', async () => {
    desk.add(1, site.now.at - DAY, site.now.at);
    const { body } = await connect();
    expect(body.webhook_secret).toMatch(/^[0-9a-f]{48}$/);
    expect((await site.ask('GET', '/api/v2/connections/1')).body.webhook_secret).toBeUndefined();
    const ring = JSON.stringify({ ticket: { id: 1 } });
    const signature = createHmac('sha1', body.webhook_secret).update(ring).digest('hex');
    const headers = { 'X-Hub-Signature': `sha1=${signature}` };
    const path = body.doorbell.url.slice(site.origin.length);
    expect((await site.ask('POST', path, { body: ring, headers, as: null })).status).toBe(204);
  });

  it('is refused where the search does not know times', async () => {
    await desk.close();
    desk = await startZammad({ knowsTimes: false });
    desk.add(3, site.now.at - DAY, site.now.at);
    expect((await connect()).body.errors).toEqual({ url: ['invalid'] });
  });
});
