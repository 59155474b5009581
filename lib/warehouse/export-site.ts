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
import { listedFields } from './field-values.ts';
import { hourValues } from './hours.ts';
import {
  begunPath,
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
import { historyParts } from './parts.ts';
import type { WarehousePlace } from './place.ts';
import { type AddRows, createSiteWriter, digestOf } from './site-writer.ts';
import { TABLE_NAMES, type WarehouseTable } from './tables.ts';

/** What an export of a site depends on. */
export type ExportContext = HistoryContext &
  Pick<Context, 'site' | 'open'> & {
    readonly reportsOnly?: boolean; // writes no events, which reports do not read: those of the export before stay
    readonly partFacts?: number; // most facts of a part of several segments; the same in all exports of a site
  };

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
export async function referenceOf(context: ExportContext) {
  const reference = await readReferenceOfCases(context);
  const members = await memberValues(context.site, context.open);
  return { reference, members, digest: digestOf([context.site, members, reference.policies, reference.calendars]) };
}

const stateOf = ({ version, tail }: Pick<History, 'version' | 'tail'>, referenceDigest: string): string =>
  digestOf([FILES_FORMAT, version, tail, referenceDigest]);

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
  const [before, begun] = await Promise.all(
    [manifestPath(site.name), begunPath(site.name)].map(async (path) => parseManifest(await place.read(path))),
  );
  const writer = createSiteWriter({ place, scratch, site: site.name, before, begun });
  await mergeEvents(context, new Map(), { wholeTail: true });
  const { reference, members, digest } = await referenceOf(context);
  // Rows depend on the history alone, and on what promises depend on.
  const promised = reference.policies.length === 0 ? [] : [reference.policies, reference.calendars, members];
  const listed = listedFields(reference);
  const reader = createHistoryReader({ cacheBytes: CACHE_BYTES });
  const wanted = { from: ALL_TIME.min, to: ALL_TIME.max, kinds: SEGMENT_KINDS, rows: ROW_VERSION };
  const { state, extent, version } = await reader.read(context, wanted, async (history) => {
    writer.begin();
    for (const { name, states, segments } of historyParts(history.cut(), context.partFacts))
      await writer.part(name, digestOf([FILES_FORMAT, states, promised, listed]), async (add) => {
        const part = { segments: segments(), end: history.end };
        for await (const { table, month, ...found } of monthRows(part, reference)) await add(table, month, found);
      });
    const writeEvents = async (add: AddRows): Promise<void> => {
      const files = createEventFiles(scratch, site.name);
      for await (const known of walkCommitted(context))
        for (const [, events] of [...known].sort(([a], [b]) => (a < b ? -1 : 1))) files.add(events);
      for (const [month, made] of files.finish()) await add('events', month, made);
    };
    if (context.reportsOnly === true) writer.keep(EVENTS);
    else await writer.part(EVENTS, digestOf([FILES_FORMAT, history.version, history.tail]), writeEvents);
    const extent = { min: history.start, max: history.end + 1 };
    await writer.single('hours', hourValues(site.name, reference.calendars, extent));
    return { state: stateOf(history, digest), extent, version: history.version };
  });
  await writer.single('members', members);
  await writer.single('sites', siteValues(site, clock()));
  const exportedAt = clock();
  const reports = reportSettings(site, reference, extent, Math.floor(exportedAt / 1000));
  const covered = { version, reference: digest, facts: (await reader.sizeOf(context, wanted)).facts };
  const manifest = { ...writer.manifest(exportedAt, state), covered, reports };
  await place.write(manifestPath(site.name), JSON.stringify(manifest, null, 1));
  await writer.end();
  return summary(manifest, writer.written());
}

/** What reports over all time depend on: windows begin with the first fact, and end after the last one or now. */
function reportSettings(site: Site, reference: Reference, { min, max }: Range, now: number): ReportSettings {
  const range = { min: Math.min(min, now), max: Math.max(max, now + 1) };
  return {
    timeZone: site.timeZone,
    weekStart: WEEK_DAYS.indexOf(site.weekStart),
    rating: site.rating,
    listed: listedFields(reference),
    ...range,
  };
}

/** The part with the events, which lie in the order of a hash. */
const EVENTS = 'events';

function summary({ site, files }: SiteManifest, written: readonly WarehouseFile[]): SiteExport {
  const sizes = (all: readonly WarehouseFile[]): number => all.reduce((sum, { bytes }) => sum + bytes, 0);
  const rows = recordOf(TABLE_NAMES, (table) =>
    Object.entries(files).reduce((sum, [name, file]) => sum + (name.startsWith(`${table}/`) ? file.rows : 0), 0),
  );
  const all = Object.values(files);
  return { site, files: all.length, rows, bytes: sizes(all), written: written.length, writtenBytes: sizes(written) };
}
