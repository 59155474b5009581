import { hash } from 'node:crypto';
import { certain } from '../certain.ts';
import { Failure } from '../errors.ts';
import { unavailable } from '../store/faults.ts';
import { pause } from '../store/pause.ts';
import { hashOf, shardOf } from './cases/subject.ts';
import { readManifest, readShards } from './commits/commit.ts';
import { createRowFinder, deadRows, gatherReplacements } from './commits/dead-rows.ts';
import type { HistoryContext } from './commits/history-context.ts';
import { type Manifest, type SegmentKind, touches } from './commits/manifest.ts';
import {
  createSegmentCache,
  type FoundSegment,
  historyName,
  type SegmentCache,
  type SegmentCacheOptions,
  segmentName,
} from './commits/segment-cache.ts';
import { readEvents } from './ledger/ledger-store.ts';
import { type Pending, type PendingRow, pendingRow, readTail, type Tail } from './ledger/tail.ts';
import { encodeRows, extentIn, kindOf } from './segments/history-row.ts';

/** Which part of a history a report needs. */
export interface WantedHistory {
  readonly from: number; // s, inclusive
  readonly to: number; // s, inclusive
  readonly kinds: readonly SegmentKind[];
  readonly rows?: number; // the ROW_VERSION that rows of cases must have; default 1
  readonly version?: number; // of the history, as its head said lately: saves reading the manifest again
}

/** A segment to scan. */
export interface LiveSegment {
  readonly name: string | undefined; // the same bytes have the same name; none where they are of this report alone
  readonly kind: SegmentKind;
  readonly columns: Uint8Array; // what `openSegment` or `openSessions` takes
  readonly dead: readonly number[]; // rows that newer segments replace, rising: not to be counted
}

/** All of a history that can matter between two seconds: every case once. */
export interface History {
  readonly version: number; // 0: there is none
  readonly tail: string; // another one whenever events arrive that no version holds yet
  readonly start: number; // s, the first second in which a report can differ by it
  readonly end: number; // s, the last such second; below `start` where there is none
  readonly segments: AsyncIterable<readonly LiveSegment[]>; // in parts, while further ones are on their way
}

/** Reads histories and keeps immutable segments in memory from one report to the next. */
export interface HistoryReader {
  /** Returns the result of `use`; if the history changes meanwhile, `use` is called again. */
  read<T>(context: HistoryContext, wanted: WantedHistory, use: (history: History) => Promise<T>): Promise<T>;
  /**
   * Reads segments into memory, the latest first, until the signal, while there is room and nobody else begins to read;
   * returns false if it ended because somebody else began to read.
   */
  readAhead(context: HistoryContext, ending: AbortSignal): Promise<boolean>;
}

/** Manifest, tail and segments do not fit together: a commit came between. */
class Moved extends Error {}

const TRIES = 8;
const UNASKED = 2; // parts on their way when nobody waits for them

/** A reader that keeps segments so. */
export function createHistoryReader(options: SegmentCacheOptions): HistoryReader {
  const cache = createSegmentCache(options);
  const manifests = new Map<string, Manifest>();
  const findRows = createRowFinder();
  const kept = { cache, findRows };
  let reads = 0;

  async function manifestOf(context: HistoryContext, version: number | undefined): Promise<Manifest> {
    const name = historyName(context);
    const kept = manifests.get(name);
    if (kept && kept.version === version) return kept;
    const manifest = await readManifest(context.table, context.site.name);
    manifests.set(name, manifest);
    return manifest;
  }

  return {
    async read(context, wanted, use) {
      reads += 1;
      let version = wanted.version;
      for (let attempt = 1; attempt <= TRIES; attempt += 1) {
        const [manifest, tail] = await Promise.all([manifestOf(context, version), readTail(context)]);
        try {
          return await use(await historyAt(context, { manifest, tail }, wanted, kept));
        } catch (error) {
          if (!(error instanceof Moved)) throw error;
        }
        version = undefined; // there is a newer manifest
        await pause(attempt);
      }
      throw unavailable(new Error('the history changes faster than it can be read'));
    },

    async readAhead(context, ending) {
      const before = reads;
      const { segments } = await manifestOf(context, undefined);
      const latest = segments.toSorted((a, b) => b.end - a.end);
      for await (const part of cache.read(context, latest, UNASKED)) {
        if (part === undefined || ending.aborted || cache.isFull()) return true;
        if (reads > before) return false;
      }
      return true;
    },
  };
}

/** Throws `Moved`, as its segments may while they are read. */
async function historyAt(
  context: HistoryContext,
  { manifest, tail }: { readonly manifest: Manifest; readonly tail: Tail },
  { from, to, kinds, rows = 1 }: WantedHistory,
  { cache, findRows }: { readonly cache: SegmentCache; readonly findRows: ReturnType<typeof createRowFinder> },
): Promise<History> {
  if (tail.folded > manifest.version) throw new Moved();
  const refs = manifest.segments.filter((ref) => kinds.includes(ref.kind) && touches(ref, from, to));
  if (refs.some((ref) => ref.kind === 'cases' && ref.rows > 0 && ref.version < rows)) throw olderRows();
  // Which rows are dead is known once all those have been read that name any.
  const naming = refs.filter(({ superseded }) => superseded > 0);
  const [named, pending] = await Promise.all([all(cache.read(context, naming)), currentRows(context, manifest, tail)]);
  const replaced = pending
    .flatMap(({ replaces, subject }) => replaces.map((second) => ({ second, subject })))
    .sort((a, b) => a.second - b.second);
  const replacements = gatherReplacements([
    ...named.map(({ ref: { born }, blob }) => ({ born, names: blob.superseded })),
    { born: Number.POSITIVE_INFINITY, names: replaced },
  ]);
  const live = ({ ref, blob: { columns } }: FoundSegment): LiveSegment => ({
    name: segmentName(context, ref),
    kind: ref.kind,
    columns,
    dead: deadRows(ref, replacements, findRows(ref.kind, columns)),
  });
  const newest = kinds.flatMap((kind): LiveSegment[] => {
    const rows = pending.flatMap(({ row }) => (row && kindOf(row) === kind ? [row] : []));
    return rows.length === 0 ? [] : [{ name: undefined, kind, columns: encodeRows(kind, rows), dead: [] }];
  });
  const extents = [...refs, ...pending.flatMap(({ row }) => (row ? [extentIn(row)] : []))];
  async function* segments(): AsyncGenerator<LiveSegment[]> {
    if (newest.length > 0) yield newest;
    if (named.length > 0) yield named.map(live);
    const others = refs.filter(({ superseded }) => superseded === 0);
    for await (const part of cache.read(context, others)) {
      if (part === undefined) throw new Moved();
      yield part.map(live);
    }
  }
  return {
    version: manifest.version,
    tail: hash('sha256', tail.pending.map(({ token }) => token).join(' '), 'hex').slice(0, 16),
    start: extents.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY),
    end: extents.reduce((most, { end }) => Math.max(most, end), 0),
    segments: segments(),
  };
}

const olderRows = (): Failure =>
  new Failure('unavailable', {
    message:
      'Some of the stored history was written by an older version, without what this report asks for. It is being written anew ' +
      'in the background; `support compact --rebuild` does so now. Reports that ask for less are answered meanwhile.',
    headers: { 'Retry-After': '60' },
  });

async function all(parts: AsyncIterable<FoundSegment[] | undefined>): Promise<FoundSegment[]> {
  const found: FoundSegment[] = [];
  for await (const part of parts) {
    if (part === undefined) throw new Moved();
    found.push(...part);
  }
  return found;
}

/** The rows of pending events as of the manifest: those worked out on an older ledger are worked out again. */
async function currentRows(context: HistoryContext, manifest: Manifest, { pending }: Tail): Promise<PendingRow[]> {
  const rows: PendingRow[] = [];
  const stale = new Map<number, Pending[]>();
  for (const each of pending) {
    const shard = shardOf(hashOf(each.subject));
    if (each.base === manifest.shardVersions[shard]) rows.push(each);
    else stale.set(shard, [...(stale.get(shard) ?? []), each]);
  }
  if (stale.size === 0) return rows;
  const shards = await readShards(context.table, context.site.name, [...stale.keys()]);
  for (const [number, list] of stale) {
    const shard = certain(shards.get(number));
    if (shard.version !== manifest.shardVersions[number]) throw new Moved();
    const ledger = await readEvents(
      context,
      shard,
      list.map(({ subject }) => subject),
    );
    if (ledger === undefined) throw new Moved();
    for (const { subject, events } of list) rows.push(pendingRow(subject, ledger.get(subject) ?? [], events));
  }
  return rows;
}
