import { unavailable } from '../store/faults.ts';
import { pause } from '../store/pause.ts';
import { readManifest, readShards } from './commit.ts';
import { createRowFinder, deadRows } from './dead-rows.ts';
import type { HistoryContext } from './history-context.ts';
import { encodeRows, kindOf } from './history-row.ts';
import { readEvents } from './ledger-store.ts';
import { type Manifest, type SegmentKind, touches } from './manifest.ts';
import { createSegmentCache, type SegmentCache } from './segment-cache.ts';
import { hashOf, shardOf } from './subject.ts';
import { type Pending, type PendingRow, pendingRow, readTail, type Tail } from './tail.ts';

/** Which part of a history a report needs. */
export interface Wanted {
  readonly from: number; // s, inclusive
  readonly to: number; // s, inclusive
  readonly kinds: readonly SegmentKind[];
  readonly version?: number; // of the history, as its head said lately: saves reading the manifest again
}

/** A segment to scan. The same segment is the same `columns` object as long as it stays in memory. */
export interface LiveSegment {
  readonly kind: SegmentKind;
  readonly columns: Uint8Array; // what `openSegment` or `openSessions` takes
  readonly dead: readonly number[]; // rows that newer segments replace, rising: not to be counted
  readonly lasting: boolean; // false: made of pending events for this report alone
}

/** All of a history that can matter between two seconds: every case once. */
export interface History {
  readonly version: number; // 0: there is none
  readonly segments: readonly LiveSegment[];
}

/** Reads histories and keeps immutable segments in memory from one report to the next. */
export interface HistoryReader {
  read(context: HistoryContext, wanted: Wanted): Promise<History>;
}

const TRIES = 8;

/** A reader that keeps at most so many bytes of segments. */
export function createHistoryReader({ cacheBytes }: { readonly cacheBytes: number }): HistoryReader {
  const cache = createSegmentCache(cacheBytes);
  const manifests = new Map<string, Manifest>();
  const findRows = createRowFinder();

  async function manifestOf({ table, site }: HistoryContext, version: number | undefined): Promise<Manifest> {
    const name = `${table.name} ${site.name}`;
    const kept = manifests.get(name);
    if (kept && kept.version === version) return kept;
    const manifest = await readManifest(table, site.name);
    manifests.set(name, manifest);
    return manifest;
  }

  return {
    async read(context, wanted) {
      let version = wanted.version;
      for (let attempt = 1; attempt <= TRIES; attempt += 1) {
        const [manifest, tail] = await Promise.all([manifestOf(context, version), readTail(context)]);
        const history = await readAt(context, manifest, tail, wanted, cache, findRows);
        if (history) return history;
        version = undefined; // there is a newer manifest
        await pause(attempt);
      }
      throw unavailable(new Error('the history changes faster than it can be read'));
    },
  };
}

/** Undefined when manifest, tail and segments do not fit together: a commit came between. */
async function readAt(
  context: HistoryContext,
  manifest: Manifest,
  tail: Tail,
  { from, to, kinds }: Wanted,
  cache: SegmentCache,
  findRows: ReturnType<typeof createRowFinder>,
): Promise<History | undefined> {
  if (tail.folded > manifest.version) return undefined;
  const refs = manifest.segments.filter((ref) => kinds.includes(ref.kind) && touches(ref, from, to));
  const [blobs, pending] = await Promise.all([cache.read(context, refs), currentRows(context, manifest, tail)]);
  if (blobs === undefined || pending === undefined) return undefined;
  const names = [
    ...refs.flatMap(({ born }, place) => blobs[place]!.superseded.map((name) => ({ ...name, born }))),
    ...pending.flatMap(({ replaces, subject }) =>
      replaces === undefined ? [] : [{ second: replaces, subject, born: Number.POSITIVE_INFINITY }],
    ),
  ];
  const segments = refs.map((ref, place): LiveSegment => {
    const { columns } = blobs[place]!;
    return { kind: ref.kind, columns, dead: deadRows(ref, names, findRows(ref.kind, columns)), lasting: true };
  });
  for (const kind of kinds) {
    const rows = pending.flatMap(({ row }) => (row && kindOf(row) === kind ? [row] : []));
    if (rows.length > 0) segments.push({ kind, columns: encodeRows(kind, rows), dead: [], lasting: false });
  }
  return { version: manifest.version, segments };
}

/** The rows of pending events as of the manifest: those worked out on an older ledger are worked out again. */
async function currentRows(
  context: HistoryContext,
  manifest: Manifest,
  { pending }: Tail,
): Promise<PendingRow[] | undefined> {
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
    const shard = shards.get(number)!;
    if (shard.version !== manifest.shardVersions[number]) return undefined;
    const ledger = await readEvents(
      context,
      shard,
      list.map(({ subject }) => subject),
    );
    if (ledger === undefined) return undefined;
    for (const { subject, events } of list) rows.push(pendingRow(subject, ledger.get(subject) ?? [], events));
  }
  return rows;
}
