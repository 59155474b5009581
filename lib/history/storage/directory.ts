import * as z from 'zod';
import { openColumnFile, writeColumnFile } from '../segments/column-file.ts';
import type { Blob } from './blobs.ts';

/**
 * The list of a shard's blobs. Its **leaves** divide the hashes: each holds the hashes from its own `from` up to the
 * next leaf's `from`. Its **runs** are newer and few: small blobs over any hashes, stored beside the leaves because
 * rewriting the leaves for some events would write a thousand times their size. A case's events lie in one leaf, and in
 * any run whose range includes the hash of the case.
 */
export interface Shard {
  readonly version: number; // of the commit that wrote it last; 0: never written
  readonly leaves: readonly Leaf[]; // by rising `from`
  readonly runs: readonly Run[]; // oldest first
}

/** An immutable blob of events. */
export interface Leaf {
  readonly id: number;
  readonly parts: number; // number of items that store it
  readonly from: number; // smallest hash in it
  readonly events: number;
}

export interface Run extends Leaf {
  readonly to: number; // largest hash in it
}

export const EMPTY_SHARD: Shard = { version: 0, leaves: [], runs: [] };

/**
 * Returns the leaf of a hash: the last that begins at or before it, else the first; undefined if there are no leaves.
 */
export function leafOf(shard: Shard, hash: number): Leaf | undefined {
  let low = 0;
  let high = shard.leaves.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (shard.leaves[middle]!.from <= hash) low = middle + 1;
    else high = middle;
  }
  return shard.leaves[Math.max(0, low - 1)];
}

/** Returns the blobs that may hold events of any of these hashes, oldest first. */
export function blobsOf(shard: Shard, hashes: Iterable<number>): Leaf[] {
  const found = new Set<Leaf>();
  const all = [...hashes];
  for (const hash of all) {
    const leaf = leafOf(shard, hash);
    if (leaf) found.add(leaf);
  }
  for (const run of shard.runs) if (all.some((hash) => hash >= run.from && hash <= run.to)) found.add(run);
  return [...found];
}

/** Returns the blob of a leaf or run. */
export const leafBlob = ({ id, parts }: Leaf): Blob => ({ kind: 'leaf', id, parts });

const Head = z.object({ leaves: z.int() });

/** Encodes a shard, about eight bytes for each leaf. */
export function encodeShard({ leaves, runs }: Shard): Uint8Array {
  const all = [...leaves, ...runs];
  return writeColumnFile(
    { leaves: leaves.length },
    {
      id: all.map(({ id }) => id),
      parts: all.map(({ parts }) => parts),
      from: all.map(({ from }) => from),
      events: all.map(({ events }) => events),
      to: runs.map(({ to }) => to),
    },
    {},
  );
}

/** Decodes the bytes of `encodeShard`; their version is stored beside them. */
export function decodeShard(bytes: Uint8Array, version: number): Shard {
  const file = openColumnFile(bytes, Head);
  const [ids, parts, froms] = [file.numbers('id'), file.numbers('parts'), file.numbers('from')];
  const [events, tos] = [file.numbers('events'), file.numbers('to')];
  const all = Array.from(ids, (id, i): Leaf => ({ id, parts: parts[i]!, from: froms[i]!, events: events[i]! }));
  const count = file.head.leaves;
  return {
    version,
    leaves: all.slice(0, count),
    runs: all.slice(count).map((leaf, i): Run => ({ ...leaf, to: tos[i]! })),
  };
}
