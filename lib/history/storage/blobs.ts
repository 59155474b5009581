import { type Key, keys } from '../../store/keys.ts';
import type { Item, Table } from '../../store/table.ts';

/**
 * The kinds of blobs; they decide the keys of their items. Runs are leaves too. Notes of changes say what an import
 * changed, parts of a long manifest name segments.
 */
export const BLOB_KINDS = ['leaf', 'segment', 'changes', 'manifest'] as const;
export type BlobKind = (typeof BLOB_KINDS)[number];

const KEYS = {
  leaf: keys.leaf,
  segment: keys.segment,
  changes: keys.changeNotes,
  manifest: keys.manifestPart,
} as const;

/** Immutable bytes in the table, in as many items as they need: nearly always one. */
export interface Blob {
  readonly kind: BlobKind;
  readonly id: number;
  readonly parts: number;
}

/** Bytes of a blob in one item. DynamoDB takes 400 KB, names and keys included. */
const PART = 380_000;

export const partKey = (site: string, kind: BlobKind, id: number, part: number): Key => KEYS[kind](site, id, part);

export const blobKeys = (site: string, { kind, id, parts }: Blob): Key[] =>
  Array.from({ length: parts }, (_, part) => partKey(site, kind, id, part));

/** Returns the items that store a blob. */
export function blobItems(site: string, kind: BlobKind, id: number, bytes: Uint8Array): Item[] {
  const parts = Math.max(1, Math.ceil(bytes.length / PART));
  return blobKeys(site, { kind, id, parts }).map((key, part) => ({
    ...key,
    bytes: bytes.subarray(part * PART, (part + 1) * PART),
  }));
}

/** Reads blobs, in the given order; undefined for a blob that was swept. */
export async function readBlobs(
  table: Table,
  site: string,
  blobs: readonly Blob[],
): Promise<(Uint8Array | undefined)[]> {
  const items = await table.batchGet(blobs.flatMap((blob) => blobKeys(site, blob)));
  let at = 0;
  return blobs.map(({ parts }) => {
    const found = items.slice(at, at + parts).flatMap((item) => bytesOf(item) ?? []);
    at += parts;
    if (found.length < parts) return undefined;
    return parts === 1 ? found[0] : Buffer.concat(found);
  });
}

/** Returns the bytes of an item; undefined if it has none. */
export function bytesOf(item: Item | undefined): Uint8Array | undefined {
  return item?.bytes instanceof Uint8Array ? item.bytes : undefined;
}
