import { isAbsolute, join } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { openDatabase } from '../../../infra/local/table/database.ts';
import { openLmdbTable } from '../../../infra/local/table/lmdb-table.ts';
import { openLocks } from '../../../infra/local/table/locks.ts';
import { connect } from '../../../lib/store/client.ts';
import { openTable } from '../../../lib/store/dynamodb.ts';
import type { Table } from '../../../lib/store/table.ts';

const MAP = 2 ** 30; // bytes of an LMDB map, small because a process of tests opens many

/** A client of the engine for tests (engine-setup.ts), with credentials from the environment if there are any. */
export const engine = (): DynamoDBClient =>
  connect({ endpoint: process.env.TEST_ENDPOINT, local: process.env.AWS_ACCESS_KEY_ID === undefined });

/** Opens a table of the tests by its name, in any process. The name of an LMDB table is the path of its folder. */
export function tableAt(name: string): Table {
  if (!isAbsolute(name)) return openTable(engine(), name);
  const database = openDatabase(join(name, 'table.mdb'), { mapSize: MAP });
  return { ...openLmdbTable(database, () => true, openLocks(name)), name };
}
