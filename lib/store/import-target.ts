import { isDeepStrictEqual } from 'node:util';
import type { Change, Collection, Collections } from './collection.ts';
import { keys, type Partition } from './keys.ts';
import type { Table } from './table.ts';

/** Where an import of reference records writes. */
export interface ImportTarget {
  readonly site: string;
  readonly table: Table;
  readonly collections: Collections;
  readonly now: number; // epoch ms: what a record without `updated_at` counts as
}

/** Reads the heads of collections at once; returns a function that opens them. */
export async function readHeads(
  { table, collections }: ImportTarget,
  partitions: readonly Partition[],
): Promise<(partition: Partition) => Promise<Collection>> {
  const items = await table.batchGet(partitions.map(keys.head));
  const heads = new Map(partitions.map(({ pk }, place) => [pk, items[place]]));
  return (partition) => {
    const head = heads.get(partition.pk);
    if (head === undefined) collections.forget(partition); // it may have ended in another process
    return collections.open(table, partition, head);
  };
}

/** Keeps ids that are given out later above an imported one. */
export const raised = (ids: Collection, id: number): Change[] =>
  id > ids.version ? [{ collection: ids, version: id }] : [];

/** Whether a record says anything new: one without a time of its own is no news by its time alone. */
export function isNews<T extends { readonly updated_at: number }>(
  before: T | undefined,
  after: T,
  record: { readonly updated_at?: number },
): boolean {
  if (before === undefined) return true;
  const updated_at = record.updated_at === undefined ? before.updated_at : after.updated_at;
  return !isDeepStrictEqual({ ...after, updated_at }, before);
}
