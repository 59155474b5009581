import { join } from 'node:path';
import { openDatabase } from '../../../infra/local/table/database.ts';
import { openLmdbTable } from '../../../infra/local/table/lmdb-table.ts';
import { openLocks } from '../../../infra/local/table/locks.ts';
import type { Table } from '../../../lib/store/table.ts';

const MAP = 2 ** 30; // bytes of an LMDB map, small because a process of tests opens many

/** Opens the LMDB table of a folder, whose path is the table's name. */
export function folderTable(folder: string): Table {
  const database = openDatabase(join(folder, 'table.mdb'), { mapSize: MAP });
  return { ...openLmdbTable(database, () => true, openLocks(folder)), name: folder };
}
