import { connect } from '../lib/store/client.ts';
import { openTable } from '../lib/store/dynamodb.ts';
import type { Table } from '../lib/store/table.ts';
import { DYNAMODB_ENDPOINT, TABLE_NAME } from './wiring.ts';

/** The deployment's table. */
export const table: Table = openTable(connect({ endpoint: DYNAMODB_ENDPOINT }), TABLE_NAME ?? 'support-service');
