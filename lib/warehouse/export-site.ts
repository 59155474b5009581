import type { Site } from '../access/site-fields.ts';
import type { Context } from '../context.ts';
import { ROW_VERSION } from '../history/cases/case-row.ts';
import { parseSubject, SHARDS, type Subject } from '../history/cases/subject.ts';
import { readErasedVersion } from '../history/erasures.ts';
import { mergeEvents } from '../history/merge.ts';
import { type CutSegment, createHistoryReader, type History, type HistoryCut, NO_TAIL } from '../history/read.ts';
import { SEGMENT_KINDS } from '../history/segments/row-position.ts';
import { readShards } from '../history/storage/commit.ts';
import type { Shard } from '../history/storage/directory.ts';
import type { HistoryContext } from '../history/storage/history-context.ts';
import { listedFields, type Reference } from '../insights/reference.ts';
import { readReferenceOfCases } from '../insights/site-reference.ts';
import { ALL_TIME, type Range } from '../insights/windows.ts';
import { createCollections } from '../store/collection.ts';
import { readHeads } from '../store/site-table.ts';
import { recordOf } from '../typed-object.ts';
import { WEEK_DAYS } from '../vocabulary.ts';
import type { ColumnValues } from './columns.ts';
import { type EventPart, eventParts, isOfEvents, writeEvents } from './event-parts.ts';
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
import { monthRows } from './month-rows.ts';
import { planExport, type ReplacedRows, segmentNumber } from './parts.ts';
import type { WarehousePlace } from './place.ts';
import { publishSite } from './publish.ts';
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

/** What the reference data of a site adds to its files, with digests of it and of what verdicts on promises depend on. */
export async function referenceOf(context: ExportContext) {
  const reference = await readReferenceOfCases(context);
  const members = await memberValues(context.site, context.open);
  const { policies, calendars } = reference;
  const promises = policies.length === 0 ? '' : digestOf([policies, calendars, members]);
  return { reference, members, digest: digestOf([context.site, members, calendars]), promises };
}

const stateOf = ({ version, tail }: Pick<History, 'version' | 'tail'>, referenceDigest: string): string =>
  digestOf([FILES_FORMAT, version, tail, referenceDigest]);

/** The limit of cached segments: each is read once. */
const CACHE_BYTES = 1;

/**
 * Writes the files of a site that have changed since the last export, then its manifest, which makes them count, and its
 * views and lists. Until then the files of the last export are whole. Where policies have changed, verdicts of parts that
 * stay come last, after a manifest of all else. Only one export of a warehouse may run at a time.
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
  const { reference, members, digest, promises } = await referenceOf(context);
  const reader = createHistoryReader({ cacheBytes: CACHE_BYTES });
  const wanted = { from: ALL_TIME.min, to: ALL_TIME.max, kinds: SEGMENT_KINDS, rows: ROW_VERSION };
  const whole = await reader.read(context, wanted, async (history) => {
    const cut = history.cut();
    const events =
      context.reportsOnly === true
        ? { kept: Object.keys(before?.parts ?? {}).filter(isOfEvents), wanted: [] }
        : { kept: [], wanted: eventParts(cut.name, await shardsOf(context), context.partFacts) };
    const plan = planWork(context, { history, cut, reference, promises, erased, writer, scratch, events });
    const { work, parts, facts } = plan;
    const { version } = history;
    /** Makes what was written count. */
    async function stand(areJudged: boolean): Promise<SiteManifest> {
      const extent = { min: history.start, max: history.end + 1 };
      await writer.single('hours', hourValues(site.name, reference.calendars, extent));
      await writer.single('replaced', replacedValues(site.name, plan.replaced));
      await writer.single('members', members);
      await writer.single('sites', siteValues(site, clock()));
      const exportedAt = clock();
      const state = stateOf({ version, tail: NO_TAIL }, digestOf([digest, promises]));
      const manifest = {
        ...writer.manifest({ exportedAt, state, erased }, parts),
        covered: { version, reference: digest, facts, ...(areJudged && { promises }) },
        reports: reportSettings(site, reference, extent, Math.floor(exportedAt / 1000)),
      };
      await place.write(manifestPath(site.name), JSON.stringify(manifest, null, 1));
      await publishSite(place, manifest);
      return manifest;
    }
    for (const [done, { name, part, write, verdictsOnly }] of work.entries()) {
      if (done > 0 && context.isOver?.() === true) return undefined;
      if (verdictsOnly && work[done - 1]?.verdictsOnly !== true) await stand(false);
      context.onPart?.(done, work.length);
      await writer.part(name, part, write, verdictsOnly);
    }
    context.onPart?.(work.length, work.length);
    return stand(true);
  });
  if (whole === undefined)
    return summary(writer.manifest({ exportedAt: 0, state: '', erased }, []), writer.written(), false);
  await writer.end();
  return summary(whole, writer.written(), true);
}

/** The directory of the ledger, as of now: it has all of a history that was read before, or more. */
async function shardsOf({ table, site }: HistoryContext): Promise<Shard[]> {
  const shards = await readShards(
    table,
    site.name,
    Array.from({ length: SHARDS }, (_, number) => number),
  );
  return [...shards.values()];
}

/** What the parts of a history are written with. */
interface PartsTask {
  readonly history: History;
  readonly cut: HistoryCut;
  readonly reference: Reference;
  readonly promises: string; // digest of what verdicts depend on
  readonly erased: number;
  readonly writer: ReturnType<typeof createSiteWriter>;
  readonly scratch: string;
  /** The parts of events: the names of those that stay, and what counts beside them. */
  readonly events: { readonly kept: readonly string[]; readonly wanted: readonly EventPart[] };
}

/** Plans what is to be written. */
function planWork(
  context: ExportContext,
  { history, cut, reference, promises, erased, writer, scratch, events }: PartsTask,
): PlannedWork {
  const { partFacts: most } = context;
  const { version } = history;
  const state = digestOf([FILES_FORMAT, cut.name, listedFields(reference)]); // verdicts alone depend on anything else
  const { kept, wanted, replaced } = planExport(cut, writer.stored(), { state, erased, most });
  const segmentOf = new Map(cut.segments.map((segment) => [segment.id, segment]));
  const rowsOf = (name: string, part: StoredPart, ids: readonly number[], verdictsOnly = false): Work => ({
    ...{ name, part, verdictsOnly },
    write: async (add) => {
      const live = ids.flatMap((id, place) => {
        const segment = segmentOf.get(id);
        return segment === undefined ? [] : [{ segment, place: segmentNumber(name, place) }];
      });
      const places = new Map(live.map(({ segment: { id, born }, place }) => [id, { born, segment: place }]));
      const rows = { segments: cut.some(live.map(({ segment }) => segment)), end: history.end };
      for await (const { table, month, ...found } of monthRows(rows, reference, places, verdictsOnly))
        await add(table, month, found);
    },
  });
  const sessions = cut.segments.filter(({ kind, rows }) => kind === 'sessions' && rows > 0);
  const online = digestOf([state, sessions.map((segment) => [segment.id, [...cut.replaced(segment, 0)]])]);
  const all: Work[] = [
    ...wanted.map(({ name, segments }) => {
      const part: StoredPart = { state, version, promises, segments: segments.map(({ id, rows }) => [id, rows]) };
      return rowsOf(name, part, idsOf(segments));
    }),
    ...(sessions.length === 0
      ? []
      : [rowsOf(SESSIONS, { state: online, version, promises: '', segments: [] }, idsOf(sessions))]),
    ...events.wanted.map(
      (part): Work => ({
        ...{ name: part.name, verdictsOnly: false },
        part: { state: part.name, version, promises: '', segments: [] },
        write: (add) => writeEvents(context, part, scratch, add),
      }),
    ),
  ];
  const lacking = all.filter(
    ({ name, part }) => part.segments.length > 0 || writer.stored().get(name)?.state !== part.state,
  );
  const stale = [...kept].filter(([, part]) => part.promises !== promises);
  const judged = stale.map(([name, part]) =>
    rowsOf(
      name,
      { ...part, promises },
      part.segments.map(([id]) => id),
      true,
    ),
  );
  const facts = cut.segments.reduce((sum, segment) => sum + segment.facts, 0);
  const parts = [...kept.keys(), ...all.map(({ name }) => name), ...events.kept];
  return { work: [...lacking, ...judged], parts, facts, replaced };
}

const idsOf = (segments: readonly CutSegment[]): number[] => segments.map(({ id }) => id);

/** What is to be written, and the parts that count then. */
interface PlannedWork {
  readonly work: readonly Work[]; // verdicts of parts that stay last
  readonly parts: readonly string[]; // names
  readonly facts: number; // of the history
  readonly replaced: ReplacedRows;
}

/** A part to write, unless it stands there. */
interface Work {
  readonly name: string;
  readonly part: StoredPart;
  readonly verdictsOnly: boolean; // its other files stay
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
