import { openSegment, type Segment } from './segment.ts';

/** Segments opened from bytes that stay in memory, so that a second report finds the columns of the first decoded. */
export interface OpenSegments {
  /** The segment of these bytes; the same bytes object gives the same segment as long as there is room. */
  open(bytes: Uint8Array): Segment;
  /** To be called when a report is done with a segment: keeps it if its columns fit beside those that are kept. */
  keep(bytes: Uint8Array, segment: Segment): void;
}

const IDLE_OPENS = 20_000; // a segment that was not among the last so many opened makes room for others

/**
 * Keeps decoded columns up to about so many bytes. Reports go through all segments in turn, so room goes to those that
 * came first: dropping the one used longest ago would drop each just before it is needed.
 */
export function createOpenSegments(maxBytes: number): OpenSegments {
  const kept = new Map<Uint8Array, { readonly segment: Segment; bytes: number; used: number }>(); // last used last
  let total = 0;
  let clock = 0;

  function drop(bytes: Uint8Array): void {
    total -= kept.get(bytes)?.bytes ?? 0;
    kept.delete(bytes);
  }

  function dropIdle(): void {
    for (const [bytes, { used }] of kept) {
      if (used > clock - IDLE_OPENS) return;
      drop(bytes);
    }
  }

  return {
    open(bytes) {
      clock += 1;
      return kept.get(bytes)?.segment ?? openSegment(bytes);
    },
    keep(bytes, segment) {
      drop(bytes);
      const size = segment.decodedBytes();
      if (total + size > maxBytes) dropIdle();
      if (total + size > maxBytes) return;
      kept.set(bytes, { segment, bytes: size, used: clock });
      total += size;
    },
  };
}
