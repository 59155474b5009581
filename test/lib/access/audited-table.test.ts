import { auditItem, readAudit, serviceEntry } from '../../../lib/access/audit.ts';
import { auditedTable } from '../../../lib/access/audited-table.ts';
import { ConditionFailed } from '../../../lib/store/faults.ts';
import { keys } from '../../../lib/store/keys.ts';
import type { Table } from '../../../lib/store/table.ts';
import { dyingTable, Killed } from '../../support/faults/faulty-table.ts';
import { importRecords } from '../../support/service/import.ts';
import { newSite } from '../../support/service/service.ts';
import { freshTable } from '../../support/service/table.ts';

const ENTRY = serviceEntry({ action: 'import', resource: 'imports/a' }, { id: '1', at: 1_800_000_000_000 });
const ITEM = { pk: 'site#a#topics', sk: 'one' };

const entries = async (table: Table, site = 'a') => (await readAudit(table, site, { limit: 5 })).entries;

it.each<[string, (table: Table) => Promise<void>]>([
  ['a put', (table) => table.put(ITEM)],
  ['a put under a condition', (table) => table.put(ITEM, { absent: true })],
  ['a put that asks what stands in its way', (table) => table.put(ITEM, { absent: true }, { returnItem: true })],
  ['a transaction', (table) => table.transact([{ put: ITEM }])],
  [
    'a full transaction',
    (table) => table.transact(Array.from({ length: 100 }, (_, n) => ({ put: { ...ITEM, sk: `${n}` } }))),
  ],
  ['a batch', (table) => table.batchWrite([{ put: ITEM }])],
  ['a delete', (table) => table.delete(ITEM)],
])('writes one entry for work that begins with %s', async (_, write) => {
  const table = await freshTable();
  const audited = auditedTable(table, 'a', ENTRY);
  await write(audited.table);
  expect(await entries(table)).toEqual([ENTRY]);
  await table.delete(auditItem('a', ENTRY));
  await audited.table.batchWrite([{ delete: ITEM }]);
  await audited.table.put(ITEM, { absent: true });
  expect(await entries(table)).toEqual([]);
  await audited.counted(3);
  expect(await entries(table)).toEqual([{ ...ENTRY, count: 3 }]);
});

it('writes no entry for work that writes nothing or fails at its first write', async () => {
  const table = await freshTable();
  const audited = auditedTable(table, 'a', ENTRY);
  await audited.table.batchWrite([]);
  await expect(audited.table.put(ITEM, { present: true })).rejects.toThrow(ConditionFailed);
  await audited.counted(0);
  expect(await entries(table)).toEqual([]);
});

it('leaves an entry of an import, wherever it is killed', async () => {
  const table = await freshTable();
  const records = [
    { type: 'agent', id: 42, name: 'Ann' },
    { type: 'case.created', id: 1, at: '2026-01-01T00:00:00Z', case: 1, agent: 42 },
  ];
  let writes = 0;
  for (let struck = true; struck; writes += 1) {
    const site = await newSite(table, { name: `audited-${writes}` }, { default: false });
    const faulty = auditedTable(dyingTable(table, writes), site.name, ENTRY).table;
    struck = await importRecords(faulty, site, records).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Killed) return true;
        throw error;
      },
    );
    const history = await table.get(keys.manifest(site.name));
    const agents = await table.get(keys.head(keys.reference(site.name, 'agent')));
    const isChanged = history !== undefined || agents !== undefined;
    expect([isChanged, (await entries(table, site.name)).length]).toEqual([isChanged, writes > 0 ? 1 : 0]);
  }
  expect(writes).toBeGreaterThan(3);
});
