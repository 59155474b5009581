import type { Table } from '../../../lib/store/table.ts';
import { newUsage, type Usage } from '../../../lib/store/usage.ts';
import type { Database } from './database.ts';
import { readsOf } from './reading.ts';
import { writesOf } from './writing.ts';

/** The table in a database of this machine. `hasRoom` tells whether its disk takes further writes. */
export function openLmdbTable(database: Database, hasRoom: () => boolean, usage: Usage = newUsage()): Table {
  return {
    name: 'support',
    usage,
    metered: (other) => openLmdbTable(database, hasRoom, other),
    ...readsOf(database, usage),
    ...writesOf(database, hasRoom, usage),
  };
}
