import type { DuckDBConnection } from '@duckdb/node-api';
import { TABLES, type WarehouseTable } from '../../../lib/warehouse/tables.ts';

/** Functions of Trino by those of DuckDB. */
const FUNCTIONS = [
  'sequence(a, b) AS range(a, b + 1)',
  'arrays_overlap(one, other) AS list_has_any(one, other)',
  'element_at(map, key) AS map[key]',
];

/** Makes DuckDB understand statements that were written for Trino. */
export async function speakTrino(connection: DuckDBConnection): Promise<void> {
  await connection.run("SET lambda_syntax = 'ENABLE_SINGLE_ARROW'; SET integer_division = true");
  for (const each of FUNCTIONS) await connection.run(`CREATE MACRO ${each}`);
}

/** Turns the instants of tables into those of Trino, which have no zone; the month of a row is a column of its own. */
export async function trinoTables(connection: DuckDBConnection, tables: readonly WarehouseTable[]): Promise<void> {
  for (const table of tables) {
    const instants = TABLES[table].columns.filter(({ type }) => type === 'instant');
    if (instants.length === 0) continue;
    const replaced = instants.map(({ name }) => `timezone('UTC', "${name}") AS "${name}"`).join(', ');
    const month =
      table === 'facts' || table === 'verdicts' ? `, strftime(timezone('UTC', "at"), '%Y-%m') AS month` : '';
    await connection.run(
      `CREATE OR REPLACE TABLE trino_${table} AS SELECT * REPLACE (${replaced})${month} FROM ${table}`,
    );
    await connection.run(`CREATE OR REPLACE VIEW ${table} AS FROM trino_${table}`);
  }
}

/** The text of a statement for Trino with what no macro can stand for: a function that takes a lambda. */
export const inDuckdb = (sql: string): string => sql.replaceAll('transform(', 'list_transform(');
