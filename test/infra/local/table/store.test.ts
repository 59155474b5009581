import { execFileSync } from 'node:child_process';
import { mkdir, open, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../../infra/local/table/database.ts';
import { openLmdbTable } from '../../../../infra/local/table/lmdb-table.ts';
import { openStore } from '../../../../infra/local/table/store.ts';
import type { Table } from '../../../../lib/store/table.ts';
import { run, withFolder } from '../../../support/service/program.ts';

const PAGE = 8192; // bytes
const fileOf = (folder: string): string => join(folder, 'table.mdb');

/** A folder with some items in it. */
async function fill(folder: string): Promise<void> {
  const { table, close } = await openStore(folder, () => undefined);
  const puts = Array.from({ length: 500 }, (_, n) => ({ put: { pk: `p${n % 9}`, sk: `${n}`, text: 'x'.repeat(400) } }));
  await table.batchWrite(puts);
  await close();
}

async function overwrite(file: string, bytes: Buffer, at: number): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, at);
  await handle.close();
}

/** Where the root of the latest tree begins: LMDB's headers say so (damage.ts). */
async function rootOf(file: string): Promise<number> {
  const bytes = await readFile(file);
  const [a = 0n, b = 0n] = [0, PAGE].map((header) => bytes.readBigUInt64LE(header + 152));
  return Number(bytes.readBigUInt64LE((a >= b ? 0 : PAGE) + 136)) * PAGE;
}

const DAMAGES: readonly (readonly [string, (file: string) => Promise<void>])[] = [
  ['is no table', (file) => writeFile(file, 'x'.repeat(100_000))],
  ['was cut', async (file) => truncate(file, (await stat(file)).size / 2)],
  ['was cut to less than its headers', (file) => truncate(file, 1000)],
  ['has a header of zeros', (file) => overwrite(file, Buffer.alloc(PAGE), 0)],
  ['has a root of zeros', async (file) => overwrite(file, Buffer.alloc(PAGE), await rootOf(file))],
  ['has a root of something else', async (file) => overwrite(file, Buffer.alloc(PAGE, 'no page'), await rootOf(file))],
];

async function expectRefusal(folder: string, sentence: RegExp): Promise<void> {
  const env = { PORT: '0', DEMO: '0' };
  const ran = await Promise.all(
    [['start'], ['site', 'list']].map((args) => run([...args, '--data-dir', folder], { env })),
  );
  for (const { status, out, err } of ran) {
    expect([status, out, err.trim().split('\n').length]).toEqual([1, '', 1]);
    expect(err).toMatch(sentence);
  }
}

describe('a data folder', () => {
  it.each(DAMAGES)('whose table %s is refused in one sentence, and left as it is', async (_, damage) => {
    await withFolder(async (folder) => {
      await fill(folder);
      await damage(fileOf(folder));
      const before = await readFile(fileOf(folder));
      await expectRefusal(folder, /^The data folder .* is damaged .*put back a copy/);
      expect((await readFile(fileOf(folder))).equals(before)).toBe(true);
    });
  });

  it('of a newer version is refused in one sentence', async () => {
    await withFolder(async (folder) => {
      await fill(folder);
      const database = openDatabase(fileOf(folder));
      await database.commit(() => database.root.put(Buffer.from('\0\0format'), Buffer.from('3')));
      await database.close();
      await expectRefusal(
        folder,
        /written by a newer version \(its format is 3, this program knows 2\): use that version/,
      );
    });
  });

  it('that cannot be written is refused in one sentence', async () => {
    await withFolder(async (folder) => {
      await mkdir(fileOf(folder));
      await expectRefusal(folder, /cannot be written .*: give this user the right to/);
    });
  });
});

const full = (table: Table) => table.put({ pk: 'a', sk: '2' });

it('writes of a table without room are unavailable, and reads go on', async () => {
  await withFolder(async (folder) => {
    const database = openDatabase(fileOf(folder));
    await openLmdbTable(database, () => true).put({ pk: 'a', sk: '1' });
    const table = openLmdbTable(database, () => false);
    await expect(full(table)).rejects.toMatchObject({
      kind: 'unavailable',
      cause: new Error('the disk of the data folder is full'),
    });
    expect(await table.query('a')).toEqual([{ pk: 'a', sk: '1' }]);
    await database.close();
  });
});

it('a table grows past its first map while another process reads it', async () => {
  await withFolder(async (folder) => {
    const database = openDatabase(fileOf(folder), { mapSize: 2 ** 21 });
    const table = openLmdbTable(database, () => true);
    const data = new Uint8Array(300_000).fill(1);
    for (let n = 0; n < 20; n += 1) await table.put({ pk: 'a', sk: `${n + 10}`, data });
    const { status } = await run(['site', 'add', 'other', '--data-dir', folder]);
    for (let n = 20; n < 40; n += 1) await table.put({ pk: 'a', sk: `${n + 10}`, data });
    const found = await table.query('a');
    expect([status, found.length, found.at(-1)?.data]).toEqual([0, 40, data]);
    await database.close();
  });
});

/** A disk of 40 MB, where this user may make one. */
function mounted(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

it('a disk that fills up loses nothing, and is refused in one sentence by the next start', async () => {
  await withFolder(async (folder) => {
    if (!mounted(folder)) return;
    try {
      const { table, close } = await openStore(folder, () => undefined);
      let stored = 0;
      const fills = async () => {
        for (; ; stored += 1) await table.put({ pk: 'a', sk: `${stored}`, data: new Uint8Array(300_000) });
      };
      await expect(fills()).rejects.toMatchObject({ kind: 'unavailable' });
      expect(stored).toBeGreaterThan(50);
      expect(await table.query('a')).toHaveLength(stored);
      await close();
      await expectRefusal(folder, /^The disk of the data folder .* is full: leave at least 16 MB free/);
    } finally {
      execFileSync('umount', [folder]);
    }
  });
});
