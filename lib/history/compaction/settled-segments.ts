import { readBlobs } from '../storage/blobs.ts';
import type { HistoryContext } from '../storage/history-context.ts';
import { type SegmentRef, segmentBlob } from '../storage/manifest.ts';
import { unpackSegment } from '../storage/segment-builder.ts';

/** A settled segment was swept while a fold read it, because another compactor has replaced it. */
export class SegmentGone extends Error {
  constructor() {
    super('a segment was swept');
    this.name = 'SegmentGone';
  }
}

const OPEN = 12; // segments kept open
const AHEAD = 2; // segments read in advance

/**
 * Returns a function that opens segments. Calls come about in the order of `refs`: the next segments are read in
 * advance, and the last few stay open. The function throws `SegmentGone` if a segment was swept.
 */
export function openAhead<T>(
  { table, site }: HistoryContext,
  refs: readonly SegmentRef[],
  open: (ref: SegmentRef, columns: Uint8Array) => T,
): (ref: SegmentRef) => Promise<T> {
  const positions = new Map(refs.map(({ id }, position) => [id, position]));
  const coming = new Map<number, Promise<Uint8Array>>();
  const opened = new Map<number, T>(); // first opened first

  function fetch(ref: SegmentRef): Promise<Uint8Array> {
    const known = coming.get(ref.id);
    if (known) return known;
    const bytes = readBlobs(table, site.name, [segmentBlob(ref)]).then(([packed]) => {
      if (packed === undefined) throw new SegmentGone();
      return unpackSegment(packed).columns;
    });
    bytes.catch(() => undefined); // a failure matters only when this segment is opened
    coming.set(ref.id, bytes);
    return bytes;
  }

  return async (ref) => {
    const known = opened.get(ref.id);
    if (known) return known;
    const bytes = fetch(ref);
    const position = positions.get(ref.id) ?? refs.length;
    for (const next of refs.slice(position + 1, position + 1 + AHEAD)) if (!opened.has(next.id)) fetch(next);
    const segment = open(ref, await bytes);
    coming.delete(ref.id);
    opened.set(ref.id, segment);
    for (const [oldest] of opened) if (opened.size > OPEN) opened.delete(oldest);
    return segment;
  };
}
