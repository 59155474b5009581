import { isAbsolute } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { connect } from '../../../lib/store/client.ts';
import { openTable } from '../../../lib/store/dynamodb.ts';
import type { Table } from '../../../lib/store/table.ts';
import { folderTable } from './folder-table.ts';

/** A client of the engine for tests (run-setup.ts), with credentials from the environment if there are any. */
export const engine = (): DynamoDBClient =>
  connect({ endpoint: process.env.TEST_ENDPOINT, local: process.env.AWS_ACCESS_KEY_ID === undefined });

/** Opens a table of the tests by its name, in any process. The name of an LMDB table is the path of its folder. */
export const tableAt = (name: string): Table => (isAbsolute(name) ? folderTable(name) : openTable(engine(), name));
