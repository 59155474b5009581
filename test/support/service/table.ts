import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from '@jest/globals';
import * as z from 'zod';
import { readSettings } from '../../../lib/settings.ts';
import { connect } from '../../../lib/store/client.ts';
import { createTable } from '../../../lib/store/create-table.ts';
import { openTable } from '../../../lib/store/dynamodb.ts';
import type { Table } from '../../../lib/store/table.ts';
import { addFault, FAULT_NAMES, type FaultName } from '../faults/faulty-client.ts';
import { engine, tableAt } from './table-at.ts';

/** The fault that strikes some calls (`npm run test:faults`); undefined in most runs. */
export const fault = z.enum(FAULT_NAMES).optional().parse(process.env.FAULT);
const STRUCK = 0.1; // the share of calls that the fault strikes

/** The stores for tests: LMDB as with `npm start`, or an engine with DynamoDB's interface. */
export const STORES = ['lmdb', 'engine'] as const;
export type StoreName = (typeof STORES)[number];
const usual: StoreName = fault === undefined ? z.enum(STORES).default('lmdb').parse(process.env.TEST_STORE) : 'engine';

/** Whether this platform has an engine (engine-setup.ts). */
export const hasEngine = process.env.TEST_ENDPOINT !== undefined;

/** A test that needs the engine; skipped if there is none. */
export const itOnEngine = hasEngine ? it : it.skip;

/** A group of tests that need the engine. */
export const describeOnEngine = hasEngine ? describe : describe.skip;

/** Creates an empty table. */
export async function freshTable(store: StoreName = usual): Promise<Table> {
  if (store === 'lmdb') return tableAt(mkdtempSync(join(process.env.TEST_FOLDER ?? tmpdir(), 'table-')));
  const name = `test-${process.pid}-${Math.random().toString(36).slice(2)}`;
  await createTable(engine(), name);
  return tableAt(name);
}

/** Opens the table of the deployed service under test (`TABLE_NAME`). */
export function deployedTable(): Table {
  const { DYNAMODB_ENDPOINT, TABLE_NAME = '' } = readSettings();
  return openTable(connect({ endpoint: DYNAMODB_ENDPOINT }), TABLE_NAME);
}

/** The table for the service under test: with `FAULT`, through a client that the fault strikes. */
export const serviceTable = (table: Table): Table => (fault === undefined ? table : struckTable(table, fault, STRUCK));

/** Opens a table of the engine through a client of its own; a fault strikes a part (0 to 1) of its calls. */
export const struckTable = ({ name }: Table, struckBy: FaultName, part: number): Table =>
  openTable(addFault(engine(), struckBy, part), name);
