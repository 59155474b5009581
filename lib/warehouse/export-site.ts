import type { Site } from '../access/site-fields.ts';
import type { Context } from '../context.ts';
import { ROW_VERSION } from '../history/cases/case-row.ts';
import { parseSubject, type Subject } from '../history/cases/subject.ts';
import { readErasedVersion } from '../history/erasures.ts';
import { mergeEvents } from '../history/merge.ts';
import { type CutSegment, createHistoryReader, type History, NO_TAIL } from '../history/read.ts';
import { walkCommitted } from '../history/rewrite.ts';
import { SEGMENT_KINDS } from '../history/segments/row-position.ts';
import type { HistoryContext } from '../history/storage/history-context.ts';
import { listedFields, type Reference } from '../insights/reference.ts';
import { readReferenceOfCases } from '../insights/site-reference.ts';
import { ALL_TIME, type Range } from '../insights/windows.ts';
import { createCollections } from '../store/collection.ts';
import { readHeads } from '../store/site-table.ts';
import { recordOf } from '../typed-object.ts';
import { WEEK_DAYS } from '../vocabulary.ts';
import type { ColumnValues } from './columns.ts';
import { hourValues } from './hours.ts';
import {
  begunPath,
  FILES_FORMAT,
  manifestPath,
  parseManifest,
  type ReportSettings,
  type SiteManifest,
  type StoredPart,
  type WarehouseFile,
} from './manifest.ts';
import { memberValues, siteValues } from './members.ts';
import { createEventFiles } from './month-events.ts';
import { monthRows } from './month-rows.ts';
import { planExport, type ReplacedRows, segmentNumber } from './parts.ts';
import type { WarehousePlace } from './place.ts';
import { type AddRows, createSiteWriter, digestOf } from './site-writer.ts';
import { TABLE_NAMES, type WarehouseTable } from './tables.ts';

/** What an export of a site depends on. */
export type ExportContext = HistoryContext &
  Pick<Context, 'site' | 'open'> & {
    readonly reportsOnly?: boolean; // writes no events, which reports do not read: those of the export before stay
    readonly partFacts?: number; // most facts of a part of several segments
    readonly isOver?: () => boolean; // whether this call has worked long enough; another one goes on
    readonly onPart?: (done: number, total: number) => void; // called before each part, and after the last
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
  readonly isWhole: boolean; // false: a further call has to go on; what the last whole export wrote counts
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
  const erased = await readErasedVersion(context); // first: what is erased meanwhile is seen by the next export
  await mergeEvents(context, new Map(), { wholeTail: true });
  const { reference, members, digest } = await referenceOf(context);
  const reader = createHistoryReader({ cacheBytes: CACHE_BYTES });
  const wanted = { from: ALL_TIME.min, to: ALL_TIME.max, kinds: SEGMENT_KINDS, rows: ROW_VERSION };
  const made = await reader.read(context, wanted, async (history) => {
    const found = await writeParts(context, { history, reference, members, erased, writer, scratch });
    if (found === undefined) return undefined;
    const extent = { min: history.start, max: history.end + 1 };
    await writer.single('hours', hourValues(site.name, reference.calendars, extent));
    await writer.single('replaced', replacedValues(site.name, found.replaced));
    const { version } = history;
    const { facts, parts } = found;
    return { state: stateOf({ version, tail: NO_TAIL }, digest), extent, version, facts, parts };
  });
  if (made === undefined)
    return summary(writer.manifest({ exportedAt: 0, state: '', erased }, []), writer.written(), false);
  await writer.single('members', members);
  await writer.single('sites', siteValues(site, clock()));
  const exportedAt = clock();
  const reports = reportSettings(site, reference, made.extent, Math.floor(exportedAt / 1000));
  const covered = { version: made.version, reference: digest, facts: made.facts };
  const written = writer.manifest({ exportedAt, state: made.state, erased }, made.parts);
  const manifest = { ...written, covered, reports };
  await place.write(manifestPath(site.name), JSON.stringify(manifest, null, 1));
  await writer.end();
  return summary(manifest, writer.written(), true);
}

/** What the parts of a history are written with. */
interface PartsTask {
  readonly history: History;
  readonly reference: Reference;
  readonly members: ColumnValues;
  readonly erased: number;
  readonly writer: ReturnType<typeof createSiteWriter>;
  readonly scratch: string;
}

/** Writes the parts that are wanted; returns the names of all that count, undefined if time was over before the last. */
async function writeParts(
  context: ExportContext,
  { history, reference, members, erased, writer, scratch }: PartsTask,
): Promise<WrittenParts | undefined> {
  const { partFacts: most, reportsOnly = false, isOver, onPart } = context;
  const { version } = history;
  const cut = history.cut();
  // Rows depend on the history alone, and on what promises depend on.
  const promised = reference.policies.length === 0 ? [] : [reference.policies, reference.calendars, members];
  const state = digestOf([FILES_FORMAT, cut.name, promised, listedFields(reference)]);
  const { kept, wanted, replaced } = planExport(cut, writer.stored(), { state, erased, most });
  const rowsOf = (name: string, part: StoredPart, segments: readonly CutSegment[]): Work => ({
    ...{ name, part },
    write: async (add) => {
      const places = new Map(
        segments.map(({ id, born }, place) => [id, { born, segment: segmentNumber(name, place) }]),
      );
      const live = { segments: cut.some(segments), end: history.end };
      for await (const { table, month, ...found } of monthRows(live, reference, places)) await add(table, month, found);
    },
  });
  const sessions = cut.segments.filter(({ kind, rows }) => kind === 'sessions' && rows > 0);
  const online = digestOf([state, sessions.map((segment) => [segment.id, [...cut.replaced(segment, 0)]])]);
  const all: Work[] = [
    ...wanted.map(({ name, segments }) =>
      rowsOf(name, { state, version, segments: segments.map(({ id, rows }) => [id, rows]) }, segments),
    ),
    ...(sessions.length === 0 ? [] : [rowsOf(SESSIONS, { state: online, version, segments: [] }, sessions)]),
    {
      name: EVENTS,
      part: { state: digestOf([FILES_FORMAT, cut.name, version]), version, segments: [] },
      write: async (add) => {
        const files = createEventFiles(scratch, context.site.name);
        for await (const known of walkCommitted(context))
          for (const [, events] of [...known].sort(([a], [b]) => (a < b ? -1 : 1))) files.add(events);
        for (const [month, made] of files.finish()) await add('events', month, made);
      },
    },
  ];
  const lacking = all.filter(
    ({ name, part }) =>
      (part.segments.length > 0 || writer.stored().get(name)?.state !== part.state) &&
      !(reportsOnly && name === EVENTS),
  );
  for (const [done, { name, part, write }] of lacking.entries()) {
    if (done > 0 && isOver?.() === true) return undefined;
    onPart?.(done, lacking.length);
    await writer.part(name, part, write);
  }
  onPart?.(lacking.length, lacking.length);
  const facts = cut.segments.reduce((sum, segment) => sum + segment.facts, 0);
  return { parts: [...kept.keys(), ...all.map(({ name }) => name)], facts, replaced };
}

/** The parts that count once all are written. */
interface WrittenParts {
  readonly parts: readonly string[]; // names
  readonly facts: number; // of the history
  readonly replaced: ReplacedRows;
}

/** A part to write, unless it stands there. */
interface Work {
  readonly name: string;
  readonly part: StoredPart;
  readonly write: (add: AddRows) => Promise<void>;
}

const SESSIONS = 'sessions'; // the part with the time online of agents, whose rows are few

/** The rows of the table `replaced`. */
function replacedValues(site: string, { cases, segments }: ReplacedRows): ColumnValues {
  const names = [...cases].sort(([a], [b]) => (a < b ? -1 : 1));
  const none = segments.map(() => null);
  return {
    site: [...names, ...segments].map(() => site),
    case_id: [...names.map(([subject]) => keyOf(subject)), ...none],
    born: [...names.map(([, born]) => BigInt(born)), ...none],
    segment: [...names.map(() => null), ...segments.map(BigInt)],
  };
}

const keyOf = (subject: Subject): string => {
  const parsed = parseSubject(subject);
  return 'case' in parsed ? String(parsed.case) : '';
};

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

function summary(
  { site, files }: Pick<SiteManifest, 'site' | 'files'>,
  written: readonly WarehouseFile[],
  isWhole: boolean,
): SiteExport {
  const sizes = (all: readonly WarehouseFile[]): number => all.reduce((sum, { bytes }) => sum + bytes, 0);
  const rows = recordOf(TABLE_NAMES, (table) =>
    Object.entries(files).reduce((sum, [name, file]) => sum + (name.startsWith(`${table}/`) ? file.rows : 0), 0),
  );
  const all = Object.values(files);
  const [bytes, writtenBytes] = [sizes(all), sizes(written)];
  return { site, files: all.length, rows, bytes, written: written.length, writtenBytes, isWhole };
}
