import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { hashPassword } from '../../lib/access/passwords.ts';
import { addSite, NEW_SITE, readSite, type Site } from '../../lib/access/sites.ts';
import { putUser, readUser } from '../../lib/access/users.ts';
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
  if (before === undefined) await addSite(table, site, { default: true });
  const context = { table, site, collections: createCollections(), clock: Date.now, newId: randomUUID };
  const wrong: Rejected[] = [];
  await importRows(context, batches(now), { spillFolder: tmpdir(), onRejected: (row) => wrong.push(row) });
  if (wrong[0]) throw new Error(`record ${wrong[0].line} of the demo site is wrong: ${wrong[0].reason}`);
  await addUsers(table);
}

async function* batches(now: number): AsyncGenerator<readonly Row[]> {
  const rows = [...demoRecords(now, SITE.timeZone)].map((record, index) =>
    toRow(index + 1, '', () => [parseRecord(record)]),
  );
  yield rows;
}

async function addUsers(table: Table): Promise<void> {
  const password = await hashPassword(DEMO_PASSWORD);
  for (const { role, login } of DEMO_LOGINS) {
    const before = await readUser(table, SITE.name, login);
    if (before?.password) continue;
    await putUser(table, SITE.name, { ...before, login, role, deleted: false, password }, before === undefined);
  }
}
