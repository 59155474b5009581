import { readSite } from '../../../lib/access/sites.ts';
import { listTokens, newToken, noteUse, tokenWrites } from '../../../lib/access/tokens.ts';
import { readUser } from '../../../lib/access/users.ts';
import { ConditionFailed } from '../../../lib/store/faults.ts';
import { keys } from '../../../lib/store/keys.ts';
import { newSite } from '../../support/service/service.ts';
import { putUser, setSite } from '../../support/service/stored-access.ts';
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

it.each([
  ['written by this version', false],
  ['written by a version without versions of tokens', true],
])('a token %s keeps new secrets that a use of it came before, and its use those that came after', async (_, isOld) => {
  const table = await freshTable();
  const user = await putUser(table, 'acme', { login: LOGIN, role: 'Agent', deleted: false }, true);
  const { token } = newToken(user, { name: 'nightly' }, 0);
  const oauth = (text: string) => ({ consumer: 'c', sealed: { key: 'k', text } });
  await table.transact(tokenWrites('acme', { before: undefined, after: { ...token, oauth: oauth('old') } }));
  if (isOld) {
    const [item] = await table.query(keys.tokens('acme').pk);
    const { version: __, ...older } = item!;
    await table.put({ ...older, ...keys.token('acme', token.hash) });
  }
  const stored = async () => (await listTokens(table, 'acme'))[0]!;
  const read = await stored();
  await table.transact(tokenWrites('acme', { before: read, after: { ...read, oauth: oauth('new') } }));
  await noteUse(table, 'acme', read, 86_400_000);
  expect(await stored()).toMatchObject({ oauth: oauth('new') });
  const again = await stored();
  await noteUse(table, 'acme', again, 86_400_000);
  const late = tokenWrites('acme', { before: again, after: { ...again, oauth: oauth('late') } });
  await expect(table.transact(late)).rejects.toThrow(ConditionFailed);
  expect(await stored()).toMatchObject({ oauth: oauth('new'), used: '1970-01-02' });
  await table.transact(tokenWrites('acme', { before: await stored(), after: undefined }));
  await noteUse(table, 'acme', again, 2 * 86_400_000);
  expect(await listTokens(table, 'acme')).toEqual([]);
});
