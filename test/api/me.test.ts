import { newTokenText, readTokenText } from '../../lib/access/tokens.ts';
import { readUser } from '../../lib/access/users.ts';
import { routes } from '../../lib/routes.ts';
import { basic, CHEAP_HASH, PASSWORD } from '../support/service/credentials.ts';
import { itInProcess, startService } from '../support/service/service.ts';
import { putUser } from '../support/service/stored-access.ts';
import { addToken } from '../support/service/tokens.ts';

const LOGIN = 'administrator@test.example';
const NEXT = 'a quite new password';
const ME = '/api/v2/users/me';
const by = (password: string) => ({ as: null, headers: { Authorization: basic(LOGIN, password) } });

describe('PATCH /api/v2/users/me', () => {
  itInProcess('changes the password: the old one ends in every process at once', async () => {
    const { ask, again, table, site } = await startService(routes);
    const other = again({});
    expect((await other('GET', ME, by(PASSWORD))).status).toBe(200); // remembers the old one
    const reply = await ask('PATCH', ME, {
      ...by(PASSWORD),
      body: { password: NEXT, current_password: PASSWORD },
    });
    expect([reply.status, reply.body.login]).toEqual([200, LOGIN]);
    for (const process of [ask, other]) {
      expect((await process('GET', ME, by(PASSWORD))).status).toBe(401);
      expect((await process('GET', ME, by(NEXT))).status).toBe(200);
    }
    const noted = await table.query(`site#${site.name}#audit`);
    expect(noted.filter(({ resource }) => resource !== 'sign-ins')).toEqual([
      expect.objectContaining({ user: LOGIN, resource: 'users/me', fields: ['password', 'current_password'] }),
    ]);
  });

  itInProcess('takes one of several changes that are sent at once, as the others have an old password', async () => {
    const { ask } = await startService(routes);
    const all = ['a first new password', 'a second new password', 'a third new password'];
    const changes = all.map((password) =>
      ask('PATCH', ME, { ...by(PASSWORD), body: { password, current_password: PASSWORD } }),
    );
    const replies = await Promise.all(changes);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    for (const [place, { status, body }] of replies.entries()) {
      if (status === 422) expect(body.errors).toEqual({ current_password: ['invalid'] });
      expect((await ask('GET', ME, by(all[place] ?? ''))).status).toBe(status === 200 ? 200 : 401);
    }
  });

  itInProcess('holds up no other write while it checks passwords, however many wrong ones', async () => {
    const { ask } = await startService(routes);
    const done: string[] = [];
    const wrong = Array.from({ length: 8 }, async (_, index) => {
      await ask('PATCH', ME, { body: { password: NEXT, current_password: `wrong ${index}` } });
      done.push('wrong');
    });
    const create = async () => {
      expect((await ask('POST', '/api/v2/topics', { body: { name: 'Returns' } })).status).toBe(201);
      done.push('create');
    };
    await Promise.all([...wrong, create()]);
    expect(done.at(-1)).toBe('wrong');
  });

  itInProcess('refuses passwords that are too easily guessed, and a wrong current one', async () => {
    const { ask } = await startService(routes);
    const errors = async (body: object) => (await ask('PATCH', ME, { body })).body.errors;
    expect(await errors({})).toEqual({ password: ['blank'], current_password: ['blank'] });
    expect(await errors({ password: 1, current_password: null })).toEqual({
      password: ['invalid'],
      current_password: ['blank'],
    });
    for (const password of ['short', 'password1234', 'aaaaaaaaaaaaaaaa', 'demo-password', 'Demo-Password'])
      expect(await errors({ password, current_password: PASSWORD })).toEqual({ password: ['invalid'] });
    expect(await errors({ password: 'x'.repeat(1025), current_password: PASSWORD })).toEqual({
      password: ['too_long'],
    });
    expect(await errors({ password: NEXT, current_password: 'wrong' })).toEqual({ current_password: ['invalid'] });
    expect((await ask('GET', ME)).status).toBe(200);
  });

  itInProcess('bounds guesses by a stolen token, and leaves the role that the token lowers', async () => {
    const { ask, table, site } = await startService(routes);
    const text = newTokenText(LOGIN);
    const { hash = '' } = readTokenText(text) ?? {};
    await addToken(table, site.name, { hash, login: LOGIN, name: 'stolen', role: 'Agent', created: 0 });
    const sent = { as: null, headers: { Authorization: `Bearer ${text}` } };
    const change = (current_password: string) =>
      ask('PATCH', ME, { ...sent, body: { password: NEXT, current_password } });
    expect((await change(PASSWORD)).status).toBe(200);
    const user = await readUser(table, site.name, LOGIN);
    expect(user?.role).toBe('Administrator');
    if (user) await putUser(table, site.name, { ...user, password: CHEAP_HASH }, false);
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess += 1) statuses.push((await change(`guess ${guess}`)).status);
    expect(statuses).toEqual([...Array(10).fill(422), 429, 429]);
    expect((await ask('GET', ME, sent)).status).toBe(200); // the token itself still works
  });
});
