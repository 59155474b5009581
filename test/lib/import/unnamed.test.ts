import { randomUUID } from 'node:crypto';
import { auditItem } from '../../../lib/access/audit.ts';
import { settleTraces } from '../../../lib/import/unnamed.ts';
import { createCollections } from '../../../lib/store/collection.ts';
import { keys, members } from '../../../lib/store/keys.ts';
import type { Item } from '../../../lib/store/table.ts';
import { type ImportSite, startImportSite } from '../../support/service/import-site.ts';

/** What stays of deleted things in a table of an earlier version, which noted of none whether anything names it. */

const AT = Date.parse('2026-01-01T00:00:00Z');
let site: ImportSite;
beforeEach(async () => {
  site = await startImportSite();
});

/** Ids of deleted things: made here and named by a case, made here and named by nothing, from an import; the last one is there. */
const [NAMED, UNNAMED, IMPORTED, LIVE] = [1, 2, 3, 9];

/** The collections of an older table: their partitions, their paths in the audit, and how a deleted and a live one lie. */
const OLDER = [
  ...(['label', 'brand', 'company', 'custom_field', 'article', 'calendar', 'sla_policy'] as const).map((kind) => ({
    path: { company: 'companies', sla_policy: 'sla_policies' }[kind as string] ?? `${kind}s`,
    partition: () => keys.reference(site.site.name, kind),
    sk: members.item,
    gone: { name: 'gone', deleted: true, updated_at: AT },
    live: { name: 'there', deleted: false, updated_at: AT },
    isNamed: ['label', 'company', 'custom_field'].includes(kind),
  })),
  {
    path: 'macros',
    partition: () => keys.macros(site.site.name),
    sk: members.macro,
    gone: { state: 'deleted', name: 'gone', actions: 0, updated_at: AT },
    live: { state: 'live', name: 'there', enabled: true, position: 1, folders: [], updated_at: AT },
    isNamed: true,
  },
  {
    path: 'topics',
    partition: () => keys.topics(site.site.name),
    sk: members.topic,
    gone: { deleted: true, updated_at: AT },
    live: { allow_questions: true, in_support_center: false, brands: [], created_at: AT, updated_at: AT },
    isNamed: false,
  },
];

/** Stores the events of a case, which name members, and then what an earlier version had of them. */
async function makeOlderTable(): Promise<void> {
  const at = '2026-01-01T00:00:00Z';
  await site.load(
    { type: 'case.created', id: 1, at, case: 1, company: NAMED, labels: [NAMED], custom_fields: { [NAMED]: 'x' } },
    { type: 'macro.applied', id: 2, at, case: 1, macro: NAMED },
  );
  const { table, site: own } = site;
  for (const { path, partition, sk, gone, live } of OLDER) {
    const { pk } = partition();
    const put = (id: number, fields: object): Item => ({ pk, sk: sk(id), id, ...fields });
    for (const id of [NAMED, UNNAMED, IMPORTED]) await table.put(put(id, gone));
    await table.put(put(LIVE, live));
    await table.put({ ...keys.head({ pk }), version: 7 });
    for (const id of [NAMED, UNNAMED, LIVE]) {
      const entry = { id: randomUUID(), at: AT, user: null, via: 'api', action: 'create', fields: ['name'] } as const;
      await table.put(auditItem(own.name, { ...entry, resource: `${path}/${id}` }));
    }
  }
}

const settle = (): Promise<number> => {
  const { table, site: own, clock } = site;
  const target = { table, site: own.name, collections: createCollections(), now: clock() };
  return settleTraces(target, { table, site: own, clock, newId: randomUUID });
};

const idsOf = async (partition: { readonly pk: string }): Promise<unknown[]> =>
  (await site.table.query(partition.pk)).flatMap(({ id, sk }) => (typeof id === 'number' && sk !== 'head' ? [id] : []));

describe('what stays of deleted things of earlier versions', () => {
  it('goes where it was made here and no case names it, and stays otherwise', async () => {
    await makeOlderTable();
    expect(await settle()).toBeGreaterThan(0);
    const left = await Promise.all(
      OLDER.map(async ({ path, partition }) => [path, (await idsOf(partition())).sort()] as const),
    );
    expect(Object.fromEntries(left)).toEqual(
      Object.fromEntries(
        OLDER.map(({ path, isNamed }) => [path, isNamed ? [NAMED, IMPORTED, LIVE] : [IMPORTED, LIVE]]),
      ),
    );
    const meta = await site.show('/api/v2/insights3/meta');
    expect(meta.labels).toEqual({
      [NAMED]: { name: 'gone', deleted: true },
      [IMPORTED]: { name: 'gone', deleted: true },
      [LIVE]: { name: 'there', deleted: false },
    });
  });

  it('is settled once: what is deleted later goes by its own mark, and what a case names later stays', async () => {
    await makeOlderTable();
    await settle();
    const before = await site.table.query(keys.reference(site.site.name, 'label').pk);
    expect(await settle()).toBe(0);
    expect(await site.table.query(keys.reference(site.site.name, 'label').pk)).toEqual(before);
  });

  it('stays where a case names it before it was settled', async () => {
    await makeOlderTable();
    await site.load({ type: 'case.labels', id: 3, at: '2026-01-02T00:00:00Z', case: 1, add: [UNNAMED] });
    await settle();
    expect((await site.show('/api/v2/insights3/meta')).labels[UNNAMED]).toEqual({ name: 'gone', deleted: true });
  });
});
