import { foldApart } from '../../../infra/local/compaction.ts';
import { run, withFolder } from '../../support/service/program.ts';

it('a folding in another process is killed past its time, and says so', async () => {
  await withFolder(async (folder) => {
    const place = ['--data-dir', folder];
    await run(['site', 'add', 'acme', ...place]);
    const said: unknown[] = [];
    const log = (...line: readonly unknown[]) => void said.push(line);
    const options = { place, log, signal: new AbortController().signal };
    expect(await foldApart('acme', { ...options, longest: 1 })).toBe(false); // no process starts in a millisecond
    expect(await foldApart('other', options)).toBe(false);
    expect(await foldApart('acme', options)).toBe(true);
    expect(said).toEqual([
      ['warn', 'compaction put off', { site: 'acme', problem: 'its process was killed' }],
      ['warn', 'compaction put off', { site: 'other', problem: 'it ended with 1' }],
    ]);
  });
});
