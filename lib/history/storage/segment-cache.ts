import { readBlobs } from './blobs.ts';
import type { HistoryContext } from './history-context.ts';
import { type SegmentRef, segmentBlob } from './manifest.ts';
import { type SegmentBlob, unpackSegment } from './segment-builder.ts';

const READ_FIRST = 2; // blobs of the first BatchGetItem; few, so that a scan can begin soon
const READ_AT_ONCE = 12; // blobs of each further BatchGetItem, which returns 16 MB at most

/**
 * Returns a name unique among the histories of all tables; a site that was removed and added again gets another one.
 */
export const historyName = ({ table, site }: HistoryContext): string =>
  `${table.name} ${site.name} ${site.added ?? ''}`;

/** Returns a name unique among the segments of all histories. */
export const segmentName = (context: HistoryContext, { id }: SegmentRef): string => `${historyName(context)} ${id}`;

/** A cache of segments; it evicts the least recently read ones first. */
export interface SegmentCache {
  /**
   * Yields segments in parts: first those in the cache, then the others as they come from the table. Yields undefined
   * instead of a part if one of its segments was swept. `ahead` parts are read from the table at the same time.
   */
  read(context: HistoryContext, refs: readonly SegmentRef[], ahead?: number): AsyncGenerator<ReadSegment[] | undefined>;
  /** True if the cache is nearly full, so that further reads would evict segments. */
  isFull(): boolean;
}

/** A segment's entry in the manifest and its content. */
export interface ReadSegment {
  readonly ref: SegmentRef;
  readonly blob: SegmentBlob;
}

const PARTS_AHEAD = 8;
const FULL = 0.9; // part of `cacheBytes`

export interface SegmentCacheOptions {
  readonly cacheBytes: number; // limit of the bytes kept; a single read may return more
}

/** Makes an empty cache. */
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

  /** Returns the segments that are in the cache, and marks them as just read. */
  function known(context: HistoryContext, refs: readonly SegmentRef[]): ReadSegment[] {
    return refs.flatMap((ref) => {
      const name = segmentName(context, ref);
      const found = kept.get(name);
      if (found === undefined) return [];
      kept.delete(name);
      kept.set(name, found);
      return [{ ref, blob: found.blob }];
    });
  }

  async function readPart(context: HistoryContext, refs: readonly SegmentRef[]): Promise<ReadSegment[] | undefined> {
    const segments: ReadSegment[] = [];
    const blobs = await readBlobs(context.table, context.site.name, refs.map(segmentBlob));
    for (const [index, ref] of refs.entries()) {
      const packed = blobs[index];
      if (packed === undefined) return undefined;
      const name = segmentName(context, ref);
      const blob = unpackSegment(packed);
      segments.push({ ref, blob });
      if (!kept.has(name)) keep(name, blob, packed.length);
    }
    return segments;
  }

  return {
    isFull: () => bytes > FULL * cacheBytes,

    async *read(context, refs, ahead = PARTS_AHEAD) {
      const segments = known(context, refs);
      if (segments.length > 0) yield segments;
      const there = new Set(segments.map(({ ref }) => ref));
      const missing = refs.filter((ref) => !there.has(ref));
      const coming: Promise<ReadSegment[] | undefined>[] = [];
      for (let next = 0; next < missing.length || coming.length > 0; ) {
        while (coming.length < ahead && next < missing.length) {
          const end = next + (next === 0 ? READ_FIRST : READ_AT_ONCE);
          const part = readPart(context, missing.slice(next, end));
          part.catch(() => undefined); // the error is thrown when this part's turn comes
          coming.push(part);
          next = end;
        }
        yield await coming.shift();
      }
    },
  };
}
