import { expect, it } from '@jest/globals';
import { command } from '../../support/service/command.ts';
import { run, withFolder } from '../../support/service/program.ts';

it('tells what commands changed, and refuses limits and origins that make no sense', async () => {
  await withFolder(async (folder) => {
    const support = async (args: string) => command([...args.split(' '), '--data-dir', folder]);
    await support('site add acme --default');
    const set = await support('site set acme --rate-limit 600 --allow-origin https://help.example.com --json');
    expect(JSON.parse(set.out)).toMatchObject({ rateLimit: 600, allowOrigins: ['https://help.example.com'] });
    expect(await support('site set acme --rate-limit many')).toMatchObject({ status: 2 });
    expect(await support('site set acme --allow-origin http://help.example.com')).toMatchObject({ status: 2 });
    const ended = await support('site set acme --rate-limit 0 --allow-origin none --json');
    expect(JSON.parse(ended.out)).not.toHaveProperty('rateLimit');
    expect(JSON.parse(ended.out)).not.toHaveProperty('allowOrigins');
    const ann = ['--site', 'acme', '--login', 'Ann@acme.example', '--role', 'Agent', '--data-dir', folder];
    await run(['user', 'add', ...ann, '--password-stdin'], { input: 'a good password' });
    await support('token add --site acme --login ann@acme.example --name ci');
    await support('token remove --site acme --login ann@acme.example --name ci');
    await support('user remove --site acme --login ann@acme.example');
    const told = async (args: string) =>
      JSON.parse((await support(`audit ${args} --json`)).out).map(
        ({ action, resource, user, via }: Record<string, unknown>) => [action, resource, user, via].join(' '),
      );
    expect((await told('--site acme')).reverse()).toEqual([
      'create site  command line',
      'update site  command line',
      'update site  command line',
      'create users/ann@acme.example  command line',
      'create tokens/ann@acme.example/ci  command line',
      'delete tokens/ann@acme.example/ci  command line',
      'delete users/ann@acme.example  command line',
    ]);
    expect(await told('--site acme --resource tokens --limit 1')).toEqual([
      'delete tokens/ann@acme.example/ci  command line',
    ]);
    await support('site remove acme --yes');
    expect(await told('--limit 5')).toEqual(['delete sites/acme  command line']);
  });
});
