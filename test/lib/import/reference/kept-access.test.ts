import { readSite } from '../../../../lib/access/sites.ts';
import { listUsers } from '../../../../lib/access/users.ts';
import { parseRecord } from '../../../../lib/import/records/records.ts';
import type { AccessGuard } from '../../../../lib/import/reference/access.ts';
import { importReferences } from '../../../../lib/import/reference/take-reference.ts';
import { createCollections } from '../../../../lib/store/collection.ts';
import { type ImportSite, startImportSite } from '../../../support/service/import-site.ts';
import { putUser } from '../../../support/service/stored-access.ts';

let site: ImportSite;
beforeAll(async () => {
  site = await startImportSite();
  const user = { login: 'boss@example.com', role: 'Administrator', deleted: false, agent: 1 } as const;
  await putUser(site.table, site.site.name, user, true);
  await site.load({ type: 'agent', id: 1, name: 'Boss', login: 'boss@example.com', role: 'Administrator' });
});

/** Imports records as an import over HTTP does to which nobody agreed; the reasons of those that were refused. */
async function loadOverHttp(...records: readonly object[]): Promise<string[]> {
  const { table, site: settings } = site;
  const access: AccessGuard = {
    decide: async () => 'nobody agreed',
    actorOf: () => {
      throw new Error('nothing is taken');
    },
    ...{ isFree: false, clock: Date.now, newId: () => 'id' },
  };
  const target = { site: settings.name, table, collections: createCollections(), now: Date.now(), access };
  const reasons: string[] = [];
  const references = importReferences(target, ({ reason }) => reasons.push(reason), undefined);
  for (const [index, record] of records.entries()) {
    const parsed = parseRecord(record);
    if (!('type' in parsed)) throw new Error('no record');
    await references.add(parsed as Parameters<typeof references.add>[0], index + 1);
  }
  await references.flush();
  return reasons;
}

describe('an import over HTTP', () => {
  it.each([
    ['a role', { type: 'agent', id: 1, name: 'Boss', role: 'Agent' }, 'role: '],
    [
      'a role of somebody new',
      { type: 'agent', id: 2, name: 'New', login: 'new@example.com', role: 'Administrator' },
      'role: ',
    ],
    ['a login', { type: 'agent', id: 1, name: 'Boss', login: 'other@example.com' }, 'login: '],
    ['no login any more', { type: 'agent', id: 1, name: 'Boss', login: null }, 'login: '],
    ['a removal', { type: 'agent', id: 1, deleted: true }, 'deleted: '],
    ['settings of the site', { type: 'site', name: 'Mine', time_zone: 'UTC' }, 'type: '],
  ])('refuses a record with %s, and changes nothing', async (_, record, start) => {
    const before = [await listUsers(site.table, site.site.name), await readSite(site.table, site.site.name)];
    const agent = await site.show('/api/v2/users/1');
    const reasons = await loadOverHttp(record);
    expect(reasons.map((reason) => reason.slice(0, start.length))).toEqual([start]);
    expect([await listUsers(site.table, site.site.name), await readSite(site.table, site.site.name)]).toEqual(before);
    expect(await site.show('/api/v2/users/1')).toEqual(agent);
  });

  it('takes the names of agents, with their logins, and makes no user of them', async () => {
    const before = await listUsers(site.table, site.site.name);
    const known = { type: 'agent', id: 1, name: 'The boss', login: 'BOSS@example.com', role: 'Administrator' };
    expect(await loadOverHttp(known, { type: 'agent', id: 3, name: 'Cid', login: 'cid@example.com' })).toEqual([]);
    expect(await listUsers(site.table, site.site.name)).toEqual(before);
    expect(await site.show('/api/v2/users/3')).toMatchObject({ name: 'Cid' });
  });
});
