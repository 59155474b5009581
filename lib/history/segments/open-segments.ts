import { openSegment, type Segment } from './segment.ts';

/** Segments kept open, so that a second report finds the columns decoded that the first one read. */
export interface OpenSegments {
  /** Returns the kept segment of a name, else opens these bytes. */
  open(name: string, bytes: Uint8Array): Segment;
  /** Keeps a segment if its columns fit beside the kept ones; call it when a report has finished with the segment. */
  keep(name: string, segment: Segment): void;
}

const IDLE = 180_000; // ms of activity; a segment unused for so long is dropped: mostly newer ones have replaced it
const PAUSE = 1_000; // ms; of a longer gap between reports only so much is activity: a break must not drop segments
const OPEN_BYTES = 20_000; // about the bytes of an open segment beside its decoded columns

/**
 * Keeps open segments of up to about `maxBytes` together; `now` returns ms. Every report scans all segments in turn, so
 * the first segments stay: evicting the least recently used one would evict each just before it is needed.
 */
export function createOpenSegments(maxBytes: number, now: () => number = () => performance.now()): OpenSegments {
  const kept = new Map<string, { readonly segment: Segment; bytes: number; used: number }>(); // last used last
  let total = 0;
  let active = 0; // ms
  let last = now();

  /** Returns the activity so far: ms in which reports came, without longer gaps. */
  function activity(): number {
    const at = now();
    active += Math.min(at - last, PAUSE);
    last = at;
    return active;
  }

  function drop(name: string): void {
    total -= kept.get(name)?.bytes ?? 0;
    kept.delete(name);
  }

  function dropIdle(before: number): void {
    for (const [name, { used }] of kept) {
      if (used > before) return;
      drop(name);
    }
  }

  return {
    open(name, bytes) {
      return kept.get(name)?.segment ?? openSegment(bytes);
    },
    keep(name, segment) {
      drop(name);
      const used = activity();
      dropIdle(used - IDLE);
      const size = OPEN_BYTES + segment.decodedBytes();
      if (total + size > maxBytes) return;
      kept.set(name, { segment, bytes: size, used });
      total += size;
    },
  };
}
