import { R_READ, R_WRITE } from '../../../lib/access/roles.ts';
import { notFound } from '../../../lib/errors.ts';
import { nameField } from '../../../lib/http/fields.ts';
import { openPaths } from '../../../lib/http/open-paths.ts';
import { created, show } from '../../../lib/http/reply.ts';
import { route } from '../../../lib/http/route.ts';
import type { Service } from '../../../lib/http/service.ts';
import { keys } from '../../../lib/store/keys.ts';
import type { Table } from '../../../lib/store/table.ts';
import { basic, PASSWORD } from '../../support/service/credentials.ts';
import { saysOf } from '../../support/service/says.ts';
import { challengeOf, startService } from '../../support/service/service.ts';
import { freshTable } from '../../support/service/table.ts';

const things = (site: string) => [{ pk: `site#${site}#things` }];
const base = { summary: 'For tests', reads: things } as const;
const routes = [
  route({
    ...base,
    name: 'showThing',
    method: 'GET',
    path: '/api/v2/things/{thing_id}',
    roles: R_READ,
    find: ({ params }) => {
      if (params.thing_id !== '1') throw notFound(`thing ${params.thing_id}`);
      return { id: 1 };
    },
    handle: ({ resource }) => show(resource),
  }),
  route({
    ...base,
    name: 'createThing',
    method: 'POST',
    path: '/api/v2/things',
    roles: R_WRITE,
    body: { name: nameField() },
    required: ['name'],
    handle: async ({ context, fields, faults }) => {
      faults.check();
      const collection = await context.open({ pk: `site#${context.site.name}#things` });
      const id = collection.version + 1;
      const item = { pk: collection.pk, sk: `thing#${id}`, name: fields.name };
      await context.collections.commit(context.table, [{ collection, put: [item], order: [...collection.order, id] }]);
      return created(context.origin, `/api/v2/things/${id}`, { id, name: fields.name });
    },
  }),
  route({
    ...base,
    name: 'breakThing',
    method: 'GET',
    path: '/api/v2/broken',
    roles: R_READ,
    handle: () => {
      throw new Error('secret detail');
    },
  }),
  route({
    ...base,
    name: 'report',
    method: 'GET',
    path: '/api/v2/slow',
    roles: R_WRITE,
    exclusive: true,
    handle: async () => show({ done: true }),
  }),
];

const { ask, again, table, site, now, logged } = await startService(routes, { roles: ['Administrator', 'Agent'] });

describe('serve', () => {
  it('answers an unknown host with 404 unless a default site is named', async () => {
    expect((await ask('GET', '/api/v2/things/1', { host: 'nobody.example' })).status).toBe(200);
    await table.delete(keys.defaultSite());
    expect((await ask('GET', '/api/v2/things/1', { host: 'nobody.example' })).status).toBe(404);
    await table.put({ ...keys.defaultSite(), site: site.name });
    expect((await ask('GET', '/api/v2/things/1', { host: 'Test.LOCALHOST:3000' })).status).toBe(200);
  });

  it('answers a host that can be none with 400, on every path alike', async () => {
    for (const host of ['a b', 'a/b', 'a@b', 'a?b', 'a#b', 'a\\b', 'a:b', '[::1', 'a<b'])
      for (const path of ['/console', '/health', '/api/v2/things/1'])
        expect([host, path, (await ask('GET', path, { host })).status]).toEqual([host, path, 400]);
  });

  it('asks who is calling before it says what there is', async () => {
    const refused = await ask('GET', '/api/v2/nothing', { as: null });
    expect(refused).toMatchObject({ status: 401, body: { message: 'Unauthorized' } });
    expect(challengeOf(refused)).toBe('Basic realm="support", charset="UTF-8"');
    for (const Authorization of [
      'Basic',
      'Basic !',
      'Bearer x',
      basic('administrator@test.example', 'wrong'),
      basic('', ''),
    ])
      expect((await ask('GET', '/api/v2/things/1', { as: null, headers: { Authorization } })).status).toBe(401);
    const login = basic('ADMINISTRATOR@test.example', PASSWORD);
    expect((await ask('GET', '/api/v2/things/1', { as: null, headers: { Authorization: login } })).status).toBe(200);
  });

  it('tells unknown paths, methods and roles apart, in this order', async () => {
    expect((await ask('PUT', '/api/v2/nothing')).status).toBe(404);
    expect((await ask('GET', '/api/v2//things/1')).status).toBe(404);
    expect((await ask('GET', '/api/v2/things/1/')).status).toBe(200);
    const wrong = await ask('PUT', '/api/v2/things/1', { as: 'Agent' });
    expect([wrong.status, wrong.body, wrong.headers.allow]).toEqual([
      405,
      { message: 'Method Not Allowed', details: [saysOf('method_not_allowed', /things/)] },
      'GET, HEAD',
    ]);
    expect((await ask('POST', '/api/v2/things', { as: 'Agent', body: 'no json' })).status).toBe(403);
  });

  it('compares paths after their letters are decoded', async () => {
    for (const path of ['/api/v2/%74hings/1', '/%61pi/v2/things/%31', '/api/v2/t%68%69ngs/1/'])
      expect([path, (await ask('GET', path)).status]).toEqual([path, 200]);
    for (const path of ['/api/v2%2Fthings/1', '/api/v2/%2574hings/1', '/api/v2/things/%2e%2e', '/api/v2/things/%'])
      expect([path, (await ask('GET', path)).status]).toEqual([path, 404]);
  });

  it('has browsers come by HTTPS alone, once they came by it', async () => {
    for (const as of ['Administrator', null] as const) {
      const by = (scheme: string) => ask('GET', '/api/v2/things/1', { as, headers: { 'X-Forwarded-Proto': scheme } });
      expect((await by('https')).headers['strict-transport-security']).toBe('max-age=31536000');
      expect((await by('http')).headers).not.toHaveProperty('strict-transport-security'); // RFC 6797, 7.2
    }
  });

  it('takes the method override on POST alone', async () => {
    const override = (value: string) => ask('POST', '/api/v2/things', { headers: { 'X-HTTP-Method-Override': value } });
    expect((await override('patch')).status).toBe(405);
    expect((await override('PUT')).status).toBe(405);
  });

  it('refuses bodies that are no JSON object, and reports a missing field', async () => {
    expect((await ask('POST', '/api/v2/things', { body: '{' })).body).toEqual({
      message: 'Bad Request',
      details: [
        { field: '', code: 'invalid', message: 'The body is not valid JSON: expected key or } at line 1, column 2.' },
      ],
    });
    expect((await ask('POST', '/api/v2/things', { body: '[1]' })).status).toBe(400);
    expect((await ask('POST', '/api/v2/things', { body: `"${'x'.repeat(1 << 20)}"` })).status).toBe(413);
    for (const body of ['', '[]', '{}']) {
      const refused = await ask('POST', '/api/v2/things', { body });
      expect(refused.body).toEqual({
        message: 'Validation Failed',
        errors: { name: ['blank'] },
        details: [
          {
            field: 'name',
            code: 'blank',
            message: 'name is missing or blank; it takes a text of 1 to 255 characters.',
          },
        ],
      });
    }
  });

  it('names fields that nobody knows, of a body that is taken and of one that is not', async () => {
    const made = await ask('POST', '/api/v2/things', { body: { name: 'x', nam: 1, 'ä b': 2 } });
    expect([made.status, made.headers['x-ignored-fields']]).toEqual([201, 'nam, %C3%A4%20b']);
    const refused = await ask('POST', '/api/v2/things', { body: { nam: 'x' } });
    expect([refused.status, refused.headers['x-ignored-fields']]).toEqual([422, 'nam']);
    const whole = await ask('POST', '/api/v2/things', { body: { name: 'x' } });
    expect(whole.headers['x-ignored-fields']).toBeUndefined();
  });

  it('answers 304 to a current tag, without a body', async () => {
    const first = await ask('GET', '/api/v2/things/1');
    const again = await ask('GET', '/api/v2/things/1', {
      headers: { 'If-None-Match': `"x", W/${first.headers.etag}` },
    });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', first.headers.etag]);
  });

  it('tags what needs no credentials too, with or without a trailing slash', async () => {
    const open = openPaths(await freshTable(), async () => '{"openapi":"3.1.0"}');
    const { ask } = await startService(routes, { wiring: { open } });
    for (const path of ['/health', '/health/', '/openapi.json', '/openapi.json/']) {
      const { status, headers } = await ask('GET', path, { as: null, host: 'nowhere.example' });
      expect([path, status]).toEqual([path, 200]);
      const again = await ask('GET', path, { as: null, headers: { 'If-None-Match': headers.etag ?? '' } });
      expect([path, again.status]).toEqual([path, 304]);
    }
  });

  it('tells by /health why no write can be taken, such as a full disk', async () => {
    const table = await freshTable();
    const health = async (trouble: string | undefined) =>
      openPaths(
        table,
        async () => '{}',
        () => trouble,
      )['/health']?.({} as Parameters<Service['open'][string]>[0]);
    expect(await health(undefined)).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    const full = await health('disk full');
    expect([full?.status, JSON.parse(full?.body ?? '')]).toEqual([
      503,
      { message: 'Service Unavailable', status: 'disk full' },
    ]);
  });

  it('says in the interface where the service was asked for it', async () => {
    const document = JSON.stringify({ openapi: '3.1.0', servers: [{ url: '/' }] }, null, 2);
    const open = openPaths(await freshTable(), async () => document);
    const service = await startService(routes, { wiring: { open } });
    const { body } = await service.ask('GET', '/openapi.json', { as: null });
    if (process.env.API_URL === undefined) expect(body.servers).toEqual([{ url: service.origin }]);
  });

  it('says nothing of what broke, but logs it under the request id', async () => {
    const broken = await ask('GET', '/api/v2/broken');
    expect(broken).toMatchObject({ status: 500, body: { message: 'Internal Server Error' } });
    expect(logged).toContainEqual(
      expect.objectContaining({ request: broken.headers['x-request-id'], error: 'secret detail' }),
    );
  });

  it('answers 503 before the gateway gives up, where the table says nothing at all', async () => {
    const silent: Table = { ...table, batchGet: () => new Promise<never>(() => undefined), metered: () => silent };
    const reply = await again({ table: silent, answerWithin: 20 })('GET', '/api/v2/things/1');
    expect(reply).toMatchObject({ status: 503, body: { message: 'Service Unavailable' } });
    expect(reply.headers['retry-after']).toBe('1');
    expect(logged.at(-1)).toMatchObject({ message: 'request', status: 503 });
  });

  it('reads once and writes once when warm', async () => {
    await ask('POST', '/api/v2/things', { body: { name: 'warm' } });
    await ask('GET', '/api/v2/things/1');
    expect(logged.at(-1)).toMatchObject({ route: 'showThing', trips: 1 });
    await ask('POST', '/api/v2/things', { body: { name: 'again' } });
    expect(logged.at(-1)).toMatchObject({ route: 'createThing', trips: 2 });
  });

  it('loses no write when many come at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, n) => ask('POST', '/api/v2/things', { body: { name: `thing ${n}` } })),
    );
    expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 201));
    expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(30);
  });

  it('refuses a second request while the lock is held, and takes over a lease that ran out', async () => {
    await table.put({ ...keys.lock(site.name), owner: 'another', expiresAt: now.at + 2_500 });
    for (const wait of ['1', '2', '3', '1']) {
      const refused = await ask('GET', '/api/v2/slow');
      expect(refused).toMatchObject({ status: 429, body: { message: 'Too Many Requests' } });
      expect(refused.headers).toMatchObject({
        'x-rate-limit-reset': wait,
        'retry-after': wait,
        'x-rate-limit-remaining': '0',
      });
    }
    expect((await ask('GET', '/api/v2/slow', { as: 'Agent' })).status).toBe(403);
    now.at += 3_000;
    expect((await ask('GET', '/api/v2/slow')).status).toBe(200);
    expect(await table.get(keys.lock(site.name))).toBeUndefined();
  });

  it('takes no further trip for the lock: one to read it with the caller, one to take it, one to give it back', async () => {
    await ask('GET', '/api/v2/slow');
    await ask('GET', '/api/v2/slow');
    expect(logged.at(-1)).toMatchObject({ route: 'report', trips: 3 });
    await table.put({ ...keys.lock(site.name), owner: 'another', expiresAt: now.at + 2_500 });
    await ask('GET', '/api/v2/slow');
    expect(logged.at(-1)).toMatchObject({ status: 429, trips: 2 });
    await table.delete(keys.lock(site.name));
  });

  it('takes over a lease that ends later than any could', async () => {
    await table.put({ ...keys.lock(site.name), owner: 'ahead', expiresAt: now.at + 86_400_000 });
    expect((await ask('GET', '/api/v2/slow')).status).toBe(200);
  });
});
