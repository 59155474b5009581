import { readBlobs } from '../commits/blobs.ts';
import type { HistoryContext } from '../commits/history-context.ts';
import { type SegmentRef, segmentBlob } from '../commits/manifest.ts';
import { unpackSegment } from '../commits/segment-builder.ts';

/** A settled segment was swept while a fold read it: another compactor was faster. */
export class SegmentGone extends Error {
  constructor() {
    super('a segment was swept');
    this.name = 'SegmentGone';
  }
}

/** Segments held open at a time. */
const OPEN = 12;
/** Segments on their way while one is worked on. */
const AHEAD = 2;

/**
 * Opens segments that are asked for about in the order of `refs`, reading the next ones meanwhile, and keeps the last few
 * open. Throws `SegmentGone` for a segment that was swept.
 */
export function openInTurn<T>(
  { table, site }: HistoryContext,
  refs: readonly SegmentRef[],
  open: (ref: SegmentRef, columns: Uint8Array) => T,
): (ref: SegmentRef) => Promise<T> {
  const places = new Map(refs.map(({ id }, place) => [id, place]));
  const coming = new Map<number, Promise<Uint8Array>>();
  const opened = new Map<number, T>(); // longest open first

  function fetch(ref: SegmentRef): Promise<Uint8Array> {
    const known = coming.get(ref.id);
    if (known) return known;
    const bytes = readBlobs(table, site.name, [segmentBlob(ref)]).then(([packed]) => {
      if (packed === undefined) throw new SegmentGone();
      return unpackSegment(packed).columns;
    });
    bytes.catch(() => undefined); // heard when it is asked for, if it is
    coming.set(ref.id, bytes);
    return bytes;
  }

  return async (ref) => {
    const known = opened.get(ref.id);
    if (known) return known;
    const mine = fetch(ref);
    const place = places.get(ref.id) ?? refs.length;
    for (const next of refs.slice(place + 1, place + 1 + AHEAD)) if (!opened.has(next.id)) fetch(next);
    const segment = open(ref, await mine);
    coming.delete(ref.id);
    opened.set(ref.id, segment);
    for (const [oldest] of opened) if (opened.size > OPEN) opened.delete(oldest);
    return segment;
  };
}
