import { scryptSync } from 'node:crypto';
import { newTokenText, tokenHash } from '../../lib/access/tokens.ts';
import { readUser, removed } from '../../lib/access/users.ts';
import { routes } from '../../lib/routes.ts';
import { keys } from '../../lib/store/keys.ts';
import { basic, PASSWORD } from '../support/service/credentials.ts';
import { itInProcess, startService } from '../support/service/service.ts';
import { putUser } from '../support/service/stored-access.ts';
import { addToken } from '../support/service/tokens.ts';

const service = await startService(routes, { roles: ['Administrator', 'Agent'] });
const { ask, table, site, now } = service;
const LOGIN = 'administrator@test.example';
const TOPICS = '/api/v2/topics';
const by = (password: string) => ({ as: null, headers: { Authorization: basic(LOGIN, password) } });
const bearer = (token: string) => ({ as: null, headers: { Authorization: `Bearer ${token}` } });

async function newToken(more: object = {}, login = LOGIN): Promise<string> {
  const text = newTokenText(login);
  await addToken(table, site.name, { hash: tokenHash(text), login, name: text.slice(-8), created: now.at, ...more });
  return text;
}

describe('a token', () => {
  it('lets in as its user, at once and without a password', async () => {
    const token = await newToken();
    expect((await ask('POST', TOPICS, { ...bearer(token), body: { name: 'By token' } })).status).toBe(201);
  });

  it('ends with the user, and is not good for who gets the login later', async () => {
    const login = 'agent@test.example';
    const token = await newToken({}, login);
    const user = await readUser(table, site.name, login);
    if (user === undefined) throw new Error('no user');
    const gone = await putUser(table, site.name, removed(user), false);
    expect((await ask('GET', TOPICS, bearer(token))).status).toBe(401);
    const back = await putUser(table, site.name, { ...gone, deleted: false, password: user.password }, false);
    expect((await ask('GET', TOPICS, bearer(token))).status).toBe(401);
    const fresh = await newToken({ generation: back.generation }, login);
    expect((await ask('GET', TOPICS, bearer(fresh))).status).toBe(200);
    await putUser(table, site.name, { ...back, generation: 0 }, false); // the tests below use the first token
  });

  it('gives at most its own role', async () => {
    const token = await newToken({ role: 'Agent' });
    expect((await ask('GET', TOPICS, bearer(token))).status).toBe(200);
    expect((await ask('POST', TOPICS, { ...bearer(token), body: { name: 'x' } })).status).toBe(403);
    const upward = await newToken({ role: 'Administrator' }, 'agent@test.example');
    expect((await ask('POST', TOPICS, { ...bearer(upward), body: { name: 'x' } })).status).toBe(403);
  });

  it('is refused when it has expired, was removed, is of nobody, or is no token', async () => {
    const token = await newToken();
    await table.delete(keys.token(site.name, tokenHash(token)));
    const wrong = [
      await newToken({ expires: Math.min(now.at, Date.now()) - 1 }),
      token,
      await newToken({}, 'nobody@test.example'),
      newTokenText(LOGIN),
      `${await newToken()}x`,
      'x'.repeat(6_000),
      '',
    ];
    for (const one of wrong) {
      const reply = await ask('GET', TOPICS, bearer(one));
      expect([reply.status, reply.body]).toEqual([401, { message: 'Unauthorized' }]);
    }
  });

  it('is dead at once when its user is removed', async () => {
    const user = { login: 'former@test.example', role: 'Agent', deleted: false } as const;
    await putUser(table, site.name, user, true);
    const token = await newToken({}, user.login);
    expect((await ask('GET', TOPICS, bearer(token))).status).toBe(200);
    const known = await readUser(table, site.name, user.login);
    if (known) await putUser(table, site.name, removed(known), false);
    expect((await ask('GET', TOPICS, bearer(token))).status).toBe(401);
  });
});

describe('a password', () => {
  it('of an older hash gets one of today’s cost at the next sign-in', async () => {
    const old = { salt: 'c2FsdA==', N: 2 ** 14, r: 8, p: 1 };
    const hash = scryptSync('an older secret', Buffer.from(old.salt, 'base64'), 32, old).toString('base64');
    const user = { login: 'older@test.example', role: 'Agent', deleted: false, password: { ...old, hash } } as const;
    await putUser(table, site.name, user, true);
    const headers = { Authorization: basic(user.login, 'an older secret') };
    expect((await ask('GET', TOPICS, { as: null, headers })).status).toBe(200);
    expect((await readUser(table, site.name, user.login))?.password?.N).toBe(2 ** 17);
    expect((await ask('GET', TOPICS, { as: null, headers })).status).toBe(200);
  });

  itInProcess('is looked at no more after ten wrong ones, save where it was right lately', async () => {
    expect((await ask('GET', TOPICS, by(PASSWORD))).status).toBe(200);
    const user = await readUser(table, site.name, LOGIN);
    if (user?.password === undefined) throw new Error('the user has no password');
    // A lower cost refuses wrong ones faster, and leaves what is remembered: that goes by salt and hash.
    const cheap = await putUser(table, site.name, { ...user, password: { ...user.password, N: 2 ** 10 } }, false);
    for (let n = 0; n < 10; n += 1) expect((await ask('GET', TOPICS, by(`wrong ${n}`))).status).toBe(401);
    await putUser(table, site.name, { ...cheap, password: user.password }, false);
    const refused = await ask('GET', TOPICS, by('wrong 11'));
    expect([refused.status, refused.headers['retry-after'], refused.headers['x-rate-limit-reset']]).toEqual([
      429,
      '30',
      '30',
    ]);
    expect((await ask('GET', TOPICS, by(PASSWORD))).status).toBe(200); // verified lately by this process
    expect((await service.again({})('GET', TOPICS, by(PASSWORD))).status).toBe(429); // by another it is not
    expect((await ask('GET', TOPICS, bearer(await newToken()))).status).toBe(200);
  });
});

describe('an Authorization header', () => {
  it.each([
    ['of 8 KB', `Bearer ${'x'.repeat(8192)}`],
    ['with a login of 8 KB', basic('x'.repeat(6000), 'y')],
    ['of no scheme', 'secret'],
    ['of another scheme', 'Digest username="a"'],
    ['with a token cut short', 'Bearer YQ.short'],
    ['with bytes that are no text', `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0xff]).toString('base64')}`],
  ])('%s is no more than wrong', async (_, Authorization) => {
    const reply = await ask('GET', TOPICS, { as: null, headers: { Authorization } });
    expect([reply.status, reply.body]).toEqual([401, { message: 'Unauthorized' }]);
  });
});

describe('a password that is no ASCII', () => {
  const [login, password] = ['zoë@test.example', 'größer als Äpfel'];
  const send = async (text: string, coding: BufferEncoding) => {
    const Authorization = `Basic ${Buffer.from(`${login}:${text}`, coding).toString('base64')}`;
    return (await ask('GET', TOPICS, { as: null, headers: { Authorization } })).status;
  };

  it('is right in UTF-8, in Latin-1, and as a Mac writes it', async () => {
    const cost = { N: 1024, r: 8, p: 1 };
    const hash = scryptSync(password, 'salt', 32, cost).toString('base64');
    const stored = { hash, salt: Buffer.from('salt').toString('base64'), ...cost };
    await putUser(table, site.name, { login, role: 'Agent', deleted: false, password: stored }, true);
    expect(await send(password, 'latin1')).toBe(200);
    expect(await send(password, 'utf8')).toBe(200);
    expect(await send(password.normalize('NFD'), 'utf8')).toBe(200);
    expect(await send(password.replace('ö', 'o'), 'latin1')).toBe(401);
  });
});

describe('a page on another host', () => {
  it('may not write', async () => {
    const token = await newToken();
    const as = { as: null, body: { name: 'Foreign' } };
    const by = (more: Record<string, string>) =>
      ask('POST', TOPICS, { ...as, headers: { Authorization: `Bearer ${token}`, ...more } });
    for (const more of [{ Origin: 'https://evil.example' }, { Origin: 'null' }, { 'Sec-Fetch-Site': 'cross-site' }])
      expect((await by(more as Record<string, string>)).status).toBe(403);
    expect((await by({ Origin: `https://${site.name}.localhost`, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(201);
  });
});
