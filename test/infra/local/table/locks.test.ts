import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../../../infra/local/table/database.ts';
import { openLmdbTable } from '../../../../infra/local/table/lmdb-table.ts';
import { openStore, type Store } from '../../../../infra/local/table/store.ts';
import { copyTable } from '../../../../lib/store/copy.ts';
import { keys } from '../../../../lib/store/keys.ts';
import { newUsage } from '../../../../lib/store/usage.ts';
import { withFolder } from '../../../support/service/program.ts';
import { allItems } from '../../../support/store/perform.ts';

const key = keys.lock('acme');
const LOCK = { ...key, owner: 'me' };
const ITEM = { pk: 'a', sk: '1' };
const EARLIER = 'locks-00000000-0000-4000-8000-000000000000.mdb'; // of another run of the system

const open = (folder: string): Promise<Store> => openStore(folder);
const lockFiles = async (folder: string) =>
  (await readdir(folder)).filter((name) => /^locks-[0-9a-f-]{36}\.mdb$/.test(name));

describe('the lock of a site in a data folder', () => {
  it('is written to a file of its own, for this user alone, and outlives the process', async () => {
    await withFolder(async (folder) => {
      const { table, close } = await open(folder);
      await table.put(ITEM);
      const before = await readFile(join(folder, 'table.mdb'));
      await table.put(LOCK, { absent: true });
      expect(await readFile(join(folder, 'table.mdb'))).toEqual(before);
      await close();
      const [name = '', ...others] = await lockFiles(folder);
      expect(others).toEqual([]);
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
      const again = await open(folder);
      expect(await again.table.get(key)).toEqual(LOCK);
      await again.close();
    });
  });

  it('is not looked for in the file of an earlier run of the system, which may be damaged and goes', async () => {
    await withFolder(async (folder) => {
      await mkdir(folder, { recursive: true });
      for (const name of [EARLIER, `${EARLIER}-lock`]) await writeFile(join(folder, name), 'x'.repeat(100_000));
      const { table, close } = await open(folder);
      expect(await table.get(key)).toBeUndefined();
      await close();
      expect((await readdir(folder)).filter((name) => name.startsWith(EARLIER))).toEqual([]);
    });
  });

  it('is read along with other items in one trip', async () => {
    await withFolder(async (folder) => {
      const { table, close } = await open(folder);
      await table.batchWrite([{ put: ITEM }, { put: LOCK }]);
      const usage = newUsage();
      expect(await table.metered(usage).batchGet([key, ITEM])).toEqual([LOCK, ITEM]);
      expect(usage).toEqual({ trips: 1, readUnits: 2, writeUnits: 0 });
      await close();
    });
  });

  it('is left behind where an earlier version had it, and copied once', async () => {
    await withFolder(async (folder) => {
      const database = openDatabase(join(folder, 'table.mdb'));
      const before = openLmdbTable(database, () => true);
      await before.batchWrite([{ put: { ...key, owner: 'of an earlier version' } }, { put: ITEM }]);
      await database.close();
      const { table, close } = await open(folder);
      expect(await table.get(key)).toBeUndefined();
      await table.put(LOCK, { absent: true });
      expect(await allItems(table)).toEqual([ITEM, LOCK]);
      const target = await open(join(folder, 'copy'));
      expect(await copyTable(table, target.table)).toBe(2);
      expect(await allItems(target.table)).toEqual([ITEM, LOCK]);
      await target.close();
      await close();
    });
  });

  it('is in no transaction with what lasts: two files cannot be written at once', async () => {
    await withFolder(async (folder) => {
      const { table, close } = await open(folder);
      const both = table.transact([{ put: LOCK }, { put: ITEM }]);
      await expect(both).rejects.toThrow('no transaction writes locks and what lasts');
      expect(await allItems(table)).toEqual([]);
      await close();
    });
  });

  it('stays while the file of the table is written anew', async () => {
    await withFolder(async (folder) => {
      const { table, rewrite, close } = await open(folder);
      await table.batchWrite([{ put: ITEM }, { put: LOCK }]);
      expect(await rewrite()).toBeDefined();
      await close();
      const again = await open(folder);
      expect(await allItems(again.table)).toEqual([ITEM, LOCK]);
      await again.close();
    });
  });
});
