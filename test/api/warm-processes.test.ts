import { readUser, removed } from '../../lib/access/users.ts';
import { routes } from '../../lib/routes.ts';
import { basic, CHEAP_HASH, PASSWORD } from '../support/service/credentials.ts';
import { seedBrands } from '../support/service/seed.ts';
import { itInProcess, type Received, type Sent, startService } from '../support/service/service.ts';
import { putUser, setSite } from '../support/service/stored-access.ts';

const LOGIN = 'administrator@test.example';
const TOPICS = '/api/v2/topics';
const BY_PASSWORD: Sent = { as: null, headers: { Authorization: basic(LOGIN, PASSWORD) } };

/** Two processes of one service, each with its own memory. */
async function twoProcesses(name: string) {
  const service = await startService(routes, { site: { name } });
  return { ...service, warm: service.ask, other: service.again({}) };
}

/** A reply but for what no two have in common. */
const shown = ({ status, headers, text }: Received) => {
  const { 'x-request-id': _, 'x-amzn-requestid': __, ...others } = headers;
  return { status, headers: others, text };
};

const GETS: readonly (readonly [string, Sent?])[] = [
  [TOPICS],
  [`${TOPICS}?per_page=1&page=2`],
  [TOPICS, { headers: { 'Accept-Language': 'de' } }],
  [TOPICS, { headers: { Origin: 'https://there.example' } }],
  [`${TOPICS}/1`],
  [`${TOPICS}/1/brands`],
  ['/api/v2/macros'],
  ['/api/v2/insights3/meta'],
];

describe('what a process remembers', () => {
  itInProcess('never shows in a reply, whoever changed what it shows', async () => {
    const { warm, other, again, table, site } = await twoProcesses('changes');
    await seedBrands(table, site.name, [{ id: 1 }]);
    const changes: (() => Promise<unknown>)[] = [
      () => other('POST', TOPICS, { body: { name: 'One', brand_ids: [1] } }),
      () => other('POST', TOPICS, { body: { name: 'Two' } }),
      () => warm('PATCH', `${TOPICS}/1`, { body: { name: 'Uno' } }),
      () => other('POST', '/api/v2/macros', { body: { name: 'Greet' } }),
      async () => setSite(table, site, { ...site, allowOrigins: ['https://there.example'] }),
      () => other('DELETE', `${TOPICS}/1`),
    ];
    for (const change of changes) {
      await change();
      const cold = again({});
      for (const [target, sent] of GETS)
        expect(shown(await warm('GET', target, sent))).toEqual(shown(await cold('GET', target, sent)));
    }
  });

  itInProcess('lets nobody in once their password has changed or they are removed', async () => {
    const { warm, table, site } = await twoProcesses('users');
    const user = async () => (await readUser(table, site.name, LOGIN))!;
    for (const _ of [1, 2]) expect((await warm('GET', TOPICS, BY_PASSWORD)).status).toBe(200);
    await putUser(table, site.name, { ...(await user()), password: CHEAP_HASH }, false); // another one's
    expect((await warm('GET', TOPICS, BY_PASSWORD)).status).toBe(401);
    expect((await warm('GET', TOPICS)).status).toBe(200);
    await putUser(table, site.name, removed(await user()), false);
    expect((await warm('GET', TOPICS)).status).toBe(401);
  });
});

describe('a request with a body', () => {
  itInProcess('is refused where that is too large, and answered without it where none is read', async () => {
    const { ask } = await startService(routes, { site: { name: 'bodies' } });
    const body = 'x'.repeat(1024 * 1024 + 1);
    const headers = { 'Content-Length': String(body.length) };
    expect((await ask('GET', TOPICS, { body, headers })).status).toBe(200);
    expect((await ask('POST', TOPICS, { body, headers })).status).toBe(413);
  });
});
