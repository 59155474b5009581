import type { Table } from '../../../lib/store/table.ts';
import { newUsage, type Usage } from '../../../lib/store/usage.ts';
import type { Database } from './database.ts';
import { createItemMemory, type ItemMemory } from './item-memory.ts';
import type { TableFiles } from './locks.ts';
import { readsOf } from './reading.ts';
import { writesOf } from './writing.ts';

/**
 * The table in a database of this machine; its locks may be in a second one. `hasRoom` says whether the disk can take
 * more writes.
 */
export const openLmdbTable = (items: Database, hasRoom: () => boolean, locks: Database = items): Table =>
  counting({ items, locks }, hasRoom, createItemMemory(), newUsage());

function counting(files: TableFiles, hasRoom: () => boolean, memory: ItemMemory, usage: Usage): Table {
  return {
    name: 'support',
    usage,
    metered: (other) => counting(files, hasRoom, memory, other),
    ...readsOf(files, memory, usage),
    ...writesOf(files, hasRoom, usage),
  };
}
