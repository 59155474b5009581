import { listUsers, readUser, removed } from '../../lib/access/users.ts';
import { routes } from '../../lib/routes.ts';
import { basic, PASSWORD } from '../support/service/credentials.ts';
import { itInProcess, startService } from '../support/service/service.ts';
import { putUser } from '../support/service/stored-access.ts';

const { ask, table, site } = await startService(routes, { roles: ['Administrator'] });
const ADMINISTRATOR = 'administrator@test.example';
const USERS = '/api/v2/users';
const bearer = (token: string) => ({ as: null, headers: { Authorization: `Bearer ${token}` } });
const by = (login: string, password: string) => ({ as: null, headers: { Authorization: basic(login, password) } });

async function begin(login: string, password: string): Promise<string> {
  const reply = await ask('POST', '/api/v2/session', { ...by(login, password), body: {} });
  expect(reply.status).toBe(201);
  return reply.body.token;
}
const session = await begin(ADMINISTRATOR, PASSWORD);
const asked = (method: string, path: string, body?: object, token = session) =>
  ask(method, path, { ...bearer(token), ...(body === undefined ? {} : { body }) });
const add = (login: string, more: object = {}) => asked('POST', USERS, { login, role: 'Agent', ...more });
const statusOf = async (token: string): Promise<number> => (await asked('GET', `${USERS}/me`, undefined, token)).status;
const logins = async (): Promise<readonly Record<string, unknown>[]> =>
  (await asked('GET', '/api/v2/site/logins')).body._embedded.entries;
const loginOf = async (login: string) => (await logins()).find((entry) => entry.login === login);

describe('users', () => {
  it('are added with a first password that is shown once, and sign in with it', async () => {
    const made = await add('Ann@acme.example', { name: 'Ann', role: 'Workflow Manager' });
    const { id, password, ...rest } = made.body;
    expect([made.status, rest]).toEqual([
      201,
      expect.objectContaining({ login: 'Ann@acme.example', name: 'Ann', role: 'Workflow Manager' }),
    ]);
    const shown = await asked('GET', `${USERS}/${id}`);
    expect(shown.body).toEqual({ id, ...rest });
    expect((await ask('GET', `${USERS}/me`, by('ann@acme.example', password))).body).toMatchObject({ id, name: 'Ann' });
    expect(await loginOf('Ann@acme.example')).toEqual({
      ...{ login: 'Ann@acme.example', role: 'Workflow Manager', name: 'Ann', user: id, has_password: true },
      ...{ tokens: 0, last_used: null, _links: { user: { href: `${USERS}/${id}`, class: 'user' } } },
    });
    const { entries } = (await asked('GET', `/api/v2/audit?resource=users/${id}`)).body._embedded;
    expect(entries).toMatchObject([{ user: ADMINISTRATOR, action: 'create', fields: ['login', 'role', 'name'] }]);
    expect(JSON.stringify(entries)).not.toContain(password);
  });

  it.each([
    [{}, { login: ['blank'], role: ['blank'] }],
    [{ login: '', role: 'Agent' }, { login: ['invalid'] }],
    [
      { login: null, role: null },
      { login: ['invalid'], role: ['invalid'] },
    ],
    [{ login: 'two words', role: 'Agent' }, { login: ['invalid'] }],
    [{ login: 'a:b@x', role: 'Agent' }, { login: ['invalid'] }],
    [{ login: '<b>@x', role: 'Agent' }, { login: ['invalid'] }],
    [{ login: 'a\r\nBcc: b@x', role: 'Agent' }, { login: ['invalid'] }],
    [{ login: 'a'.repeat(256), role: 'Agent' }, { login: ['invalid'] }],
    [{ login: 'new@x', role: 'Emperor' }, { role: ['invalid'] }],
    [{ login: 'new@x', role: 'Agent', name: 'Ann\r\nBcc: all@acme.example' }, { name: ['invalid'] }],
    [{ login: 'new@x', role: 'Agent', name: ' ' }, { name: ['blank'] }],
    [{ login: 'new@x', role: 'Agent', name: 'x'.repeat(256) }, { name: ['too_long'] }],
    [{ login: ADMINISTRATOR.toUpperCase(), role: 'Agent' }, { login: ['taken'] }],
  ])('are not added with %j', async (body, errors) => {
    const before = await logins();
    const reply = await asked('POST', USERS, body);
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
    expect(await logins()).toEqual(before);
  });

  it('may have any sign in a name, which is shown as it is', async () => {
    const name = '<img src=x onerror=alert(1)> & "Ann"';
    const { body } = await add('html@acme.example', { name });
    expect((await asked('GET', `${USERS}/${body.id}`)).body.name).toBe(name);
  });

  it('are made and changed by people, never by the token of a program, which may have leaked', async () => {
    const { id } = (await add('by-people@acme.example')).body;
    for (const [method, path, body] of [
      ['POST', USERS, { login: 'by-program@acme.example', role: 'Administrator' }],
      ['PATCH', `${USERS}/${id}`, { role: 'Administrator' }],
      ['POST', `${USERS}/${id}/password`, {}],
    ] as const)
      expect((await ask(method, path, { body })).status).toBe(422);
    expect(await loginOf('by-people@acme.example')).toMatchObject({ role: 'Agent' });
  });

  it('have a changed role at once, in sessions too; and their change is not overwritten unasked', async () => {
    const { id, password } = (await add('role@acme.example', { role: 'Workflow Manager' })).body;
    const token = await begin('role@acme.example', password);
    const tag = String((await asked('GET', `${USERS}/${id}`)).headers.etag);
    expect((await asked('GET', '/api/v2/saved_reports', undefined, token)).status).toBe(200);
    const changed = await asked('PATCH', `${USERS}/${id}`, { role: 'Agent', name: 'Ro Le' });
    expect([changed.status, changed.body]).toMatchObject([200, { role: 'Agent', name: 'Ro Le' }]);
    expect((await asked('GET', '/api/v2/saved_reports', undefined, token)).status).toBe(403);
    const stale = { headers: { ...bearer(session).headers, 'If-Match': tag }, as: null };
    expect((await ask('PATCH', `${USERS}/${id}`, { ...stale, body: { role: 'Content Manager' } })).status).toBe(412);
    expect((await ask('DELETE', `${USERS}/${id}`, stale)).status).toBe(412);
    expect((await asked('PATCH', `${USERS}/${id}`, { role: null, name: 'a\nb' })).body.errors).toEqual({
      role: ['invalid'],
      name: ['invalid'],
    });
    expect(await loginOf('role@acme.example')).toMatchObject({ role: 'Agent', tokens: 1 });
  });

  it('get a new password, which ends the old one and the sessions', async () => {
    const { id, password } = (await add('reset@acme.example')).body;
    const token = await begin('reset@acme.example', password);
    const reset = await asked('POST', `${USERS}/${id}/password`, {});
    expect(reset.status).toBe(200);
    expect(await statusOf(token)).toBe(401);
    expect((await ask('GET', `${USERS}/me`, by('reset@acme.example', password))).status).toBe(401);
    expect(await statusOf(await begin('reset@acme.example', reset.body.password))).toBe(200);
    const own = (await loginOf(ADMINISTRATOR))?.user;
    if (own !== null) expect((await asked('POST', `${USERS}/${own}/password`, {})).status).toBe(422);
  });

  it('are removed with their sessions and tokens, which stay dead when the login is given again', async () => {
    const { id, password } = (await add('gone@acme.example')).body;
    const token = await begin('gone@acme.example', password);
    const made = await asked('POST', '/api/v2/tokens', { name: 'nightly' }, token);
    expect((await asked('DELETE', `${USERS}/${id}`)).status).toBe(204);
    expect([await statusOf(token), await statusOf(made.body.token)]).toEqual([401, 401]);
    expect((await asked('GET', `${USERS}/${id}`)).status).toBe(404);
    expect((await asked('DELETE', `${USERS}/${id}`)).status).toBe(404);
    expect(await loginOf('gone@acme.example')).toBeUndefined();
    const again = await add('gone@acme.example', { role: 'Content Manager' });
    expect([again.status, again.body.id]).toEqual([201, id]);
    expect([await statusOf(token), await statusOf(made.body.token)]).toEqual([401, 401]);
    expect((await loginOf('gone@acme.example'))?.tokens).toBe(0);
  });
});

describe('tokens of all', () => {
  it('are listed with their users, and ended one by one', async () => {
    const { password } = (await add('tokens@acme.example')).body;
    const token = await begin('tokens@acme.example', password);
    const tokens = async (): Promise<readonly { id: number; login: string }[]> =>
      (await asked('GET', '/api/v2/site/tokens')).body._embedded.entries;
    const own = (await tokens()).filter(({ login }) => login === 'tokens@acme.example');
    expect(own).toMatchObject([{ kind: 'session', name: 'Session', role: null }]);
    expect(JSON.stringify(own)).not.toContain(token.split('.')[1]);
    const path = `/api/v2/site/tokens/${own[0]?.id}`;
    expect((await asked('DELETE', path)).status).toBe(204);
    expect([await statusOf(token), (await asked('DELETE', path)).status]).toEqual([401, 404]);
    expect((await tokens()).some(({ id }) => id === own[0]?.id)).toBe(false);
  });
});

describe('the last Administrator', () => {
  itInProcess('is neither demoted nor removed; and of two who demote each other, one stays', async () => {
    const seeded = await readUser(table, site.name, ADMINISTRATOR);
    if (seeded === undefined) throw new Error('no user');
    const pair = await Promise.all(
      ['second@acme.example', 'third@acme.example'].map(async (login) => {
        const { id, password } = (await add(login, { role: 'Administrator' })).body;
        return { id: Number(id), token: await begin(login, password) };
      }),
    );
    await putUser(table, site.name, removed(seeded), false);
    expect(await statusOf(session)).toBe(401);
    const race = await Promise.all(
      pair.map(({ token }, nth) => asked('PATCH', `${USERS}/${pair[1 - nth]?.id}`, { role: 'Agent' }, token)),
    );
    expect(race.filter(({ status }) => status === 200)).toHaveLength(1);
    const last = pair[race.findIndex(({ status }) => status === 200)];
    const own = `${USERS}/${last?.id}`;
    for (const refused of [
      await asked('PATCH', own, { role: 'Content Manager' }, last?.token),
      await asked('DELETE', own, undefined, last?.token),
    ])
      expect([refused.status, refused.body.details[0].message]).toEqual([
        422,
        expect.stringMatching(/ is the last Administrator who can sign in: make somebody else one first\.$/),
      ]);
    expect((await asked('PATCH', own, { name: 'The last one' }, last?.token)).status).toBe(200);
    const left = (await listUsers(table, site.name)).filter(
      ({ role, deleted }) => role === 'Administrator' && !deleted,
    );
    expect(left).toHaveLength(1);
  });
});
