import { setTimeout as sleep } from 'node:timers/promises';
import { macroRoutes } from '../../lib/macros/routes.ts';
import { saysOf } from '../support/service/says.ts';
import { itInProcess, startService } from '../support/service/service.ts';

const { ask, logged, origin } = await startService(macroRoutes, {
  roles: ['Administrator', 'Agent', 'Reporting Agent', 'Workflow Manager'],
});
const invalid = (errors: unknown) => ({ status: 422, body: { message: 'Validation Failed', errors } });
const create = async (body: unknown) => (await ask('POST', '/api/v2/macros', { body })).body;
const entries = async (query = '') => (await ask('GET', `/api/v2/macros${query}`)).body._embedded.entries;

describe('macros', () => {
  it('creates a macro of a name alone, as the last one', async () => {
    const first = await create({ name: 'First' });
    const reply = await ask('POST', '/api/v2/macros', { body: { name: 'Second', description: 'Of two' } });
    const { id } = reply.body;
    expect(reply.status).toBe(201);
    expect(reply.headers).toMatchObject({ location: `${origin}/api/v2/macros/${id}` });
    expect(reply.text).toBe(
      JSON.stringify({
        id,
        name: 'Second',
        description: 'Of two',
        enabled: true,
        position: first.position + 1,
        folders: [],
        _links: {
          self: { href: `/api/v2/macros/${id}`, class: 'macro' },
          actions: { href: `/api/v2/macros/${id}/actions`, class: 'macro_action' },
        },
      }),
    );
    expect(id).toBeGreaterThan(first.id);
    const shown = await ask('GET', `/api/v2/macros/${id}`);
    expect([shown.status, shown.text, shown.headers.etag]).toEqual([200, reply.text, reply.headers.etag]);
  });

  it('reports every fault of a body at once and creates nothing', async () => {
    const before = (await entries()).length;
    const reply = await ask('POST', '/api/v2/macros', {
      body: { name: ' ', description: 5, enabled: null, folders: ['ok', ''] },
    });
    expect(reply).toMatchObject(
      invalid({ name: ['blank'], description: ['invalid'], enabled: ['invalid'], folders: ['invalid'] }),
    );
    expect((await entries()).length).toBe(before);
  });

  it.each([
    ['no name', {}, { name: ['blank'] }],
    ['a null name', { name: null }, { name: ['blank'] }],
    ['a name that is no text', { name: 5 }, { name: ['invalid'] }],
    ['a name of 256 characters', { name: 'ü'.repeat(256) }, { name: ['too_long'] }],
    ['a description over 64 KiB', { name: 'x', description: 'ü'.repeat(32_769) }, { description: ['too_long'] }],
    ['an enabled that is no boolean', { name: 'x', enabled: 'true' }, { enabled: ['invalid'] }],
    ['null for the folders', { name: 'x', folders: null }, { folders: ['invalid'] }],
    ['a folder that is no text', { name: 'x', folders: [1] }, { folders: ['invalid'] }],
    ['a folder of 256 characters', { name: 'x', folders: ['f'.repeat(256)] }, { folders: ['too_long'] }],
    ['101 folders', { name: 'x', folders: Array(101).fill('f') }, { folders: ['too_long'] }],
  ])('refuses %s', async (_, body, errors) => {
    expect(await ask('POST', '/api/v2/macros', { body })).toMatchObject(invalid(errors));
  });

  it('takes what just fits', async () => {
    const body = {
      name: '😀'.repeat(255),
      description: 'x'.repeat(65_536),
      enabled: false,
      folders: Array(100).fill('f'.repeat(255)),
    };
    const macro = await create(body);
    expect(macro).toMatchObject(body);
    await ask('DELETE', `/api/v2/macros/${macro.id}`);
  });

  it('changes the supplied fields and keeps the others', async () => {
    const macro = await create({ name: 'Assign', description: 'Old', folders: ['A', 'B'] });
    const path = `/api/v2/macros/${macro.id}`;
    const reply = await ask('PATCH', path, { body: { enabled: false, id: 99, position: 99, unknown: true } });
    expect(reply).toMatchObject({ status: 200, body: { ...macro, enabled: false } });
    expect(reply.headers.location).toBeUndefined();
    const cleared = await ask('PATCH', path, { body: { description: null, folders: [] } });
    expect(cleared.body).toEqual({ ...macro, enabled: false, description: null, folders: [] });
    expect(await ask('PATCH', path, { body: { name: '', enabled: null } })).toMatchObject(
      invalid({ name: ['blank'], enabled: ['invalid'] }),
    );
    expect((await ask('GET', path)).text).toBe(cleared.text);
  });

  it('writes nothing where a PATCH changes nothing', async () => {
    const { id } = await create({ name: 'Same', folders: ['A'] });
    const list = await ask('GET', '/api/v2/macros');
    expect((await ask('PATCH', `/api/v2/macros/${id}`, { body: { name: 'Same', folders: ['A'] } })).status).toBe(200);
    expect((await ask('GET', '/api/v2/macros')).headers.etag).toBe(list.headers.etag);
  });

  it('deletes a macro with its actions and leaves the gap in the positions', async () => {
    const [a, b] = [await create({ name: 'A' }), await create({ name: 'B' })];
    const { id: action } = (
      await ask('POST', `/api/v2/macros/${a.id}/actions`, { body: { type: 'set-case-note', value: 'x' } })
    ).body;
    const reply = await ask('DELETE', `/api/v2/macros/${a.id}`);
    expect([reply.status, reply.text, reply.headers.etag]).toEqual([204, '', undefined]);
    for (const path of ['', '/actions', `/actions/${action}`])
      expect(await ask('GET', `/api/v2/macros/${a.id}${path}`)).toMatchObject({
        status: 404,
        body: {
          message: 'Resource Not Found',
          details: [{ code: 'not_found', message: `There is no macro ${a.id}.` }],
        },
      });
    expect((await ask('DELETE', `/api/v2/macros/${a.id}`)).status).toBe(404);
    expect((await ask('GET', `/api/v2/macros/${b.id}`)).body.position).toBe(b.position);
    expect((await create({ name: 'C' })).position).toBe(b.position + 1);
  });

  it('finds no macro by what is no id', async () => {
    for (const id of ['0', '-1', '1.5', 'x', '%20', '99999999999999999999', '9007199254740991', '1e0', '01'])
      for (const path of ['', '/actions', '/actions/1'])
        expect([id, path, (await ask('GET', `/api/v2/macros/${id}${path}`)).status]).toEqual([id, path, 404]);
  });

  it('refuses a change of what is no longer current', async () => {
    const { id } = await create({ name: 'Mine' });
    const path = `/api/v2/macros/${id}`;
    const { headers } = await ask('GET', path);
    const match = { 'If-Match': String(headers.etag) };
    expect((await ask('PATCH', path, { body: { name: 'Yours' }, headers: match })).status).toBe(200);
    expect(await ask('PATCH', path, { body: { name: 'Theirs' }, headers: match })).toMatchObject({
      status: 412,
      body: { message: 'Precondition Failed', details: [saysOf('precondition_failed', /macros\/\d+.*If-Match/)] },
    });
    expect((await ask('DELETE', path, { headers: match })).status).toBe(412);
    expect((await ask('GET', path)).body.name).toBe('Yours');
    expect((await ask('DELETE', path, { headers: { 'If-Match': '*' } })).status).toBe(204);
  });

  it('lets those read who may not write', async () => {
    const { id } = await create({ name: 'Roles' });
    for (const as of ['Agent', 'Reporting Agent', 'Workflow Manager'] as const) {
      expect((await ask('GET', `/api/v2/macros/${id}`, { as })).status).toBe(200);
      expect((await ask('GET', `/api/v2/macros/${id}/actions`, { as })).status).toBe(200);
      expect((await ask('POST', '/api/v2/macros', { as, body: { name: 'x' } })).status).toBe(403);
      expect((await ask('PATCH', `/api/v2/macros/${id}`, { as, body: { name: 'x' } })).status).toBe(403);
      expect((await ask('POST', `/api/v2/macros/${id}/actions`, { as, body: {} })).status).toBe(403);
      expect((await ask('DELETE', `/api/v2/macros/${id}`, { as })).status).toBe(403);
    }
  });
});

describe('the list of macros', () => {
  it('is in pages whose links carry the whole query', async () => {
    await create({ name: 'b' });
    await create({ name: 'a' });
    const all = await entries('?per_page=1000');
    const page = (await ask('GET', '/api/v2/macros?per_page=2&page=2&x=a%20b')).body;
    expect(page).toMatchObject({ total_entries: all.length, page: 2 });
    expect(page._embedded.entries).toEqual(all.slice(2, 4));
    expect(page._links.self).toEqual({ href: '/api/v2/macros?page=2&per_page=2&x=a%20b', class: 'page' });
    expect(page._links.previous.href).toBe('/api/v2/macros?page=1&per_page=2&x=a%20b');
    expect(Object.keys(page)).toEqual(['total_entries', 'page', '_links', '_embedded']);
  });

  it('sorts by id, position or name, either way', async () => {
    const all = await entries();
    const by = (compare: (a: { id: number; name: string }, b: { id: number; name: string }) => number) =>
      all.toSorted(compare);
    expect(await entries('?sort_field=id')).toEqual(by((a, b) => a.id - b.id));
    expect(await entries('?sort_field=name&sort_direction=DESC')).toEqual(
      by((a, b) => (a.name < b.name ? 1 : a.name > b.name ? -1 : b.id - a.id)),
    );
    expect(await entries('?sort_direction=desc')).toEqual(all.toReversed());
    expect(await entries('?sort_direction=Asc&sort_field=position')).toEqual(all);
    expect(await ask('GET', '/api/v2/macros?sort_field=enabled&sort_direction=up&page=0&per_page=x')).toMatchObject(
      invalid({ sort_field: ['invalid'], sort_direction: ['invalid'], page: ['invalid'], per_page: ['invalid'] }),
    );
  });

  itInProcess('answers a current tag with 304 and one read, without reading the macros', async () => {
    const { id } = await create({ name: 'Tagged' });
    const { headers } = await ask('GET', '/api/v2/macros');
    expect(headers['cache-control']).toBe('no-cache, private');
    const again = await ask('GET', '/api/v2/macros', { headers: { 'If-None-Match': String(headers.etag) } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
    expect(logged.at(-1)).toMatchObject({ route: 'listMacros', status: 304, trips: 1 });
    await ask('PATCH', `/api/v2/macros/${id}`, { body: { enabled: false } });
    const changed = await ask('GET', '/api/v2/macros', { headers: { 'If-None-Match': String(headers.etag) } });
    expect(changed.status).toBe(200);
  });

  itInProcess('reads once and writes once when warm', async () => {
    await create({ name: 'Warm' });
    await ask('GET', '/api/v2/macros');
    expect(logged.at(-1)).toMatchObject({ route: 'listMacros', trips: 1 });
    const { id } = await create({ name: 'Warm too' });
    expect(logged.at(-1)).toMatchObject({ route: 'createMacro', trips: 2 });
    await ask('PATCH', `/api/v2/macros/${id}`, { body: { enabled: false } });
    expect(logged.at(-1)).toMatchObject({ route: 'updateMacro', trips: 2 });
    await ask('DELETE', `/api/v2/macros/${id}`);
    expect(logged.at(-1)).toMatchObject({ route: 'deleteMacro', trips: 2 });
  });

  it('gives no two macros one id or position when many come at once', async () => {
    const patiently = async (body: { readonly name: string }): ReturnType<typeof ask> => {
      const reply = await ask('POST', '/api/v2/macros', { body, headers: { 'Idempotency-Key': body.name } });
      // Twenty cold functions that check one password at once, on few processors, may be told to come again, or be given
      // up by the gateway.
      if (![429, 502, 503, 504].includes(reply.status)) return reply;
      await sleep(1000 * Number(reply.headers['retry-after'] ?? 1));
      return await patiently(body);
    };
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => patiently({ name: `at once ${n}` })));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
    const made = replies.map(({ body }) => body);
    expect(new Set(made.map(({ id }) => id)).size).toBe(20);
    expect(new Set(made.map(({ position }) => position)).size).toBe(20);
  });
});
