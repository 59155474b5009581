import { ConditionFailed } from '../../store/faults.ts';
import { keys } from '../../store/keys.ts';
import { pause } from '../../store/pause.ts';
import type { Item, Table, Write } from '../../store/table.ts';
import { type Blob, bytesOf, readBlobs } from './blobs.ts';
import { decodeShard, EMPTY_SHARD, encodeShard, type Shard } from './directory.ts';
import type { Draft } from './draft.ts';
import { garbageItem } from './garbage.ts';
import type { HistoryContext } from './history-context.ts';
import {
  decodeManifest,
  EMPTY_MANIFEST,
  encodeManifest,
  type ManifestItem,
  type ManifestPart,
  PART_SEGMENTS,
  partBlob,
  type ReadPart,
  type SegmentRef,
  segmentBlob,
  spanOf,
  type WholeManifest,
} from './manifest.ts';
import { HistoryMoved, unmoved } from './unmoved.ts';

/** The changes of one commit, planned on the shards and segments that the writer read. */
export interface HistoryChange {
  readonly shards: ReadonlyMap<number, Shard>; // new contents; `version` is the one that was read
  readonly add: readonly NewSegment[];
  readonly remove: readonly SegmentRef[];
  readonly discard: readonly Blob[]; // leaves and runs that no shard names any more
  readonly beside?: readonly Write[]; // other items that appear with the commit
}

/** A new segment. Without `born` it gets the version of the commit; compaction keeps the `born` of what it folded. */
export type NewSegment = Omit<SegmentRef, 'born'> & { readonly born?: number | undefined };

/** Reads the current manifest and all of its parts: its `segments` are all that are live. */
export const readManifest = (table: Table, site: string): Promise<WholeManifest> =>
  unmoved(async () => {
    const item = await readManifestItem(table, site);
    const parts = await readManifestParts(table, site, item.parts);
    const { version, shardVersions, segments } = item;
    return { version, shardVersions, segments: [...parts.flatMap((part) => part.segments), ...segments], read: parts };
  });

/** Reads the item of the manifest, which has the segments that are in none of its parts. */
export const readManifestItem = async (table: Table, site: string): Promise<ManifestItem> =>
  manifestIn(await table.get(keys.manifest(site)));

/** Reads parts of a manifest; throws `HistoryMoved` if one was swept. */
export async function readManifestParts(
  table: Table,
  site: string,
  parts: readonly ManifestPart[],
): Promise<ReadPart[]> {
  if (parts.length === 0) return [];
  const blobs = await readBlobs(table, site, parts.map(partBlob));
  return parts.map((part, at) => {
    const bytes = blobs[at];
    if (bytes === undefined) throw new HistoryMoved();
    return { ...part, segments: decodeManifest(bytes, 0).segments };
  });
}

/** Reads the current state of some directory shards, by number. */
export async function readShards(table: Table, site: string, shards: readonly number[]): Promise<Map<number, Shard>> {
  const items = await table.batchGet(shards.map((shard) => keys.directory(site, shard)));
  return new Map(shards.map((shard, index) => [shard, shardIn(items[index])]));
}

/** Reads the current state of one directory shard. */
export const shardNow = async (table: Table, site: string, shard: number): Promise<Shard> =>
  shardIn(await table.get(keys.directory(site, shard)));

/**
 * Makes a draft visible, wholly or not at all: one transaction replaces head, manifest and directory shards, deletes
 * the draft's claims, and records the replaced blobs for the sweep. Returns the new version; undefined if another
 * writer has changed a shard or removed a segment of the plan, or a claim expired: then plan again.
 */
export async function commit(
  context: HistoryContext,
  draft: Draft,
  change: HistoryChange,
): Promise<number | undefined> {
  const { table, site } = context;
  const spare: Blob[] = []; // parts of manifests that were not committed
  for (let attempt = 1; ; attempt += 1) {
    const before = await readManifest(table, site.name);
    if (isOvertaken(before, change)) return undefined;
    const after = await inParts(context, draft, changed(before, change));
    await draft.written();
    const discard = [...change.discard, ...partsGone(before.read, after.parts), ...spare];
    const writes = writesOf(context, draft, { ...change, discard, before: before.version, after });
    try {
      await table.transact(writes);
      return after.version;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.failed.some((index) => index > 0)) return undefined; // a claim expired and was swept
      spare.push(...partsGone(after.parts, before.read));
      await pause(Math.min(attempt, 4));
    }
  }
}

/** The blobs of parts that are not among others. */
const partsGone = (from: readonly ManifestPart[], to: readonly ManifestPart[]): Blob[] =>
  from.filter(({ id }) => !to.some((part) => part.id === id)).map(partBlob);

/** What a commit makes of a manifest: with the parts of before. */
function changed(before: WholeManifest, { shards, add, remove }: HistoryChange): WholeManifest {
  const version = before.version + 1;
  const removed = new Set(remove.map(({ id }) => id));
  return {
    version,
    shardVersions: before.shardVersions.map((old, shard) => (shards.has(shard) ? version : old)),
    segments: [
      ...before.segments.filter(({ id }) => !removed.has(id)),
      ...add.map((segment) => ({ ...segment, born: segment.born ?? version })),
    ],
    read: before.read,
  };
}

/**
 * Lays out a manifest so that its item has at most as many segments as a part. Parts of which no segment has gone stay
 * as they are; of the other segments the settled ones that begin first are written as parts.
 */
async function inParts(
  { manifestPart = PART_SEGMENTS }: HistoryContext,
  draft: Draft,
  { read, ...manifest }: WholeManifest,
): Promise<ManifestItem> {
  const { segments } = manifest;
  if (segments.length <= manifestPart) return { ...manifest, parts: [] };
  const live = new Set(segments.map(({ id }) => id));
  const kept = read.filter((part) => part.segments.every(({ id }) => live.has(id)));
  const named = new Set(kept.flatMap((part) => part.segments.map(({ id }) => id)));
  const rest = segments.filter(({ id }) => !named.has(id));
  rest.sort((a, b) => Number(b.settled) - Number(a.settled) || a.start - b.start);
  const made: ManifestPart[] = [];
  while (rest.length > manifestPart) {
    const some = rest.splice(0, manifestPart);
    const { id, parts: items } = await draft.add(
      'manifest',
      encodeManifest({ shardVersions: [], segments: some, parts: [] }),
    );
    made.push({ id, parts: items, ...spanOf(some) });
  }
  return { ...manifest, segments: rest, parts: [...kept, ...made] };
}

function isOvertaken(manifest: WholeManifest, { shards, remove }: HistoryChange): boolean {
  for (const [shard, { version }] of shards) if (manifest.shardVersions[shard] !== version) return true;
  const live = new Set(manifest.segments.map(({ id }) => id));
  return remove.some(({ id }) => !live.has(id));
}

function writesOf(
  { site, clock }: HistoryContext,
  draft: Draft,
  change: HistoryChange & { readonly before: number; readonly after: ManifestItem },
): Write[] {
  const { before, after } = change;
  const { version } = after;
  const writes: Write[] = [
    {
      put: { ...keys.manifest(site.name), version, bytes: encodeManifest(after) },
      when: before === 0 ? { absent: true } : { attribute: 'version', equals: before },
    },
    ...draft.claims.map(
      ({ first }): Write => ({ delete: keys.claim(site.name, first), when: { attribute: 'open', equals: 1 } }),
    ),
    { put: { ...keys.head(keys.history(site.name)), version } },
  ];
  for (const [shard, contents] of change.shards) {
    writes.push({ put: { ...keys.directory(site.name, shard), version, bytes: encodeShard(contents) } });
  }
  writes.push(...(change.beside ?? []));
  const replaced = [...change.remove.map(segmentBlob), ...change.discard];
  if (replaced.length > 0) writes.push({ put: garbageItem(site.name, version, clock(), replaced) });
  return writes;
}

function manifestIn(item: Item | undefined): ManifestItem {
  const bytes = bytesOf(item);
  return bytes && typeof item?.version === 'number' ? decodeManifest(bytes, item.version) : EMPTY_MANIFEST;
}

function shardIn(item: Item | undefined): Shard {
  const bytes = bytesOf(item);
  return bytes && typeof item?.version === 'number' ? decodeShard(bytes, item.version) : EMPTY_SHARD;
}
