import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { Table } from '../../../lib/store/table.ts';
import { folderTable } from './folder-table.ts';

/** Whether a fault strikes some calls (`npm run test:faults`). */
export const isUnderFault = process.env.FAULT !== undefined;

/** The stores for tests: LMDB as with `npm start`, or an engine with DynamoDB's interface. */
const STORES = ['lmdb', 'engine'] as const;
export type StoreName = (typeof STORES)[number];
const usual: StoreName = isUnderFault ? 'engine' : z.enum(STORES).default('lmdb').parse(process.env.TEST_STORE);

/** Whether this platform has an engine (run-setup.ts). */
export const hasEngine = process.env.TEST_ENDPOINT !== undefined;

/** A test that needs the engine; skipped if there is none. */
export const itOnEngine = hasEngine ? it : it.skip;

/** A group of tests that need the engine. */
export const describeOnEngine = hasEngine ? describe : describe.skip;

/**
 * Loads what reaches tables of DynamoDB's kind, only where a test uses one: the SDK takes 50 ms of processor time in
 * each test file.
 */
const engineTables = () => import('./engine-table.ts');

/** Creates an empty table. */
export async function freshTable(store: StoreName = usual): Promise<Table> {
  if (store === 'engine') return (await engineTables()).freshEngineTable();
  return folderTable(mkdtempSync(join(process.env.TEST_FOLDER ?? tmpdir(), 'table-')));
}

/** Opens the table of the deployed service under test. */
export const deployedTable = async (): Promise<Table> => (await engineTables()).deployedTable();

/** The table for the service under test: with `FAULT`, through a client that the fault strikes. */
export const serviceTable = async (table: Table): Promise<Table> =>
  isUnderFault ? (await engineTables()).tableUnderFault(table) : table;
