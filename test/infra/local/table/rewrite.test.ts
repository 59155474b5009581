import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore } from '../../../../infra/local/table/store.ts';
import { itAtLength } from '../../../support/generators/depth.ts';
import { run, startProgram, withFolder } from '../../../support/service/program.ts';

const items = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ pk: 'p', sk: `s${at}`, text: 'secret'.repeat(800) }));

describe('the file of a data folder', () => {
  it('shrinks by a rewrite, holds what is left, and no byte of what was deleted', async () => {
    await withFolder(async (folder) => {
      const store = await openStore(folder);
      await store.table.batchWrite(items(1_000).map((put) => ({ put })));
      await store.table.put({ pk: 'p', sk: 'kept', text: 'kept' });
      await store.table.batchWrite(items(1_000).map(({ pk, sk }) => ({ delete: { pk, sk } })));
      const size = await store.rewrite();
      expect(size?.after).toBeLessThan((size?.before ?? 0) / 10);
      await store.close();
      const { size: after } = await stat(join(folder, 'table.mdb'));
      expect(after).toBe(size?.after);
      const again = await openStore(folder);
      expect(await again.table.query('p')).toEqual([{ pk: 'p', sk: 'kept', text: 'kept' }]);
      await again.table.put({ pk: 'p', sk: 'more', text: 'more' });
      await again.close();
      expect((await readdir(folder)).filter((name) => /fresh|open|rewriting/.test(name))).toEqual([]);
    });
  });

  it('is left alone while somebody else has it open, and not for one who died', async () => {
    await withFolder(async (folder) => {
      const [one, other] = [await openStore(folder), await openStore(folder)];
      expect(await one.rewrite()).toBeUndefined();
      await one.table.put({ pk: 'p', sk: 's' });
      await other.close();
      await writeFile(
        join(folder, 'table.mdb-open-1-dead'),
        JSON.stringify({ pid: 2 ** 22 + 1, born: '', host: (await import('node:os')).hostname() }),
      );
      expect(await one.rewrite()).toBeDefined();
      await one.close();
    });
  });

  itAtLength('is rewritten by compact --now, but not under a service that runs', async () => {
    await withFolder(async (folder) => {
      await run(['site', 'add', 'acme', '--data-dir', folder]);
      const service = await startProgram(folder);
      const during = await run(['compact', '--now', '--data-dir', folder]);
      expect(during).toMatchObject({ status: 0, out: expect.stringContaining('while another process uses it') });
      await service.end('SIGKILL');
      const after = await run(['compact', '--now', '--data-dir', folder]);
      expect(after).toMatchObject({ status: 0, out: expect.stringContaining("The data folder's file went from") });
      expect((await run(['site', 'list', '--data-dir', folder])).out).toContain('acme');
    });
  });
});
