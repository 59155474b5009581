import { keepAdministrator } from '../../../lib/access/last-administrator.ts';
import { NEW_SITE } from '../../../lib/access/site-fields.ts';
import { listUsers, removed, type User, userWrite } from '../../../lib/access/users.ts';
import { ConditionFailed } from '../../../lib/store/faults.ts';
import { PASSWORD_HASH } from '../../support/service/credentials.ts';
import { addSite, putUser } from '../../support/service/stored-access.ts';
import { freshTable } from '../../support/service/table.ts';

const SITE = 'acme';
const newUser = (login: string, more: Partial<User> = {}): User => ({
  ...{ login, role: 'Administrator', deleted: false, password: PASSWORD_HASH },
  ...more,
});

async function siteOf(...users: readonly User[]) {
  const table = await freshTable();
  await addSite(table, { ...NEW_SITE, name: SITE, title: SITE, hosts: [] });
  const stored: User[] = [];
  for (const user of users) stored.push(await putUser(table, SITE, user, true));
  const plan = async (before: User | undefined, after: User) => {
    if (before === undefined) throw new Error('no user');
    const checks = await keepAdministrator(table, SITE, [{ before, after }]);
    return typeof checks === 'string' ? 'last' : [userWrite(SITE, after, false), ...checks];
  };
  return { table, stored, plan };
}

const demoted = (user: User): User => ({ ...user, role: 'Agent' });

it.each([
  ['two who demote each other', 2, demoted],
  ['two who remove each other', 2, removed],
  ['three in a ring', 3, demoted],
] as const)('of %s at the same moment, one stays', async (_, count, change) => {
  const { table, stored, plan } = await siteOf(...Array.from({ length: count }, (_none, nth) => newUser(`a${nth}@x`)));
  const plans = await Promise.all(stored.map((user) => plan(user, change(user)))); // all planned before one is written
  const done = await Promise.allSettled(plans.map(async (writes) => writes !== 'last' && table.transact(writes)));
  const failures = done.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(failures.length).toBeGreaterThan(0);
  expect(failures.every((error) => error instanceof ConditionFailed)).toBe(true);
  const left = (await listUsers(table, SITE)).filter(({ role, deleted }) => role === 'Administrator' && !deleted);
  expect(left.length).toBeGreaterThan(0);
});

it('counts nobody who cannot sign in or was removed, and nobody of another role', async () => {
  const { password: _, ...without } = newUser('no-password@x');
  const other = newUser('billing@x', { role: 'Billing Administrator' });
  const { stored, plan } = await siteOf(newUser('ann@x'), without, removed(newUser('gone@x')), other);
  const [ann, agent] = stored;
  expect(await plan(ann, demoted(newUser('ann@x')))).toBe('last');
  expect(await plan(ann, newUser('ann@x'))).toHaveLength(1); // a change that keeps the role
  expect(await plan(agent, demoted(without))).toHaveLength(1);
});
