import type { Table } from '../../../lib/store/table.ts';
import { newUsage, type Usage } from '../../../lib/store/usage.ts';
import type { Database } from './database.ts';
import { createItemMemory, type ItemMemory } from './item-memory.ts';
import { readsOf } from './reading.ts';
import { writesOf } from './writing.ts';

/** The table in a database of this machine. `hasRoom` says whether its disk can take more writes. */
export const openLmdbTable = (database: Database, hasRoom: () => boolean): Table =>
  counting(database, hasRoom, createItemMemory(), newUsage());

function counting(database: Database, hasRoom: () => boolean, memory: ItemMemory, usage: Usage): Table {
  return {
    name: 'support',
    usage,
    metered: (other) => counting(database, hasRoom, memory, other),
    ...readsOf(database, memory, usage),
    ...writesOf(database, hasRoom, usage),
  };
}
