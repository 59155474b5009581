import { auditItem, serviceEntry } from '../../lib/access/audit.ts';
import { routes } from '../../lib/routes.ts';
import { basic } from '../support/service/credentials.ts';
import { type Ask, itInProcess, type Received, startService } from '../support/service/service.ts';

const roles = ['Administrator', 'Content Manager', 'Billing Administrator'] as const;
const { ask: askNow, table, site, now } = await startService(routes, { roles, site: { locales: ['en_us', 'de'] } });
/** Asks a second later than before: entries of one millisecond have no order. */
const ask: Ask = (...request) => {
  now.at += 1000;
  return askNow(...request);
};
const AUDIT = '/api/v2/audit';
const list = async (query = ''): Promise<Record<string, unknown>[]> =>
  (await ask('GET', `${AUDIT}${query}`)).body._embedded.entries;
const resources = async (query = '') => (await list(query)).map(({ resource }) => resource);

const as = 'Content Manager';
const topic = (await ask('POST', '/api/v2/topics', { body: { name: 'a' }, as })).body;
const path = `topics/${topic.id}`;
await ask('POST', `/api/v2/${path}/translations`, { body: { name: 'ein', locale: 'de' } });
await ask('PATCH', `/api/v2/${path}/translations/de`, { body: { name: 'zwei' } });
await ask('PATCH', `/api/v2/${path}`, { body: { name: 'b', allow_questions: false }, as });
await ask('PATCH', `/api/v2/${path}`, { body: { name: 'b' } }); // changes nothing
await ask('PATCH', `/api/v2/${path}`, { body: { name: '' } }); // is refused
const macro = (await ask('POST', '/api/v2/macros', { body: { name: 'm' } })).body.id;
await ask('DELETE', `/api/v2/macros/${macro}`);

describe('GET /api/v2/audit', () => {
  it('is for administrators alone', async () => {
    for (const as of ['Content Manager', 'Billing Administrator'] as const)
      expect((await ask('GET', AUDIT, { as })).status).toBe(403);
  });

  it('tells who changed what, the latest first, with names of fields and no values', async () => {
    expect(await list()).toEqual(
      [
        { action: 'delete', resource: `macros/${macro}`, fields: [] },
        { action: 'create', resource: `macros/${macro}`, fields: ['name'] },
        { action: 'update', resource: path, fields: ['name', 'allow_questions'], user: 'content-manager@test.example' },
        { action: 'update', resource: `${path}/translations/de`, fields: ['name'] },
        { action: 'create', resource: `${path}/translations/de`, fields: ['name', 'locale'] },
        { action: 'create', resource: path, fields: ['name'], user: 'content-manager@test.example' },
      ].map((entry) => ({
        id: expect.stringMatching(/./),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        user: 'administrator@test.example',
        via: 'api',
        ...{ credential: 'bearer', token: expect.any(Number), count: null },
        ...entry,
      })),
    );
  });

  it('filters by user and by resource with all below it', async () => {
    expect(await resources('?user=Content-Manager@test.example')).toEqual([path, path]);
    expect(await resources(`?resource=${path}/translations`)).toEqual(Array(2).fill(`${path}/translations/de`));
    expect(await resources('?resource=macros')).toEqual(Array(2).fill(`macros/${macro}`));
    expect(await resources('?resource=macro')).toEqual([]);
  });

  it('goes on by cursors, past what was written meanwhile', async () => {
    const whole = await list();
    let reply: Received = await ask('GET', `${AUDIT}?per_page=2`);
    const found = [...reply.body._embedded.entries];
    await ask('POST', '/api/v2/macros', { body: { name: 'meanwhile' } });
    while (reply.body._links.next !== null) {
      reply = await ask('GET', reply.body._links.next.href);
      found.push(...reply.body._embedded.entries);
    }
    expect(found).toEqual(whole);
  });

  it('tells of a refused sign-in at once', async () => {
    const headers = { Authorization: basic('nobody@test.example', 'wrong') };
    expect((await ask('GET', AUDIT, { as: null, headers })).status).toBe(401);
    const refused = await list('?resource=sign-ins');
    expect(refused).toEqual([expect.objectContaining({ action: 'refuse', user: null, via: 'service', count: 1 })]);
  });

  it('refuses what makes no sense, each with its code', async () => {
    const next = (await ask('GET', `${AUDIT}?per_page=1`)).body._links.next.href;
    const cursor = new URL(next, 'http://x').searchParams.get('cursor');
    for (const [query, errors] of [
      ['?cursor=nonsense', { cursor: ['invalid'] }],
      [`?cursor=${'x'.repeat(5000)}`, { cursor: ['too_long'] }],
      [`?user=ann&cursor=${cursor}`, { cursor: ['invalid'] }],
      ['?min=yesterday&max=1', { min: ['invalid'], max: ['invalid'] }],
      ['?per_page=0', { per_page: ['invalid'] }],
    ] as const) {
      const reply = await ask('GET', `${AUDIT}${query}`);
      expect([query, reply.status, reply.body.errors]).toEqual([query, 422, errors]);
    }
    expect((await ask('GET', `${AUDIT}?min=2026-03-02T00:00:00Z&max=2026-03-01T00:00:00Z`)).status).toBe(200);
  });

  it('is for Administrators', async () => {
    expect((await ask('GET', AUDIT, { as })).status).toBe(403);
  });

  itInProcess('refuses a cursor of another site', async () => {
    const other = await startService(routes, { wiring: { table }, site: { name: 'other' } });
    await other.ask('POST', '/api/v2/macros', { body: { name: 'a' } });
    await other.ask('POST', '/api/v2/macros', { body: { name: 'b' } });
    const { next } = (await other.ask('GET', `${AUDIT}?per_page=1`)).body._links;
    const reply = await ask('GET', next.href);
    expect([reply.status, reply.body.errors]).toEqual([422, { cursor: ['invalid'] }]);
  });

  itInProcess('filters by time, and keeps entries 400 days', async () => {
    const at = Date.parse('2026-02-01T00:00:00Z');
    const item = auditItem(site.name, serviceEntry({ action: 'import', resource: 'imports/a.csv' }, { id: 'x', at }));
    await table.put(item);
    expect(item.ttl).toBe(at / 1000 + 400 * 86_400);
    expect(await resources('?min=2026-02-01T00:00:00Z&max=2026-02-02T00:00:00Z')).toEqual(['imports/a.csv']);
    expect(await resources('?max=2026-02-01T00:00:00Z')).toEqual([]);
  });
});
