import { isAbsolute, join } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { openDatabase } from '../../../infra/local/table/database.ts';
import { openLmdbTable } from '../../../infra/local/table/lmdb-table.ts';
import { connect } from '../../../lib/store/client.ts';
import { openTable } from '../../../lib/store/dynamodb.ts';
import type { Table } from '../../../lib/store/table.ts';

const MAP = 2 ** 30; // bytes: a process of tests opens many

/** A client of the engine that serves the tests (engine-setup.ts); one that looks at credentials has them in the environment. */
export const engine = (): DynamoDBClient =>
  connect({ endpoint: process.env.TEST_ENDPOINT, local: process.env.AWS_ACCESS_KEY_ID === undefined });

/** The table of the tests with such a name, in any process: one on the disk has its folder's path as name. */
export function tableAt(name: string): Table {
  if (!isAbsolute(name)) return openTable(engine(), name);
  return { ...openLmdbTable(openDatabase(join(name, 'table.mdb'), MAP), () => true), name };
}
