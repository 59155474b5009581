import { routes } from '../../../lib/routes.ts';
import { ConditionFailed } from '../../../lib/store/faults.ts';
import { transactOnce } from '../../../lib/store/once.ts';
import type { Table } from '../../../lib/store/table.ts';
import { itInProcess, startService } from '../../support/service/service.ts';
import { freshTable } from '../../support/service/table.ts';

/** A table that does each transaction twice, as the SDK does when the store dies before it has answered. */
function repeating(table: Table): Table {
  return {
    ...table,
    metered: (usage) => repeating(table.metered(usage)),
    transact: async (writes) => {
      await table.transact(writes);
      await table.transact(writes);
    },
  };
}

const key = { pk: 'p', sk: 'one' };
const beside = (id: string) => ({ proof: { pk: 'proofs', sk: id } });

it('takes a condition that fails on its own earlier attempt for success', async () => {
  const table = await freshTable();
  const write = { put: { ...key, version: 1 }, when: { absent: true } } as const;
  expect(await transactOnce(repeating(table), [write], beside('a'))).toBe('before');
  expect(await table.get(key)).toMatchObject({ version: 1 });
});

it('throws where somebody else was first, and leaves no proof', async () => {
  const table = await freshTable();
  await table.put({ ...key, version: 1 });
  const write = { put: { ...key, version: 2 }, when: { absent: true } } as const;
  await expect(transactOnce(repeating(table), [write], beside('a'))).rejects.toThrow(ConditionFailed);
  expect(await table.query('proofs')).toEqual([]);
});

itInProcess('no request is done twice on a table that does every transaction twice', async () => {
  const { table, again } = await startService(routes);
  const ask = again({ table: repeating(table) });
  const other = again({});
  const names = ['a', 'b', 'c', 'd', 'e'];
  const { body } = await ask('POST', '/api/v2/topics', { body: { name: 'gone' } });
  expect((await ask('PATCH', body._links.self.href, { body: { name: 'going' } })).body.name).toBe('going');
  expect((await ask('DELETE', body._links.self.href)).status).toBe(204);
  for (const name of names) expect((await ask('POST', '/api/v2/topics', { body: { name } })).status).toBe(201);
  const { entries } = (await other('GET', '/api/v2/topics')).body._embedded;
  expect(entries.map((topic: { readonly name: string }) => topic.name)).toEqual(names);
});
