import type { DuckDBConnection } from '@duckdb/node-api';
import { TABLE_NAMES, TABLES } from '../../../lib/warehouse/tables.ts';

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
];

/** Makes DuckDB understand views that were written for Trino, and turns the tables' instants into those of Trino. */
export async function speakTrino(connection: DuckDBConnection): Promise<void> {
  await connection.run("SET lambda_syntax = 'ENABLE_SINGLE_ARROW'; SET integer_division = true");
  for (const each of FUNCTIONS) await connection.run(`CREATE MACRO ${each}`);
  for (const name of ['now', 'range_min', 'range_max'])
    await connection.run(`ALTER TABLE asked ALTER ${name} TYPE TIMESTAMP USING timezone('UTC', ${name})`);
  for (const table of TABLE_NAMES) {
    const instants = TABLES[table].columns.filter(({ type }) => type === 'instant');
    if (instants.length === 0) continue;
    const replaced = instants.map(({ name }) => `timezone('UTC', "${name}") AS "${name}"`).join(', ');
    await connection.run(`CREATE TABLE trino_${table} AS SELECT * REPLACE (${replaced}) FROM ${table}`);
    await connection.run(`CREATE OR REPLACE VIEW ${table} AS FROM trino_${table}`);
  }
}

/** The text of a view for Trino with what no macro can stand for: lambdas' functions and types. */
export const inDuckdb = (sql: string): string =>
  sql
    .replaceAll('transform(', 'list_transform(')
    .replaceAll('array(varchar)', 'VARCHAR[]')
    .replaceAll('timestamp(3)', 'TIMESTAMP');
