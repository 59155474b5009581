import { chunks } from './batches.ts';
import type { Collection, Collections } from './collection.ts';
import { keys, type Partition } from './keys.ts';
import { readItems } from './read-items.ts';
import { replan } from './replan.ts';
import type { Item, Table } from './table.ts';

/** A site's part of the table, for what reads and writes it without a request: imports, erasures, commands. */
export interface SiteTable {
  readonly site: string;
  readonly table: Table;
  readonly collections: Collections;
  readonly now: number; // epoch ms; when what is written without a time of its own is written
}

type Opening = Pick<SiteTable, 'table' | 'collections'>;

/** Reads the heads of collections in one call; returns a function that opens them. */
export async function readHeads(
  { table, collections }: Opening,
  partitions: readonly Partition[],
): Promise<(partition: Partition) => Promise<Collection>> {
  const heads = await readItems(table, partitions.map(keys.head));
  return (partition) => {
    const head = heads(keys.head(partition));
    if (head === undefined) collections.forget(partition); // another process may have deleted it
    return collections.open(table, partition, head);
  };
}

/** Opens one collection at its present version. */
export const openCollection = async (opening: Opening, partition: Partition): Promise<Collection> =>
  (await readHeads(opening, [partition]))(partition);

/**
 * Writes items of a collection anew, `atOnce` in a transaction; `change` returns the same item if it stays. After a crash
 * it may be run again.
 */
export function changeItems(
  opening: Opening,
  partition: Partition,
  atOnce: number,
  change: (item: Item) => Item,
): Promise<void> {
  return replan(async () => {
    const collection = await openCollection(opening, partition);
    const put = [...collection.items.values()].flatMap((item) => {
      const after = change(item);
      return after === item ? [] : [after];
    });
    for (const some of chunks(put, atOnce))
      await opening.collections.commit(opening.table, [{ collection, put: some }]);
  });
}
