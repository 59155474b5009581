import { routes } from '../../lib/routes.ts';
import type { Table } from '../../lib/store/table.ts';
import { saysOf } from '../support/service/says.ts';
import { itByItsClock, itInProcess, type Received, startService } from '../support/service/service.ts';

const roles = ['Administrator', 'Content Manager'] as const;
const { ask, again, now, table } = await startService(routes, { roles, site: { locales: ['en_us', 'de'] } });
const other = again({}); // the same service in another process

const keyed = (key: string, body: unknown) => ({ body, headers: { 'Idempotency-Key': key } });
const total = async (path: string): Promise<number> => (await ask('GET', path)).body.total_entries;
const REPORT = { fields: ['case_creates'], time: { last: 1, unit: 'day', window_size: 'none' } };

const topic = (await ask('POST', '/api/v2/topics', { body: { name: 'first' } })).body.id;
const macro = (await ask('POST', '/api/v2/macros', { body: { name: 'first' } })).body.id;

/** Every path where something is created, with a body. */
const CREATES: readonly (readonly [path: string, body: object])[] = [
  ['/api/v2/topics', { name: 'a topic', description: 'ä\u0001' }],
  [`/api/v2/topics/${topic}/translations`, { name: 'ein Thema', locale: 'de' }],
  ['/api/v2/macros', { name: 'a macro', folders: ['x'] }],
  [`/api/v2/macros/${macro}/actions`, { type: 'set-case-status', value: 'open' }],
  ['/api/v2/saved_reports', { name: 'a report', request: REPORT }],
];

describe.each(CREATES)('POST %s with an Idempotency-Key', (path, body) => {
  it('creates once, and answers repetitions in any process as it did the first time', async () => {
    const before = await total(path);
    const first = await ask('POST', path, keyed(`once ${path}`, body));
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
    for (const send of [ask, other]) {
      const next = await send('POST', path, keyed(`once ${path}`, body));
      expect([next.status, next.text]).toEqual([201, first.text]);
      expect(next.headers).toMatchObject({
        'idempotent-replayed': 'true',
        location: first.headers.location,
        etag: first.headers.etag,
      });
    }
    expect(await total(path)).toBe(before + 1);
  });
});

describe('an Idempotency-Key', () => {
  itInProcess('gives the first answer also to a request that read what was made, and not yet its answer', async () => {
    const body = { name: 'made meanwhile' };
    const first = await ask('POST', '/api/v2/labels', keyed('meanwhile', body));
    let isHidden = true;
    const late: Table = {
      ...table,
      metered: () => late,
      batchGet: async (keys) => {
        const items = await table.batchGet(keys);
        const hidden = isHidden && keys.some(({ pk }) => pk.endsWith('#repeat'));
        if (hidden) isHidden = false;
        return items.map((item, index) => (hidden && keys[index]?.pk.endsWith('#repeat') ? undefined : item));
      },
    };
    const next = await again({ table: late })('POST', '/api/v2/labels', keyed('meanwhile', body));
    expect([isHidden, next.status, next.headers['idempotent-replayed'], next.text]).toEqual([
      ...[false, 201, 'true', first.text],
    ]);
  });

  it('gives the first answer even when the resource has changed since, or is gone', async () => {
    const body = { name: 'to be deleted' };
    const first = await ask('POST', '/api/v2/macros', keyed('changed', body));
    expect((await ask('DELETE', first.body._links.self.href)).status).toBe(204);
    const next = await ask('POST', '/api/v2/macros', keyed('changed', body));
    expect([next.status, next.text]).toEqual([201, first.text]);
  });

  it('belongs to one request: another body or path is refused', async () => {
    await ask('POST', '/api/v2/macros', keyed('mine', { name: 'a' }));
    for (const [path, body] of [
      ['/api/v2/macros', { name: 'b' }],
      ['/api/v2/topics', { name: 'a' }],
    ] as const) {
      const reply = await ask('POST', path, keyed('mine', body));
      expect([reply.status, reply.body.errors]).toEqual([422, { idempotency_key: ['taken'] }]);
      expect(reply.body.details).toEqual([expect.objectContaining({ field: 'idempotency_key', code: 'taken' })]);
    }
  });

  it('belongs to one user', async () => {
    const reply = await ask('POST', '/api/v2/macros', { ...keyed('mine', { name: 'c' }), as: 'Content Manager' });
    expect([reply.status, reply.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  it('has 1 to 255 characters', async () => {
    const before = await total('/api/v2/macros');
    const codes = async (key: string, body: unknown) =>
      (await ask('POST', '/api/v2/macros', keyed(key, body))).body.errors;
    expect(await codes('k'.repeat(256), { name: '' })).toEqual({ idempotency_key: ['too_long'], name: ['blank'] });
    expect(await codes(' ', { name: 'x' })).toEqual({ idempotency_key: ['blank'] });
    expect(await total('/api/v2/macros')).toBe(before);
    expect((await ask('POST', '/api/v2/macros', keyed('k'.repeat(255), { name: 'x' }))).status).toBe(201);
  });

  it('is not spent by a request that is refused', async () => {
    expect((await ask('POST', '/api/v2/macros', keyed('again', { name: '' }))).status).toBe(422);
    expect((await ask('POST', '/api/v2/macros', keyed('again', { name: 'good' }))).status).toBe(201);
  });

  it('is ignored where nothing is created', async () => {
    const sent = keyed('k'.repeat(300), { name: 'renamed' });
    expect((await ask('PATCH', `/api/v2/macros/${macro}`, sent)).status).toBe(200);
    expect((await ask('POST', '/api/v2/insights3/reports', keyed('r', REPORT))).status).toBe(200);
  });

  it('of a request that is under way gives 409, or its answer, and one resource', async () => {
    const before = await total('/api/v2/macros');
    const body = { name: 'at once' };
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        (at % 2 === 0 ? ask : other)('POST', '/api/v2/macros', keyed('race', body)),
      ),
    );
    const of = (status: number): Received[] => replies.filter((reply) => reply.status === status);
    expect(of(201).length + of(409).length).toBe(12);
    for (const { body: answer, headers } of of(409))
      expect([answer, headers['retry-after']]).toEqual([
        { message: 'Conflict', details: [saysOf('conflict', /Idempotency-Key/)] },
        '1',
      ]);
    expect(new Set(of(201).map(({ text }) => text)).size).toBe(1);
    expect(await total('/api/v2/macros')).toBe(before + 1);
  });

  itByItsClock('is kept for 24 hours', async () => {
    const send = () => ask('POST', '/api/v2/macros', keyed('a day', { name: 'daily' }));
    const first = await send();
    now.at += 24 * 3_600_000 - 1000;
    expect((await send()).text).toBe(first.text);
    now.at += 1000;
    const next = await send();
    expect([next.status, next.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect(next.body.id).toBeGreaterThan(first.body.id);
  });
});
