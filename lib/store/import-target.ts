import { isDeepStrictEqual } from 'node:util';
import { chunks } from './batches.ts';
import type { Change, Collection, Collections } from './collection.ts';
import { findItems } from './found.ts';
import { keys, type Partition } from './keys.ts';
import { replan } from './replan.ts';
import type { Item, Table } from './table.ts';

/** The target of an import of reference records. */
export interface ImportTarget {
  readonly site: string;
  readonly table: Table;
  readonly collections: Collections;
  readonly now: number; // epoch ms; the `updated_at` of records without one
}

/** Reads the heads of collections in one call; returns a function that opens them. */
export async function readHeads(
  { table, collections }: Pick<ImportTarget, 'table' | 'collections'>,
  partitions: readonly Partition[],
): Promise<(partition: Partition) => Promise<Collection>> {
  const found = await findItems(table, partitions.map(keys.head));
  return (partition) => {
    const head = found(keys.head(partition));
    if (head === undefined) collections.forget(partition); // another process may have deleted it
    return collections.open(table, partition, head);
  };
}

/** Opens one collection at its present version. */
export const openCollection = async (
  { table, collections }: Pick<ImportTarget, 'table' | 'collections'>,
  partition: Partition,
): Promise<Collection> => (await readHeads({ table, collections }, [partition]))(partition);

/**
 * Writes items of a collection anew, `atOnce` in a transaction; `change` returns the same item if it stays. After a crash
 * it may be run again.
 */
export function changeItems(
  target: Pick<ImportTarget, 'table' | 'collections'>,
  partition: Partition,
  atOnce: number,
  change: (item: Item) => Item,
): Promise<void> {
  return replan(async () => {
    const collection = await openCollection(target, partition);
    const put = [...collection.items.values()].flatMap((item) => {
      const after = change(item);
      return after === item ? [] : [after];
    });
    for (const some of chunks(put, atOnce)) await target.collections.commit(target.table, [{ collection, put: some }]);
  });
}

/** The change that keeps newly assigned ids above an imported one. */
export const raiseIds = (ids: Collection, id: number): Change[] =>
  id > ids.version ? [{ collection: ids, version: id }] : [];

/** Whether a record changes anything. If it has no `updated_at` of its own, a later time alone is no change. */
export function changesMember<T extends { readonly updated_at: number }>(
  before: T | undefined,
  after: T,
  record: { readonly updated_at?: number },
): boolean {
  if (before === undefined) return true;
  const updated_at = record.updated_at === undefined ? before.updated_at : after.updated_at;
  return !isDeepStrictEqual({ ...after, updated_at }, before);
}

/** A field after a record: null resets it to `usual`, an absent key changes nothing. */
export const merged = <T>(before: T | undefined, sent: T | null | undefined, usual: T): T =>
  sent === undefined ? (before ?? usual) : (sent ?? usual);
