import { macroRoutes } from '../../lib/macros/routes.ts';
import { writeReferences } from '../support/generators/reference.ts';
import { itInProcess, startService } from '../support/service/service.ts';

const { ask, table, site, now, logged, origin } = await startService(macroRoutes, {
  site: { locales: ['en_us', 'de'] },
});
await writeReferences(table, site.name, 'agent', [
  { id: 42, name: 'Ann' },
  { id: 43, name: 'Gone', deleted: true },
]);
await writeReferences(table, site.name, 'group', [{ id: 7, name: 'Support', deleted: false }]);
await writeReferences(table, site.name, 'article', [{ id: 11, subject: 'How to' }]);
await writeReferences(table, site.name, 'custom_field', [
  { id: 5, name: 'tier', object: 'case', values: ['gold', 'silver'] },
  { id: 6, name: 'order no', object: 'case' },
  { id: 8, name: 'retired', object: 'case', deleted: true },
  { id: 9, name: 'birthday', object: 'customer' },
]);

const { id: macro } = (await ask('POST', '/api/v2/macros', { body: { name: 'Everything' } })).body;
const path = `/api/v2/macros/${macro}/actions`;
const add = (body: unknown) => ask('POST', path, { body });
const invalid = (errors: unknown) => ({ status: 422, body: { message: 'Validation Failed', errors } });

describe('macro actions', () => {
  it('shows an action with its times and links', async () => {
    const reply = await add({ type: 'set-case-group', value: '7', enabled: false });
    const { id } = reply.body;
    expect(reply.status).toBe(201);
    expect(reply.headers.location).toBe(`${origin}${path}/${id}`);
    expect(reply.text).toBe(
      JSON.stringify({
        id,
        type: 'set-case-group',
        value: 7,
        enabled: false,
        created_at: '2026-03-01T12:00:00Z',
        updated_at: '2026-03-01T12:00:00Z',
        _links: {
          self: { href: `${path}/${id}`, class: 'macro_action' },
          macro: { href: `/api/v2/macros/${macro}`, class: 'macro' },
          group: { href: '/api/v2/groups/7', class: 'group' },
        },
      }),
    );
    expect((await ask('GET', `${path}/${id}`)).text).toBe(reply.text);
  });

  it.each([
    ['set-case-description', 'text', 'text', undefined],
    ['set-case-labels', ['a', 'b'], ['a', 'b'], undefined],
    ['set-case-labels', [], [], undefined],
    ['append-case-labels', ['a'], ['a'], undefined],
    ['set-case-priority', 8, '8', undefined],
    ['set-case-priority', '10', '10', undefined],
    ['set-case-status', 'pending', 'pending', undefined],
    ['set-case-agent', 42, 42, { user: { href: '/api/v2/users/42', class: 'user' } }],
    ['set-case-group', 7, 7, { group: { href: '/api/v2/groups/7', class: 'group' } }],
    ['append-case-article', '11', 11, { article: { href: '/api/v2/articles/11', class: 'article' } }],
    ['set-case-quick-reply', 'Hello', 'Hello', undefined],
    ['set-case-outbound-email-subject', 'Re: you', 'Re: you', undefined],
    ['set-case-language', 'EN-us', 'en_us', undefined],
    [
      'set-case-custom-tier',
      'gold',
      'gold',
      { custom_field: { href: '/api/v2/custom_fields/5', class: 'custom_field' } },
    ],
    [
      'set-case-custom-order no',
      '4711',
      '4711',
      { custom_field: { href: '/api/v2/custom_fields/6', class: 'custom_field' } },
    ],
    ['set-case-note', 'Note', 'Note', undefined],
  ])('takes %s of %j', async (type, value, shown, link) => {
    const { status, body } = await add({ type, value });
    expect([status, body.type, body.value, body.enabled]).toEqual([201, type, shown, true]);
    const { self: _self, macro: _macro, ...links } = body._links;
    expect(links).toEqual(link ?? {});
    const patched = await ask('PATCH', `${path}/${body.id}`, { body: { value, type } });
    expect([patched.status, patched.body]).toEqual([200, body]);
  });

  it.each([
    ['set-case-description', 5, 'invalid'],
    ['set-case-description', ' ', 'blank'],
    ['set-case-description', 'ü'.repeat(32_769), 'too_long'],
    ['set-case-note', null, 'invalid'],
    ['set-case-note', ['x'], 'invalid'],
    ['set-case-labels', 'a', 'invalid'],
    ['set-case-labels', ['a', 5], 'invalid'],
    ['append-case-labels', ['a'.repeat(256)], 'too_long'],
    ['append-case-labels', Array(300).fill('a'.repeat(250)), 'too_long'],
    ['set-case-priority', 0, 'invalid'],
    ['set-case-priority', 11, 'invalid'],
    ['set-case-priority', 2.5, 'invalid'],
    ['set-case-priority', 'high', 'invalid'],
    ['set-case-status', 'new', 'invalid'],
    ['set-case-status', 'Open', 'invalid'],
    ['set-case-agent', 41, 'not_found'],
    ['set-case-agent', 43, 'not_found'],
    ['set-case-agent', 'Ann', 'invalid'],
    ['set-case-agent', -42, 'invalid'],
    ['set-case-group', 42, 'not_found'],
    ['append-case-article', 12, 'not_found'],
    ['append-case-article', true, 'invalid'],
    ['set-case-language', 'fr', 'invalid'],
    ['set-case-language', 5, 'invalid'],
    ['set-case-custom-tier', 'bronze', 'invalid'],
    ['set-case-custom-tier', 'Gold', 'invalid'],
    ['set-case-custom-order no', 4711, 'invalid'],
  ])('refuses %s of %j', async (type, value, code) => {
    const refused = await add({ type, value });
    expect(refused).toMatchObject(invalid({ value: [code] }));
    const [{ message, allowed }] = refused.body.details;
    expect([message, allowed ?? /it takes (.*)\.$/.exec(message)?.[1]]).toEqual([message, expect.anything()]);
  });

  it.each([
    'set-case-colour',
    'set-case-custom-',
    'set-case-custom-Tier',
    'set-case-custom-retired',
    'set-case-custom-birthday',
    'constructor',
    5,
  ])('knows no type %j', async (type) => {
    expect(await add({ type, value: 'x' })).toMatchObject(invalid({ type: ['invalid'] }));
  });

  it('reports every fault of a body at once and adds nothing', async () => {
    const before = (await ask('GET', path)).headers.etag;
    expect(await add({})).toMatchObject(invalid({ type: ['blank'], value: ['blank'] }));
    expect(await add({ type: null, value: null, enabled: 1 })).toMatchObject(
      invalid({ type: ['blank'], value: ['invalid'], enabled: ['invalid'] }),
    );
    expect(await add({ type: 'set-case-custom-x', enabled: null })).toMatchObject(
      invalid({ type: ['invalid'], value: ['blank'], enabled: ['invalid'] }),
    );
    expect((await ask('GET', path)).headers.etag).toBe(before);
  });

  it('changes value and enabled, and no type', async () => {
    const { body } = await add({ type: 'set-case-priority', value: 1 });
    const own = `${path}/${body.id}`;
    now.at += 60_000;
    const off = await ask('PATCH', own, { body: { enabled: false } });
    expect(off).toMatchObject({ status: 200, body: { ...body, enabled: false } });
    const same = await ask('PATCH', own, { body: { value: '1', type: 'set-case-priority' } });
    expect([same.text, same.headers.etag]).toEqual([off.text, off.headers.etag]);
    const raised = await ask('PATCH', own, { body: { value: 2 } });
    expect(raised.body).toEqual({ ...body, enabled: false, value: '2', updated_at: '2026-03-01T12:01:00Z' });
    expect(await ask('PATCH', own, { body: { type: 'set-case-note', value: 12, enabled: null } })).toMatchObject(
      invalid({ type: ['invalid'], value: ['invalid'], enabled: ['invalid'] }),
    );
    expect(await ask('PATCH', own, { body: { type: null } })).toMatchObject(invalid({ type: ['invalid'] }));
    expect((await ask('GET', own)).text).toBe(raised.text);
  });

  it('lists a macro’s actions in pages, and forgets deleted ones', async () => {
    const { body } = await add({ type: 'set-case-note', value: 'short-lived' });
    const all = (await ask('GET', `${path}?per_page=1000`)).body;
    expect(all._embedded.entries.at(-1)).toEqual(body);
    const page = (await ask('GET', `${path}?per_page=3&page=2`)).body;
    expect([page.total_entries, page._embedded.entries]).toEqual([
      all.total_entries,
      all._embedded.entries.slice(3, 6),
    ]);
    expect(page._links.next.href).toBe(`${path}?page=3&per_page=3`);
    const stale = { 'If-Match': '"stale"' };
    expect((await ask('DELETE', `${path}/${body.id}`, { headers: stale })).status).toBe(412);
    expect((await ask('DELETE', `${path}/${body.id}`)).status).toBe(204);
    expect((await ask('GET', `${path}/${body.id}`)).status).toBe(404);
    expect((await ask('DELETE', `${path}/${body.id}`)).status).toBe(404);
    expect((await ask('GET', path)).body.total_entries).toBe(all.total_entries - 1);
  });

  itInProcess('answers 304 to a current tag with one read', async () => {
    const { headers } = await ask('GET', path);
    const again = await ask('GET', path, { headers: { 'If-None-Match': String(headers.etag) } });
    expect(again.status).toBe(304);
    expect(logged.at(-1)).toMatchObject({ route: 'listMacroActions', trips: 1 });
  });

  itInProcess('reads once and writes once when warm', async () => {
    const { body } = await add({ type: 'set-case-agent', value: 42 });
    expect(logged.at(-1)).toMatchObject({ route: 'createMacroAction', trips: 2 });
    await ask('PATCH', `${path}/${body.id}`, { body: { enabled: false } });
    expect(logged.at(-1)).toMatchObject({ route: 'updateMacroAction', trips: 2 });
    await ask('GET', `${path}/${body.id}`);
    expect(logged.at(-1)).toMatchObject({ route: 'showMacroAction', trips: 1 });
  });

  it('belongs to its own macro alone, and goes with it', async () => {
    const { id: other } = (await ask('POST', '/api/v2/macros', { body: { name: 'Other' } })).body;
    const { body } = await add({ type: 'set-case-note', value: 'mine' });
    expect((await ask('GET', `/api/v2/macros/${other}/actions/${body.id}`)).status).toBe(404);
    expect((await ask('GET', `/api/v2/macros/${other}/actions`)).body.total_entries).toBe(0);
    const actions = `/api/v2/macros/${other}/actions`;
    for (let n = 0; n < 95; n += 1) await ask('POST', actions, { body: { type: 'set-case-note', value: `note ${n}` } });
    expect((await ask('DELETE', `/api/v2/macros/${other}`)).status).toBe(204);
    expect((await ask('GET', actions)).status).toBe(404);
    expect(await table.query(`site#${site.name}#macro#${other}`)).toEqual([]);
    expect((await ask('POST', actions, { body: { type: 'set-case-note', value: 'late' } })).status).toBe(404);
  });
});
