import { openSegment, type Segment } from './segment.ts';

/** Segments that stay open, so that a second report finds the columns of the first decoded. */
export interface OpenSegments {
  /** The segment of a name, whose bytes these are; as long as there is room the same one. */
  open(name: string, bytes: Uint8Array): Segment;
  /** Call it when a report is done with a segment: keeps the segment if its columns fit beside the kept ones. */
  keep(name: string, segment: Segment): void;
}

const IDLE = 180_000; // ms of activity; a segment that was not opened in them is dropped: as a rule newer ones have replaced it
const PAUSE = 1_000; // ms; a longer time in which nobody asks for a report counts as so much, so that a break drops nothing
const OPEN_BYTES = 20_000; // about what an open segment takes beside its decoded columns

/**
 * Keeps open segments of up to about so many bytes. Reports go through all segments in turn, so room goes to those that
 * came first: dropping the one used longest ago would drop each just before it is needed.
 */
export function createOpenSegments(maxBytes: number, now: () => number = () => performance.now()): OpenSegments {
  const kept = new Map<string, { readonly segment: Segment; bytes: number; used: number }>(); // last used last
  let total = 0;
  let active = 0; // ms
  let last = now();

  /** How long reports have been asked for. */
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
