import { lookAtConnections, parseDuePull, pullGroup, ringMessage } from '../../../lib/live/due.ts';
import { pullLease } from '../../../lib/live/progress.ts';
import { keys } from '../../../lib/store/keys.ts';
import { FIRST_COME, takeLease } from '../../../lib/store/lease.ts';
import { type LiveSite, startLiveSite } from '../../support/desks/live-site.ts';
import { startZammad, type ZammadDesk } from '../../support/desks/zammad-desk.ts';

let site: LiveSite;
let desk: ZammadDesk;
beforeEach(async () => {
  site = await startLiveSite();
  desk = await startZammad();
  const body = { system: 'zammad', url: desk.url, credentials: { token: 'right-token' } };
  await site.ask('POST', '/api/v2/connections', { body });
});
afterEach(() => desk.close());

const look = () => lookAtConnections(site.table, site.now.at);
const due = () => ({ site: site.site.name, connection: 1 });
const change = (body: object) => site.ask('PATCH', '/api/v2/connections/1', { body });

describe('what is due of connections', () => {
  it('is a new one, one whose interval is over, one that was asked for or rang, and none of these while it is pulled', async () => {
    expect((await look()).pulls).toEqual([due()]);
    await site.pull();
    expect((await look()).pulls).toEqual([]);
    await site.ask('POST', '/api/v2/connections/1/pull');
    expect((await look()).pulls).toEqual([due()]);
    await site.pull();
    await site.table.put({ ...keys.ring(site.site.name, '7'), mark: 'one' });
    expect((await look()).pulls).toEqual([due()]);
    await site.pull();
    site.now.at += 301_000;
    expect((await look()).pulls).toEqual([due()]);
    await takeLease(pullLease(site.tools, site.site.name), FIRST_COME);
    expect((await look()).pulls).toEqual([]);
    site.now.at += 61_000; // who held it has died
    expect((await look()).pulls).toEqual([due()]);
    await change({ paused: true });
    expect((await look()).pulls).toEqual([]);
  });

  it('is nothing before the time that a help desk named', async () => {
    desk.fault = () => ({ status: 429, headers: { 'retry-after': '600' } });
    expect(await site.pull()).toBe('failed');
    await site.ask('POST', '/api/v2/connections/1/pull');
    site.now.at += 599_000;
    expect((await look()).pulls).toEqual([]);
    site.now.at += 2_000;
    expect((await look()).pulls).toEqual([due()]);
  });
});

describe('the health of connections', () => {
  it('has their lag, and those that fail or are behind by four intervals and 15 minutes', async () => {
    await site.pull();
    expect((await look()).health).toEqual({ connections: 1, lag: 0, failing: 0, late: 0 });
    desk.token = 'another';
    site.now.at += 900_000;
    expect(await site.pull()).toBe('failed');
    expect((await look()).health).toEqual({ connections: 1, lag: 900, failing: 1, late: 0 });
    site.now.at += 301_000;
    expect((await look()).health).toMatchObject({ lag: 1201, failing: 1, late: 1 });
    await change({ interval: 3600 });
    expect((await look()).health).toMatchObject({ late: 0 });
    await change({ paused: true });
    expect((await look()).health).toEqual({ connections: 1, lag: 0, failing: 0, late: 0 });
  });

  it('counts one that never pulled from its beginning', async () => {
    site.now.at += 1_300_000;
    expect((await look()).health).toEqual({ connections: 1, lag: 1300, failing: 0, late: 1 });
  });
});

describe('a message of the queue', () => {
  it('is one for all rings of two seconds, and is worked on after these', () => {
    const [first, once] = ringMessage('acme', 1, 10_001);
    expect([first, once]).toEqual([{ site: 'acme', connection: 1, from: 12_000 }, 'ring-12000']);
    expect(ringMessage('acme', 1, 11_999)[1]).toBe(once);
    expect(ringMessage('acme', 1, 12_000)[1]).not.toBe(once);
    expect(parseDuePull(JSON.stringify(first))).toEqual(first);
    expect(pullGroup(first)).toBe('site/acme/1');
  });
});

it('ends a pull that would have to wait longer for a limit than its place allows, and loses nothing', async () => {
  await site.pull();
  desk.add(3, site.now.at, site.now.at + 7_200_001);
  site.now.at += 7_300_000;
  desk.headers = { 'x-rate-limit': '100', 'x-rate-limit-remaining': '5', 'x-rate-limit-reset': '120' };
  desk.requests.length = 0;
  expect(await site.pull({ longestPause: 30_000 })).toBe('failed');
  expect(desk.requests).toHaveLength(1);
  const shown = (await site.ask('GET', '/api/v2/connections/1')).body;
  expect(shown.error).toMatchObject({ code: 'limited', message: expect.stringContaining('few calls left for 120 s') });
  expect((await look()).pulls).toEqual([]);
  desk.headers = {};
  site.now.at += 121_000;
  expect((await look()).pulls).toEqual([due()]);
  expect(await site.pull({ longestPause: 30_000 })).toBe('done');
  expect((await site.events()).size).toBe(3);
});

it('says of a source which connection brings it, and up to when', async () => {
  desk.add(2, site.now.at - 86_400_000, site.now.at - 3_600_000);
  await site.pull();
  const [source] = (await site.ask('GET', '/api/v2/sources')).body._embedded.entries;
  const { as_of } = (await site.ask('GET', '/api/v2/connections/1')).body;
  expect(source).toMatchObject({ name: 'zammad', connection: 1, as_of });
  expect(as_of).toMatch(/^2026-/);
});
