import { createHmac } from 'node:crypto';
import { type LiveSite, startLiveSite } from '../../support/desks/live-site.ts';
import { startZendesk, type ZendeskDesk } from '../../support/desks/zendesk-desk.ts';

let site: LiveSite;
let desk: ZendeskDesk;
let path: string;
beforeEach(async () => {
  site = await startLiveSite();
  desk = await startZendesk({ now: site.now.at });
  desk.add(5, site.now.at - 86_400_000, site.now.at - 3_600_000);
  const credentials = { login: 'ann@acme.example', token: 'right-token' };
  const body = { system: 'zendesk', url: desk.url, credentials, webhook_secret: 'bell' };
  const { doorbell } = (await site.ask('POST', '/api/v2/connections', { body })).body;
  path = doorbell.url.slice(site.origin.length);
  await site.pull();
});
afterEach(() => desk.close());

const at = (offset = 0): string => new Date(site.now.at + offset).toISOString();
const signed = (body: string, secret = 'bell', time = at()) => ({
  'X-Zendesk-Webhook-Signature': createHmac('sha256', secret)
    .update(time + body)
    .digest('base64'),
  'X-Zendesk-Webhook-Signature-Timestamp': time,
});
const ring = async (body: string, headers: Readonly<Record<string, string>> = signed(body), to = path) =>
  (await site.ask('POST', to, { body, headers, as: null })).status;
const bell = async () => (await site.ask('GET', '/api/v2/connections/1')).body.doorbell;

describe('a doorbell', () => {
  it('has the case fetched, however often it rings, and trusts the body for the id alone', async () => {
    desk.touch(3, 'solved');
    const body = JSON.stringify({ detail: { id: '3', status: 'closed' } });
    expect([await ring(body), await ring(body)]).toEqual([204, 204]);
    expect(await bell()).toMatchObject({ has_secret: true, rung: 2, refused: 0, waiting: 1 });
    desk.requests.length = 0;
    expect(await site.pull()).toBe('done');
    expect(desk.requests.filter((one) => one.includes('/tickets/3/'))).not.toEqual([]);
    expect((await site.events()).get('3')?.at(-2)).toMatchObject({ type: 'case.status', to: 'resolved' });
    expect(await bell()).toMatchObject({ waiting: 0 });
  });

  it.each([
    ['a wrong secret', () => signed('{}', 'wrong')],
    ['no signature', () => ({})],
    ['another body', () => signed('{"id":1}')],
  ])('refuses %s and notes nothing', async (_, headers) => {
    expect(await ring('{}', headers())).toBe(401);
    expect(await bell()).toMatchObject({ rung: 0, refused: 1, waiting: 0, last_at: null });
  });

  it('refuses a ring of six minutes ago, an unknown key and another site', async () => {
    expect(await ring('{"id":3}', signed('{"id":3}', 'bell', at(-360_000)))).toBe(401);
    expect(await ring('{"id":3}', signed('{"id":3}'), '/api/v2/doorbells/0123456789abcdef0123456789abcdef')).toBe(404);
    expect((await site.ask('GET', path, { as: null })).status).toBe(405);
  });

  it('takes a ping without a case, and refuses what is no JSON', async () => {
    expect(await ring('{"type":"ping"}')).toBe(204);
    expect(await ring('no JSON')).toBe(400);
    expect(await bell()).toMatchObject({ waiting: 0 });
  });

  it('takes 600 a minute, and notes while the connection is paused', async () => {
    await site.ask('PATCH', '/api/v2/connections/1', { body: { paused: true } });
    const statuses = new Set<number>();
    for (let count = 0; count < 600; count += 1) statuses.add(await ring(JSON.stringify({ id: 3 })));
    expect([[...statuses], await ring('{"id":3}')]).toEqual([[204], 429]);
    expect([await site.pull(), (await bell()).waiting]).toEqual(['idle', 1]);
  });
});
