import { execFileSync } from 'node:child_process';
import { mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openDatabase } from '../../../../infra/local/table/database.ts';
import { openLmdbTable } from '../../../../infra/local/table/lmdb-table.ts';
import { openStore } from '../../../../infra/local/table/store.ts';
import { welcome } from '../../../../infra/local/welcome.ts';
import { noteUse, tokenWrites } from '../../../../lib/access/tokens.ts';
import { keys } from '../../../../lib/store/keys.ts';
import type { Table } from '../../../../lib/store/table.ts';
import { itAtLength, some } from '../../../support/generators/depth.ts';
import { run, startProgram, withFolder } from '../../../support/service/program.ts';

const PAGE = 8192; // bytes
const fileOf = (folder: string): string => join(folder, 'table.mdb');

/** A folder with some items in it. */
async function fill(folder: string): Promise<void> {
  const { table, close } = await openStore(folder);
  const puts = Array.from({ length: 500 }, (_, n) => ({ put: { pk: `p${n % 9}`, sk: `${n}`, text: 'x'.repeat(400) } }));
  await table.batchWrite(puts);
  await close();
}

async function overwrite(file: string, bytes: Buffer, at: number): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, at);
  await handle.close();
}

/** Where the root of the latest tree begins: LMDB's headers say so (mdb.c). */
async function rootOf(file: string): Promise<number> {
  const bytes = await readFile(file);
  const [a = 0n, b = 0n] = [0, PAGE].map((header) => bytes.readBigUInt64LE(header + 152));
  return Number(bytes.readBigUInt64LE((a >= b ? 0 : PAGE) + 136)) * PAGE;
}

const DAMAGES: readonly (readonly [string, (file: string) => Promise<void>])[] = [
  ['is no table', (file) => writeFile(file, 'x'.repeat(100_000))],
  ['was cut', async (file) => truncate(file, (await stat(file)).size / 2)],
  ['was cut to less than its headers', (file) => truncate(file, 1000)],
  ['was emptied', (file) => truncate(file, 0)],
  [
    'was emptied, and nothing else is there',
    async (file) => {
      for (const name of await readdir(dirname(file))) await rm(join(dirname(file), name));
      await writeFile(file, '');
    },
  ],
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
  it.each(some(DAMAGES, 2))('whose table %s is refused in one sentence, and left as it is', async (_, damage) => {
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

  it('of a version before 1.0 is refused in one sentence', async () => {
    await withFolder(async (folder) => {
      await writeFile(join(folder, 'support.db'), '');
      await expectRefusal(folder, /written by a version before 1\.0: start version 1\.0 on it once/);
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

it('a data folder on a full disk is read, its locks are taken, and nothing else is written', async () => {
  await withFolder(async (folder) => {
    await expect(openStore(folder, Number.POSITIVE_INFINITY)).rejects.toThrow(/is full: leave at least 16 MB free/);
    await fill(folder);
    const { table, hasRoom, close } = await openStore(folder, Number.POSITIVE_INFINITY);
    expect([hasRoom(), (await table.query('p1')).length]).toEqual([false, 56]);
    await expect(table.put({ pk: 'a', sk: '2' })).rejects.toMatchObject({ kind: 'unavailable' });
    const lock = keys.lock('acme');
    await table.put({ ...lock, owner: 'a report' });
    expect(await table.get(lock)).toEqual({ ...lock, owner: 'a report' });
    const { text, json } = await welcome({ table, folder, hasRoom, close }, 3000, 0);
    expect([text, json]).toEqual([
      expect.stringContaining('The disk of the data folder is full: the service only reads'),
      expect.objectContaining({ readOnly: true }),
    ]);
    await close();
  });
});

it('a token lets in where its use cannot be noted', async () => {
  await withFolder(async (folder) => {
    const database = openDatabase(fileOf(folder));
    const token = { hash: 'h', login: 'ann@acme.example', name: 'n', created: 0 };
    const table = openLmdbTable(database, () => true);
    await table.transact(tokenWrites('acme', { before: undefined, after: token }));
    await noteUse(
      openLmdbTable(database, () => false),
      'acme',
      token,
      5,
    );
    expect(await table.get(keys.token('acme', 'h'))).not.toHaveProperty('used');
    await database.close();
  });
});

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

itAtLength('a table grows past its first map while another process reads it', async () => {
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

itAtLength(
  'a disk that fills up loses nothing; the next start only reads, says so, and writes once there is room',
  async () => {
    await withFolder(async (disk) => {
      if (!mounted(disk)) return;
      const folder = join(disk, 'data');
      const ballast = join(disk, 'ballast');
      try {
        const { table, close } = await openStore(folder);
        await writeFile(ballast, Buffer.alloc(5 * 2 ** 20));
        let stored = 0;
        const fills = async () => {
          for (; ; stored += 1) await table.put({ pk: 'a', sk: `${stored}`, data: new Uint8Array(300_000) });
        };
        await expect(fills()).rejects.toMatchObject({ kind: 'unavailable' });
        expect(stored).toBeGreaterThan(40);
        expect(await table.query('a')).toHaveLength(stored);
        await close();

        const service = await startProgram(folder, { DEMO: '1' });
        const health = async () => {
          const reply = await fetch(`${service.url}/health`);
          return [reply.status, Object(await reply.json()).status];
        };
        expect(service.out()).toContain('The disk of the data folder is full: the service only reads');
        expect(await health()).toEqual([503, 'disk full']);
        expect(await run(['site', 'list', '--data-dir', folder])).toMatchObject({ status: 0 });
        const refused = await run(['site', 'add', 'acme', '--data-dir', folder]);
        expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('full')]);
        await expectRefusal(join(disk, 'new'), /^The disk of the data folder .* is full: leave at least 16 MB free/);

        await rm(ballast);
        expect(await health()).toEqual([200, 'ok']);
        expect((await run(['site', 'add', 'acme', '--data-dir', folder])).status).toBe(0);
        await service.end('SIGTERM');
      } finally {
        execFileSync('umount', [disk]);
      }
    });
  },
);
