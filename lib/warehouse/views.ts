import { SQL_TYPES } from './columns.ts';
import type { SiteManifest } from './manifest.ts';
import { reportViews, viewedFields } from './sql/report-views.ts';
import { TABLE_NAMES, TABLES, type WarehouseTable } from './tables.ts';

/** The text of `views.sql` for DuckDB: the tables of all sites, which name every file that counts. */
export const tablesFile = (address: string, manifests: readonly SiteManifest[]): string =>
  lines(['-- Written by each export. In DuckDB: .read views.sql', ...tableViews(address, manifests)]);

/** The text of `views/<site>.sql`: the tables of a site, and a view for each field of a report. */
export function reportsFile(address: string, manifest: SiteManifest): string {
  const { site, reports, exportedAt, covered } = manifest;
  return lines([
    `-- Written by each export. In DuckDB: .read views/${site}.sql`,
    ...tableViews(address, [manifest]),
    ...(reports === undefined
      ? []
      : reportViews(
          { ...reports, site, now: Math.floor(exportedAt / 1000) },
          viewedFields(covered?.promises !== undefined),
        )),
  ]);
}

function tableViews(address: string, manifests: readonly SiteManifest[]): string[] {
  const filesOf = (table: WarehouseTable): string[] =>
    manifests
      .flatMap(({ files }) => Object.values(files).map(({ path }) => path))
      .filter((path) => path.startsWith(`${table}/`))
      .map((path) => `${address}/${path}`)
      .sort();
  return TABLE_NAMES.map((table) => tableView(table, filesOf(table)));
}

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');

const OF_CASES: readonly WarehouseTable[] = ['facts', 'verdicts', 'cases'];

/** The table over files: of these without rows that `replaced` names. One without files has its columns and no rows. */
export function tableView(table: WarehouseTable, files: readonly string[]): string {
  const view = `CREATE OR REPLACE VIEW ${table} AS`;
  const read = `FROM read_parquet([${files.map(quoted).join(', ')}], hive_partitioning = false)`;
  if (files.length > 0) return `${view} ${OF_CASES.includes(table) ? current(read) : read};`;
  const columns = TABLES[table].columns.map(({ name, type }) => `NULL::${SQL_TYPES[type].duckdb} AS ${name}`);
  return `${view} SELECT ${columns.join(', ')} WHERE false;`;
}

const current = (rows: string): string =>
  `SELECT one.* FROM (${rows}) one
ANTI JOIN replaced newer ON newer.site = one.site AND newer.case_id = one.case_id AND newer.born > one.born
ANTI JOIN replaced gone ON gone.site = one.site AND gone.segment = one.segment`;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
