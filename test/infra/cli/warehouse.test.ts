import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openPlace } from '../../../infra/local/table/place.ts';
import { readSettings } from '../../../lib/settings.ts';
import { keys } from '../../../lib/store/keys.ts';
import { FIRST_COME, releaseLease, takeLease } from '../../../lib/store/lease.ts';
import { command } from '../../support/service/command.ts';
import { runKilledOnce, withFolder } from '../../support/service/program.ts';

describe('warehouse export', () => {
  it.each([
    ['of the site', 'acme'],
    ['of all sites', undefined],
  ])('waits for an export %s that is running, says so, and exports then', (_, site) =>
    withFolder(async (folder) => {
      const data = ['--data-dir', join(folder, 'data')];
      await command(['site', 'add', 'acme', ...data]);
      const { table, close } = await openPlace({ dataDir: join(folder, 'data') }, readSettings());
      const lease = { table, key: keys.warehouse(site), owner: 'another', now: Date.now, length: 600_000 };
      await takeLease(lease, FIRST_COME);
      let isOver = false;
      const ended = setTimeout(() => {
        isOver = true;
        void releaseLease(lease, FIRST_COME);
      }, 1_500);
      const { status, out, err } = await command([
        ...['warehouse', 'export', '--site', 'acme', '--to', join(folder, 'facts'), '--json', ...data],
      ]);
      clearTimeout(ended);
      await close();
      expect([status, isOver, JSON.parse(out).sites.length]).toEqual([0, true, 1]);
      expect(err.match(/Another export is running/g)).toHaveLength(1);
    }),
  );

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'leaves no turn held after %s, so that the next export begins at once',
    (signal) =>
      withFolder(async (folder) => {
        const data = ['--data-dir', join(folder, 'data')];
        await command(['site', 'add', 'acme', ...data]);
        const { table, close } = await openPlace({ dataDir: join(folder, 'data') }, readSettings());
        const turns = [keys.warehouse('acme'), keys.warehouse()];
        const held = async () => (await table.batchGet(turns)).filter((item) => item !== undefined).length;
        const manifest = join(folder, 'stuck/manifests/acme.json');
        await mkdir(dirname(manifest), { recursive: true });
        await promisify(execFile)('mkfifo', [manifest]); // who reads it waits
        const exported = (to: string) => ['warehouse', 'export', '--to', join(folder, to), ...data];
        let isHeld = false;
        const areHeld = async () => {
          isHeld ||= (await held()) === turns.length;
          return isHeld;
        };
        const ended = runKilledOnce(exported('stuck'), areHeld, signal);
        while (!isHeld || (await held()) > 0) await sleep(5);
        await writeFile(manifest, '');
        await ended;
        await close();
        const { status, err } = await command(exported('facts'));
        expect([status, err]).toEqual([0, '']);
      }),
  );
});
