import type { Site } from '../../../lib/access/site-fields.ts';
import { siteWrites } from '../../../lib/access/sites.ts';
import { type User, userWrite } from '../../../lib/access/users.ts';
import type { Table } from '../../../lib/store/table.ts';

/**
 * Stores a user, a new one with `isNew`, past the gate of the service: what another process, or an earlier version, wrote.
 * Throws `ConditionFailed` if the user has changed since they were read.
 */
export async function putUser(table: Table, site: string, user: User, isNew: boolean): Promise<User> {
  const { put, when } = userWrite(site, user, isNew);
  await table.put(put, when);
  return { ...user, version: (user.version ?? 0) + 1 };
}

/** Stores a new site with its hosts. Throws `ConditionFailed` if it exists or a host belongs to another site. */
export const addSite = (table: Table, site: Site, options: { readonly default?: boolean } = {}): Promise<void> =>
  table.transact(siteWrites({ before: undefined, after: site, isDefault: options.default }));

/** Stores a site's settings. Throws `ConditionFailed` if it has changed since `before` was read. */
export const setSite = (table: Table, before: Site, after: Site): Promise<void> =>
  table.transact(siteWrites({ before, after }));
