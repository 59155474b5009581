import { readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepFile, sweepFiles, uploadPath } from '../../../infra/local/uploads/files.ts';
import { holders } from '../../../infra/local/uploads/holders.ts';
import { openUploadStore } from '../../../infra/local/uploads/upload-store.ts';
import { certain } from '../../../lib/certain.ts';
import { readTurn, TURN_MS, takeTurn } from '../../../lib/uploads/turn.ts';
import { KEPT_MS } from '../../../lib/uploads/upload-store.ts';
import { withFolder } from '../../support/service/program.ts';
import { freshTable } from '../../support/service/table.ts';

async function* file(...parts: readonly (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield Buffer.from(part);
  }
}

it('tells a file that breaks off from one that is too large and one that the disk does not take', async () => {
  await withFolder(async (folder) => {
    const path = uploadPath(folder, { site: 'acme', id: 1, name: 'a.csv' });
    expect(await keepFile(path, file('a,b', '1,2'))).toBe(6);
    await expect(keepFile(path, file('a', new Error('gone')))).rejects.toMatchObject({ kind: 'bad_request' });
    await expect(keepFile(path, file('abc'), 2)).rejects.toMatchObject({ kind: 'payload_too_large' });
    await writeFile(join(folder, 'other'), 'in the way');
    const blocked = uploadPath(folder, { site: 'other', id: 1, name: 'a.csv' });
    await expect(keepFile(blocked, file('a'))).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

it('sweeps what nobody has used for long, though other files go meanwhile', async () => {
  await withFolder(async (folder) => {
    const paths = [1, 2, 3].map((id) => uploadPath(folder, { site: 'acme', id, name: 'a.csv' }));
    for (const path of paths) await keepFile(path, file('a'));
    await symlink(join(folder, 'nowhere'), join(folder, 'acme', '0')); // as one that goes once its name was read
    const now = (await stat(paths[0] ?? '')).mtimeMs; // by the clock of the file system
    await utimes(join(folder, 'acme', '2'), 0, (now - KEPT_MS) / 1000 - 1);
    await sweepFiles(folder, now, async () => true);
    const kept = await Promise.allSettled(paths.map((path) => writeFile(path, 'still there')));
    expect(kept.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

it('sweeps parts of files that do not arrive any more, and leaves those that do', async () => {
  await withFolder(async (folder) => {
    for (const id of [1, 2]) {
      const path = uploadPath(folder, { site: 'acme', id, name: 'a.csv' });
      await expect(keepFile(path, file('a', new Error('gone')))).rejects.toMatchObject({ kind: 'bad_request' });
    }
    await keepFile(uploadPath(folder, { site: 'acme', id: 3, name: 'a.csv' }), file('a'));
    const now = (await stat(join(folder, 'acme', '1'))).mtimeMs;
    await sweepFiles(folder, now, async (site, id) => site === 'acme' && id === 2);
    expect((await readdir(join(folder, 'acme'))).sort()).toEqual(['2', '3']);
  });
});

it('waits longer than a turn lasts for a process to begin its work, as a busy machine may need it', async () => {
  await withFolder(async (folder) => {
    const table = await freshTable();
    const store = openUploadStore({ table, folder, log: () => undefined, options: { dataDir: folder }, heap: 512 });
    const turn = certain(await takeTurn({ table, clock: Date.now, holders }, { site: 'acme', owner: 'one' }));
    const end = Date.now() + TURN_MS;
    await store.start(turn, 'check');
    let state = await readTurn({ table, holders }, 'acme');
    while (state.owner === 'one' && state.expiresAt <= end) {
      await sleep(1);
      state = await readTurn({ table, holders }, 'acme');
    }
    await store.close();
    expect(state.expiresAt).toBeGreaterThan(end + TURN_MS);
  });
});
