import { command } from '../../support/service/command.ts';
import { run, withFolder } from '../../support/service/program.ts';

it('makes tokens by the rules of the API, and says what is wrong in its words', async () => {
  await withFolder(async (folder) => {
    const support = (line: readonly string[]) => command([...line, '--data-dir', folder]);
    const its = ['--site', 'acme', '--login', 'ann@acme.example'];
    await support(['site', 'add', 'acme']);
    const ann = ['user', 'add', ...its, '--role', 'Agent', '--password-stdin', '--data-dir', folder];
    await run(ann, { input: 'quite another password' });
    const add = (name: string, ...more: string[]) => support(['token', 'add', ...its, '--name', name, ...more]);
    expect(await add('x'.repeat(101))).toMatchObject({
      ...{ status: 2, err: expect.stringContaining('It takes a text of 1 to 100 characters.') },
    });
    expect(await add('ci', '--expires', '3651d')).toMatchObject({
      ...{ status: 2, err: expect.stringContaining('It takes a whole number from 1 to 3650.') },
    });
    expect(await add('ci', '--role', 'Administrator')).toMatchObject({
      ...{ status: 1, err: expect.stringContaining('ann@acme.example is Agent: a token cannot be Administrator.') },
    });
    expect(await add('ci')).toMatchObject({ status: 0 });
    expect(await add('ci')).toMatchObject({
      ...{ status: 1, err: expect.stringContaining('ann@acme.example has a token ci already') },
    });
  });
});
