import { describe, expect } from '@jest/globals';
import { readSite, setSite } from '../../lib/access/sites.ts';
import { newTokenText, removeToken, type Token, tokenHash } from '../../lib/access/tokens.ts';
import { putUser, readUser, removed } from '../../lib/access/users.ts';
import { routes } from '../../lib/routes.ts';
import { keys } from '../../lib/store/keys.ts';
import { basic, CHEAP_HASH, PASSWORD } from '../support/service/credentials.ts';
import { seedBrands } from '../support/service/seed.ts';
import { type Ask, itInProcess, type Received, type Sent, startService } from '../support/service/service.ts';
import { freshTable } from '../support/service/table.ts';
import { addToken } from '../support/service/tokens.ts';

const LOGIN = 'administrator@test.example';
const TOPICS = '/api/v2/topics';
const META = '/api/v2/insights3/meta';
const BY_PASSWORD: Sent = { as: null, headers: { Authorization: basic(LOGIN, PASSWORD) } };

/** A service that remembers replies, one that does not, and how often the first went through all steps of an answer. */
async function twoServices(name: string) {
  const { again, table, site, now, logged } = await startService(routes, {
    site: { name },
    wiring: { table: await freshTable('lmdb') }, // which gives an unchanged item again as the same object
  });
  const plain = again({ replies: { again: async () => ({}), keep: () => undefined } });
  const steps = { taken: 0 };
  const pages = async () => {
    steps.taken += 1;
    return undefined;
  };
  return { plain, steady: again({ pages }), steps, table, site, now, logged };
}

/** A reply but for what no two have in common. */
const shown = ({ status, headers, text }: Received) => {
  const { 'x-request-id': _, 'x-amzn-requestid': __, ...others } = headers;
  return { status, headers: others, text };
};

/** Asks twice, so that the second reply may be the one of the first; both must be as by all steps. */
async function same(steady: Ask, plain: Ask, target: string, sent: Sent = {}): Promise<Received> {
  const expected = shown(await plain('GET', target, sent));
  expect(shown(await steady('GET', target, sent))).toEqual(expected);
  const second = await steady('GET', target, sent);
  expect(shown(second)).toEqual(expected);
  return second;
}

const GETS: readonly (readonly [string, Sent?])[] = [
  [TOPICS],
  [`${TOPICS}?per_page=1&page=2`],
  [TOPICS, { headers: { 'Accept-Language': 'de' } }],
  [TOPICS, { headers: { Origin: 'https://there.example' } }],
  [`${TOPICS}/1`],
  [`${TOPICS}/1/brands`],
  ['/api/v2/macros'],
  [META],
];

describe('a reply that is given again', () => {
  itInProcess('is what all steps would answer, whoever changed what it is made from', async () => {
    const { plain, steady, table, site } = await twoServices('changes');
    const all = async () => {
      for (const [target, sent] of GETS) await same(steady, plain, target, sent);
    };
    await seedBrands(table, site.name, [{ id: 1 }]);
    const changes: (() => Promise<unknown>)[] = [
      () => plain('POST', TOPICS, { body: { name: 'One', brand_ids: [1] } }),
      () => plain('POST', TOPICS, { body: { name: 'Two' } }),
      () => steady('PATCH', `${TOPICS}/1`, { body: { name: 'Uno' } }),
      () => plain('POST', '/api/v2/macros', { body: { name: 'Greet' } }),
      async () => setSite(table, site, { ...site, allowOrigins: ['https://there.example'] }),
      () => plain('DELETE', `${TOPICS}/1`),
    ];
    for (const change of changes) {
      await change();
      await all();
    }
  });

  itInProcess('takes one read and no other step, until something changes', async () => {
    const { plain, steady, steps } = await twoServices('steps');
    await plain('POST', TOPICS, { body: { name: 'One' } });
    await steady('GET', TOPICS);
    const before = steps.taken;
    const { headers } = await steady('GET', TOPICS);
    await steady('GET', TOPICS);
    expect(steps.taken).toBe(before);
    const tag = { headers: { 'If-None-Match': headers.etag ?? '' } };
    for (const _ of [1, 2]) expect((await steady('GET', TOPICS, tag)).status).toBe(304);
    await plain('PATCH', `${TOPICS}/1`, { body: { name: 'Uno' } });
    expect((await steady('GET', TOPICS)).text).toContain('Uno');
    expect((await steady('GET', TOPICS, tag)).status).toBe(200);
  });

  itInProcess('takes the lock of reports if its route does', async () => {
    const { plain, steady, steps, table, site, now, logged } = await twoServices('locks');
    const key = keys.lock(site.name);
    await same(steady, plain, META);
    const before = steps.taken;
    expect((await steady('GET', META)).status).toBe(200);
    expect(logged.at(-1)).toMatchObject({ route: 'showMeta', site: site.name, user: LOGIN, trips: 3 }); // two of them writes
    expect(steps.taken).toBe(before);
    expect(await table.get(key)).toBeUndefined();
    await table.put({ ...key, owner: 'another', expiresAt: now.at + 5_000 });
    expect(await steady('GET', META)).toMatchObject({ status: 429, headers: { 'x-rate-limit-reset': '1' } });
    now.at += 5_000;
    expect((await same(steady, plain, META)).status).toBe(200);
  });

  itInProcess('is for who may read, as long as nobody says otherwise', async () => {
    const { plain, steady, table, site } = await twoServices('users');
    const user = async () => (await readUser(table, site.name, LOGIN))!;
    await same(steady, plain, TOPICS, BY_PASSWORD);
    await putUser(table, site.name, { ...(await user()), password: CHEAP_HASH }, false); // another one's
    expect((await same(steady, plain, TOPICS, BY_PASSWORD)).status).toBe(401);
    const fresh = await startService(routes, { site: { name: 'users-2' }, wiring: { table } });
    await fresh.ask('GET', TOPICS);
    await fresh.ask('GET', TOPICS);
    const known = (await readUser(table, 'users-2', LOGIN))!;
    await putUser(table, 'users-2', removed(known), false);
    expect((await fresh.ask('GET', TOPICS)).status).toBe(401);
  });

  itInProcess('is not given once the credentials are to be looked at again', async () => {
    const { plain, steady, steps, now, table, site } = await twoServices('times');
    const text = newTokenText(LOGIN);
    const token: Token = {
      hash: tokenHash(text),
      login: LOGIN,
      name: 'one',
      created: now.at,
      expires: now.at + 90_000,
    };
    await addToken(table, site.name, token);
    const byToken = { as: null, headers: { Authorization: `Bearer ${text}` } };
    const taken = async (sent: Sent): Promise<number> => {
      const before = steps.taken;
      await same(steady, plain, TOPICS, sent);
      return steps.taken - before;
    };
    expect([await taken(BY_PASSWORD), await taken(BY_PASSWORD)]).toEqual([1, 0]);
    await taken(byToken); // notes that it was used
    await taken(byToken);
    now.at += 59_999;
    expect([await taken(BY_PASSWORD), await taken(byToken)]).toEqual([0, 0]);
    now.at += 1;
    expect([await taken(BY_PASSWORD), await taken(byToken)]).toEqual([1, 0]);
    now.at += 30_000;
    expect((await same(steady, plain, TOPICS, byToken)).status).toBe(401);
    await addToken(table, site.name, { ...token, hash: tokenHash(`${text}x`) });
    await removeToken(table, site.name, token);
    expect((await same(steady, plain, TOPICS, byToken)).status).toBe(401);
  });

  itInProcess('counts against a limit', async () => {
    const { steady, table, site } = await twoServices('limit');
    await steady('GET', TOPICS);
    await steady('GET', TOPICS);
    const before = await readSite(table, site.name);
    await setSite(table, before!, { ...before!, rateLimit: 3 });
    const statuses = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await steady('GET', TOPICS)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });
});

describe('a request with a body', () => {
  itInProcess('is refused where that is too large, whatever was answered before', async () => {
    const { ask } = await startService(routes, { site: { name: 'bodies' } });
    const body = 'x'.repeat(1024 * 1024 + 1);
    const headers = { 'Content-Length': String(body.length) };
    for (const _ of [1, 2]) expect((await ask('GET', TOPICS, { headers })).status).toBe(200);
    expect((await ask('GET', TOPICS, { body, headers })).status).toBe(413);
  });
});
