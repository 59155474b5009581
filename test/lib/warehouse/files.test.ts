import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { sectionOf } from '../../../lib/warehouse/columns.ts';
import { hourValues } from '../../../lib/warehouse/hours.ts';
import { monthRows } from '../../../lib/warehouse/month-rows.ts';
import { writeSections } from '../../../lib/warehouse/parquet-file.ts';
import { CASE_NOW, ROW_KINDS, TABLES } from '../../../lib/warehouse/tables.ts';
import { sampledReports } from '../../support/generators/report-requests.ts';
import { engineReference, exampleSegments, extentOf } from '../../support/oracle/engine-report.ts';
import { askedOf } from '../../support/oracle/sql-reports.ts';
import { withFolder } from '../../support/service/program.ts';

/** Files in a folder, and DuckDB to look into them. */
const withDuckdb = (work: (folder: string, ask: (sql: string) => Promise<unknown[]>) => Promise<void>) =>
  withFolder(async (folder) => {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const connection: DuckDBConnection = await instance.connect();
    try {
      await work(folder, async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson());
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  });

const HISTORIES = sampledReports(12, 7);

/** Writes the files of an example; returns the patterns of those of facts and cases, undefined if it has no facts. */
async function written(folder: string, place: number, example: (typeof HISTORIES)[number]) {
  const paths: string[] = [];
  const all = exampleSegments(example, 2);
  async function* segments() {
    yield all;
  }
  const history = { segments: segments(), end: extentOf(all).max };
  for await (const { table, month, sections } of monthRows(history, engineReference(example))) {
    const path = join(folder, `${place}-${table}-${month}.parquet`);
    writeSections(path, TABLES[table].columns, sections, 'acme');
    paths.push(path);
  }
  const named = (table: string): string => join(folder, `${place}-${table}-*.parquet`);
  return paths.some((path) => path.includes('-facts-')) ? { facts: named('facts'), cases: named('cases') } : undefined;
}

it('orders the facts of a month by kind, first second and key, with statistics by which a reader takes one kind alone', () =>
  withDuckdb(async (folder, ask) => {
    let groups = 0;
    for (const [place, example] of HISTORIES.entries()) {
      const files = await written(folder, place, example);
      if (files === undefined) continue;
      const { facts, cases } = files;
      const chunks =
        await ask(`SELECT path_in_schema AS name, row_group_num_rows AS rows, stats_min_value AS min, stats_max_value AS max
        FROM parquet_metadata('${facts}') WHERE name IN ('kind', 'at') ORDER BY file_name, row_group_id`);
      for (const { name, rows, min, max } of chunks as Record<string, string | null>[]) {
        expect([Number(rows) > 0, typeof min, typeof max]).toEqual([true, 'string', 'string']);
        if (name === 'kind') expect([min, ROW_KINDS.some((kind) => kind === min)]).toEqual([max, true]);
        groups += 1;
      }
      const order = ROW_KINDS.map((kind, at) => `WHEN '${kind}' THEN ${at}`).join(' ');
      const rows = await ask(`SELECT f.filename, CASE f.kind ${order} END AS kind, c.starts_at, f.case_id
        FROM read_parquet('${facts}', filename = true, file_row_number = true) f
        JOIN read_parquet('${cases}') c USING (case_id) ORDER BY f.filename, f.file_row_number`);
      const places = rows.map((row) =>
        Object.values(row as object)
          .map((value) => String(value).padStart(24, '0'))
          .join(),
      );
      expect(places).toEqual([...places].sort());
    }
    expect(groups).toBeGreaterThan(100);
  }));

it('has each fact carry its case as it is now, so that a statement joins nothing but working time and what is replaced', () =>
  withDuckdb(async (folder, ask) => {
    let carried = 0;
    for (const [place, example] of HISTORIES.entries()) {
      const { sql } = askedOf(example, 'duckdb');
      expect(sql).not.toMatch(/\bcases\b/);
      const joins = sql.split('JOIN').slice(1);
      if (example.body.hours !== 'business')
        expect(joins.filter((join) => !join.startsWith(' (SELECT case_id AS newer'))).toEqual([]);
      const files = await written(folder, place, example);
      if (files === undefined) continue;
      const { facts, cases } = files;
      const differs = CASE_NOW.map(({ name }) => `f.${name} IS DISTINCT FROM c.${name}`).join(' OR ');
      const [found] =
        await ask(`SELECT count(*) AS rows, count(*) FILTER (WHERE ${differs}) AS wrong, count(f.created_at) AS created
        FROM read_parquet('${facts}') f JOIN read_parquet('${cases}') c USING (case_id)`);
      expect(found).toMatchObject({ wrong: '0' });
      carried += Number((found as { created: string }).created);
    }
    expect(carried).toBeGreaterThan(100);
  }));

it('writes a table that is larger than a row group once', () =>
  withDuckdb(async (folder, ask) => {
    const calendars = HISTORIES.flatMap((example) => engineReference(example).calendars).slice(0, 1);
    const section = sectionOf(hourValues('acme', calendars, { min: 0, max: 7_000_000_000 }));
    expect(section.rows).toBeGreaterThan(70_000);
    const path = join(folder, 'hours.parquet');
    writeSections(path, TABLES.hours.columns, [section], 'acme');
    expect(await ask(`SELECT count(*) AS rows, count(DISTINCT (calendar, since)) AS places FROM '${path}'`)).toEqual([
      { rows: String(section.rows), places: String(section.rows) },
    ]);
  }));
