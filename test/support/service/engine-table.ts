import * as z from 'zod';
import { readSettings } from '../../../lib/settings.ts';
import { connect } from '../../../lib/store/client.ts';
import { createTable } from '../../../lib/store/create-table.ts';
import { openTable } from '../../../lib/store/dynamodb.ts';
import type { Table } from '../../../lib/store/table.ts';
import { addFault, FAULT_NAMES, type FaultName } from '../faults/faulty-client.ts';
import { engine, tableAt } from './table-at.ts';

const STRUCK = 0.1; // the share of attempts that the fault strikes
/** The SDK tries four times: the service must hide every fault. `test/api/faults` shows what it does when the SDK gives up. */
const MOST_IN_A_ROW = 3;

/** Creates an empty table of the engine. */
export async function freshEngineTable(): Promise<Table> {
  const name = `test-${process.pid}-${Math.random().toString(36).slice(2)}`;
  await createTable(engine(), name);
  return tableAt(name);
}

/** Opens the table of the deployed service under test (`TABLE_NAME`). */
export function deployedTable(): Table {
  const { DYNAMODB_ENDPOINT, TABLE_NAME = '' } = readSettings();
  return openTable(connect({ endpoint: DYNAMODB_ENDPOINT }), TABLE_NAME);
}

/** The same table through a client that the fault `FAULT` strikes. */
export const tableUnderFault = (table: Table): Table =>
  struckTable(table, z.enum(FAULT_NAMES).parse(process.env.FAULT), STRUCK, MOST_IN_A_ROW);

/** Opens a table of the engine through a client of its own; a fault strikes a part (0 to 1) of its attempts. */
export const struckTable = ({ name }: Table, struckBy: FaultName, part: number, atMost?: number): Table =>
  openTable(addFault(engine(), struckBy, part, atMost), name);
