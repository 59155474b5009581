import { keys } from '../store/keys.ts';
import type { Table, Write } from '../store/table.ts';
import { listUsers, normalizeLogin, type User, unchangedUser } from './users.ts';

/** Whether a user can sign in and change the settings. */
const administers = (user: User | undefined): user is User =>
  user?.role === 'Administrator' && !user.deleted && user.password !== undefined;

/** A condition that a transaction checks of an item that it does not write. */
export type ConditionCheck = Extract<Write, { readonly check: unknown }>;

/**
 * What the transaction of users' changes must check so that an Administrator stays who can sign in: that another one is
 * as they were read. Of several who take each other's role at once, the last one's check fails. The login of the last
 * Administrator if there is no other.
 */
export async function keepAdministrator(
  table: Table,
  site: string,
  changes: readonly { readonly before: User | undefined; readonly after: User | undefined }[],
): Promise<readonly ConditionCheck[] | string> {
  const losing = changes.flatMap(({ before, after }) => (administers(before) && !administers(after) ? [before] : []));
  if (losing[0] === undefined || changes.some(({ after }) => administers(after))) return [];
  const own = changes.map(({ before, after }) => normalizeLogin((after ?? before)?.login ?? ''));
  const others = (await listUsers(table, site)).filter(
    (user) => administers(user) && !own.includes(normalizeLogin(user.login)),
  );
  const other = others.find(({ version }) => version !== undefined) ?? others[0];
  if (other === undefined) return losing[0].login;
  return [{ check: keys.user(site, normalizeLogin(other.login)), when: unchangedUser(other) }];
}
