import type { DuckDBConnection } from '@duckdb/node-api';
import { TABLES, type WarehouseTable } from '../../../lib/warehouse/tables.ts';

/** Functions of Trino by those of DuckDB. `sha256` there gives a text, here too. */
const FUNCTIONS = [
  'with_timezone(t, zone) AS timezone(zone, t)',
  'at_timezone(t, zone) AS timezone(zone, t)',
  `date_add(unit, n, t) AS t + CASE unit WHEN 'second' THEN to_seconds(n) WHEN 'hour' THEN to_hours(n)
     WHEN 'day' THEN to_days(n::INTEGER) ELSE to_months(n::INTEGER) END`,
  'to_unixtime(t) AS epoch(t)',
  'from_unixtime(seconds) AS to_timestamp(seconds)',
  'day_of_week(t) AS isodow(t)',
  'sequence(a, b) AS range(a, b + 1)',
  'to_utf8(t) AS t',
  'to_hex(t) AS upper(t)',
  'cardinality(list) AS len(list)',
  'arrays_overlap(one, other) AS list_has_any(one, other)',
  'element_at(map, key) AS map[key]',
];

/** Makes DuckDB understand statements that were written for Trino. */
export async function speakTrino(connection: DuckDBConnection): Promise<void> {
  await connection.run("SET lambda_syntax = 'ENABLE_SINGLE_ARROW'; SET integer_division = true");
  for (const each of FUNCTIONS) await connection.run(`CREATE MACRO ${each}`);
}

/** Turns the instants of tables into those of Trino, which have no zone. */
export async function trinoTables(connection: DuckDBConnection, tables: readonly WarehouseTable[]): Promise<void> {
  for (const table of tables) {
    const instants = TABLES[table].columns.filter(({ type }) => type === 'instant');
    if (instants.length === 0) continue;
    const replaced = instants.map(({ name }) => `timezone('UTC', "${name}") AS "${name}"`).join(', ');
    await connection.run(`CREATE OR REPLACE TABLE trino_${table} AS SELECT * REPLACE (${replaced}) FROM ${table}`);
    await connection.run(`CREATE OR REPLACE VIEW ${table} AS FROM trino_${table}`);
  }
}

/** The text of a view for Trino with what no macro can stand for: lambdas' functions and types. */
export const inDuckdb = (sql: string): string =>
  sql
    .replaceAll('transform(', 'list_transform(')
    .replaceAll('array(varchar)', 'VARCHAR[]')
    .replaceAll('timestamp(3)', 'TIMESTAMP');
