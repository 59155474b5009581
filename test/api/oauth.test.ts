import { createHash, createHmac } from 'node:crypto';
import OAuth from 'oauth-1.0a';
import { newOAuthKey, sealSecrets } from '../../lib/access/oauth/oauth-secrets.ts';
import { newTokenText, secretsPlace, type Token, tokenHash } from '../../lib/access/tokens.ts';
import { groups } from '../../lib/routes.ts';
import { unavailable } from '../../lib/store/faults.ts';
import { keys } from '../../lib/store/keys.ts';
import { addUser, itInProcess as it, newSite, type Sent, startService } from '../support/service/service.ts';
import { addToken } from '../support/service/tokens.ts';

/** Requests signed by a public library, as programs of the original service send them. */

const key = newOAuthKey();
const kept = { keys: [key], isLost: false };
const { ask, table, site, now, origin, logged } = await startService(groups.topics, {
  roles: ['Administrator', 'Agent'],
  wiring: {
    oauthKeys: async (fresh) => {
      if (kept.isLost) throw unavailable(new Error('the secret is out of reach'));
      return fresh ? kept.keys : kept.keys.slice(0, 1);
    },
  },
});
const LOGIN = 'administrator@test.example';
const SECRETS = { consumer: 'consumer-secret', token: 'token-secret' };
const CONSUMER = { key: 'consumer-key', secret: SECRETS.consumer };
const TOPICS = '/api/v2/topics';

async function makeToken(name: string, more: Partial<Token> = {}, by = key): Promise<OAuth.Token> {
  const text = newTokenText(LOGIN);
  const token = { hash: tokenHash(text), login: LOGIN, name, created: now.at, ...more };
  const sealed = sealSecrets(by, SECRETS, secretsPlace(site.name, token));
  await addToken(table, site.name, { ...token, oauth: { consumer: CONSUMER.key, sealed } });
  return { key: text, secret: SECRETS.token };
}

const state = { token: { key: '', secret: '' } };
const signer = (signature_method = 'HMAC-SHA1') => {
  const oauth = new OAuth({
    consumer: CONSUMER,
    signature_method,
    hash_function: (text, secret) =>
      signature_method === 'PLAINTEXT' ? secret : createHmac('sha1', secret).update(text).digest('base64'),
  });
  oauth.getTimeStamp = () => Math.floor(now.at / 1000);
  return oauth;
};

/** The header of a request to a target, signed for the URL that the client sees. */
function signed(
  method: string,
  target: string,
  { base = origin, token = state.token, data = {}, oauth = signer() } = {},
) {
  const sent = oauth.authorize({ url: `${base}${target}`, method, data }, token);
  return oauth.toHeader(sent).Authorization;
}

const send = (method: string, target: string, Authorization: string, sent: Sent = {}) =>
  ask(method, target, { ...sent, as: null, headers: { ...sent.headers, Authorization } });
const problem = async (authorization: string, sent?: Sent) => {
  const { status, headers, body } = await send('GET', TOPICS, authorization, sent);
  expect(body).toEqual({ message: 'Unauthorized' });
  return [status, headers['x-oauth-problem']];
};

beforeAll(async () => {
  state.token = await makeToken('usual');
});

describe('a request signed by OAuth 1.0a', () => {
  it('is its user’s, with repeated, empty and encoded parameters in any order', async () => {
    for (const target of [
      TOPICS,
      `${TOPICS}?page=1&per_page=5`,
      `${TOPICS}?b=&a=2&a=1&x=%C3%A9%20%2B%26`,
      '/api/v2/users/me',
    ])
      expect((await send('GET', target, signed('GET', target))).status).toBe(200);
    expect((await send('HEAD', TOPICS, signed('HEAD', TOPICS))).status).toBe(200);
  });

  it('creates and changes, its JSON unsigned, also under a form’s type and a method that is signed', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const made = await send('POST', TOPICS, signed('POST', TOPICS), { body: { name: 'Signed' }, headers });
    expect(made.status).toBe(201);
    const path = `${TOPICS}/${made.body.id}`;
    const override = { 'X-HTTP-Method-Override': 'PATCH' };
    const named = (authorization: string, name = 'New') =>
      send('POST', path, authorization, { body: { name }, headers: override });
    const refused = await named(signed('POST', path), 'Not signed');
    expect([refused.status, refused.body.details[0].message]).toEqual([
      400,
      expect.stringMatching(/^X-HTTP-Method-Override is not signed/),
    ]);
    expect((await named(signed('PATCH', path, { token: { ...state.token, secret: 'x' } }))).status).toBe(401);
    expect((await named(signed('PATCH', path, { oauth: signer('PLAINTEXT') }), 'Plain')).status).toBe(400);
    expect((await ask('GET', path)).body.name).toBe('Signed');
    expect((await named(signed('PATCH', path))).body.name).toBe('New');
    const form = signed('POST', TOPICS, { data: { name: 'a b' } });
    expect((await send('POST', TOPICS, form, { body: 'name=a+b', headers })).status).toBe(400);
    expect((await send('POST', TOPICS, form, { body: 'name=a+c', headers })).status).toBe(401);
  });

  it('fits where a proxy hides the scheme and the stage, but no other host', async () => {
    const host = new URL(origin).host;
    for (const base of [origin, `https://${host}`, `http://${host}`, origin.replace('https', 'http')])
      expect((await send('GET', TOPICS, signed('GET', TOPICS, { base }))).status).toBe(200);
    for (const base of ['https://other.example', `${origin}/more`])
      expect(await problem(signed('GET', TOPICS, { base }))).toEqual([401, 'signature_invalid']);
  });

  it('has its parameters in the query, which no page link shows', async () => {
    const oauth = signer();
    const target = `${TOPICS}?per_page=2`;
    const sent = oauth.authorize({ url: `${origin}${target}`, method: 'GET' }, state.token);
    const query = new URLSearchParams(
      Object.entries(sent).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const reply = await ask('GET', `${TOPICS}?${query}`, { as: null });
    expect([reply.status, reply.body._links.self.href]).toEqual([200, `${TOPICS}?page=1&per_page=2`]);
    expect((await ask('GET', `${TOPICS}?${query}&oauth_nonce=x`, { as: null })).headers['x-oauth-problem']).toBe(
      'signature_invalid',
    );
    expect(await problem(signed('GET', TOPICS), {}).catch(() => 'taken')).toBe('taken');
  });

  it('is refused for another method, path, query or secret, with what is wrong where that tells nothing', async () => {
    expect(await problem(signed('POST', TOPICS))).toEqual([401, 'signature_invalid']);
    expect(await problem(signed('GET', `${TOPICS}?page=2`))).toEqual([401, 'signature_invalid']);
    expect(await problem(signed('GET', TOPICS, { token: { ...state.token, secret: 'x' } }))).toEqual([
      401,
      'signature_invalid',
    ]);
    expect(await problem(signed('GET', TOPICS, { token: { ...state.token, key: newTokenText(LOGIN) } }))).toEqual([
      401,
      'signature_invalid',
    ]);
    expect(await problem(signed('GET', TOPICS, { token: { ...state.token, key: 'x' } }))).toEqual([
      401,
      'signature_invalid',
    ]);
    expect(await problem(signed('GET', TOPICS).replace('1.0', '2.0'))).toEqual([401, 'version_rejected']);
    expect(await problem(signed('GET', TOPICS).replace('HMAC-SHA1', 'RSA-SHA1'))).toEqual([
      401,
      'signature_method_rejected',
    ]);
    expect(await problem(signed('GET', TOPICS).replace(/oauth_nonce="\w+", /, ''))).toEqual([401, 'parameter_absent']);
    const late = signed('GET', TOPICS);
    now.at += 301_000;
    expect(await problem(late)).toEqual([401, 'timestamp_refused']);
  });

  it('has a nonce of 1 to 255 characters', async () => {
    const withNonce = (nonce: string) => {
      const oauth = signer();
      oauth.getNonce = () => nonce;
      return signed('GET', TOPICS, { oauth });
    };
    expect((await send('GET', TOPICS, withNonce('n'.repeat(255)))).status).toBe(200);
    expect(await problem(withNonce('n'.repeat(256)))).toEqual([401, 'signature_invalid']);
    expect(await problem(withNonce(''))).toEqual([401, 'parameter_absent']);
  });

  it('may be sent again, as the original’s client does after a 429', async () => {
    const header = signed('GET', TOPICS);
    expect([(await send('GET', TOPICS, header)).status, (await send('GET', TOPICS, header)).status]).toEqual([
      200, 200,
    ]);
  });

  it('has the hash of its body checked, if it names one', async () => {
    const body = JSON.stringify({ name: 'Hashed' });
    const withHash = (text: string) => {
      const oauth_body_hash = createHash('sha1').update(text).digest('base64');
      const oauth = signer();
      const sent = oauth.authorize(
        { url: `${origin}${TOPICS}`, method: 'POST', data: { oauth_body_hash } },
        state.token,
      );
      return oauth.toHeader({ ...sent, oauth_body_hash } as typeof sent).Authorization;
    };
    expect((await send('POST', TOPICS, withHash(body), { body })).status).toBe(201);
    expect((await send('POST', TOPICS, withHash('other'), { body })).status).toBe(401);
  });

  it('may be in plain text over https or within this machine', async () => {
    const oauth = signer('PLAINTEXT');
    const header = signed('GET', TOPICS, { oauth });
    expect((await send('GET', TOPICS, header)).status).toBe(200);
    expect(await problem(header.replace('token-secret', 'other'))).toEqual([401, 'signature_invalid']);
  });

  it('needs a token that is not over, and is no bearer token', async () => {
    const token = await makeToken('short', { expires: now.at + 1000 });
    const header = signed('GET', TOPICS, { token });
    expect((await send('GET', TOPICS, header)).status).toBe(200);
    now.at += 1000;
    expect(await problem(header)).toEqual([401, 'signature_invalid']);
    expect((await send('GET', TOPICS, `Bearer ${state.token.key}`)).status).toBe(401);
    const agent = await makeToken('agent', { role: 'Agent' });
    expect((await send('POST', TOPICS, signed('POST', TOPICS, { token: agent }), { body: { name: 'x' } })).status).toBe(
      403,
    );
  });

  it('is not good for another site', async () => {
    const other = await newSite(table, { name: 'neighbour' }, { default: false });
    await addUser(table, other.name, 'Administrator');
    const target = signed('GET', TOPICS, { base: `https://${other.hosts[0]}` });
    expect(await problem(target, { host: String(other.hosts[0]) })).toEqual([401, 'signature_invalid']);
    const item = (await table.query(keys.tokens(site.name).pk)).find(({ name }) => name === 'usual');
    await table.put({ ...item, ...keys.token(other.name, String(item?.hash)) });
    expect(await problem(target, { host: String(other.hosts[0]) })).toEqual([401, 'signature_invalid']);
  });

  it('is checked by a key that was made since the keys were read, and gets 503 while they are out of reach', async () => {
    kept.keys = [key, newOAuthKey()];
    const token = await makeToken('later', {}, kept.keys[1]);
    expect((await send('GET', TOPICS, signed('GET', TOPICS, { token }))).status).toBe(200);
    kept.isLost = true;
    const { status, headers, body } = await send('GET', TOPICS, signed('GET', TOPICS, { token }));
    expect([status, headers['retry-after'], body]).toEqual([503, '1', { message: 'Service Unavailable' }]);
    expect((await ask('GET', TOPICS)).status).toBe(200);
    kept.isLost = false;
  });

  it('leaves no secret in a log line', () => {
    expect(logged.length).toBeGreaterThan(0);
    const lines = JSON.stringify(logged);
    for (const secret of [...Object.values(SECRETS), state.token.key, key.bytes.toString('base64')])
      expect(lines).not.toContain(secret);
  });
});
