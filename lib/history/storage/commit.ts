import { ConditionFailed } from '../../store/faults.ts';
import { keys } from '../../store/keys.ts';
import { pause } from '../../store/pause.ts';
import type { Item, Table, Write } from '../../store/table.ts';
import { type Blob, bytesOf } from './blobs.ts';
import { decodeShard, EMPTY_SHARD, encodeShard, type Shard } from './directory.ts';
import type { Draft } from './draft.ts';
import { garbageItem } from './garbage.ts';
import type { HistoryContext } from './history-context.ts';
import {
  decodeManifest,
  EMPTY_MANIFEST,
  encodeManifest,
  type Manifest,
  type SegmentRef,
  segmentBlob,
} from './manifest.ts';

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

/** Reads the current manifest. */
export async function readManifest(table: Table, site: string): Promise<Manifest> {
  return manifestIn(await table.get(keys.manifest(site)));
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
  await draft.written();
  for (let attempt = 1; ; attempt += 1) {
    const manifest = await readManifest(table, site.name);
    if (isOvertaken(manifest, change)) return undefined;
    const version = manifest.version + 1;
    const writes = writesOf(context, draft, change, manifest);
    try {
      await table.transact(writes);
      return version;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.failed.some((index) => index > 0)) return undefined; // a claim expired and was swept
      await pause(Math.min(attempt, 4));
    }
  }
}

function isOvertaken(manifest: Manifest, { shards, remove }: HistoryChange): boolean {
  for (const [shard, { version }] of shards) if (manifest.shardVersions[shard] !== version) return true;
  const live = new Set(manifest.segments.map(({ id }) => id));
  return remove.some(({ id }) => !live.has(id));
}

function writesOf({ site, clock }: HistoryContext, draft: Draft, change: HistoryChange, before: Manifest): Write[] {
  const version = before.version + 1;
  const removed = new Set(change.remove.map(({ id }) => id));
  const after: Manifest = {
    version,
    shardVersions: before.shardVersions.map((old, shard) => (change.shards.has(shard) ? version : old)),
    segments: [
      ...before.segments.filter(({ id }) => !removed.has(id)),
      ...change.add.map((segment) => ({ ...segment, born: segment.born ?? version })),
    ],
  };
  const writes: Write[] = [
    {
      put: { ...keys.manifest(site.name), version, bytes: encodeManifest(after) },
      when: before.version === 0 ? { absent: true } : { attribute: 'version', equals: before.version },
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

function manifestIn(item: Item | undefined): Manifest {
  const bytes = bytesOf(item);
  return bytes && typeof item?.version === 'number' ? decodeManifest(bytes, item.version) : EMPTY_MANIFEST;
}

function shardIn(item: Item | undefined): Shard {
  const bytes = bytesOf(item);
  return bytes && typeof item?.version === 'number' ? decodeShard(bytes, item.version) : EMPTY_SHARD;
}
