import { type Blob, readBlobs } from './blobs.ts';
import type { HistoryContext } from './history-context.ts';
import { type SegmentRef, segmentBlob } from './manifest.ts';
import { type SegmentBlob, unpackSegment } from './segment-builder.ts';

const READ_AT_ONCE = 12; // blobs of one BatchGetItem, which gives 16 MB at most

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
