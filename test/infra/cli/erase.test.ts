import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../support/service/command.ts';
import { withFolder } from '../../support/service/program.ts';

const RECORDS = [
  { type: 'agent', id: 42, name: 'Ann', login: 'ann@acme.example' },
  { type: 'case.created', id: 1, at: '2026-01-01T00:00:00Z', case: 1, agent: 42 },
  { type: 'note', id: 2, at: '2026-01-01T01:00:00Z', case: 1, agent: 42 },
];

it('shows what an erasure takes, does it with --yes, and drops what comes later', async () => {
  await withFolder(async (folder) => {
    const place = ['--site', 'acme', '--json', '--data-dir', folder];
    const erase = async (...args: string[]) => {
      const { status, out, err } = await command(['erase', ...args, ...place]);
      return { status, err, json: out === '' ? undefined : JSON.parse(out) };
    };
    await command(['site', 'add', 'acme', '--data-dir', folder]);
    const file = join(folder, 'events.ndjson');
    await writeFile(file, RECORDS.map((record) => JSON.stringify(record)).join('\n'));
    const load = async () => JSON.parse((await command(['import', file, ...place])).out);
    await load();
    expect(await erase('--agent', '42')).toMatchObject({ status: 1, json: { logins: 1, erased: false } });
    expect((await command(['user', 'list', ...place])).out).toContain('ann@acme.example');
    expect(await erase('--agent', '42', '--yes')).toMatchObject({ status: 0, json: { erased: true } });
    expect(JSON.parse((await command(['user', 'list', ...place])).out)).toEqual([]);
    expect(await erase('--case', '1', '--yes', '--now')).toMatchObject({ status: 0, json: { events: 2, cases: 1 } });
    expect(await load()).toMatchObject({ added: 0, erased: 2 });
    expect(await erase('--case', '7')).toMatchObject({ status: 1, err: expect.stringContaining('has no case 7') });
    expect(await erase('--case', '1', '--agent', '2')).toMatchObject({ status: 2 });
  });
});
