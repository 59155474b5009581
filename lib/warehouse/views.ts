import { SQL_TYPES } from './columns.ts';
import type { SiteManifest } from './manifest.ts';
import { DUCKDB } from './sql/dialect.ts';
import { reportViews } from './sql/report-views.ts';
import { TABLE_NAMES, TABLES, type WarehouseTable } from './tables.ts';

/** The text of `views.sql` for DuckDB, which names every file that counts. */
export function viewsFile(address: string, manifests: readonly SiteManifest[]): string {
  const filesOf = (table: WarehouseTable): string[] =>
    manifests
      .flatMap(({ files }) => Object.values(files).map(({ path }) => path))
      .filter((path) => path.startsWith(`${table}/`))
      .map((path) => `${address}/${path}`)
      .sort();
  return lines([
    '-- Written by each export. In DuckDB: .read views.sql',
    ...TABLE_NAMES.map((table) => tableView(table, filesOf(table))),
    ...reportViews(DUCKDB).map(({ name, sql }) => `CREATE OR REPLACE VIEW ${name} AS\n${sql};`),
  ]);
}

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');

/** A table without files has its columns and no rows. */
export function tableView(table: WarehouseTable, files: readonly string[]): string {
  const view = `CREATE OR REPLACE VIEW ${table} AS`;
  if (files.length > 0)
    return `${view} FROM read_parquet([${files.map(quoted).join(', ')}], hive_partitioning = false);`;
  const columns = TABLES[table].columns.map(({ name, type }) => `NULL::${SQL_TYPES[type].duckdb} AS ${name}`);
  return `${view} SELECT ${columns.join(', ')} WHERE false;`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
