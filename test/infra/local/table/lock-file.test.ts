import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLockFile } from '../../../../infra/local/table/lock-file.ts';
import { processMark } from '../../../../infra/local/table/processes.ts';
import { withFolder } from '../../../support/service/program.ts';

const DEAD = JSON.stringify({ pid: 2 ** 22 + 1, born: '1', token: 'dead' });

/** Takes the lock four times at once; returns the most that held it together. */
async function mostInside(file: string): Promise<number> {
  let inside = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    inside += 1;
    most = Math.max(most, inside);
    await sleep(2); // ms
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 4 }, () => withLockFile(file, work)));
  return most;
}

describe('a lock file', () => {
  it.each([
    ['nobody holds it', undefined],
    ['its holder died', DEAD],
    ['its holder died while it wrote', DEAD.slice(0, 9)],
  ])('has one holder at a time if %s, and is gone after it', async (_name, left) => {
    await withFolder(async (folder) => {
      const file = join(folder, 'a.lock');
      for (let round = 0; round < 25; round += 1) {
        if (left !== undefined) await writeFile(file, left);
        expect(await mostInside(file)).toBe(1);
      }
      expect(await readdir(folder)).not.toContain('a.lock');
    });
  });

  it('stays with a process that runs, however old it is', async () => {
    await withFolder(async (folder) => {
      const file = join(folder, 'a.lock');
      const mark = await processMark(process.ppid);
      await writeFile(file, JSON.stringify(mark));
      let isTaken = false;
      const taken = withLockFile(file, async () => void (isTaken = true));
      await sleep(100); // ms
      expect(isTaken).toBe(false);
      await writeFile(file, DEAD);
      await taken;
      expect(isTaken).toBe(true);
    });
  });

  it('is given back by work that throws', async () => {
    await withFolder(async (folder) => {
      const file = join(folder, 'a.lock');
      await expect(withLockFile(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
      expect(await readdir(folder)).not.toContain('a.lock');
    });
  });
});
