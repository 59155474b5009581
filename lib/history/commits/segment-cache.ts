import { readBlobs } from './blobs.ts';
import type { HistoryContext } from './history-context.ts';
import { type SegmentRef, segmentBlob } from './manifest.ts';
import { type SegmentBlob, unpackSegment } from './segment-builder.ts';

const READ_FIRST = 2; // blobs of the first BatchGetItem, so that a scan soon has something to do
const READ_AT_ONCE = 12; // blobs of each further one, which gives 16 MB at most

/** A name that no other history has, in whatever table: a site that was removed and added again has another one. */
export const historyName = ({ table, site }: HistoryContext): string =>
  `${table.name} ${site.name} ${site.added ?? ''}`;

/** A name that no other segment has. */
export const segmentName = (context: HistoryContext, { id }: SegmentRef): string => `${historyName(context)} ${id}`;

/** Segments in memory, those read longest ago first out. */
export interface SegmentCache {
  /**
   * Segments in parts, first those in memory, then the others as they come from the table; undefined instead of a part
   * if one of its segments was swept. `ahead` parts are read from the table at a time.
   */
  read(
    context: HistoryContext,
    refs: readonly SegmentRef[],
    ahead?: number,
  ): AsyncGenerator<FoundSegment[] | undefined>;
  /** Whether the cache is full: more would evict what it holds. */
  isFull(): boolean;
}

/** What was asked for and what it is. */
export interface FoundSegment {
  readonly ref: SegmentRef;
  readonly blob: SegmentBlob;
}

const PARTS_AHEAD = 8;
const FULL = 0.9; // of the bytes

/** What a cache keeps. */
export interface SegmentCacheOptions {
  readonly cacheBytes: number; // at most; what a single read asks for is given even beyond
}

/** An empty cache. */
export function createSegmentCache({ cacheBytes }: SegmentCacheOptions): SegmentCache {
  const kept = new Map<string, { readonly blob: SegmentBlob; readonly size: number }>();
  let bytes = 0;

  function keep(name: string, blob: SegmentBlob, size: number): void {
    kept.set(name, { blob, size });
    bytes += size;
    for (const [oldest, { size }] of kept) {
      if (bytes <= cacheBytes) break;
      kept.delete(oldest);
      bytes -= size;
    }
  }

  /** Those in memory, now the ones read last. */
  function known(context: HistoryContext, refs: readonly SegmentRef[]): FoundSegment[] {
    return refs.flatMap((ref) => {
      const name = segmentName(context, ref);
      const found = kept.get(name);
      if (found === undefined) return [];
      kept.delete(name);
      kept.set(name, found);
      return [{ ref, blob: found.blob }];
    });
  }

  async function readPart(context: HistoryContext, refs: readonly SegmentRef[]): Promise<FoundSegment[] | undefined> {
    const found: FoundSegment[] = [];
    const blobs = await readBlobs(context.table, context.site.name, refs.map(segmentBlob));
    for (const [place, ref] of refs.entries()) {
      const packed = blobs[place];
      if (packed === undefined) return undefined;
      const name = segmentName(context, ref);
      const blob = unpackSegment(packed);
      found.push({ ref, blob });
      if (!kept.has(name)) keep(name, blob, packed.length);
    }
    return found;
  }

  return {
    isFull: () => bytes > FULL * cacheBytes,

    async *read(context, refs, ahead = PARTS_AHEAD) {
      const found = known(context, refs);
      if (found.length > 0) yield found;
      const there = new Set(found.map(({ ref }) => ref));
      const missing = refs.filter((ref) => !there.has(ref));
      const coming: Promise<FoundSegment[] | undefined>[] = [];
      for (let next = 0; next < missing.length || coming.length > 0; ) {
        while (coming.length < ahead && next < missing.length) {
          const end = next + (next === 0 ? READ_FIRST : READ_AT_ONCE);
          const part = readPart(context, missing.slice(next, end));
          part.catch(() => undefined); // heard when its turn comes, if it still does
          coming.push(part);
          next = end;
        }
        yield await coming.shift();
      }
    },
  };
}
