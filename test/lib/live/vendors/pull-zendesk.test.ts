import { openOAuthKeys } from '../../../../lib/access/oauth/oauth-keys.ts';
import type { HistoryEvent } from '../../../../lib/history/cases/event.ts';
import { isEvent } from '../../../../lib/import/records/records.ts';
import type { LiveSite } from '../../../support/desks/live-site.ts';
import type { ZendeskDesk } from '../../../support/desks/zendesk-desk.ts';
import { startZendeskSite } from '../../../support/desks/zendesk-site.ts';
import { importRecords } from '../../../support/service/import.ts';
import { readZendeskFiles } from '../../../support/zendesk/read-zendesk.ts';

let site: LiveSite;
let desk: ZendeskDesk;
beforeEach(async () => {
  ({ site, desk } = await startZendeskSite());
});
afterEach(() => desk.close());

const body = () => ({
  system: 'zendesk',
  url: desk.url,
  credentials: { login: 'ann@acme.example', token: 'right-token' },
});
const connect = async (more: object = {}) => site.ask('POST', '/api/v2/connections', { body: { ...body(), ...more } });
const shown = async () => (await site.ask('GET', '/api/v2/connections/1')).body;
const later = (ms: number) => {
  site.now.at += ms;
  desk.now = site.now.at;
};

/** The events that files of the same history have, by case. */
async function eventsOfFiles(): Promise<Map<string, HistoryEvent[]>> {
  const { records } = await readZendeskFiles(desk.files(), { rating: 'four_star' });
  const found = new Map<string, HistoryEvent[]>();
  for (const event of records.filter(isEvent))
    if ('case' in event && event.type !== 'case.version')
      found.set(event.case, [...(found.get(event.case) ?? []), event]);
  for (const list of found.values()) list.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe('a connection to Zendesk', () => {
  it('has the same events as files of the same history, after backfill and changes', async () => {
    const { status, body: made } = await connect();
    expect(status).toBe(201);
    expect(made).toMatchObject({ id: 1, state: 'backfilling', as_of: null, error: null, last_pull: null });
    expect([await site.pull(), (await shown()).error, site.logged.filter(({ level }) => level === 'warn')]).toEqual([
      'done',
      null,
      [],
    ]);
    expect(await site.events()).toEqual(await eventsOfFiles());
    expect(await shown()).toMatchObject({ state: 'live', backfill: { done: true, cases: 60 } });
    desk.touch(5, 'solved');
    desk.add(3, site.now.at - 1000, site.now.at);
    later(600_000);
    expect(await site.pull()).toBe('done');
    expect(await site.events()).toEqual(await eventsOfFiles());
  });
});

describe('a pull', () => {
  it('is one call if nothing changed', async () => {
    await connect({ since: new Date(site.now.at).toISOString() });
    await site.pull();
    later(600_000);
    desk.requests.length = 0;
    await site.pull();
    expect(desk.requests).toEqual([expect.stringContaining('/api/v2/incremental/tickets/cursor.json?cursor=')]);
  });

  it('shows and stores no token, no text and no secret', async () => {
    const { text } = await connect({ webhook_secret: 'bell-secret' });
    await site.pull();
    const all = JSON.stringify([text, await shown(), site.logged, (await site.ask('GET', '/api/v2/audit')).text]);
    const stored: unknown[] = [];
    for await (const items of site.table.scan()) stored.push(items);
    for (const secret of ['right-token', 'bell-secret', 'SECRET']) {
      expect(all).not.toContain(secret);
      expect(JSON.stringify(stored)).not.toContain(secret);
    }
  });

  it.each([
    ['limited', { status: 429, headers: { 'retry-after': '120' } }],
    ['unreachable', { status: 502, text: '<html>Bad gateway</html>' }],
    ['unreachable', { cut: true }],
    ['refused', { status: 401, text: '{"error":"Couldn\'t authenticate you"}' }],
    ['changed', { text: '<html>' }],
    ['changed', { text: '{"tickets":{}}' }],
    ['changed', { text: '{"tickets":[{"id":"x"}],"after_cursor":"1 1","end_of_stream":true}' }],
    ['redirected', { status: 302, headers: { location: 'http://169.254.169.254/latest' } }],
  ] as const)('says what is wrong where the list is %s, stores nothing of it, and goes on', async (code, fault) => {
    await connect();
    desk.fault = ({ pathname }) => (pathname.includes('incremental') ? fault : undefined);
    expect(await site.pull()).toBe('failed');
    expect(await site.events()).toEqual(new Map());
    const { state, error, last_pull } = await shown();
    expect({ state, code: error.code, ended: last_pull.ended_at !== null }).toEqual({
      state: 'failing',
      code,
      ended: true,
    });
    desk.fault = undefined;
    later(3_600_000);
    expect(await site.pull()).toBe('done');
    expect(await shown()).toMatchObject({ state: 'live', error: null });
    expect(await site.events()).toEqual(await eventsOfFiles());
  });

  it('sends nothing before the time that a 429 names, asked or not', async () => {
    await connect();
    desk.fault = () => ({ status: 429, headers: { 'retry-after': '120' } });
    await site.pull();
    desk.fault = undefined;
    desk.requests.length = 0;
    later(119_000);
    expect(await site.pull()).toBe('idle');
    expect(desk.requests).toEqual([]);
    later(2_000);
    expect(await site.pull()).toBe('done');
  });

  it('lets one case wait that fails alone, and reads it later', async () => {
    await connect();
    desk.fault = ({ pathname }) => (pathname.includes('/tickets/7/') ? { status: 500 } : undefined);
    expect(await site.pull()).toBe('done');
    later(600_000);
    await site.pull();
    expect((await shown()).error).toMatchObject({ code: 'case', message: expect.stringContaining('case 7') });
    expect(Date.parse((await shown()).as_of)).toBeLessThan(Date.parse(desk.tickets[6]!.updated_at));
    desk.fault = undefined;
    later(600_000);
    await site.pull();
    expect((await shown()).error).toBeNull();
    expect(await site.events()).toEqual(await eventsOfFiles());
  });

  it('deletes a case that two pulls did not find, at the first of them, and nothing else', async () => {
    await connect();
    await site.pull();
    const before = await site.events();
    desk.tickets[4]!.isGone = true;
    desk.touch(5, 'open');
    later(600_000);
    await site.pull();
    expect(await site.events()).toEqual(before);
    const first = site.now.at;
    later(600_000);
    await site.pull();
    const gone = { type: 'case.deleted', id: 'zd:5:gone', at: first * 1000, case: '5' };
    expect((await site.events()).get('5')).toEqual([...before.get('5')!, gone]);
    desk.tickets.length = 0;
    later(600_000);
    await site.pull();
    expect((await site.events()).size).toBe(before.size);
  });

  it('can be killed at every write, and changes nothing by what it repeats', async () => {
    await connect();
    let kills = 0;
    for (let left = 0; ; left += 1) {
      let writes = left;
      const dying =
        <A extends unknown[], R>(write: (...given: A) => Promise<R>) =>
        async (...given: A): Promise<R> => {
          writes -= 1;
          if (writes < 0) throw new Error('killed');
          return write(...given);
        };
      const { put, transact, batchWrite, delete: remove } = site.table;
      const table = {
        ...site.table,
        metered: () => table,
        put: dying(put),
        transact: dying(transact),
        batchWrite: dying(batchWrite),
        delete: dying(remove),
      };
      const end = await site.pull({ table }).catch(() => 'failed');
      later(61_000); // the lease of the dead
      if (end === 'done') break;
      kills += 1;
    }
    await site.pull();
    expect(kills).toBeGreaterThan(8);
    expect(await site.events()).toEqual(await eventsOfFiles());
    expect(await shown()).toMatchObject({ state: 'live', error: null });
  });
});

describe('connecting', () => {
  it.each([
    [{ credentials: { login: 'ann@acme.example', token: 'wrong' } }, { credentials: ['refused'] }],
    [{ url: 'http://127.0.0.1:1' }, { url: ['unreachable'] }],
    [{ url: 'https://acme.example' }, { url: ['forbidden'] }],
    [{ url: 'http://169.254.169.254' }, { url: ['forbidden'] }],
    [{ url: 'https://acme.zendesk.com:8443' }, { url: ['forbidden'] }],
    [{ url: 'ftp://acme.zendesk.com' }, { url: ['invalid'] }],
    [{ url: 'https://user@acme.zendesk.com' }, { url: ['invalid'] }],
    [{ url: undefined }, { url: ['blank'] }],
    [{ interval: 59 }, { interval: ['invalid'] }],
    [{ system: 'helpscout' }, { system: ['invalid'] }],
    [{ supersedes: ['files'] }, { supersedes: ['not_found'] }],
    [{ credentials: {} }, { credentials: { token: ['invalid'] } }],
  ])('refuses %j and stores nothing', async (wrong, errors) => {
    const { status, body: reply } = await connect(wrong);
    expect([status, reply.errors]).toEqual([422, errors]);
    expect((await site.ask('GET', '/api/v2/connections')).body.total_entries).toBe(0);
    expect(JSON.stringify(reply)).not.toContain('wrong"');
  });

  it('asks what becomes of files of the same help desk with other ids, and supersedes none of them', async () => {
    const line = { type: 'case.created', case: '7', id: '7', at: '2026-02-02T09:00:00Z', channel: 1 };
    const sources = ['fivetran-zendesk', 'csv'];
    await importRecords(
      site.table,
      site.site,
      sources.map((source) => ({ ...line, source })),
    );
    const { status, body: reply } = await connect();
    expect([status, reply.errors]).toEqual([422, { supersedes: ['blank'] }]);
    expect(JSON.stringify(reply.details)).toContain('fivetran-zendesk');
    expect(JSON.stringify(reply.details)).not.toContain('csv');
    for (const name of sources)
      expect((await connect({ supersedes: [name] })).body.errors).toEqual({ supersedes: ['invalid'] });
    expect((await site.ask('GET', '/api/v2/connections')).body.total_entries).toBe(0);
    expect((await connect({ supersedes: [] })).status).toBe(201);
  });

  it('has one connection for a site, also of two that race', async () => {
    const [a, b] = await Promise.all([connect(), connect()]);
    expect([a.status, b.status].sort()).toEqual([201, 422]);
    expect((await connect()).body.errors).toEqual({ system: ['taken'] });
  });

  it('is for Administrators alone; freshness is for those with reports', async () => {
    await connect();
    await site.pull();
    expect((await site.ask('GET', '/api/v2/connections', { as: 'Business Manager' })).status).toBe(403);
    expect((await site.ask('GET', '/api/v2/freshness', { as: 'Agent' })).status).toBe(403);
    const { body: fresh } = await site.ask('GET', '/api/v2/freshness', { as: 'Business Manager' });
    const entry = { connection: 1, system: 'zendesk', source: 'zendesk', state: 'live', lag: 60 };
    expect(fresh.entries).toEqual([expect.objectContaining(entry)]);
  });

  it('tries new credentials before they take the place of the old ones', async () => {
    await connect();
    const wrong = { credentials: { login: 'ann@acme.example', token: 'wrong' } };
    const refused = await site.ask('PATCH', '/api/v2/connections/1', { body: wrong });
    expect([refused.status, refused.body.errors]).toEqual([422, { credentials: ['refused'] }]);
    expect(await site.pull()).toBe('done');
    desk.token = 'next';
    const right = { credentials: { login: 'ann@acme.example', token: 'next' } };
    expect((await site.ask('PATCH', '/api/v2/connections/1', { body: right })).status).toBe(200);
    later(600_000);
    expect(await site.pull()).toBe('done');
  });

  it('fails and asks for the token without its key', async () => {
    await connect();
    const keyStore = openOAuthKeys({ read: async () => '', write: async () => undefined });
    expect(await site.pull({ keyStore })).toBe('failed');
    expect((await shown()).error).toMatchObject({
      code: 'refused',
      message: expect.stringContaining('give the token again'),
    });
  });

  it('keeps the facts, or removes them', async () => {
    await connect();
    await site.pull();
    const before = await site.events();
    const remove = (facts: string) => site.ask('DELETE', `/api/v2/connections/1${facts}`);
    expect((await remove('')).body.errors).toEqual({ facts: ['blank'] });
    expect((await remove('?facts=keep')).status).toBe(202);
    expect(await site.events()).toEqual(before);
    expect((await connect()).body.id).toBe(2);
    const shared = await site.ask('DELETE', '/api/v2/connections/2?facts=remove');
    expect(shared.body.errors).toEqual({ facts: ['shared'] });
  });

  it('removes the facts of a source of its own', async () => {
    await connect();
    await site.pull();
    expect((await site.ask('DELETE', '/api/v2/connections/1?facts=remove')).status).toBe(202);
    expect(await site.events()).toEqual(new Map());
    expect((await site.ask('GET', '/api/v2/connections/1')).status).toBe(404);
    expect(await site.pull()).toBe('idle');
    expect((await connect()).status).toBe(201);
  });
});
