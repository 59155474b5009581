import { unavailable } from '../store/faults.ts';
import { pause } from '../store/pause.ts';
import { type Blob, readBlobs } from './blobs.ts';
import { readManifest } from './commit.ts';
import type { HistoryContext } from './history-context.ts';
import { type RowName, subjectsIn } from './history-row.ts';
import { type Manifest, type SegmentKind, type SegmentRef, segmentBlob, touches } from './manifest.ts';
import { type SegmentBlob, unpackSegment } from './segment-builder.ts';

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

const TRIES = 5;
const READ_AT_ONCE = 12; // blobs of one BatchGetItem, which gives 16 MB at most

/** A reader that keeps at most so many bytes of segments. */
export function createHistoryReader({ cacheBytes }: { readonly cacheBytes: number }): HistoryReader {
  const segments = createSegmentCache(cacheBytes);
  const manifests = new Map<string, Manifest>();

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
        const manifest = await manifestOf(context, version);
        const history = await readAt(context, manifest, wanted, segments);
        if (history) return history;
        version = undefined; // a segment was swept: there is a newer manifest
        await pause(attempt);
      }
      throw unavailable(new Error('the history changes faster than it can be read'));
    },
  };
}

async function readAt(
  context: HistoryContext,
  manifest: Manifest,
  { from, to, kinds }: Wanted,
  cache: SegmentCache,
): Promise<History | undefined> {
  const refs = manifest.segments.filter((ref) => kinds.includes(ref.kind) && touches(ref, from, to));
  const blobs = await cache.read(context, refs);
  if (blobs === undefined) return undefined;
  const names = refs.flatMap(({ born }, place) => blobs[place]!.superseded.map((name) => ({ ...name, born })));
  const segments = refs.map((ref, place): LiveSegment => {
    const { columns } = blobs[place]!;
    return { kind: ref.kind, columns, dead: deadRows(ref, columns, names) };
  });
  return { version: manifest.version, segments };
}

interface BornName extends RowName {
  readonly born: number;
}

/** The rows of a segment that newer segments replace, rising. */
export function deadRows(ref: SegmentRef, columns: Uint8Array, names: readonly BornName[]): number[] {
  const newer = names.filter(
    ({ born, second }) => born > ref.born && second >= ref.low.second && second <= ref.high.second,
  );
  if (newer.length === 0) return [];
  const replaced = new Set(newer.map(({ subject }) => subject));
  return subjectsIn(ref.kind, columns).flatMap((subject, row) => (replaced.has(subject) ? [row] : []));
}

/** Segments in memory, those read longest ago first out. */
export interface SegmentCache {
  /** Segments in the order asked for; undefined when one is no more in the table. */
  read(context: HistoryContext, refs: readonly SegmentRef[]): Promise<SegmentBlob[] | undefined>;
}

/** A cache of at most so many bytes; what a single read asks for is given even beyond. */
export function createSegmentCache(maxBytes: number): SegmentCache {
  const kept = new Map<string, { readonly blob: SegmentBlob; readonly size: number }>();
  let bytes = 0;

  function keep(name: string, blob: SegmentBlob, size: number): void {
    kept.set(name, { blob, size });
    bytes += size;
    for (const [oldest, { size }] of kept) {
      if (bytes <= maxBytes) break;
      kept.delete(oldest);
      bytes -= size;
    }
  }

  return {
    async read({ table, site }, refs) {
      const nameOf = (ref: SegmentRef): string => `${table.name} ${site.name} ${ref.id}`;
      const found = new Map<number, SegmentBlob>();
      for (const ref of refs) {
        const name = nameOf(ref);
        const known = kept.get(name);
        if (known === undefined) continue;
        kept.delete(name);
        kept.set(name, known);
        found.set(ref.id, known.blob);
      }
      const missing = refs.filter(({ id }) => !found.has(id));
      const read = await Promise.all(
        chunks(missing.map(segmentBlob), READ_AT_ONCE).map((part) => readBlobs(table, site.name, part)),
      );
      for (const [place, packed] of read.flat().entries()) {
        if (packed === undefined) return undefined;
        const ref = missing[place]!;
        const blob = unpackSegment(packed);
        found.set(ref.id, blob);
        if (!kept.has(nameOf(ref))) keep(nameOf(ref), blob, packed.length);
      }
      return refs.map(({ id }) => found.get(id)!);
    },
  };
}

function chunks(all: readonly Blob[], size: number): Blob[][] {
  const parts: Blob[][] = [];
  for (let at = 0; at < all.length; at += size) parts.push(all.slice(at, at + size));
  return parts;
}
