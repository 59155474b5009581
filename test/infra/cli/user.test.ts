import { command } from '../../support/service/command.ts';
import { run, withFolder } from '../../support/service/program.ts';

it('keeps the last Administrator, whom neither removal nor another role takes away', async () => {
  await withFolder(async (folder) => {
    const support = (...line: readonly string[]) => command([...line, '--data-dir', folder]);
    const add = (login: string) =>
      run(
        [
          'user',
          'add',
          '--site',
          'acme',
          '--login',
          login,
          '--role',
          'Administrator',
          '--password-stdin',
          '--data-dir',
          folder,
        ],
        { input: 'quite another password' },
      );
    const its = (login: string) => ['--site', 'acme', '--login', login];
    await support('site', 'add', 'acme');
    await add('ann@acme.example');
    const last = {
      status: 1,
      err: expect.stringContaining('ann@acme.example is the last Administrator who can sign in'),
    };
    const before = (await support('user', 'list', '--site', 'acme', '--json')).out;
    expect(await support('user', 'remove', ...its('ann@acme.example'))).toMatchObject(last);
    expect(await support('user', 'set', ...its('ann@acme.example'), '--role', 'Agent')).toMatchObject(last);
    expect((await support('user', 'list', '--site', 'acme', '--json')).out).toBe(before);
    await add('bob@acme.example');
    expect(await support('user', 'set', ...its('ann@acme.example'), '--role', 'Agent')).toMatchObject({ status: 0 });
    const entries = JSON.parse((await support('audit', '--site', 'acme', '--resource', 'users', '--json')).out);
    const done = { user: null, via: 'command line', resource: 'users/ann@acme.example' };
    expect(entries[0]).toMatchObject({ ...done, action: 'update', fields: ['role'] });
    expect(entries).toHaveLength(3);
    const taken = ['user', 'add', ...its('Ann@acme.example'), '--role', 'Agent'];
    const refused = await support(...taken); // before a password is asked for
    expect([refused.status, refused.err]).toEqual([1, 'The user Ann@acme.example exists already.\n']);
    expect(await support('user', 'add', ...its('a:b'), '--role', 'Agent')).toMatchObject({
      status: 2,
      err: expect.stringContaining('A login has neither blanks nor colons.'),
    });
    await support('user', 'remove', ...its('ann@acme.example'));
    const listed = JSON.parse((await support('user', 'list', '--site', 'acme', '--json')).out);
    expect(listed).toEqual([
      { site: 'acme', login: 'ann@acme.example', role: 'Agent', deleted: true, password: false },
      { site: 'acme', login: 'bob@acme.example', role: 'Administrator', deleted: false, password: true },
    ]);
  });
});
