import { hash } from 'node:crypto';
import { certain } from '../certain.ts';
import { Failure } from '../errors.ts';
import { addTo } from '../group-by.ts';
import { type Subject, shardOf } from './cases/subject.ts';
import { encodeRows, extentIn, kindOf } from './segments/history-row.ts';
import type { SegmentKind } from './segments/row-position.ts';
import { readManifestItem, readManifestParts, readShards } from './storage/commit.ts';
import { createRowFinder, deadRows, gatherReplacements, type Replacements } from './storage/dead-rows.ts';
import type { HistoryContext } from './storage/history-context.ts';
import { readEvents } from './storage/ledger-store.ts';
import { canChangeReport, type Manifest, type ManifestItem, type SegmentRef, spanOf } from './storage/manifest.ts';
import {
  createSegmentCache,
  historyName,
  type ReadSegment,
  type SegmentCache,
  type SegmentCacheOptions,
  segmentName,
} from './storage/segment-cache.ts';
import { type Pending, type PendingRow, pendingRow, readTail, type Tail } from './storage/tail.ts';
import { HistoryMoved, unmoved } from './storage/unmoved.ts';

/** The part of a history that a report needs. */
interface WantedHistory {
  readonly from: number; // s, inclusive
  readonly to: number; // s, inclusive
  readonly kinds: readonly SegmentKind[];
  readonly rows?: number; // oldest ROW_VERSION of cases' rows that suffices; default 1
  readonly version?: number | undefined; // the history's version, from its head: a cached manifest of it is not read again
}

/** A segment to scan. */
export interface LiveSegment {
  readonly id?: number; // in its history; none: rows of the tail
  readonly name: string | undefined; // unique for its bytes, so it can be a cache key; undefined: rows of the tail
  readonly kind: SegmentKind;
  readonly columns: Uint8Array; // for `openSegment` or `openSessions`
  readonly dead: readonly number[]; // rising indexes of rows that newer segments replace; reports skip them
  readonly from?: number; // s; neither this segment nor any later one of the history has an earlier fact
}

/** All of a history that can change a report on a range of seconds, every subject once. */
export interface History {
  readonly version: number; // 0: nothing was ever committed
  readonly tail: string; // a hash of the tail; it changes whenever live events arrive; NO_TAIL: nothing waits there
  readonly start: number; // s, first second of the history that can change the report
  readonly end: number; // s, last such second; below `start` if there is none
  readonly segments: AsyncIterable<readonly LiveSegment[]>; // in parts; the next parts are read meanwhile
  /** Tells its settled segments from all others; an export asks for it, and no report. */
  cut(): HistoryCut;
}

/** The committed segments of a history, to be read apart; what waits in the tail is not among them. */
export interface HistoryCut {
  readonly name: string; // unique among the histories of all tables
  readonly segments: readonly CutSegment[];
  /** Reads some segments, in parts, as `segments`; the earliest first. */
  some(which: readonly CutSegment[]): AsyncIterable<readonly LiveSegment[]>;
  /** The rows of a segment that commits after a version replace: their subjects, each with its newest commit. */
  replaced(segment: CutSegment, after: number): ReadonlyMap<Subject, number>;
}

/** A segment, as it is known before it is read. */
export interface CutSegment extends Pick<SegmentRef, 'id' | 'kind' | 'rows' | 'facts' | 'low'> {
  readonly settled: boolean; // a part of the canonical cut
  readonly born: number; // commits above it replace rows of it; 0: all that replace rows do, as of a settled one
}

/** What a manifest says of the part of a history that a report needs: what waits in the tail is not among it. */
interface HistorySize {
  readonly facts: number; // in the segments to read
  readonly start: number; // s, as in `History`
  readonly end: number; // s
}

/** Reads histories and caches immutable segments from one report to the next. */
export interface HistoryReader {
  /** What a report would read, without reading a segment. */
  sizeOf(context: HistoryContext, wanted: Omit<WantedHistory, 'rows'>): Promise<HistorySize>;
  /** Returns the result of `use`; if the history changes meanwhile, `use` is called again. */
  read<T>(context: HistoryContext, wanted: WantedHistory, use: (history: History) => Promise<T>): Promise<T>;
  /**
   * Reads segments into the cache, the latest first, until the cache is full, the signal aborts or a report begins to
   * read. Returns false in the last case.
   */
  readAhead(context: HistoryContext, ending: AbortSignal): Promise<boolean>;
}

const UNASKED = 2; // parts that `readAhead` reads at the same time

/** Makes a reader with an empty cache. */
export function createHistoryReader(options: SegmentCacheOptions): HistoryReader {
  const cache = createSegmentCache(options);
  const manifests = new Map<string, ManifestItem>();
  const findRows = createRowFinder();
  const kept = { cache, findRows };
  let reads = 0;

  /** The item of a manifest, and the segments of those parts of it that can change a report. */
  async function manifestOf(context: HistoryContext, { from, to, version }: WantedHistory): Promise<Manifest> {
    const name = historyName(context);
    let item = manifests.get(name);
    if (item === undefined || item.version !== version) {
      item = await readManifestItem(context.table, context.site.name);
      manifests.set(name, item);
    }
    const wanted = item.parts.filter((part) => canChangeReport(part, from, to));
    const parts = await readManifestParts(context.table, context.site.name, wanted);
    return { ...item, segments: [...parts.flatMap(({ segments }) => segments), ...item.segments] };
  }

  /** Reads from the manifest that is asked for, and again from a newer one where a commit came between. */
  const readFrom = <T>(wanted: WantedHistory, read: (wanted: WantedHistory) => Promise<T>): Promise<T> =>
    unmoved((attempt) => read(attempt === 1 ? wanted : { ...wanted, version: undefined }));

  return {
    sizeOf: (context, wanted) =>
      readFrom(wanted, async (now) => {
        const refs = refsFor(await manifestOf(context, now), wanted);
        return { facts: refs.reduce((sum, { facts }) => sum + facts, 0), ...spanOf(refs) };
      }),

    read(context, wanted, use) {
      reads += 1;
      return readFrom(wanted, async (now) => {
        const [manifest, tail] = await Promise.all([manifestOf(context, now), readTail(context)]);
        return use(await historyAt(context, { manifest, tail }, wanted, kept));
      });
    },

    async readAhead(context, ending) {
      const before = reads;
      const { segments } = await readFrom({ from: 0, to: Number.POSITIVE_INFINITY, kinds: [] }, (now) =>
        manifestOf(context, now),
      );
      const latest = segments.toSorted((a, b) => b.end - a.end);
      for await (const part of cache.read(context, latest, UNASKED)) {
        if (part === undefined || ending.aborted || cache.isFull()) return true;
        if (reads > before) return false;
      }
      return true;
    },
  };
}

/** The segments of a manifest that can change a report. */
const refsFor = ({ segments }: Manifest, { from, to, kinds }: Omit<WantedHistory, 'rows'>): SegmentRef[] =>
  segments.filter((ref) => kinds.includes(ref.kind) && canChangeReport(ref, from, to));

/** Returns the history of a manifest and tail. This and its `segments` throw `HistoryMoved` if a commit came between. */
async function historyAt(
  context: HistoryContext,
  { manifest, tail }: { readonly manifest: Manifest; readonly tail: Tail },
  { rows = 1, ...wanted }: WantedHistory,
  { cache, findRows }: { readonly cache: SegmentCache; readonly findRows: ReturnType<typeof createRowFinder> },
): Promise<History> {
  if (tail.folded > manifest.version) throw new HistoryMoved();
  const refs = refsFor(manifest, wanted);
  if (refs.some((ref) => ref.kind === 'cases' && ref.rows > 0 && ref.version < rows)) throw olderRows();
  // Segments that name superseded rows are read first: only then are the dead rows of all others known.
  const naming = refs.filter(({ superseded }) => superseded > 0);
  const [named, pending] = await Promise.all([all(cache.read(context, naming)), currentRows(context, manifest, tail)]);
  const replaced = pending
    .flatMap(({ replaces, subject }) => replaces.map((second) => ({ second, subject })))
    .sort((a, b) => a.second - b.second);
  const committed = named.map(({ ref: { born }, blob }) => ({ born, names: blob.superseded }));
  const replacements = gatherReplacements([...committed, { born: Number.POSITIVE_INFINITY, names: replaced }]);
  const liveBy =
    (by: Replacements) =>
    ({ ref, blob: { columns } }: ReadSegment): LiveSegment => ({
      id: ref.id,
      name: segmentName(context, ref),
      kind: ref.kind,
      columns,
      dead: deadRows(ref, by, findRows(ref.kind, columns)),
    });
  const live = liveBy(replacements);
  const newest = wanted.kinds.flatMap((kind): LiveSegment[] => {
    const rows = pending.flatMap(({ row }) => (row && kindOf(row) === kind ? [row] : []));
    return rows.length === 0 ? [] : [{ name: undefined, kind, columns: encodeRows(kind, rows), dead: [] }];
  });
  const extents = [...refs, ...pending.flatMap(({ row }) => (row ? [extentIn(row)] : []))];
  async function* read(others: readonly SegmentRef[], liveOf = live): AsyncGenerator<LiveSegment[]> {
    // The earliest first: whoever writes files by month then holds only the months of cases that last.
    const inOrder = [...others].sort((a, b) => a.start - b.start);
    for await (const part of cache.read(context, inOrder)) {
      if (part === undefined) throw new HistoryMoved();
      yield part.map((segment) => ({ ...liveOf(segment), from: segment.ref.start }));
    }
  }
  async function* segments(): AsyncGenerator<LiveSegment[]> {
    if (newest.length > 0) yield newest;
    if (named.length > 0) yield named.map(live);
    yield* read(refs.filter(({ superseded }) => superseded === 0));
  }
  return {
    version: manifest.version,
    tail: tailHash(tail.pending),
    ...spanOf(extents),
    segments: segments(),
    cut() {
      const byCommits = gatherReplacements(committed);
      const refOf = new Map(refs.map((ref) => [ref.id, ref]));
      return {
        name: historyName(context),
        segments: refs.map(cutSegment),
        some: (which) =>
          read(
            which.map(({ id }) => certain(refOf.get(id))),
            liveBy(byCommits),
          ),
        replaced: ({ id }, after) => byCommits.since(certain(refOf.get(id)), after),
      };
    },
  };
}

const tailHash = (pending: readonly Pick<Pending, 'token'>[]): string =>
  hash('sha256', pending.map(({ token }) => token).join(' '), 'hex').slice(0, 16);

/** The `tail` of a history without live events that no commit has. */
export const NO_TAIL = tailHash([]);

const cutSegment = ({ id, kind, rows, facts, low, ...ref }: SegmentRef): CutSegment => {
  const settled = ref.settled && ref.superseded === 0;
  return { id, kind, rows, facts, low, settled, born: settled ? 0 : ref.born };
};

const olderRows = (): Failure =>
  new Failure('unavailable', {
    message:
      'An older version wrote some of the stored history, without the data that this report needs. It is being rewritten ' +
      'in the background; `support compact --rebuild` does it now. Reports that need less are answered meanwhile.',
    headers: { 'Retry-After': '60' },
  });

async function all(parts: AsyncIterable<ReadSegment[] | undefined>): Promise<ReadSegment[]> {
  const segments: ReadSegment[] = [];
  for await (const part of parts) {
    if (part === undefined) throw new HistoryMoved();
    segments.push(...part);
  }
  return segments;
}

/** Returns the rows of pending events. Rows computed from an older version of their shard are computed again. */
async function currentRows(context: HistoryContext, manifest: Manifest, { pending }: Tail): Promise<PendingRow[]> {
  const rows: PendingRow[] = [];
  const stale = new Map<number, Pending[]>();
  for (const each of pending) {
    const shard = shardOf(each.subject);
    if (each.base === manifest.shardVersions[shard]) rows.push(each);
    else addTo(stale, shard, each);
  }
  if (stale.size === 0) return rows;
  const shards = await readShards(context.table, context.site.name, [...stale.keys()]);
  for (const [number, list] of stale) {
    const shard = certain(shards.get(number));
    if (shard.version !== manifest.shardVersions[number]) throw new HistoryMoved();
    const ledger = await readEvents(
      context,
      shard,
      list.map(({ subject }) => subject),
    );
    if (ledger === undefined) throw new HistoryMoved();
    for (const { subject, events } of list) rows.push(pendingRow(subject, ledger.get(subject) ?? [], events));
  }
  return rows;
}
