import { auditItem, readAudit, serviceEntry } from '../../../lib/access/audit.ts';
import { freshTable } from '../../support/service/table.ts';

it('finds the entries of a user, however the login is written', async () => {
  const table = await freshTable();
  const entry = serviceEntry(
    { action: 'update', resource: 'topics/5', user: 'Jos\u00e9@acme.example' },
    { id: '1', at: 1_800_000_000_000 },
  );
  await table.put(auditItem('acme', entry));
  for (const user of ['jos\u00e9@acme.example', ' JOSE\u0301@acme.example'])
    expect((await readAudit(table, 'acme', { user, limit: 5 })).entries).toHaveLength(1);
  expect((await readAudit(table, 'acme', { user: 'jose@acme.example', limit: 5 })).entries).toEqual([]);
});
