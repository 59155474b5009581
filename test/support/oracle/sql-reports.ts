import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { LiveSegment } from '../../../lib/history/read.ts';
import { openSegment } from '../../../lib/history/segments/segment.ts';
import { comparedRequest } from '../../../lib/insights/compute.ts';
import { reportJson } from '../../../lib/insights/report-json.ts';
import { type ReportRequest, readRequest } from '../../../lib/insights/request.ts';
import { createSegmentScanner } from '../../../lib/insights/scan/scanner.ts';
import type { StatementDialect } from '../../../lib/insights/sql/dialect.ts';
import type { ResultRow } from '../../../lib/insights/sql/found.ts';
import type { HistoryMembers } from '../../../lib/insights/sql/members.ts';
import { askReport } from '../../../lib/insights/sql/report.ts';
import type { Tables } from '../../../lib/insights/table-rows.ts';
import { planTables, tableResults } from '../../../lib/insights/totals.ts';
import { type FileSection, sectionOf } from '../../../lib/warehouse/columns.ts';
import { hourValues } from '../../../lib/warehouse/hours.ts';
import { monthRows } from '../../../lib/warehouse/month-rows.ts';
import { writeSections } from '../../../lib/warehouse/parquet-file.ts';
import { TABLES } from '../../../lib/warehouse/tables.ts';
import { tableView } from '../../../lib/warehouse/views.ts';
import { engineReference, exampleSegments, extentOf, headOf, wants } from './engine-report.ts';
import type { AnyExample } from './example.ts';
import { inDuckdb, speakTrino, trinoTables } from './trino-in-duckdb.ts';

const requestOf = ({ body, site, now = 4_000_000_000 }: AnyExample): ReportRequest =>
  readRequest({ ...body }, site, now * 1000);

/** The reply of the scan to an example, as JSON. */
function scannedReply(example: AnyExample): string {
  const request = requestOf(example);
  const all = exampleSegments(example, 2);
  const tablesOf = (asked: ReportRequest): Tables => {
    const plans = planTables(asked, engineReference(example), extentOf(all));
    return tableResults(plans, (name) => {
      const scanned = plans.find((each) => each.name === name)?.scanned;
      if (scanned === undefined) return undefined;
      const scan = createSegmentScanner(0).start(scanned);
      for (const segment of all) if (wants(scanned, headOf(segment.kind, segment.columns))) scan.add(segment);
      return scan.result();
    });
  };
  const compared = comparedRequest(request);
  const tables = tablesOf(request);
  return reportJson({ tables, compared: compared && tablesOf(compared) });
}

/** What a comparison of statements with the scan found. */
interface ComparedStatements {
  readonly reports: number;
  readonly cells: number; // values of data fields, with those of totals and comparisons
  readonly telling: number; // of these: neither 0 nor null
  readonly differences: readonly {
    readonly example: AnyExample;
    readonly sql: string;
    readonly expected: string;
    readonly got: string;
  }[];
}

/** Compares the replies to examples by one statement each with those of the scan, to the byte. */
export async function compareStatements(
  examples: readonly AnyExample[],
  dialect: StatementDialect,
): Promise<ComparedStatements> {
  const warehouse = await openWarehouse(dialect);
  const found = { reports: 0, cells: 0, telling: 0, differences: [] as ComparedStatements['differences'][number][] };
  for (const example of examples) {
    const expected = scannedReply(example);
    const { json, sql } = await warehouse.reply(example).catch((error: unknown) => ({ json: String(error), sql: '' }));
    const values = valuesIn(expected);
    found.reports += 1;
    found.cells += values.length;
    found.telling += values.filter((value) => value !== 0 && value !== null).length;
    if (json !== expected) found.differences.push({ example, sql, expected, got: json });
  }
  await warehouse.close();
  return found;
}

/** The values of all fields in a reply. */
function valuesIn(json: string): unknown[] {
  const { data, totals = {}, comparison } = JSON.parse(json);
  const tables = [
    data,
    ...Object.values(totals),
    ...(comparison ? [comparison.data, ...Object.values(comparison.totals ?? {})] : []),
  ];
  return tables.flat().flatMap((row) => (row as unknown[]).slice(3));
}

/** A database of the files that exports of examples write. */
interface WarehouseReports {
  /** The reply to an example by one statement over its files, as JSON, and the statement. */
  reply(example: AnyExample): Promise<{ readonly json: string; readonly sql: string }>;
  close(): Promise<void>;
}

/** Opens an engine: DuckDB with its own words, or with macros for those of Trino. */
async function openWarehouse(dialect: StatementDialect): Promise<WarehouseReports> {
  const folder = await mkdtemp(join(tmpdir(), 'warehouse-'));
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  if (dialect === 'trino') await speakTrino(connection);
  let exports = 0;
  return {
    async reply(example) {
      exports += 1;
      const files = await exported(example, join(folder, `e${exports}`), exports % 3 === 0);
      for (const table of READ) await connection.run(tableView(table, files[table]));
      if (dialect === 'trino') await trinoTables(connection, READ);
      return answered(connection, example, dialect);
    },
    async close() {
      connection.closeSync();
      instance.closeSync();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The question to an engine that an example is. */
export function askedOf(example: AnyExample, dialect: StatementDialect): ReturnType<typeof askReport> {
  const segments = exampleSegments(example, 2);
  const asked = {
    ...{ site: SITE, request: requestOf(example), reference: engineReference(example) },
    ...{ extent: extentOf(segments), known: knownIn(segments) },
  };
  return askReport(asked, dialect);
}

async function answered(connection: DuckDBConnection, example: AnyExample, dialect: StatementDialect) {
  const { sql, read } = askedOf(example, dialect);
  const found = await connection.runAndReadAll(dialect === 'trino' ? inDuckdb(sql) : sql);
  const rows = found.getRows().map((row) => row.map((cell) => (typeof cell === 'bigint' ? Number(cell) : cell)));
  return { json: reportJson(read(rows as unknown as ResultRow[])), sql };
}

const SITE = "it's";

/** The members in the dictionaries of a history. */
function knownIn(segments: readonly LiveSegment[]): HistoryMembers {
  const opened = segments.flatMap(({ kind, columns }) => (kind === 'cases' ? [openSegment(columns)] : []));
  return {
    ids: (dictionary) => new Set(opened.flatMap((segment) => [...segment.dictionary(dictionary)])),
    customValues: opened.flatMap((segment) => segment.customValues()),
  };
}

const READ = ['replaced', 'facts', 'verdicts', 'hours'] as const;

/** Where rows lie that count, that are replaced case by case, and that are replaced as a whole. */
const [REAL, OLDER, GONE] = [
  { born: 5, segment: 1 },
  { born: 4, segment: 2 },
  { born: 5, segment: 3 },
];

async function* onePart(segments: readonly LiveSegment[]) {
  yield segments;
}

function replacedRows(all: readonly LiveSegment[]) {
  const keys = [...new Set(all.flatMap(({ kind, columns }) => (kind === 'cases' ? openSegment(columns).keys() : [])))];
  return {
    site: [...keys, null].map(() => SITE),
    case_id: [...keys, null],
    born: [...keys.map(() => BigInt(REAL.born)), null],
    segment: [...keys.map(() => null), BigInt(GONE.segment)],
  };
}

/** Writes the files of an example; `stale`: with rows that do not count beside those that do. */
async function exported(
  example: AnyExample,
  name: string,
  stale: boolean,
): Promise<Record<(typeof READ)[number], string[]>> {
  const files: Record<(typeof READ)[number], string[]> = { replaced: [], facts: [], verdicts: [], hours: [] };
  const all = exampleSegments(example, 2);
  const reference = engineReference(example);
  const write = (table: keyof typeof files, part: string, sections: readonly FileSection[]): void => {
    const path = `${name}-${table}-${part}.parquet`;
    writeSections(path, TABLES[table].columns, sections, SITE);
    files[table].push(path);
  };
  const places = [REAL, ...(stale ? [OLDER, GONE] : [])];
  for (const [copy, at] of places.entries()) {
    const some = all.filter(({ kind }) => copy === 0 || kind === 'cases').map((segment) => ({ ...segment, id: 0 }));
    const history = { segments: onePart(some), end: extentOf(all).max };
    for await (const { table, month, sections } of monthRows(history, reference, new Map([[0, at]])))
      if (table === 'facts' || table === 'verdicts') write(table, `${month}-${copy}`, sections);
  }
  if (stale) write('replaced', 'all', [sectionOf(replacedRows(all))]);
  write('hours', 'all', [sectionOf(hourValues(SITE, reference.calendars, extentOf(all)))]);
  return files;
}
