import { randomUUID } from 'node:crypto';
import OAuth from 'oauth-1.0a';
import { readAudit } from '../../lib/access/audit.ts';
import { newOAuthKey, sealSecrets } from '../../lib/access/oauth/oauth-secrets.ts';
import { readSite } from '../../lib/access/sites.ts';
import { listTokens, newTokenText, secretsPlace, tokenHash, tokenId } from '../../lib/access/tokens.ts';
import { listUsers, readUser, removed, type User } from '../../lib/access/users.ts';
import { erase, planErasure } from '../../lib/import/erasing/erase.ts';
import { takeRecords } from '../../lib/import/live.ts';
import { parseRecord } from '../../lib/import/records/records.ts';
import { routes } from '../../lib/routes.ts';
import { createCollections } from '../../lib/store/collection.ts';
import { keys } from '../../lib/store/keys.ts';
import { startBucketService } from '../support/service/bucket-service.ts';
import { basic, PASSWORD, PASSWORD_HASH } from '../support/service/credentials.ts';
import { importRecords } from '../support/service/import.ts';
import { addUser, byPerson, itInProcess as it } from '../support/service/service.ts';
import { putUser } from '../support/service/stored-access.ts';
import { addToken } from '../support/service/tokens.ts';

const ADMINISTRATOR = 'administrator@test.example';
const BOSS = 'boss@example.com';
const ACCOMPLICE = 'accomplice@example.com';

/** A site with two Administrators, an Agent, and a file that raises the Agent and demotes the second Administrator. */
async function startSite() {
  const tools = await startBucketService();
  const { service, bucket } = tools;
  const { table, site } = service;
  const names = bucket.routes.map(({ name }) => name);
  const ask = service.again({
    routes: [...routes.filter(({ name }) => !names.includes(name)), ...bucket.routes],
    oauthKeys: async () => [OAUTH_KEY],
  });
  const user = { deleted: false, password: PASSWORD_HASH } as const;
  await putUser(table, site.name, { ...user, login: BOSS, role: 'Administrator', agent: 1 }, true);
  await putUser(table, site.name, { ...user, login: ACCOMPLICE, role: 'Agent', agent: 2 }, true);
  await importRecords(table, site, [
    { type: 'agent', id: 1, name: 'Boss', login: BOSS, role: 'Administrator' },
    { type: 'agent', id: 2, name: 'Accomplice', login: ACCOMPLICE, role: 'Agent' },
  ]);
  const standing = async () => ({
    users: (await listUsers(table, site.name)).map(({ version: _, ...rest }) => rest),
    site: await readSite(table, site.name),
    tokens: (await listTokens(table, site.name)).map(tokenId),
  });
  const stored = (login: string) => readUser(table, site.name, login);
  const put = async (change: (before: User) => User, login = ADMINISTRATOR) => {
    const before = await stored(login);
    if (before === undefined) throw new Error(`no user ${login}`);
    await putUser(table, site.name, change(before), false);
  };
  const entries = async () => (await readAudit(table, site.name, { limit: 100 })).entries;
  return { ...tools, table, site, ask, standing, stored, put, entries, service };
}
type Tools = Awaited<ReturnType<typeof startSite>>;

const RAISE = { type: 'agent', id: 2, name: 'Accomplice', login: ACCOMPLICE, role: 'Administrator' };
const DEMOTE = { type: 'agent', id: 1, name: 'Boss', login: BOSS, role: 'Agent' };
const RENAME = { type: 'site', name: 'Theirs' };
const EVENT = { type: 'case.created', id: 'a', case: 7, at: '2026-01-05T10:00:00Z' };
const file = (...records: readonly object[]) => [...records, EVENT].map((one) => JSON.stringify(one)).join('\n');

const bring = ({ bring: send }: Tools, ...records: readonly object[]) => send(file(...records), 'records.ndjson');
const agreed = ({ questions }: { readonly questions: readonly { readonly values: readonly { value: string }[] }[] }) =>
  Object.fromEntries(questions.flatMap(({ values }) => values.map(({ value }) => [value, true])));

/** A bearer token of a program, as the tests send it by themselves. */
const byProgram = { as: 'Administrator' } as const;

const OAUTH_KEY = newOAuthKey();
const SECRETS = { consumer: 'consumer-secret', token: 'token-secret' };

/** Signs each request as a program with a consumer key does. */
async function byOAuth({ table, site, service }: Tools) {
  const text = newTokenText(ADMINISTRATOR);
  const token = { hash: tokenHash(text), login: ADMINISTRATOR, name: 'signed', created: service.clock() };
  const sealed = sealSecrets(OAUTH_KEY, SECRETS, secretsPlace(site.name, token));
  await addToken(table, site.name, { ...token, oauth: { consumer: 'consumer', sealed } });
  const oauth = new OAuth({
    ...{ consumer: { key: 'consumer', secret: SECRETS.consumer }, signature_method: 'PLAINTEXT' },
    hash_function: (_, secret) => secret,
  });
  oauth.getTimeStamp = () => Math.floor(service.clock() / 1000);
  return (method: string, path: string) => {
    const sent = oauth.authorize({ url: `${service.origin}${path}`, method }, { key: text, secret: SECRETS.token });
    return { as: null, headers: { Authorization: oauth.toHeader(sent).Authorization } };
  };
}
const byPassword = { as: null, headers: { Authorization: basic(ADMINISTRATOR, PASSWORD) } };

/** Every door of HTTP to a change of who may do what. */
const DOORS: Readonly<
  Record<string, (tools: Tools, ids: { agent: number; token: number }) => [string, string, object?]>
> = {
  'a new user': () => ['POST', '/api/v2/users', { login: 'new@example.com', role: 'Administrator' }],
  'a role': (_, { agent }) => ['PATCH', `/api/v2/users/${agent}`, { role: 'Administrator' }],
  'a removal': (_, { agent }) => ['DELETE', `/api/v2/users/${agent}`],
  'a new password': (_, { agent }) => ['POST', `/api/v2/users/${agent}/password`, {}],
  'a token': () => ['POST', '/api/v2/tokens', { name: 'another way' }],
  'a session': () => ['POST', '/api/v2/session', {}],
  'the end of another token': (_, { token }) => ['DELETE', `/api/v2/tokens/${token}`],
  'the end of any token': (_, { token }) => ['DELETE', `/api/v2/site/tokens/${token}`],
  'a link to a board': () => ['POST', '/api/v2/boards/{board}/links', { name: 'another way' }],
  'settings of the site': () => ['PATCH', '/api/v2/site', { name: 'Theirs' }],
};

describe('the token of a program', () => {
  it.each([
    ['bearer', async () => () => byProgram],
    ['oauth', byOAuth],
  ] as const)(
    'changes no user, role, login, token or setting through any door, but its own end: by %s',
    async (_, signIn) => {
      const tools = await startSite();
      const { ask, table, site, standing } = tools;
      const as = await signIn(tools);
      expect((await ask('GET', '/api/v2/users/me', as('GET', '/api/v2/users/me'))).status).toBe(200);
      const others = await listTokens(table, site.name);
      const session = others.find((token) => token.session !== undefined);
      if (session === undefined) throw new Error('no session');
      const board = (await ask('POST', '/api/v2/boards', { ...byProgram, body: { name: 'Monday' } })).body.id;
      const before = await standing();
      for (const [name, door] of Object.entries(DOORS)) {
        const [method, template, body] = door(tools, { agent: 2, token: tokenId(session) });
        const path = template.replace('{board}', String(board));
        const reply = await ask(method, path, { ...as(method, path), ...(body && { body }) });
        expect([name, reply.status, reply.body?.details?.[0]?.message]).toEqual([
          name,
          422,
          expect.stringContaining('sign in with login and password'),
        ]);
      }
      expect(await standing()).toEqual(before);
    },
  );

  it('sees and ends itself, where its own link leads', async () => {
    const { ask } = await startSite();
    const made = await ask('POST', '/api/v2/tokens', { ...byPassword, body: { name: 'nightly' } });
    const own = { as: null, headers: { Authorization: `Bearer ${made.body.token}` } };
    const { href } = made.body._links.self;
    const { token: _, ...shown } = made.body;
    expect((await ask('GET', href, own)).body).toMatchObject({ ...shown, last_used: expect.any(String) });
    for (const { _links } of (await ask('GET', '/api/v2/tokens', own)).body._embedded.entries)
      expect((await ask('GET', _links.self.href, own)).status).toBe(200);
    for (const { _links } of (await ask('GET', '/api/v2/site/tokens', byProgram)).body._embedded.entries)
      expect((await ask('GET', _links.self.href, byProgram)).status).toBe(200);
    expect((await ask('DELETE', href, own)).status).toBe(204);
    expect((await ask('GET', href, own)).status).toBe(401);
  });

  it.each([
    ['bearer', async () => () => byProgram],
    ['oauth', byOAuth],
  ] as const)(
    'agrees to no change of its own import, and takes back none that a person agreed to: by %s',
    async (_, signIn) => {
      const tools = await startSite();
      const { ask, standing, answer, step } = tools;
      const as = await signIn(tools);
      const before = await standing();
      const brought = await bring(tools, RAISE, RENAME);
      const path = `/api/v2/imports/${brought.id}`;
      const answers = { access: agreed(brought) };
      const own = await ask('PATCH', path, { ...as('PATCH', path), body: { answers } });
      expect([own.status, (await standing()).users]).toEqual([422, before.users]);
      await answer(brought.id, answers);
      await step(brought.id, 'load');
      const after = await standing();
      expect(after.users).not.toEqual(before.users);
      const refusals = [
        await ask('POST', `${path}/undo`, as('POST', `${path}/undo`)),
        await ask('PATCH', path, { ...as('PATCH', path), body: { zone: 'UTC' } }), // which would take it back first
      ];
      expect(refusals.map(({ status }) => status)).toEqual([422, 422]);
      expect(await standing()).toEqual(after);
    },
  );
});

/** How an Administrator stops being the one who agreed. */
const ENDS: readonly (readonly [string, (tools: Tools) => Promise<void>])[] = [
  ['demoted', ({ put }) => put((user) => ({ ...user, role: 'Billing Administrator' }))],
  ['removed', ({ put }) => put(removed)],
  [
    'removed and made again',
    async ({ put }) => {
      await put(removed);
      await put((user) => ({ ...user, deleted: false, password: PASSWORD_HASH }));
    },
  ],
];

describe('a consent', () => {
  it.each(ENDS)(
    'of an Administrator who is %s before it is used is asked again, and nothing happens in their name',
    async (_, end) => {
      const tools = await startSite();
      const { ask, standing, answer, entries, table, site } = tools;
      await addUser(table, site.name, 'Billing Administrator');
      const brought = await bring(tools, RAISE);
      await answer(brought.id, { access: agreed(brought) });
      await end(tools);
      const before = await standing();
      expect((await ask('POST', `/api/v2/imports/${brought.id}/load`, { as: 'Billing Administrator' })).status).toBe(
        200,
      );
      await tools.bucket.work();
      const shown = (await ask('GET', `/api/v2/imports/${brought.id}`, { as: 'Billing Administrator' })).body;
      expect(shown).toMatchObject({ state: 'checked', problem: expect.stringContaining('asked again') });
      expect(shown.questions).toMatchObject([{ id: 'access', values: [{ rows: 1 }] }]);
      const ofUsers = (await entries()).filter(({ via, resource }) => via === 'api' && resource.startsWith('users/'));
      expect([await standing(), ofUsers]).toEqual([before, []]);
      const boss = { as: null, headers: { Authorization: basic(BOSS, PASSWORD) } };
      const again = await ask('PATCH', `/api/v2/imports/${brought.id}`, {
        ...boss,
        body: { answers: { access: agreed(shown) } },
      });
      expect(again.status).toBe(200);
      await tools.bucket.work();
      expect((await ask('POST', `/api/v2/imports/${brought.id}/load`, boss)).status).toBe(200);
      await tools.bucket.work();
      expect(await tools.stored(ACCOMPLICE)).toMatchObject({ role: 'Administrator' });
      expect((await entries())[0]).toMatchObject({
        user: BOSS,
        credential: 'password',
        resource: `users/${ACCOMPLICE}`,
      });
    },
  );

  it.each(ENDS)(
    'of an undo by an Administrator who is %s before the work begins takes nothing back',
    async (_, end) => {
      const tools = await startSite();
      const { ask, standing, answer, step, bucket } = tools;
      const brought = await bring(tools, RAISE);
      await answer(brought.id, { access: agreed(brought) });
      await step(brought.id, 'load');
      const after = await standing();
      const path = `/api/v2/imports/${brought.id}`;
      expect((await ask('POST', `${path}/undo`, byPerson())).status).toBe(200);
      await end(tools);
      await bucket.work();
      const boss = { as: null, headers: { Authorization: basic(BOSS, PASSWORD) } };
      expect((await ask('GET', path, boss)).body).toMatchObject({
        state: 'loaded',
        problem: expect.stringContaining('only an Administrator'),
      });
      const role = ({ login, role: own }: User) => [login, own];
      const others = (users: readonly User[]) => users.filter(({ login }) => login !== ADMINISTRATOR).map(role);
      expect(others((await standing()).users as User[])).toEqual(others(after.users as User[]));
    },
  );
});

describe('the last Administrator', () => {
  /** Leaves the Boss as the only one. */
  const alone = ({ put }: Tools) => put((user) => ({ ...user, role: 'Agent' }));
  const LAST = 'is the last Administrator who can sign in';

  it('stays where an import demotes her, over HTTP', async () => {
    const tools = await startSite();
    const own = { type: 'agent', id: 3, name: 'Me', login: ADMINISTRATOR, role: 'Agent' };
    await tools.put((user) => ({ ...user, role: 'Agent' }), BOSS);
    const mine = await bring(tools, own);
    const checked = await tools.answer(mine.id, { access: agreed(mine) });
    expect(checked.check.rejections[0].reason).toContain(LAST);
    expect(await tools.step(mine.id, 'load')).toMatchObject({ result: { rejected: 1 } });
    expect(await tools.stored(ADMINISTRATOR)).toMatchObject({ role: 'Administrator', deleted: false });
  });

  it.each([
    ['demotes', DEMOTE],
    ['removes', { type: 'agent', id: 1, deleted: true }],
    ['renames', { type: 'agent', id: 1, name: 'Boss', login: null }],
  ])('stays where a record %s her by the command line, and by the queue', async (_, record) => {
    const tools = await startSite();
    const { table, site, stored } = tools;
    await alone(tools);
    const before = [await tools.standing(), await table.query(keys.reference(site.name, 'agent').pk)];
    const { rejected } = await importRecords(table, site, [record]);
    expect(rejected).toEqual([expect.objectContaining({ reason: expect.stringContaining(LAST) })]);
    const context = { table, site, collections: createCollections(), clock: Date.now, newId: randomUUID };
    const parsed = parseRecord(record);
    if (!('type' in parsed)) throw new Error('no record');
    const message = { id: '1', group: site.name, site: site.name, body: '' };
    const [fate] = await takeRecords(context, [{ message, site, record: parsed }]);
    expect(fate).toEqual({ reason: expect.stringContaining(LAST) });
    expect([await tools.standing(), await table.query(keys.reference(site.name, 'agent').pk)]).toEqual(before);
    expect(await stored(BOSS)).toMatchObject({ role: 'Administrator', deleted: false });
  });

  it('stays where an erasure names her, which then changes nothing', async () => {
    const tools = await startSite();
    const { table, site, stored } = tools;
    await alone(tools);
    const items = async () => {
      const all = [];
      for await (const page of table.scan()) all.push(...page);
      return all;
    };
    const context = { table, site, collections: createCollections(), clock: Date.now, newId: randomUUID };
    const plan = await planErasure(context, { kind: 'user', id: BOSS });
    if (plan === undefined) throw new Error('no plan');
    const before = await items();
    await expect(erase(context, plan)).rejects.toMatchObject({
      details: [expect.objectContaining({ message: expect.stringContaining(LAST) })],
    });
    expect(await items()).toEqual(before);
    await tools.put((user) => ({ ...user, role: 'Administrator' }));
    await erase(context, plan);
    expect(await stored(BOSS)).toBeUndefined();
  });

  it('stays where an undo would take her role', async () => {
    const tools = await startSite();
    const brought = await bring(tools, RAISE);
    await tools.answer(brought.id, { access: agreed(brought) });
    await tools.step(brought.id, 'load');
    const accomplice = { as: null, headers: { Authorization: basic(ACCOMPLICE, PASSWORD) } };
    await tools.put((user) => ({ ...user, role: 'Agent' }));
    await tools.put((user) => ({ ...user, role: 'Agent' }), BOSS);
    const path = `/api/v2/imports/${brought.id}`;
    expect((await tools.ask('POST', `${path}/undo`, accomplice)).status).toBe(200);
    await tools.bucket.work();
    expect((await tools.ask('GET', path, accomplice)).body.problem).toContain(LAST);
    expect(await tools.stored(ACCOMPLICE)).toMatchObject({ role: 'Administrator' });
  });
});

describe('a login that is removed and made again', () => {
  it('gets no answer that was kept for the earlier one', async () => {
    const { ask, put } = await startSite();
    const by = { as: null, headers: { Authorization: basic(ADMINISTRATOR, PASSWORD), 'Idempotency-Key': 'one' } };
    const body = { name: 'A topic' };
    const first = await ask('POST', '/api/v2/topics', { ...by, body });
    expect((await ask('POST', '/api/v2/topics', { ...by, body })).body).toEqual(first.body);
    await put(removed);
    await put((user) => ({ ...user, deleted: false, password: PASSWORD_HASH }));
    const again = await ask('POST', '/api/v2/topics', { ...by, body });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect(again.body.id).not.toBe(first.body.id);
    expect((await ask('POST', '/api/v2/topics', { ...by, body })).body).toEqual(again.body);
  });
});

describe('the audit', () => {
  it('names the credential beside the login, at each door', async () => {
    const tools = await startSite();
    const { ask, entries, table, site } = tools;
    const signed = await byOAuth(tools);
    const token = (await listTokens(table, site.name)).find(({ name }) => name === 'test');
    await ask('POST', '/api/v2/topics', { ...byProgram, body: { name: 'By a program' } });
    await ask('POST', '/api/v2/topics', { ...byPassword, body: { name: 'By a password' } });
    await ask('PATCH', '/api/v2/site', { ...byPerson(), body: { name: 'By a session' } });
    await ask('POST', '/api/v2/topics', { ...signed('POST', '/api/v2/topics'), body: { name: 'By a signature' } });
    const shown = (await ask('GET', '/api/v2/audit')).body._embedded.entries;
    const of = (credential: string) => shown.find((entry: { credential: string }) => entry.credential === credential);
    expect(of('bearer')).toMatchObject({ user: ADMINISTRATOR, token: token && tokenId(token), action: 'create' });
    const signing = (await listTokens(table, site.name)).find(({ name }) => name === 'signed');
    expect(of('oauth')).toMatchObject({ user: ADMINISTRATOR, token: signing && tokenId(signing), action: 'create' });
    expect(of('password')).toMatchObject({ user: ADMINISTRATOR, token: null });
    expect(of('session')).toMatchObject({ user: ADMINISTRATOR, token: expect.any(Number), resource: 'site' });
    await importRecords(table, site, [RAISE]);
    expect((await entries()).find(({ resource }) => resource === `users/${ACCOMPLICE}`)).toMatchObject({
      ...{ user: null, via: 'command line' },
    });
  });
});
