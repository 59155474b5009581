import { openSegment, type Segment } from './segment.ts';

/** Segments that stay open, so that a second report finds the columns of the first decoded. */
export interface OpenSegments {
  /** The segment of a name, whose bytes these are; as long as there is room the same one. */
  open(name: string, bytes: Uint8Array): Segment;
  /** Call it when a report is done with a segment: keeps the segment if its columns fit beside the kept ones. */
  keep(name: string, segment: Segment): void;
}

const IDLE = 600_000; // ms; a segment that was not opened for so long is dropped: as a rule newer ones have replaced it
const OPEN_BYTES = 20_000; // about what an open segment takes beside its decoded columns

/**
 * Keeps open segments of up to about so many bytes. Reports go through all segments in turn, so room goes to those that
 * came first: dropping the one used longest ago would drop each just before it is needed.
 */
export function createOpenSegments(maxBytes: number, now: () => number = () => performance.now()): OpenSegments {
  const kept = new Map<string, { readonly segment: Segment; bytes: number; used: number }>(); // last used last
  let total = 0;

  function drop(name: string): void {
    total -= kept.get(name)?.bytes ?? 0;
    kept.delete(name);
  }

  function dropIdle(): void {
    for (const [name, { used }] of kept) {
      if (used > now() - IDLE) return;
      drop(name);
    }
  }

  return {
    open(name, bytes) {
      return kept.get(name)?.segment ?? openSegment(bytes);
    },
    keep(name, segment) {
      drop(name);
      dropIdle();
      const size = OPEN_BYTES + segment.decodedBytes();
      if (total + size > maxBytes) return;
      kept.set(name, { segment, bytes: size, used: now() });
      total += size;
    },
  };
}
