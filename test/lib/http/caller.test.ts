import { readUser } from '../../../lib/access/users.ts';
import { routes } from '../../../lib/routes.ts';
import { type Key, keys } from '../../../lib/store/keys.ts';
import type { Table } from '../../../lib/store/table.ts';
import { basic, PASSWORD, PASSWORD_HASH } from '../../support/service/credentials.ts';
import { startService } from '../../support/service/service.ts';
import { putUser, setSite } from '../../support/service/stored-access.ts';

const LISTED = '/api/v2/macros';
const { again, table, site } = await startService(routes);

/** The table, which notes the keys of each read of several items. */
function noting(read: Key[][]): Table {
  const noted: Table = {
    ...table,
    metered: () => noted,
    batchGet: (wanted) => {
      read.push([...wanted]);
      return table.batchGet(wanted);
    },
  };
  return noted;
}

describe('the site of a host', () => {
  it('is read with the caller, also at first where the host begins with its name, and looks at the default site no more', async () => {
    const read: Key[][] = [];
    const ask = again({ table: noting(read) });
    const looks = () => read.splice(0).map((wanted) => wanted.some(({ sk }) => sk === keys.defaultSite().sk));
    for (const [host, expected] of [
      [undefined, [true]],
      [undefined, [false]],
      ['unknown.example', [true, true]],
      ['unknown.example', [true]],
    ] as const) {
      expect((await ask('GET', LISTED, host === undefined ? {} : { host })).status).toBe(200);
      expect(looks()).toEqual(expected);
    }
  });

  it('is the default one at once when the host is its own no more, and its own again', async () => {
    const own = { ...site, name: 'own', hosts: ['moving.example'] };
    const ask = again({});
    const seen = async () => (await ask('GET', LISTED, { host: 'moving.example' })).status;
    await table.transact([{ put: { ...keys.site('own'), ...own } }]);
    await setSite(table, site, { ...site, hosts: [...site.hosts, 'moving.example'], version: 1 });
    expect(await seen()).toBe(200);
    await table.put({ ...keys.host('moving.example'), site: 'own' });
    expect(await seen()).toBe(401); // the other site does not know the token
    await table.delete(keys.host('moving.example'));
    expect(await seen()).toBe(200);
  });
});

it.each(['localhost', 'acme.example', 'a.b.c.example'])('the host %s has no site where there is none', async (host) => {
  const empty = await startService(routes);
  await empty.table.delete(keys.defaultSite());
  expect((await empty.ask('GET', LISTED, { host })).status).toBe(404);
});

describe('a password that was hashed at a lower cost', () => {
  it.each([
    [true, PASSWORD_HASH.N],
    [false, 2 ** 15],
  ])('is hashed again where renewsHashes is %s', async (renewsHashes, cost) => {
    const login = `old-${renewsHashes}@test.example`;
    const hash = 'pSGnlCsx3xgjWzD4OORBnvTraRSJOrtCMMXQpELqhjw=';
    const password = { ...PASSWORD_HASH, hash, N: 2 ** 15 };
    await putUser(table, site.name, { login, role: 'Administrator', deleted: false, password }, true);
    const ask = again({ renewsHashes });
    const headers = { Authorization: basic(login, PASSWORD) };
    expect((await ask('GET', LISTED, { as: null, headers })).status).toBe(200);
    expect((await readUser(table, site.name, login))?.password?.N).toBe(cost);
  });
});
