import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { CaseEvent, HistoryEvent } from '../../../lib/history/cases/event.ts';
import { SHARDS } from '../../../lib/history/cases/subject.ts';
import { ingest } from '../../../lib/history/live.ts';
import { createHistoryReader } from '../../../lib/history/read.ts';
import { type HistoryRow, nameOf, openRows, rowOf } from '../../../lib/history/segments/history-row.ts';
import { comparePositions } from '../../../lib/history/segments/row-position.ts';
import { BLOB_KINDS, partKey, readBlobs } from '../../../lib/history/storage/blobs.ts';
import { readManifest, readShards } from '../../../lib/history/storage/commit.ts';
import type { HistoryContext } from '../../../lib/history/storage/history-context.ts';
import { segmentBlob } from '../../../lib/history/storage/manifest.ts';
import type { Batch, Row } from '../../../lib/import/formats/row.ts';
import { type LoadOptions, type LoadSummary, loadHistory } from '../../../lib/import/load.ts';
import { OriginRefused } from '../../../lib/import/origin.ts';
import { keys } from '../../../lib/store/keys.ts';
import type { Table } from '../../../lib/store/table.ts';
import { currentEvents } from '../oracle/versions.ts';
import { allSegments } from './all-segments.ts';
import { bySubject } from './by-subject.ts';

/** Makes 4,000 events of 300 cases, always the same ones, without order. */
export function manyEvents(): CaseEvent[] {
  return Array.from({ length: 4_000 }, (_, at): CaseEvent => {
    const mixed = (at * 2_654_435_761) % 2 ** 32;
    const base = { id: `e${at}`, at: (1_700_000_000 + (mixed % 50_000_000)) * 1_000_000, case: String(mixed % 300) };
    if (mixed % 7 === 0) return { ...base, type: 'case.status', to: mixed % 2 === 0 ? 'closed' : 'open' };
    return {
      ...base,
      type: 'interaction',
      direction: mixed % 3 === 0 ? 'inbound' : 'outbound',
      agent: 1 + (mixed % 9),
    };
  });
}

/** The same events as five exports of whole cases, each a later version; a tenth is in the log of another source. */
export function manyVersions(): HistoryEvent[] {
  return manyEvents().map((event, at) => {
    if (at % 10 === 9) return { ...event, source: 'calls' };
    return { ...event, source: 'export', as_of: [1_700_000_000_000_000 + Math.floor(at / 800)] };
  });
}

/** Events of one case with ids that cannot be compressed well: about 35 bytes for each event. */
export function largeCase(count: number): CaseEvent[] {
  return Array.from({ length: count }, (_, at): CaseEvent => {
    const id = createHash('sha256').update(String(at)).digest('hex');
    return { type: 'interaction', id, at: (1_700_000_000 + at * 61) * 1_000_000, case: 'large', direction: 'inbound' };
  });
}

let sites = 0;
let tokens = 0;

/** Creates an empty history in a table; its clock stands still unless a test sets it. Its manifest may be in parts. */
export function freshHistory(table: Table, manifestPart?: number): HistoryContext & { now: number } {
  sites += 1;
  const context = {
    table,
    ...(manifestPart && { manifestPart }),
    site: { name: `s${process.pid}-${sites}` },
    now: 1_800_000_000_000,
    clock: () => context.now,
    newId: () => `token-${(tokens += 1)}`,
  };
  return context;
}

type Loaded = LoadSummary & { readonly lines: number[] };

/** Loads events as one file with one event on each line. Returns the line numbers of conflicts too. */
export const loadEvents = (
  context: HistoryContext,
  events: readonly HistoryEvent[],
  options: Partial<LoadOptions> = {},
): Promise<Loaded> => loadBatches(context, rowsOf(events), options);

/** Takes events live; throws the first error, as the queue would bring its event again. */
export async function ingestEvents(context: HistoryContext, events: readonly HistoryEvent[]): Promise<void> {
  const failed = (await ingest(context, events)).find(({ outcome }) => outcome === 'failed');
  if (failed?.outcome === 'failed') throw failed.error;
}

/** Loads the batches of a format reader. */
export async function loadBatches(
  context: HistoryContext,
  batches: AsyncIterable<Batch>,
  options: Partial<LoadOptions> = {},
): Promise<Loaded> {
  const lines: number[] = [];
  const summary = await loadHistory(context, batches, {
    spillFolder: tmpdir(),
    ...options,
    onReference: () => undefined,
    onRejected: () => undefined,
    onConflict: (line) => void lines.push(line),
  });
  return { ...summary, lines: lines.sort((a, b) => a - b) };
}

/** A file without a source may bring events of a case that a source holds: it is refused, and must change nothing. */
export function refused(error: unknown): false {
  if (!(error instanceof OriginRefused)) throw error;
  return false;
}

async function* rowsOf(events: readonly HistoryEvent[]): AsyncGenerator<readonly Row[]> {
  yield events.map((event, place) => ({ line: place + 1, raw: '', records: [event] }));
}

/** The rows that a report reads, in a fixed order. */
export async function readRows(
  context: HistoryContext,
  range: { readonly from: number; readonly to: number } = { from: 0, to: 8e9 },
): Promise<HistoryRow[]> {
  const reader = createHistoryReader({ cacheBytes: 1e8 });
  const segments = await reader.read(context, { ...range, kinds: ['cases', 'sessions'] }, allSegments);
  const rows = segments.flatMap(({ kind, columns, dead }) => {
    const { subjects, row } = openRows(kind, columns);
    return subjects().flatMap((_, at) => (dead.includes(at) ? [] : [row(at)]));
  });
  return sortRows(rows);
}

/** The rows that a history of these events must have. */
export function expectedRows(events: readonly HistoryEvent[]): HistoryRow[] {
  const rows = [...bySubject(currentEvents(events))].map(([subject, list]) => rowOf(subject, list));
  return sortRows(rows.filter((row) => row !== undefined));
}

const sortRows = (rows: readonly HistoryRow[]): HistoryRow[] =>
  [...rows].sort((a, b) => (nameOf(a).subject < nameOf(b).subject ? -1 : 1));

/** The bytes of all live segments with their entries in the manifest, by kind and position in the cut. */
export async function storedSegments({ table, site }: HistoryContext): Promise<unknown[]> {
  const { segments } = await readManifest(table, site.name);
  const sorted = [...segments].sort((a, b) => byText(a.kind, b.kind) || comparePositions(a.low, b.low));
  const bytes = await readBlobs(table, site.name, sorted.map(segmentBlob));
  return sorted.map(({ kind, settled, start, end, weight }, place) => [
    kind,
    settled,
    start,
    end,
    weight,
    bytes[place],
  ]);
}

/**
 * The blobs in the table that no manifest and no directory names, such as `leaf 7`; also named blobs that are missing.
 */
export async function orphans({ table, site }: HistoryContext): Promise<string[]> {
  const { segments, read } = await readManifest(table, site.name);
  const shards = await readShards(table, site.name, [...Array(SHARDS).keys()]);
  const named = new Set([...segments.map(({ id }) => `segment ${id}`), ...read.map(({ id }) => `manifest ${id}`)]);
  for (const { leaves, runs } of shards.values()) for (const { id } of [...leaves, ...runs]) named.add(`leaf ${id}`);
  for (const { blob } of await table.query(keys.history(site.name).pk, { prefix: 'changes#' }))
    named.add(`changes ${String(blob)}`);
  const next = Number((await table.get(keys.blobIds(site.name)))?.next ?? 1);
  const all = Array.from({ length: next - 1 }, (_, at) => at + 1);
  const blobs = all.flatMap((id) => BLOB_KINDS.map((kind) => ({ kind, id })));
  const items = await table.batchGet(blobs.map(({ kind, id }) => partKey(site.name, kind, id, 0)));
  return blobs.flatMap(({ kind, id }, place) => {
    const name = `${kind} ${id}`;
    if (named.has(name) === (items[place] !== undefined)) return [];
    return [named.has(name) ? `${name} is missing` : name];
  });
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
