import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { FieldName } from '../../../lib/insights/definitions/fields.ts';
import { POSITIVE } from '../../../lib/insights/definitions/measures.ts';
import { monthRows } from '../../../lib/warehouse/month-rows.ts';
import { createParquetFile, writeSections } from '../../../lib/warehouse/parquet-file.ts';
import { DUCKDB, type SqlDialect } from '../../../lib/warehouse/sql/dialect.ts';
import { fieldView, reportViews, viewName } from '../../../lib/warehouse/sql/report-views.ts';
import { TABLE_NAMES, TABLES, type WarehouseTable } from '../../../lib/warehouse/tables.ts';
import { tableView } from '../../../lib/warehouse/views.ts';
import { engineReference, exampleSegments, extentOf, planOf } from './engine-report.ts';
import type { Example } from './example.ts';
import { inDuckdb, speakTrino, trinoTables } from './trino-in-duckdb.ts';

/** The cells of a report by a warehouse's views: for each field, the value by window, members. */
export type ViewCells = ReadonlyMap<string, ReadonlyMap<string, number | null>>;

/**
 * Exports each history as a site of one warehouse and asks the views of all fields for the reports. Those for Trino run in
 * DuckDB, too.
 */
export async function viewReports(examples: readonly Example[], dialect: SqlDialect = DUCKDB): Promise<ViewCells[]> {
  const folder = await mkdtemp(join(tmpdir(), 'warehouse-'));
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    const files = await exported(folder, examples);
    for (const table of TABLE_NAMES) await connection.run(tableView(table, files[table]));
    await ask(connection, examples);
    const isTrino = dialect !== DUCKDB;
    if (isTrino) {
      await speakTrino(connection);
      for (const name of ['now', 'range_min', 'range_max'])
        await connection.run(`ALTER TABLE asked ALTER ${name} TYPE TIMESTAMP USING timezone('UTC', ${name})`);
      await trinoTables(connection, TABLE_NAMES);
    }
    const fields = new Set(examples.flatMap(({ body }) => body.fields as FieldName[]));
    const [, ...registered] = reportViews(dialect); // in the place of the first, `asked`, there is a table
    const known = new Set(registered.map(({ name }) => name));
    const further = [...fields]
      .filter((field) => !known.has(viewName(field)))
      .map((field) => fieldView(field, dialect));
    const views = [...registered, ...further];
    for (const { name, sql } of views)
      await connection.run(`CREATE OR REPLACE VIEW ${name} AS\n${isTrino ? inDuckdb(sql) : sql}`);
    await connection.run('CREATE TEMP TABLE kept AS FROM placed');
    await connection.run('CREATE TEMP TABLE kept_open AS FROM placed_open');
    await connection.run('CREATE OR REPLACE VIEW placed AS FROM kept');
    await connection.run('CREATE OR REPLACE VIEW placed_open AS FROM kept_open');
    return await cellsOf(connection, examples, [...fields], isTrino ? "timezone('UTC', window_start)" : 'window_start');
  } finally {
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true, force: true });
  }
}

const siteOf = (place: number): string => `h${place}`;

async function exported(folder: string, examples: readonly Example[]): Promise<Record<WarehouseTable, string[]>> {
  const files: Record<WarehouseTable, string[]> = {
    facts: [],
    cases: [],
    events: [],
    hours: [],
    members: [],
    sites: [],
  };
  for (const [place, example] of examples.entries()) {
    const reference = engineReference(example);
    const stored = exampleSegments(example, 2);
    async function* segments() {
      yield stored;
    }
    for await (const { table, month, sections } of monthRows(
      { segments: segments(), end: extentOf(stored).max },
      reference,
    )) {
      const path = join(folder, `${table}-${place}-${month}.parquet`);
      writeSections(path, TABLES[table].columns, sections, siteOf(place));
      files[table].push(path);
    }
    const groups = [...reference.agentGroups];
    const custom = [...reference.customFields];
    const all = [...groups.map(([id]) => id), ...custom.map(([id]) => id)];
    const path = join(folder, `members-${place}.parquet`);
    const file = createParquetFile(path, TABLES.members.columns);
    file.write({
      site: all.map(() => siteOf(place)),
      kind: [...groups.map(() => 'agent'), ...custom.map(() => 'custom_field')],
      id: all.map(BigInt),
      name: all.map(String),
      deleted: all.map(() => false),
      groups: [...groups.map(([, list]) => list.map(BigInt)), ...custom.map(() => [])],
      listed: [...groups.map(() => false), ...custom.map(([, { listed }]) => listed)],
    });
    file.finish();
    files.members.push(path);
    const sites = join(folder, `sites-${place}.parquet`);
    const site = createParquetFile(sites, TABLES.sites.columns);
    site.write({
      ...{ site: [siteOf(place)], title: [''], time_zone: ['UTC'], week_start: [0n], exported_at: [0n] },
      positive_score: [BigInt(POSITIVE[reference.rating])],
    });
    site.finish();
    files.sites.push(sites);
  }
  return files;
}

/** Fills the table \`asked\` with the requests. */
async function ask(connection: DuckDBConnection, examples: readonly Example[]): Promise<void> {
  const rows = examples.map((example, place) => {
    const { request, reference } = planOf(example);
    const { time, dimension1, dimension2 } = request;
    if (!('name' in time.zone)) throw new Error('a report of a view has the zone of a place');
    return {
      ...{ site: siteOf(place), time_zone: time.zone.name, week_start: time.weekStart, now: reference.now },
      ...{ size: time.size, range_min: time.min, range_max: time.max },
      ...{ dimension1: dimension1 ?? '', dimension2: dimension2 ?? '' },
    };
  });
  const columns =
    '[{"site":"VARCHAR","time_zone":"VARCHAR","week_start":"BIGINT","now":"BIGINT","size":"VARCHAR","range_min":"BIGINT","range_max":"BIGINT","dimension1":"VARCHAR","dimension2":"VARCHAR"}]';
  await connection.run(
    `CREATE TABLE asked AS SELECT * REPLACE (to_timestamp(now) AS now, to_timestamp(range_min) AS range_min, to_timestamp(range_max) AS range_max)
     FROM (SELECT unnest(from_json($1::JSON, '${columns}'), recursive := true))`,
    [JSON.stringify(rows)],
  );
}

async function cellsOf(
  connection: DuckDBConnection,
  examples: readonly Example[],
  fields: readonly FieldName[],
  start: string,
): Promise<ViewCells[]> {
  const all = examples.map(() => new Map<string, Map<string, number | null>>());
  for (const field of fields) {
    const found = await connection.runAndReadAll(
      `SELECT v.site, strftime(timezone(a.time_zone, ${start}), '%Y-%m-%d %H:%M:%S') AS w, member1, member2, value::DOUBLE AS value
       FROM ${viewName(field)} v JOIN asked a USING (site)`,
    );
    for (const { site, w, member1, member2, value } of found.getRowObjectsJson()) {
      const cells = all[Number(String(site).slice(1))];
      const of = cells?.get(field) ?? new Map<string, number | null>();
      of.set(cellKey(w, member1, member2), value === null ? null : Number(value));
      cells?.set(field, of);
    }
  }
  return all;
}

/** The key of a cell; texts and numbers of a member are alike. */
export const cellKey = (window: unknown, one: unknown, two: unknown): string =>
  JSON.stringify([window, String(one ?? ''), String(two ?? '')]);
