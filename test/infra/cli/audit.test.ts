import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { memberId } from '../../../lib/access/member-id.ts';
import { command } from '../../support/service/command.ts';
import { run, withFolder } from '../../support/service/program.ts';

it('tells what commands changed, and refuses limits and origins that make no sense', async () => {
  await withFolder(async (folder) => {
    const support = async (args: string) => command([...args.split(' '), '--data-dir', folder]);
    await support('site add acme --default');
    const set = await support(
      'site set acme --rate-limit 600 --site-rate-limit 9000 --allow-origin https://help.example.com --json',
    );
    expect(JSON.parse(set.out)).toMatchObject({
      rateLimit: 600,
      siteRateLimit: 9000,
      allowOrigins: ['https://help.example.com'],
    });
    expect(await support('site set acme --rate-limit many')).toMatchObject({ status: 2 });
    expect(await support('site set acme --allow-origin http://help.example.com')).toMatchObject({ status: 2 });
    const ended = await support('site set acme --rate-limit 0 --site-rate-limit 0 --allow-origin none --json');
    expect(JSON.parse(ended.out)).not.toHaveProperty('rateLimit');
    expect(JSON.parse(ended.out)).not.toHaveProperty('siteRateLimit');
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
    for (const time of ['2026-02-30', '2026-03-01T12:00', '3']) // no day, a clock of no zone, no time at all
      expect(await support(`audit --site acme --min ${time}`)).toMatchObject({ status: 2 });
    expect(await told('--site acme --min 2026-03-01 --max 2026-03-01T02:00:00+01:00')).toEqual([]);
    await support('site remove acme --yes');
    expect(await told('--limit 5')).toEqual(['delete sites/acme  command line']);
  });
});

it('makes an agent of a user and keeps the role in step, until a record names the agent with that login', async () => {
  await withFolder(async (folder) => {
    const place = ['--site', 'acme', '--data-dir', folder];
    const agents = async () => {
      const { out } = await command(['site', 'export', 'acme', '--data-dir', folder]);
      const records = out
        .trim()
        .split('\n')
        .map((line): Record<string, unknown> => JSON.parse(line));
      return records.flatMap(({ type, id, name, login, role, deleted }) =>
        type === 'agent' && name !== 'boss@acme.example' ? [[id, name, login, role, deleted ?? false]] : [],
      );
    };
    await command(['site', 'add', 'acme', '--data-dir', folder]);
    const ann = ['--login', 'ann@acme.example', ...place];
    const boss = ['--login', 'boss@acme.example', ...place]; // the Administrator who stays
    await run(['user', 'add', '--role', 'Administrator', ...boss, '--password-stdin'], { input: 'a better password' });
    await run(['user', 'add', '--role', 'Agent', ...ann, '--password-stdin'], { input: 'a good password' });
    const made = memberId('agent', 'ann@acme.example');
    expect(await agents()).toEqual([[made, 'ann@acme.example', 'ann@acme.example', 'Agent', false]]);
    await command(['user', 'set', '--role', 'Administrator', ...ann]);
    expect(await agents()).toEqual([[made, 'ann@acme.example', 'ann@acme.example', 'Administrator', false]]);
    const file = join(folder, 'agents.ndjson');
    await writeFile(file, JSON.stringify({ type: 'agent', id: 42, name: 'Ann', login: 'Ann@acme.example' }));
    expect(await command(['import', file, ...place])).toMatchObject({ status: 0 });
    await command(['user', 'set', '--role', 'Agent', ...ann]);
    expect(await agents()).toEqual([
      [made, 'ann@acme.example', undefined, undefined, true], // of what is deleted, the name stays
      [42, 'Ann', 'Ann@acme.example', 'Agent', false],
    ]);
    await command(['erase', '--agent', '42', '--yes', ...place]);
    expect(JSON.stringify(await agents())).not.toMatch(/ann/i);
  });
});
