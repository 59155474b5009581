import { keys, members, type ReferenceKind } from '../../../lib/store/keys.ts';
import type { Table } from '../../../lib/store/table.ts';

/** Writes reference records as an import would, and raises the version of their collection. */
export async function writeReferences(
  table: Table,
  site: string,
  kind: ReferenceKind,
  records: readonly ({ readonly id: number } & Readonly<Record<string, unknown>>)[],
): Promise<void> {
  const { pk } = keys.reference(site, kind);
  const head = await table.get(keys.head({ pk }));
  await table.batchWrite(records.map((record) => ({ put: { pk, sk: members.item(record.id), ...record } })));
  await table.put({ ...keys.head({ pk }), version: Number(head?.version ?? 0) + 1 });
}
