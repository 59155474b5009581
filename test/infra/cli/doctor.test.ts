import { existsSync } from 'node:fs';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TABLE_FILE } from '../../../infra/local/table/data-folder.ts';
import { command } from '../../support/service/command.ts';
import { run } from '../../support/service/program.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'support-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('support doctor', () => {
  it('says of each thing whether it is well, and what to do where it is not', async () => {
    const place = ['--data-dir', join(folder, 'data')];
    const missing = await command(['doctor', ...place]);
    expect([missing.status, missing.out]).toEqual([
      1,
      expect.stringMatching(/^FAULT {3}data folder: .*does not exist$/m),
    ]);
    expect(existsSync(join(folder, 'data'))).toBe(false);
    await command(['site', 'list', ...place]);
    const empty = await command(['doctor', ...place, '--json']);
    expect([empty.status, JSON.parse(empty.out)]).toEqual([
      0,
      expect.arrayContaining([
        expect.objectContaining({ what: 'table', state: 'ok' }),
        expect.objectContaining({ what: 'sites', state: 'warning', todo: expect.stringContaining('site add') }),
      ]),
    ]);
    expect((await command(['site', 'add', 'acme', '--default', ...place])).status).toBe(0);
    const { status, out } = await command(['doctor', ...place]);
    expect(status).toBe(0);
    expect(out).toMatch(/^ok {6}site acme: 0 users, 0 facts in 0 segments$/m);
    expect(out).toMatch(/^WARNING site acme: nobody can sign in\n {8}→ npx support user add --site acme/m);
  });

  it('reads the newest of daily copies, and warns where it is old or there is none', async () => {
    const [data, backups] = [join(folder, 'with-backups'), join(folder, 'backups')];
    expect((await command(['site', 'add', 'acme', '--default', '--data-dir', data])).status).toBe(0);
    const doctor = async () => (await command(['doctor', '--data-dir', data, '--backups', backups])).out;
    expect(await doctor()).toMatch(/^WARNING backups: .* has no copy\n {8}→ systemctl status support-backup\.timer/m);
    for (const name of ['one', 'two'])
      await command(['copy', '--data-dir', data, '--to-data-dir', join(backups, name)]);
    expect(await doctor()).toMatch(/^ok {6}backups: .* has 2 backups, the newest of 0 hours ago$/m);
    for (const name of ['one', 'two']) {
      const old = new Date(Date.now() - 30 * 3_600_000);
      await utimes(join(backups, name, TABLE_FILE), old, old);
    }
    expect(await doctor()).toMatch(/^WARNING backups: .* has 2 backups, the newest of 30 hours ago$/m);
    await writeFile(join(backups, 'two', TABLE_FILE), 'no table');
    expect(await doctor()).toMatch(/^FAULT {3}backups: .*two.* is damaged/m);
  });

  it('ends with 1 and one sentence where the table does not answer', async () => {
    const { status, out } = await run(['doctor', '--table', 'support', '--endpoint', 'http://127.0.0.1:1']);
    expect([status, out]).toEqual([1, expect.stringMatching(/^FAULT {3}\w+: .*The table does not answer/m)]);
  });
});

describe('support', () => {
  it('tells its version', async () => {
    const { status, out } = await run(['--version']);
    expect([status, out]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  });

  it('refuses a port that is none, given as an option, as it does one of the environment', async () => {
    const { status, err } = await run(['start', '--port', '70000', '--data-dir', join(folder, 'data')]);
    expect([status, err]).toEqual([
      1,
      'The setting PORT=70000 cannot be used: PORT must be a whole number from 0 to 65535\n',
    ]);
  });

  it.each(['bash', 'zsh', 'fish'])('makes a script of completions for %s out of its commands', async (shell) => {
    const { status, out } = await command(['completion', shell]);
    expect(status).toBe(0);
    for (const word of ['import', 'week-start', 'completion']) expect(out).toContain(word);
    expect(out).not.toContain('work-on-import');
  });

  it('has fish complete the options of `site add` after these words alone, not after `user add`', async () => {
    const { out } = await command(['completion', 'fish']);
    const typed = '__fish_seen_subcommand_from site; and __fish_seen_subcommand_from add';
    const lines = out.split('\n').filter((line) => line.endsWith(' -l week-start'));
    expect(lines[0]).toBe(`complete -c support -n '${typed}' -l week-start`);
  });
});
