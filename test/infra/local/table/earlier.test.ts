import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { openDatabase } from '../../../../infra/local/table/database.ts';
import { upgrade } from '../../../../infra/local/table/earlier.ts';
import { engineProgram, startEngineProgram } from '../../../../infra/local/table/earlier-engine.ts';
import { openStore } from '../../../../infra/local/table/store.ts';
import { connect } from '../../../../lib/store/client.ts';
import { createTable } from '../../../../lib/store/create-table.ts';
import { openTable } from '../../../../lib/store/dynamodb.ts';
import type { Item } from '../../../../lib/store/table.ts';
import { run, runKilled, withFolder } from '../../../support/service/program.ts';
import { describeOnEngine } from '../../../support/service/table.ts';

const ITEMS: readonly Item[] = [
  { pk: 'deployment', sk: 'site#old' },
  ...Array.from({ length: 400 }, (_, n) => ({ pk: `p${n % 7}`, sk: `k${n}`, n, text: 'x'.repeat(n * 20) })),
  { pk: 'bytes', sk: 'large', data: new Uint8Array(300_000).fill(7), list: [1, { two: null }, 'ü'] },
];

/** Makes a folder as the version before left it. */
async function leaveEarlier(folder: string): Promise<void> {
  const engine = await startEngineProgram(engineProgram() ?? '', join(folder, 'support.db'));
  const client = connect({ endpoint: engine.endpoint, local: true });
  await createTable(client, 'support');
  await openTable(client, 'support').batchWrite(ITEMS.map((item) => ({ put: item })));
  client.destroy();
  engine.end();
  await mkdir(join(folder, 'users'));
  await writeFile(join(folder, 'users', String(2 ** 22 + 1)), '');
  await writeFile(join(folder, 'engine.json'), JSON.stringify({ pid: process.ppid, endpoint: 'http://127.0.0.1:9' }));
}

async function itemsOf(folder: string, said: string[] = []): Promise<Item[]> {
  const store = await openStore(folder, (sentence) => said.push(sentence));
  const items: Item[] = [];
  for await (const page of store.table.scan()) items.push(...page);
  await store.close();
  return items;
}

const byKey = (a: Item, b: Item): number => (`${a.pk}/${a.sk}` < `${b.pk}/${b.sk}` ? -1 : 1);

describeOnEngine('a data folder of the format before', () => {
  it('is upgraded once, with all its items, and its files are set aside', async () => {
    await withFolder(async (folder) => {
      await leaveEarlier(folder);
      const said: string[] = [];
      expect((await itemsOf(folder, said)).sort(byKey)).toEqual([...ITEMS].sort(byKey));
      expect(said).toEqual([
        expect.stringContaining('this happens once'),
        `${ITEMS.length} items copied.`,
        expect.stringContaining('earlier-format'),
      ]);
      const run = /^locks-[0-9a-f]{8}-[0-9a-f-]{27}/; // of the system
      expect((await readdir(folder)).map((name) => name.replace(run, 'locks-<id>')).sort()).toEqual([
        'earlier-format',
        'gate.mdb',
        'gate.mdb-lock',
        'locks-<id>.mdb',
        'locks-<id>.mdb-lock',
        'locks-gate.mdb',
        'locks-gate.mdb-lock',
        'table.mdb',
        'table.mdb-lock',
      ]);
      expect(await readdir(join(folder, 'earlier-format'))).toContain('support.db');
      expect(await itemsOf(folder, said)).toHaveLength(ITEMS.length);
      expect(said).toHaveLength(3);
    });
  });

  it('is whole after any number of first commands that were killed, and several at once', async () => {
    await withFolder(async (folder) => {
      await leaveEarlier(folder);
      for (const after of [350, 450, 550, 650, 750]) await runKilled(['site', 'list', '--data-dir', folder], after);
      const ran = await Promise.all([1, 2, 3].map(() => run(['site', 'list', '--data-dir', folder])));
      expect(ran.map(({ status }) => status)).toEqual([0, 0, 0]);
      expect((await itemsOf(folder)).sort(byKey)).toEqual([...ITEMS].sort(byKey));
    });
  });

  it('is refused while that version runs, and changes nothing', async () => {
    await withFolder(async (folder) => {
      await leaveEarlier(folder);
      await writeFile(join(folder, 'users', String(process.pid)), '');
      await expect(itemsOf(folder)).rejects.toThrow(`end its process ${process.pid} first`);
      expect(await readdir(folder)).toContain('support.db');
    });
  });

  it('is refused with a sentence where nothing can read it', async () => {
    await withFolder(async (folder) => {
      await leaveEarlier(folder);
      const database = openDatabase(join(folder, 'table.mdb'));
      const missing = upgrade(database, folder, () => undefined, '');
      await expect(missing).rejects.toThrow(/add it \(npm install/);
      await database.close();
    });
  });
});
