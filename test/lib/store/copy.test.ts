import { NEW_SITE } from '../../../lib/access/site-fields.ts';
import { listSites } from '../../../lib/access/sites.ts';
import { copyTable } from '../../../lib/store/copy.ts';
import type { Item, Table } from '../../../lib/store/table.ts';
import { addSite } from '../../support/service/stored-access.ts';
import { freshTable } from '../../support/service/table.ts';

/** All items in order; bytes as text, which takes a hundredth of the time to compare. */
async function everything(table: Table): Promise<Item[]> {
  const all: Item[] = [];
  for await (const page of table.scan()) all.push(...page.map(readable));
  return all.sort((a, b) => (`${a.pk}\n${a.sk}` < `${b.pk}\n${b.sk}` ? -1 : 1));
}

const readable = (item: Item): Item =>
  item.bytes instanceof Uint8Array ? { ...item, bytes: `bytes ${Buffer.from(item.bytes).toString('base64')}` } : item;

async function fullTable(bytes = 10): Promise<Table> {
  const table = await freshTable();
  await addSite(table, { ...NEW_SITE, name: 'acme', title: 'Acme', hosts: ['acme.localhost'] }, { default: true });
  const blob = (n: number) => ({
    put: { pk: `site#acme#segment#${n}`, sk: 'segment#0', bytes: Buffer.alloc(bytes, n) },
  });
  await table.batchWrite(Array.from({ length: 30 }, (_, n) => blob(n)));
  return table;
}

it('copies every item, bytes and all, over pages of a scan', async () => {
  const [source, target] = [await fullTable(50_000), await freshTable()]; // over the 1 MB of a page
  const all = await everything(source);
  expect(await copyTable(source, target)).toBe(all.length);
  expect(await everything(target)).toEqual(all);
});

it('leaves a table that has sites alone', async () => {
  const [source, target] = [await fullTable(), await fullTable()];
  await target.delete({ pk: 'site#acme#segment#1', sk: 'segment#0' });
  const before = await everything(target);
  expect(await copyTable(source, target)).toBeUndefined();
  expect(await everything(target)).toEqual(before);
});

it('shows no site before all is there, and can be made again when it broke off', async () => {
  const [source, target] = [await fullTable(), await freshTable()];
  let batches = 0;
  const breaking: Table = {
    ...target,
    batchWrite: async (writes) => {
      if ((batches += 1) > 1) throw new Error('the line is cut');
      await target.batchWrite(writes);
    },
  };
  await expect(copyTable(source, breaking)).rejects.toThrow('the line is cut');
  expect(await listSites(target)).toEqual([]);
  await copyTable(source, target);
  expect(await everything(target)).toEqual(await everything(source));
});
