import * as z from 'zod';
import { readSettings } from '../../../lib/settings.ts';
import { callsOf, tableCallsOf } from '../../../lib/store/calls.ts';
import { connect } from '../../../lib/store/client.ts';
import { createTable } from '../../../lib/store/create-table.ts';
import { openTable, type Table } from '../../../lib/store/table.ts';
import { addFault, FAULT_NAMES, type FaultName } from '../faults/faulty-client.ts';

/** The fault that strikes some of all calls (`npm run test:faults`); most tests run without one. */
export const fault = z.enum(FAULT_NAMES).optional().parse(process.env.FAULT);
const STRUCK = 0.1; // part of the calls

/** A new, empty table on the engine that serves the tests. */
export async function freshTable(): Promise<Table> {
  const client = connect({ endpoint: process.env.TEST_ENDPOINT, local: true });
  const name = `test-${process.pid}-${Math.random().toString(36).slice(2)}`;
  await createTable(tableCallsOf(client), name);
  return openTable(callsOf(client), name);
}

/** The table of the deployed service that the tests ask (`TABLE_NAME`). */
export function deployedTable(): Table {
  const { DYNAMODB_ENDPOINT, TABLE_NAME = '' } = readSettings();
  return openTable(callsOf(connect({ endpoint: DYNAMODB_ENDPOINT })), TABLE_NAME);
}

/** The table as the service under test sees it: with `FAULT`, through a client that the fault strikes. */
export const serviceTable = (table: Table): Table => (fault === undefined ? table : struckTable(table, fault, STRUCK));

/** A table of the tests' engine through a client of its own, part of whose calls a fault strikes. */
export function struckTable({ name }: Table, struckBy: FaultName, part: number): Table {
  const client = addFault(connect({ endpoint: process.env.TEST_ENDPOINT, local: true }), struckBy, part);
  return openTable(callsOf(client), name);
}
