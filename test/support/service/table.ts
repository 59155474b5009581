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

/** The fault that strikes some of all calls (`npm run test:faults`); most tests run without one. */
export const fault = z.enum(FAULT_NAMES).optional().parse(process.env.FAULT);
const STRUCK = 0.1; // part of the calls

/** Where tests keep their tables: on the disk as `npm start` does, or in an engine that speaks like DynamoDB. */
export const STORES = ['lmdb', 'engine'] as const;
export type StoreName = (typeof STORES)[number];
const usual: StoreName = fault === undefined ? z.enum(STORES).default('lmdb').parse(process.env.TEST_STORE) : 'engine';

/** Whether there is an engine on this platform (engine-setup.ts). */
export const hasEngine = process.env.TEST_ENDPOINT !== undefined;

/** A test of what only an engine shows; skipped where there is none. */
export const itOnEngine = hasEngine ? it : it.skip;

/** Likewise a group of tests. */
export const describeOnEngine = hasEngine ? describe : describe.skip;

/** A new, empty table. */
export async function freshTable(store: StoreName = usual): Promise<Table> {
  if (store === 'lmdb') return tableAt(mkdtempSync(join(process.env.TEST_FOLDER ?? tmpdir(), 'table-')));
  const name = `test-${process.pid}-${Math.random().toString(36).slice(2)}`;
  await createTable(engine(), name);
  return tableAt(name);
}

/** The table of the deployed service that the tests ask (`TABLE_NAME`). */
export function deployedTable(): Table {
  const { DYNAMODB_ENDPOINT, TABLE_NAME = '' } = readSettings();
  return openTable(connect({ endpoint: DYNAMODB_ENDPOINT }), TABLE_NAME);
}

/** The table as the service under test sees it: with `FAULT`, through a client that the fault strikes. */
export const serviceTable = (table: Table): Table => (fault === undefined ? table : struckTable(table, fault, STRUCK));

/** A table of the tests' engine through a client of its own, part of whose calls a fault strikes. */
export const struckTable = ({ name }: Table, struckBy: FaultName, part: number): Table =>
  openTable(addFault(engine(), struckBy, part), name);
