import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { type AuthorityChange, type ChangeEntry, changeAuthority, doorOf } from '../../lib/access/authority.ts';
import { hashPassword } from '../../lib/access/passwords/passwords.ts';
import { NEW_SITE, type Site } from '../../lib/access/site-fields.ts';
import { readSite } from '../../lib/access/sites.ts';
import { readUser } from '../../lib/access/users.ts';
import { type Row, toRow } from '../../lib/import/formats/row.ts';
import { importRows, type Rejected } from '../../lib/import/import-rows.ts';
import { parseRecord } from '../../lib/import/records/records.ts';
import { createCollections } from '../../lib/store/collection.ts';
import type { Table } from '../../lib/store/table.ts';
import { demoRecords } from './records.ts';
import { DEMO_LOGINS, DEMO_PASSWORD, DEMO_SITE } from './users.ts';

const SITE: Site = {
  ...NEW_SITE,
  name: DEMO_SITE,
  title: 'Demo',
  locales: ['en_us', 'de', 'ja'],
  timeZone: 'America/New_York',
  hosts: [`${DEMO_SITE}.localhost`],
};

/** Creates the demo site or its missing parts: users, knowledge, macros, history. `now` (epoch ms) is its date. */
export async function makeDemoSite(table: Table, now: number): Promise<void> {
  const before = await readSite(table, SITE.name);
  const site = before ?? { ...SITE, added: Date.now() };
  const context = { table, site, collections: createCollections(), clock: Date.now, newId: randomUUID };
  const change = async (entry: Pick<ChangeEntry, 'action' | 'resource' | 'fields'>, what: AuthorityChange) => {
    const target = { ...context, site: SITE.name, now: Date.now() };
    await changeAuthority(doorOf(target, 'operator', { ...entry, id: randomUUID(), at: target.now }), what);
  };
  if (before === undefined)
    await change(
      { action: 'create', resource: 'site', fields: [] },
      { site: { before, after: site, isDefault: true } },
    );
  const wrong: Rejected[] = [];
  await importRows(context, batches(now), { spillFolder: tmpdir(), onRejected: (row) => wrong.push(row) });
  if (wrong[0]) throw new Error(`record ${wrong[0].line} of the demo site is wrong: ${wrong[0].reason}`);
  const password = await hashPassword(DEMO_PASSWORD);
  for (const { role, login } of DEMO_LOGINS) {
    const user = await readUser(table, SITE.name, login);
    if (user?.password) continue;
    const after = { ...user, login, role, deleted: false, password };
    await change(
      { action: user ? 'update' : 'create', resource: `users/${login}`, fields: ['password'] },
      { users: [{ before: user, after }] },
    );
  }
}

async function* batches(now: number): AsyncGenerator<readonly Row[]> {
  const rows = [...demoRecords(now, SITE.timeZone)].map((record, index) =>
    toRow(index + 1, '', () => [parseRecord(record)]),
  );
  yield rows;
}
