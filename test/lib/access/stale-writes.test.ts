import { expect, it } from 'vitest';
import { readSite, setSite } from '../../../lib/access/sites.ts';
import { putUser, readUser } from '../../../lib/access/users.ts';
import { ConditionFailed } from '../../../lib/store/faults.ts';
import { newSite } from '../../support/service/service.ts';
import { freshTable } from '../../support/service/table.ts';

const LOGIN = 'ann@acme.example';

it('a user who was removed since they were read stays removed, whatever is set of them', async () => {
  const table = await freshTable();
  const read = await putUser(table, 'acme', { login: LOGIN, role: 'Agent', deleted: false }, true);
  await putUser(table, 'acme', { ...read, deleted: true }, false);
  await expect(putUser(table, 'acme', { ...read, role: 'Administrator' }, false)).rejects.toThrow(ConditionFailed);
  expect(await readUser(table, 'acme', LOGIN)).toMatchObject({ role: 'Agent', deleted: true });
});

it('a site keeps what somebody else has set since it was read', async () => {
  const table = await freshTable();
  await newSite(table, { name: 'acme' });
  const read = (await readSite(table, 'acme'))!;
  await setSite(table, read, { ...read, rateLimit: 60 });
  await expect(setSite(table, read, { ...read, title: 'Acme' })).rejects.toThrow(ConditionFailed);
  expect(await readSite(table, 'acme')).toMatchObject({ title: read.title, rateLimit: 60 });
});
