import type { Condition } from '../store/condition.ts';
import { keys } from '../store/keys.ts';
import type { Table, Write } from '../store/table.ts';
import { listUsers, normalizeLogin, type User } from './users.ts';

/** Whether a user can sign in and change the settings. */
const administers = ({ role, deleted, password }: User): boolean =>
  role === 'Administrator' && !deleted && password !== undefined;

/**
 * What the transaction of a user's change must check so that an Administrator stays who can sign in: that another one
 * is as they were read. Of several who take each other's role at once, the last one's check fails. `last` if there is
 * no other.
 */
export async function keepAdministrator(
  table: Table,
  site: string,
  { before, after }: { readonly before: User; readonly after: User },
): Promise<readonly Write[] | 'last'> {
  if (!administers(before) || administers(after)) return [];
  const own = normalizeLogin(before.login);
  const others = (await listUsers(table, site)).filter(
    (user) => administers(user) && normalizeLogin(user.login) !== own,
  );
  const other = others.find(({ version }) => version !== undefined) ?? others[0];
  if (other === undefined) return 'last';
  return [{ check: keys.user(site, normalizeLogin(other.login)), when: asRead(other) }];
}

/** Users of versions before 1.0 have no version until their next write. */
const asRead = ({ version, role }: User): Condition =>
  version === undefined ? { attribute: 'role', equals: role } : { attribute: 'version', equals: version };
