import { spawnSync } from 'node:child_process';
import { copyFile, open, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readHeaders, whyDamaged } from '../../../../infra/local/table/damage.ts';
import { openDatabase, PAGE } from '../../../../infra/local/table/database.ts';
import { isWhole } from '../../../../infra/local/table/tree.ts';
import { projectPath } from '../../../../infra/project.ts';
import { tries } from '../../../support/generators/depth.ts';
import { withFolder } from '../../../support/service/program.ts';

const { execPath } = process;
afterEach(() => {
  process.execPath = execPath;
});

/** A file of so many items of so many bytes, every third of which was deleted again. */
async function made(folder: string, items: number, bytes: number): Promise<string> {
  const file = join(folder, 'table.mdb');
  const database = openDatabase(file, { mapSize: 2 ** 30 });
  const keys = Array.from({ length: items }, (_, n) => Buffer.from(`key ${(n * 7_919) % items}`.repeat(1 + (n % 9))));
  for (const key of keys) database.root.put(key, Buffer.alloc(bytes, 'x'));
  for (const [n, key] of keys.entries()) if (n % 3 === 1) database.root.remove(key);
  await database.commit(() => undefined);
  await database.root.committed;
  await database.close();
  return file;
}

async function holds(file: string): Promise<boolean> {
  const headers = await readHeaders(file);
  return 'tree' in headers && isWhole(file, headers.tree);
}

const holdsByProcess = (file: string): boolean =>
  spawnSync(execPath, [projectPath('bin/check-table.js'), file], { stdio: 'ignore' }).status === 0;

async function overwrite(file: string, bytes: Buffer, at: number): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, at);
  await handle.close();
}

describe('a table', () => {
  it.each([
    [0, 10, 0],
    [1, 10, 1],
    [1, 100_000, 1], // a value on pages of its own
    [100, 10_000, 1],
    [2_000, 10, 2],
    [20_000, 200, 3],
  ])('of %d items of %d bytes is whole, without another process that says so', async (items, bytes, levels) => {
    await withFolder(async (folder) => {
      const file = await made(folder, items, bytes);
      expect(await readHeaders(file)).toMatchObject({ tree: { levels, entries: items - Math.floor((items + 1) / 3) } });
      process.execPath = '/nowhere';
      expect(await whyDamaged(file)).toBeUndefined();
    });
  });

  it('is not whole where a page is missing, is another one, or has its keys in another order', async () => {
    await withFolder(async (folder) => {
      const file = await made(folder, 2_000, 10);
      const headers = await readHeaders(file);
      const { root = 0 } = 'tree' in headers ? headers.tree : {};
      const bytes = await readFile(file);
      const below = (root * PAGE + 24 + bytes.readUInt16LE(root * PAGE + 24)) as number; // its first node
      const leaf = bytes.readUInt32LE(below) * PAGE;
      const two = bytes.subarray(leaf + 24, leaf + 28);
      const damages = [
        [Buffer.alloc(PAGE), leaf],
        [bytes.subarray(root * PAGE, (root + 1) * PAGE), leaf],
        [Buffer.from([two[2], two[3], two[0], two[1]] as number[]), leaf + 24],
        [Buffer.from([0xff, 0xff, 0xff]), below], // a page past the end
      ] as const;
      const copy = join(folder, 'damaged.mdb');
      for (const [wrong, at] of damages) {
        await copyFile(file, copy);
        expect(await holds(copy)).toBe(true);
        await overwrite(copy, wrong, at);
        expect(await holds(copy)).toBe(false);
      }
    });
  });

  it('is not whole where a value lies past the end of the file', async () => {
    await withFolder(async (folder) => {
      const file = await made(folder, 1, 100_000);
      await truncate(file, (await stat(file)).size - PAGE);
      expect(await holds(file)).toBe(false);
    });
  });

  it('that is whole is so for a process that looks at it through LMDB', async () => {
    await withFolder(async (folder) => {
      const file = await made(folder, 2_000, 10);
      const { size } = await stat(file);
      const copy = join(folder, 'damaged.mdb');
      const found = { whole: 0, damaged: 0 };
      const damage = fc.record({
        at: fc.integer({ min: 2 * PAGE, max: size - 9 }),
        bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
      });
      for (const { at, bytes } of fc.sample(damage, { numRuns: tries(60), seed: 7 })) {
        await copyFile(file, copy);
        await overwrite(copy, Buffer.from(bytes), at);
        const isFine = await holds(copy);
        found[isFine ? 'whole' : 'damaged'] += 1;
        if (isFine) expect(holdsByProcess(copy)).toBe(true);
      }
      expect(found).toEqual({ whole: expect.any(Number), damaged: expect.any(Number) });
      expect(Math.min(found.whole, found.damaged)).toBeGreaterThan(0);
    });
  });
});
