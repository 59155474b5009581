import { hash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Site } from '../access/site-fields.ts';
import type { Context } from '../context.ts';
import { ROW_VERSION } from '../history/cases/case-row.ts';
import { mergeEvents } from '../history/merge.ts';
import { createHistoryReader, type History } from '../history/read.ts';
import { walkCommitted } from '../history/rewrite.ts';
import { SEGMENT_KINDS } from '../history/segments/row-position.ts';
import type { HistoryContext } from '../history/storage/history-context.ts';
import type { Reference } from '../insights/reference.ts';
import { readReferenceOfCases } from '../insights/site-reference.ts';
import { ALL_TIME, type Range } from '../insights/windows.ts';
import { createCollections } from '../store/collection.ts';
import { readHeads } from '../store/site-table.ts';
import { recordOf } from '../typed-object.ts';
import { WEEK_DAYS } from '../vocabulary.ts';
import { type ColumnValues, type FileRows, sectionOf, textWithWholes } from './columns.ts';
import { hourValues } from './hours.ts';
import {
  FILES_FORMAT,
  manifestPath,
  parseManifest,
  type ReportSettings,
  type SiteManifest,
  type WarehouseFile,
} from './manifest.ts';
import { memberValues, siteValues } from './members.ts';
import { createEventFiles } from './month-events.ts';
import { monthRows } from './month-rows.ts';
import { fileDigest, writeSections } from './parquet-file.ts';
import type { WarehousePlace } from './place.ts';
import { TABLE_NAMES, TABLES, type WarehouseTable } from './tables.ts';

/** What an export of a site depends on. */
export type ExportContext = HistoryContext & Pick<Context, 'site' | 'open'>;

/** The context of a site's export. */
export function exportContext(from: Omit<HistoryContext, 'site'>, site: Site): ExportContext {
  const target = { site: site.name, table: from.table, collections: createCollections(), now: from.clock() };
  return { ...from, site, open: async (partition) => (await readHeads(target, [partition]))(partition) };
}

/** What an export of a site did. */
export interface SiteExport {
  readonly site: string;
  readonly files: number; // in the warehouse
  readonly rows: Readonly<Record<WarehouseTable, number>>;
  readonly bytes: number; // in the warehouse
  readonly written: number; // files written by this export
  readonly writtenBytes: number;
}

/** What the reference data of a site adds to its files, and a digest of it. */
async function referenceOf(context: ExportContext) {
  const reference = await readReferenceOfCases(context);
  const members = await memberValues(context.site, context.open);
  return { reference, members, digest: digestOf([context.site, members, reference.policies, reference.calendars]) };
}

const stateOf = ({ version, tail }: Pick<History, 'version' | 'tail'>, referenceDigest: string): string =>
  digestOf([FILES_FORMAT, version, tail, referenceDigest]);

/** Whether an export now would write nothing but when it was. */
export async function isCurrent(context: ExportContext, { state }: SiteManifest): Promise<boolean> {
  const { digest } = await referenceOf(context);
  const reader = createHistoryReader({ cacheBytes: CACHE_BYTES });
  return reader.read(context, { from: 0, to: 0, kinds: [] }, async (history) => stateOf(history, digest) === state);
}

/** The limit of cached segments: each is read once. */
const CACHE_BYTES = 1;

/**
 * Writes the files of a site that have changed since the last export, then its manifest, which makes them count. Until
 * then the files of the last export are whole. Only one export of a warehouse may run at a time.
 */
export async function exportSiteFiles(
  context: ExportContext,
  place: WarehousePlace,
  scratch: string,
): Promise<SiteExport> {
  const { site, clock } = context;
  const before = parseManifest(await place.read(manifestPath(site.name)));
  const writer = createWriter({ place, scratch, site: site.name, before });
  await mergeEvents(context, new Map(), { wholeTail: true });
  const { reference, members, digest } = await referenceOf(context);
  const reader = createHistoryReader({ cacheBytes: CACHE_BYTES });
  const wanted = { from: ALL_TIME.min, to: ALL_TIME.max, kinds: SEGMENT_KINDS, rows: ROW_VERSION };
  const { state, extent } = await reader.read(context, wanted, async (history) => {
    const now = stateOf(history, digest);
    if (now === before?.state) writer.keepAll();
    else {
      await writeHistory(context, writer, history, reference);
      const range = { min: history.start, max: history.end + 1 };
      await writer.single('hours', hourValues(site.name, reference.calendars, range));
    }
    return { state: now, extent: { min: history.start, max: history.end + 1 } };
  });
  await writer.single('members', members);
  await writer.single('sites', siteValues(site, clock()));
  const exportedAt = clock();
  const reports = reportSettings(site, reference, extent, Math.floor(exportedAt / 1000));
  const manifest = { format: FILES_FORMAT, site: site.name, exportedAt, state, reports, files: writer.files() };
  await place.write(manifestPath(site.name), JSON.stringify(manifest, null, 1));
  return summary(manifest, writer.written());
}

/** What reports over all time depend on: windows begin with the first fact, and end after the last one or now. */
function reportSettings(site: Site, { customFields }: Reference, { min, max }: Range, now: number): ReportSettings {
  const listed = [...customFields].flatMap(([id, { listed }]) => (listed ? [id] : []));
  const range = { min: Math.min(min, now), max: Math.max(max, now + 1) };
  return {
    timeZone: site.timeZone,
    weekStart: WEEK_DAYS.indexOf(site.weekStart),
    rating: site.rating,
    listed,
    ...range,
  };
}

async function writeHistory(
  context: ExportContext,
  writer: Writer,
  history: History,
  reference: Reference,
): Promise<void> {
  writer.begin();
  for await (const { table, month, ...rows } of monthRows(history, reference)) await writer.rows(table, month, rows);
  await writer.events(async (scratch) => {
    const files = createEventFiles(scratch, context.site.name);
    for await (const known of walkCommitted(context))
      for (const [, events] of [...known].sort(([a], [b]) => (a < b ? -1 : 1))) files.add(events);
    return files.finish();
  });
}

interface Writer {
  begin(): void; // forgets what was written; a history that changed meanwhile is read again
  keepAll(): void;
  rows(table: WarehouseTable, part: string, rows: FileRows): Promise<void>;
  single(table: WarehouseTable, values: ColumnValues): Promise<void>;
  events(
    make: (scratch: string) => Promise<ReadonlyMap<string, { readonly path: string; readonly rows: number }>>,
  ): Promise<void>;
  files(): SiteManifest['files'];
  written(): readonly WarehouseFile[];
}

interface WriterOptions {
  readonly place: WarehousePlace;
  readonly scratch: string;
  readonly site: string;
  readonly before: SiteManifest | undefined;
}

function createWriter({ place, scratch, site, before }: WriterOptions): Writer {
  let files: Record<string, WarehouseFile> = {};
  const written = new Map<string, WarehouseFile>();

  /** Puts a file into the warehouse, unless a file of the same rows is there. */
  async function keep(
    name: `${WarehouseTable}/${string}`,
    { rows, digest }: Pick<WarehouseFile, 'rows' | 'digest'>,
    make: () => string,
  ): Promise<void> {
    const [table, part] = name.split('/');
    const known = before?.files[name];
    if (known?.digest === digest) {
      files[name] = known;
      return;
    }
    const made = make();
    const path = `${table}/${site}/${part}/${digest.slice(0, 16)}.parquet`;
    const file = { path, rows, bytes: (await stat(made)).size, digest };
    await place.put(path, made);
    files[name] = file;
    written.set(name, file);
  }

  async function rowsOf(table: WarehouseTable, part: string, { sections, digest }: FileRows): Promise<void> {
    const rows = sections.reduce((sum, section) => sum + section.rows, 0);
    await keep(`${table}/${part}`, { rows, digest }, () => {
      const path = join(scratch, `${table}-${part}.parquet`);
      writeSections(path, TABLES[table].columns, sections, site);
      return path;
    });
  }

  return {
    begin: () => {
      files = {};
    },
    keepAll: () => {
      files = { ...before?.files };
    },
    rows: rowsOf,
    single: (table, values) => rowsOf(table, 'all', { digest: digestOf(values), sections: [sectionOf(values)] }),
    events: async (make) => {
      for (const [month, { path, rows }] of await make(scratch))
        await keep(`events/${month}`, { rows, digest: await fileDigest(path) }, () => path);
    },
    files: () => files,
    written: () => [...written.values()],
  };
}

const digestOf = (value: unknown): string => hash('sha256', textWithWholes(value), 'hex');

function summary({ site, files }: SiteManifest, written: readonly WarehouseFile[]): SiteExport {
  const sizes = (all: readonly WarehouseFile[]): number => all.reduce((sum, { bytes }) => sum + bytes, 0);
  const rows = recordOf(TABLE_NAMES, (table) =>
    Object.entries(files).reduce((sum, [name, file]) => sum + (name.startsWith(`${table}/`) ? file.rows : 0), 0),
  );
  const all = Object.values(files);
  return { site, files: all.length, rows, bytes: sizes(all), written: written.length, writtenBytes: sizes(written) };
}
