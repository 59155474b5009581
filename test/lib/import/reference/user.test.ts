import { readUser, type User } from '../../../../lib/access/users.ts';
import { PASSWORD_HASH } from '../../../support/service/credentials.ts';
import { type ImportSite, startImportSite } from '../../../support/service/import-site.ts';
import { putUser } from '../../../support/service/stored-access.ts';

const AT = Date.parse('2026-03-01T12:00:00Z'); // a login that is new has its time as its generation

let site: ImportSite;
beforeAll(async () => {
  site = await startImportSite();
});

const user = (login: string) => readUser(site.table, site.site.name, login);
const put = (given: User, isNew: boolean) => putUser(site.table, site.site.name, given, isNew);

describe('an import of agents with a login', () => {
  it('makes users without a password', async () => {
    await site.load({ type: 'agent', id: 1, name: 'Ann', login: 'Ann@Example.com', role: 'Reporting Agent' });
    const ann = { login: 'Ann@Example.com', role: 'Reporting Agent', deleted: false, agent: 1, generation: AT };
    expect(await user('ann@example.com')).toEqual({ ...ann, version: 1 });
    await site.load({ type: 'agent', id: 2, name: 'Bob', login: 'bob@example.com' });
    expect(await user('bob@example.com')).toMatchObject({ role: 'Agent' });
  });

  it('keeps a password, also where the login changes', async () => {
    const before = await user('ann@example.com');
    await put(
      {
        login: 'ann@example.com',
        role: 'Agent',
        deleted: false,
        agent: 1,
        password: PASSWORD_HASH,
        version: before?.version,
      },
      false,
    );
    await site.load({ type: 'agent', id: 1, name: 'Ann', login: 'ann@example.org', role: 'Administrator' });
    const ann = { login: 'ann@example.org', role: 'Administrator', deleted: false, agent: 1, generation: AT };
    expect(await user('ann@example.org')).toEqual({ ...ann, password: PASSWORD_HASH, version: 1 });
    const former = { login: 'ann@example.com', role: 'Agent', deleted: true, agent: 1, generation: 1, version: 3 };
    expect(await user('ann@example.com')).toEqual(former);
  });

  it('takes over a user of the command line, and leaves its role where the record has none', async () => {
    await put({ login: 'cli@example.com', role: 'Administrator', deleted: false, password: PASSWORD_HASH }, true);
    await site.load({ type: 'agent', id: 3, name: 'Cli', login: 'cli@example.com' });
    expect(await user('cli@example.com')).toMatchObject({ role: 'Administrator', agent: 3, password: PASSWORD_HASH });
  });

  it('does not undo what the command line did since when the same record comes again', async () => {
    await put({ login: 'bob@example.com', role: 'Administrator', deleted: true, agent: 2, version: 1 }, false);
    await site.load({ type: 'agent', id: 2, name: 'Bob', login: 'bob@example.com' });
    expect(await user('bob@example.com')).toMatchObject({ role: 'Administrator', deleted: true });
  });

  it('never lets somebody in again who was removed, nor gives their password to another agent', async () => {
    await put(
      { login: 'gone@example.com', role: 'Administrator', deleted: false, agent: 7, password: PASSWORD_HASH },
      true,
    );
    await site.load({ type: 'agent', id: 7, name: 'Gone', login: 'gone@example.com', deleted: true });
    expect(await user('gone@example.com')).not.toHaveProperty('password');
    await site.load({ type: 'agent', id: 7, name: 'Back', login: 'gone@example.com', deleted: false });
    await site.load({ type: 'agent', id: 8, name: 'Eve', login: 'gone@example.com', role: 'Administrator' });
    const left = await user('gone@example.com');
    expect([left?.deleted, left?.password]).toEqual([true, undefined]);
  });

  it('ends a user with its agent, or where the login is cleared', async () => {
    await site.load({ type: 'agent', id: 3, deleted: true }, { type: 'agent', id: 1, name: 'Ann', login: null });
    expect(await user('cli@example.com')).toMatchObject({ deleted: true });
    expect(await user('ann@example.org')).toMatchObject({ deleted: true });
  });

  it('refuses the login of another agent', async () => {
    await site.load({ type: 'agent', id: 4, name: 'Dan', login: 'dan@example.com' });
    expect(await site.reasons({ type: 'agent', id: 5, name: 'Dan', login: 'DAN@example.com' })).toEqual([
      [1, 'login: "DAN@example.com" is the login of agent 4'],
    ]);
    expect(await user('dan@example.com')).toMatchObject({ agent: 4 });
  });
});
