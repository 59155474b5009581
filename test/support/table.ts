import { readSettings } from '../../lib/settings.ts';
import { connect } from '../../lib/store/client.ts';
import { createTable } from '../../lib/store/create-table.ts';
import { openTable, type Table } from '../../lib/store/table.ts';

/** A new, empty table on the engine that serves the tests. */
export async function freshTable(): Promise<Table> {
  const client = connect({ endpoint: process.env.TEST_ENDPOINT, local: true });
  const name = `test-${process.pid}-${Math.random().toString(36).slice(2)}`;
  await createTable(client, name);
  return openTable(client, name);
}

/** The table of the deployed service that the tests ask (`TABLE_NAME`). */
export function deployedTable(): Table {
  const { DYNAMODB_ENDPOINT, TABLE_NAME = '' } = readSettings();
  return openTable(connect({ endpoint: DYNAMODB_ENDPOINT }), TABLE_NAME);
}
