import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { FieldName } from '../../../lib/insights/definitions/fields.ts';
import { type FileSection, sectionOf } from '../../../lib/warehouse/columns.ts';
import type { ReportSettings } from '../../../lib/warehouse/manifest.ts';
import { monthRows } from '../../../lib/warehouse/month-rows.ts';
import { writeSections } from '../../../lib/warehouse/parquet-file.ts';
import { STREAMS, streamName } from '../../../lib/warehouse/sql/cell-views.ts';
import { reportViews, viewName } from '../../../lib/warehouse/sql/report-views.ts';
import { TABLES } from '../../../lib/warehouse/tables.ts';
import { tableView } from '../../../lib/warehouse/views.ts';
import { engineReference, exampleSegments, extentOf } from './engine-report.ts';
import type { Example } from './example.ts';

/** A report of an example over all that its history has, which the views of a warehouse give too. */
export interface ViewReport {
  readonly example: Example;
  readonly settings: ReportSettings;
  readonly now: number; // s
}

/** The cells of a report by a warehouse's views: for each field, the value by window and member. */
export type ViewCells = ReadonlyMap<string, ReadonlyMap<string, number>>;

const SITE = 'acme';
const VIEWED = ['replaced', 'facts', 'verdicts', 'members'] as const;

/** Exports the history of each report as a site, and asks the views of its fields. */
export async function viewReports(reports: readonly ViewReport[]): Promise<ViewCells[]> {
  const folder = await mkdtemp(join(tmpdir(), 'warehouse-'));
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const all: ViewCells[] = [];
  try {
    for (const [place, { example, settings, now }] of reports.entries()) {
      const files = await exported(join(folder, `h${place}`), example);
      for (const table of VIEWED) await connection.run(tableView(table, files[table]));
      const fields = example.body.fields as FieldName[];
      const views = reportViews({ ...settings, site: SITE, now }, fields);
      for (const view of views.filter(isOfCells)) await connection.run(view);
      for (const stream of STREAMS) await keepRows(connection, streamName(stream));
      for (const view of views.filter((view) => !isOfCells(view))) await connection.run(view);
      all.push(await cellsOf(connection, example));
    }
    return all;
  } finally {
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true, force: true });
  }
}

const isOfCells = (view: string): boolean => !/^CREATE OR REPLACE VIEW report_\w+ AS/.test(view);

/** Puts a table in the place of a view that those of all fields read. */
async function keepRows(connection: DuckDBConnection, view: string): Promise<void> {
  const kept = view.replace('.', '_');
  await connection.run(
    `CREATE OR REPLACE TABLE ${kept} AS FROM ${view}; CREATE OR REPLACE VIEW ${view} AS FROM ${kept}`,
  );
}

type Exported = Record<(typeof VIEWED)[number], string[]>;

async function exported(name: string, example: Example): Promise<Exported> {
  const reference = engineReference(example);
  const files: Exported = { replaced: [], facts: [], verdicts: [], members: [] };
  const write = (table: keyof Exported, part: string, sections: readonly FileSection[]): void => {
    const path = `${name}-${table}-${part}.parquet`;
    writeSections(path, TABLES[table].columns, sections, SITE);
    files[table].push(path);
  };
  const stored = exampleSegments(example, 2);
  async function* segments() {
    yield stored;
  }
  for await (const { table, month, sections } of monthRows(
    { segments: segments(), end: extentOf(stored).max },
    reference,
  ))
    if (table === 'facts' || table === 'verdicts') write(table, month, sections);
  const agents = [...reference.agentGroups];
  const members = {
    site: agents.map(() => SITE),
    kind: agents.map(() => 'agent'),
    id: agents.map(([id]) => BigInt(id)),
    name: agents.map(([id]) => String(id)),
    deleted: agents.map(() => false),
    groups: agents.map(([, groups]) => groups.map(BigInt)),
    listed: agents.map(() => false),
  };
  write('members', 'all', [sectionOf(members)]);
  return files;
}

async function cellsOf(connection: DuckDBConnection, { body, site }: Example): Promise<ViewCells> {
  const cells = new Map<string, Map<string, number>>();
  for (const field of body.fields as FieldName[]) {
    const found = await connection.runAndReadAll(
      `SELECT strftime(timezone($1, window_start), '%Y-%m-%d %H:%M:%S') AS w, member, value::DOUBLE AS value
       FROM ${viewName(field)} WHERE site = '${SITE}' AND size = $2 AND dimension = $3`,
      [site.timeZone, body.time.window_size, body.dimension1 ?? ''],
    );
    const of = new Map<string, number>();
    for (const { w, member, value } of found.getRowObjectsJson()) of.set(cellKey(w, member), Number(value));
    cells.set(field, of);
  }
  return cells;
}

/** The key of a cell; texts and numbers of a member are alike. */
export const cellKey = (window: unknown, member: unknown): string => JSON.stringify([window, String(member ?? '')]);
