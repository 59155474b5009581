import { hashPassword } from '../../lib/access/passwords/passwords.ts';
import { tokenHash } from '../../lib/access/tokens.ts';
import { readUser, removed } from '../../lib/access/users.ts';
import { routes } from '../../lib/routes.ts';
import { removeExpired } from '../../lib/store/expiry.ts';
import { keys } from '../../lib/store/keys.ts';
import { basic, PASSWORD } from '../support/service/credentials.ts';
import { addUser, itByItsClock, itInProcess, newSite, startService } from '../support/service/service.ts';
import { putUser } from '../support/service/stored-access.ts';

const service = await startService(routes, { roles: ['Administrator', 'Agent', 'Workflow Manager'] });
const { ask, table, site, now } = service;
const LOGIN = 'administrator@test.example';
const SESSION = '/api/v2/session';
const TOKENS = '/api/v2/tokens';
const ME = '/api/v2/users/me';
const HOUR = 3_600_000;

const bearer = (token: string) => ({ as: null, headers: { Authorization: `Bearer ${token}` } });
const by = (login = LOGIN) => ({ as: null, headers: { Authorization: basic(login, PASSWORD) } });

async function begin(body: object = {}, login = LOGIN): Promise<string> {
  const reply = await ask('POST', SESSION, { ...by(login), body });
  expect(reply.status).toBe(201);
  return reply.body.token;
}
const statusOf = async (token: string): Promise<number> => (await ask('GET', ME, bearer(token))).status;
const ownTokens = async (token: string) => (await ask('GET', TOKENS, bearer(token))).body._embedded.entries;

describe('a session', () => {
  it('lets in as its user until it is ended, without the password', async () => {
    const token = await begin({ name: 'Console' });
    expect(await statusOf(token)).toBe(200);
    expect((await ask('DELETE', SESSION, bearer(token))).status).toBe(204);
    expect([await statusOf(token), (await ask('DELETE', SESSION, bearer(token))).status]).toEqual([401, 401]);
  });

  it('is begun by a password alone, and never by a wrong one, a token or another session', async () => {
    const token = await begin();
    const wrong = { as: null, headers: { Authorization: basic(LOGIN, 'not the password') } };
    expect((await ask('POST', SESSION, { ...wrong, body: {} })).status).toBe(401);
    expect((await ask('POST', SESSION, { body: {} })).status).toBe(422); // the token of a program
    expect((await ask('POST', SESSION, { ...bearer(token), body: {} })).status).toBe(422);
    expect((await ask('DELETE', SESSION, by())).status).toBe(404);
    expect((await ask('DELETE', SESSION)).status).toBe(404); // a program's token stays
    expect((await ask('GET', ME)).status).toBe(200);
  });

  it.each([
    [{ keep: 'yes' }, { keep: ['invalid'] }],
    [{ keep: null }, { keep: ['invalid'] }],
    [{ name: 'x'.repeat(101) }, { name: ['too_long'] }],
    [
      { name: 7, keep: 1 },
      { name: ['invalid'], keep: ['invalid'] },
    ],
  ])('refuses the fields %p', async (body, errors) => {
    const reply = await ask('POST', SESSION, { ...by(), body });
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
  });

  itByItsClock.each([
    [{}, 12],
    [{ keep: true }, 30 * 24],
  ])('with %p ends after %p hours without use, and not before', async (body, hours) => {
    const started = now.at;
    const token = await begin(body);
    for (let day = 0; day < 3; day += 1) {
      now.at += hours * HOUR - 1;
      expect(await statusOf(token)).toBe(200); // each use moves the end
    }
    now.at += hours * HOUR * (1 + 1 / 72) + 1;
    expect(await statusOf(token)).toBe(401);
    const stored = () => table.get(keys.token(site.name, tokenHash(token)));
    expect(await stored()).toBeDefined();
    await removeExpired(table, site.name, now.at + 1000); // `ttl` has whole seconds
    expect(await stored()).toBeUndefined();
    now.at = started;
  });

  it('is no session of another site, even where the user has the same login and password there', async () => {
    const other = await newSite(table, { name: 'other' }, { default: false });
    await addUser(table, other.name, 'Administrator');
    const token = await begin();
    const there = { ...bearer(token), host: `${other.name}.localhost` };
    expect((await ask('GET', ME, there)).status).toBe(401);
    expect((await ask('GET', ME, { ...by(), host: `${other.name}.localhost` })).status).toBe(200);
  });

  itInProcess('ends with its user and is not good for who gets the login later', async () => {
    const login = 'agent@test.example';
    const token = await begin({}, login);
    const user = await readUser(table, site.name, login);
    if (user === undefined) throw new Error('no user');
    const gone = await putUser(table, site.name, removed(user), false);
    expect(await statusOf(token)).toBe(401);
    const back = await putUser(table, site.name, { ...gone, deleted: false, password: user.password }, false);
    expect(await statusOf(token)).toBe(401);
    await putUser(table, site.name, { ...back, generation: 0 }, false); // tests below use the user's token
  });

  itInProcess('ends everywhere with a changed password, and a role that changed counts at once', async () => {
    const login = 'workflow-manager@test.example';
    const [token, other] = [await begin({}, login), await begin({ keep: true }, login)];
    const user = await readUser(table, site.name, login);
    if (user === undefined) throw new Error('no user');
    const lower = await putUser(table, site.name, { ...user, role: 'Agent' }, false);
    expect((await ask('GET', '/api/v2/saved_reports', bearer(token))).status).toBe(403);
    expect(await statusOf(token)).toBe(200);
    const password = await hashPassword('quite another password');
    const changed = await putUser(table, site.name, { ...lower, password }, false);
    expect([await statusOf(token), await statusOf(other)]).toEqual([401, 401]);
    await putUser(table, site.name, { ...changed, role: user.role, password: user.password }, false);
  });

  it('leaves its text in no item of the table, nor what opens it again', async () => {
    const key = { ...by().headers, 'Idempotency-Key': 'again' };
    const replies = await Promise.all([1, 2].map(() => ask('POST', SESSION, { as: null, headers: key, body: {} })));
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(replies[0]?.body.token).not.toBe(replies[1]?.body.token); // no kept answer
    const items = await table.query(keys.repeats(site.name, '').pk);
    expect(items).toEqual([]);
  });

  itInProcess('is one of twenty at most: another ends the oldest, and no token of a program', async () => {
    const tokens: string[] = [];
    for (let n = 0; n < 21; n += 1) {
      now.at += 1000;
      tokens.push(await begin({ name: `tab ${n}` }));
    }
    expect([await statusOf(tokens[0] ?? ''), await statusOf(tokens[1] ?? '')]).toEqual([401, 200]);
    const kinds = (await ownTokens(tokens[20] ?? '')).map(({ kind }: { kind: string }) => kind);
    expect([kinds.filter((kind: string) => kind === 'session').length, kinds.includes('bearer')]).toEqual([20, true]);
  });
});

describe('the tokens of a user', () => {
  it('are listed with sessions, the current one marked, never with their text', async () => {
    const token = await begin({ name: 'Console' });
    const reply = await ask('GET', TOKENS, bearer(token));
    const current = reply.body._embedded.entries.filter((one: { current: boolean }) => one.current);
    expect(current).toEqual([expect.objectContaining({ name: 'Console', kind: 'session', role: null })]);
    expect(reply.text).not.toContain(token.split('.')[1]);
    expect(reply.text).not.toContain(tokenHash(token));
  });

  it('are made by a person, work at once, and end when they are removed, sessions too', async () => {
    const session = await begin();
    const made = await ask('POST', TOKENS, {
      ...bearer(session),
      body: { name: 'nightly', role: 'Agent', expires_in: 1 },
    });
    expect([made.status, made.body.kind, made.body.role]).toEqual([201, 'bearer', 'Agent']);
    expect(made.headers.location).toContain(`${TOKENS}/${made.body.id}`);
    const { token, id } = made.body;
    expect((await ask('POST', '/api/v2/topics', { ...bearer(token), body: { name: 'x' } })).status).toBe(403);
    const more = { ...bearer(token), body: { name: 'a way to stay' } };
    expect((await ask('POST', TOKENS, more)).status).toBe(422); // a leaked token makes no others
    const second = await ask('POST', TOKENS, { ...by(), body: { name: 'nightly' } });
    expect([second.status, second.body.errors]).toEqual([422, { name: ['taken'] }]);
    expect((await ask('DELETE', `${TOKENS}/${id}`, bearer(session))).status).toBe(204);
    expect([await statusOf(token), (await ask('DELETE', `${TOKENS}/${id}`, bearer(session))).status]).toEqual([
      401, 404,
    ]);
    const own = (await ownTokens(session)).find((one: { current: boolean }) => one.current);
    expect((await ask('DELETE', `${TOKENS}/${own.id}`, bearer(session))).status).toBe(204);
    expect(await statusOf(session)).toBe(401);
  });

  itByItsClock('are over when they said', async () => {
    const { body } = await ask('POST', TOKENS, { ...by(), body: { name: 'a day', expires_in: 1 } });
    now.at += 24 * HOUR;
    expect(await statusOf(body.token)).toBe(401);
    now.at -= 24 * HOUR;
  });

  it.each([
    [{}, { name: ['blank'] }],
    [{ name: 'a', role: 'King' }, { role: ['invalid'] }],
    [{ name: 'a', expires_in: 0 }, { expires_in: ['invalid'] }],
    [{ name: 'a', expires_in: 1.5 }, { expires_in: ['invalid'] }],
    [
      { name: 'x'.repeat(101), expires_in: 9_999 },
      { name: ['too_long'], expires_in: ['invalid'] },
    ],
  ])('are refused with %p', async (body, errors) => {
    const reply = await ask('POST', TOKENS, { ...by(), body });
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
  });

  it('have no more rights than their user, and are nobody else’s to end', async () => {
    const sent = { ...by('agent@test.example'), body: { name: 'up', role: 'Administrator' } };
    expect((await ask('POST', TOKENS, sent)).body.errors).toEqual({ role: ['invalid'] });
    const own = await ask('POST', TOKENS, { ...by(), body: { name: 'mine' } });
    const others = { as: 'Agent' as const };
    expect((await ask('DELETE', `${TOKENS}/${own.body.id}`, others)).status).toBe(404);
    expect((await ask('DELETE', `${TOKENS}/${'9'.repeat(30)}`, others)).status).toBe(404);
    expect(await statusOf(own.body.token)).toBe(200);
  });
});
