import { hashPassword } from '../../lib/access/passwords.ts';
import { addSite, NEW_SITE, readSite, type Site } from '../../lib/access/sites.ts';
import { putUser, readUser } from '../../lib/access/users.ts';
import type { Table } from '../../lib/store/table.ts';
import { DEMO_LOGINS, DEMO_PASSWORD, DEMO_SITE } from './users.ts';

const SITE: Site = {
  ...NEW_SITE,
  name: DEMO_SITE,
  title: 'Demo',
  locales: ['en_us', 'de', 'ja'],
  timeZone: 'America/New_York',
  hosts: [`${DEMO_SITE}.localhost`],
};

/** Makes the demo site with its users, or what is missing of it. `now` (epoch ms) dates its history. */
export async function makeDemoSite(table: Table, _now: number): Promise<void> {
  if (!(await readSite(table, SITE.name))) await addSite(table, SITE, { default: true });
  const password = await hashPassword(DEMO_PASSWORD);
  for (const { role, login } of DEMO_LOGINS) {
    const before = await readUser(table, SITE.name, login);
    if (before?.password) continue;
    await putUser(table, SITE.name, { ...before, login, role, deleted: false, password }, before === undefined);
  }
}
