import { newTokenText, tokenHash } from '../../../lib/access/tokens.ts';
import { loginFault, readUser } from '../../../lib/access/users.ts';
import { command } from '../../support/service/command.ts';
import { type ImportSite, startImportSite } from '../../support/service/import-site.ts';
import { run } from '../../support/service/program.ts';
import { putUser } from '../../support/service/stored-access.ts';
import { addToken } from '../../support/service/tokens.ts';

const BAD = [
  ...['ann\u0007@acme.example', 'ann\u001b[31m@acme.example', 'ann\u0000@acme.example', 'ann\u0085@acme.example'],
  ...['ann\u202e@acme.example', 'ann\u200b@acme.example', 'ann\u00ad@acme.example', 'ann\u2028@acme.example'],
  ...['ann @acme.example', 'ann:x@acme.example', '<b>ann</b>@acme.example', '"ann"@acme.example', 'a`id`@acme.example'],
  ...['ann\ufe0f@acme.example', 'ann\\@acme.example', `${'a'.repeat(250)}@acme.example`],
];
const GOOD = ['ann@acme.example', "o'neil+x@acme.example", 'jürgen/a@acme.example', '山田@例え.jp', 'Ann_B-C.d@x'];

let site: ImportSite;
let place: readonly string[];
beforeAll(async () => {
  site = await startImportSite();
  place = ['--site', site.site.name, '--data-dir', site.table.name];
});

const user = (login: string) => readUser(site.table, site.site.name, login);

describe('a login', () => {
  it.each(BAD)('is not made of invisible characters, blanks or markup: %j', async (login) => {
    expect(loginFault(login)).toMatch(/^A login has .*\.$/);
    const added = await command(['user', 'add', '--login', login, '--role', 'Agent', '--password-stdin', ...place]);
    expect([added.status, added.err]).toEqual([2, expect.stringContaining('A login has ')]);
    for (const type of ['agent', 'user']) {
      const [refused] = await site.reasons({ type, id: 7, name: 'Ann', login });
      expect(refused).toEqual([1, expect.stringContaining('login: ')]);
    }
    expect(await user(login)).toBeUndefined();
  });

  it.each(GOOD)('may be %s', async (login) => {
    expect(loginFault(login)).toBeUndefined();
    expect(await site.reasons({ type: 'agent', id: GOOD.indexOf(login) + 100, name: 'Ann', login })).toEqual([]);
    expect(await user(login)).toMatchObject({ login });
  });

  it('that was made by an earlier version can be removed', async () => {
    const [login = ''] = BAD;
    await putUser(site.table, site.site.name, { login, role: 'Agent', deleted: false }, true);
    expect((await command(['user', 'remove', '--login', login, ...place])).status).toBe(0);
    expect(await user(login)).toMatchObject({ deleted: true });
  });
});

describe('a token of somebody who was removed', () => {
  const removals: [string, (login: string, id: number) => Promise<unknown>][] = [
    ['by the command line', (login) => command(['user', 'remove', '--login', login, ...place])],
    ['by an import', (login, id) => site.load({ type: 'agent', id, name: 'Eve', login, deleted: true })],
    [
      'by an import that gives the agent another login',
      (login, id) => site.load({ type: 'agent', id, name: 'Eve', login: `new-${login}` }),
    ],
    ['by an erasure', (login) => command(['erase', '--user', login, '--yes', ...place])],
  ];

  it.each(removals)('%s does not live again when the login is given to somebody', async (_, remove) => {
    const id = 500 + removals.findIndex(([, other]) => other === remove);
    const login = `eve-${id}@acme.example`;
    const text = newTokenText(login);
    const ask = async () =>
      (await site.ask('GET', '/api/v2/topics', { as: null, headers: { Authorization: `Bearer ${text}` } })).status;
    await site.load({ type: 'agent', id, name: 'Eve', login });
    const { generation } = (await user(login)) ?? {};
    const token = { hash: tokenHash(text), login, name: 'hers', created: 0, ...(generation && { generation }) };
    await addToken(site.table, site.site.name, token);
    expect(await ask()).toBe(200);
    await remove(login, id);
    expect(await ask()).toBe(401);
    await site.load({ type: 'agent', id: id + 1_000, name: 'Another', login });
    expect(await ask()).toBe(401);
    const added = ['user', 'add', '--login', login, '--role', 'Administrator', '--password-stdin', ...place];
    expect((await run(added, { input: 'a good password\n' })).status).toBe(0);
    expect(await user(login)).toMatchObject({ deleted: false, role: 'Administrator' });
    expect(await ask()).toBe(401);
  });
});
