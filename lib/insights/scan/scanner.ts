import { setImmediate as breathe } from 'node:timers/promises';
import type { LiveSegment } from '../../history/read.ts';
import { createOpenSegments } from '../../history/segments/open-segments.ts';
import { openSessions } from '../../history/segments/session-segment.ts';
import type { Plan } from '../plan.ts';
import type { Partial } from './partial.ts';
import { type Scan, type ScanMemory, startScan, startWalk } from './scan.ts';
import { createBuffers, type View } from './view.ts';

/** Scans segments for one report after the other. */
interface Scanner {
  start(plan: Plan): ScanRun;
  /** Shows what a scan for a plan of one cell would add up. */
  walk(plan: Plan, visit: (view: View) => void): Pick<ScanRun, 'add'>;
}

/** A scan for one report. */
export interface ScanRun {
  /** Adds segments; settles when it is time to bring the next. Rejects as `Scan` throws. */
  add(segments: readonly LiveSegment[]): Promise<void>;
  result(): Partial;
  /** Releases the buffers; call once, with a result or without. */
  close(): void;
}

/** Scans one segment after the other; keeps columns decoded up to about so many bytes. */
export interface SegmentScanner {
  start(plan: Plan): { add(segment: LiveSegment): void; result(): Partial; close(): void };
  walk(plan: Plan, visit: (view: View) => void): { add(segment: LiveSegment): void };
}

export function createSegmentScanner(decodedBytes: number, memory?: ScanMemory): SegmentScanner {
  const opened = createOpenSegments(decodedBytes);
  const buffers = createBuffers();
  const addCases = (scan: Pick<Scan, 'addCases'>, { name, columns, dead }: LiveSegment): void => {
    const segment = opened.open(name ?? '', columns);
    scan.addCases(segment, dead);
    if (name !== undefined) opened.keep(name, segment);
  };
  return {
    start: (plan) => {
      const scan = startScan(plan, memory, buffers);
      return {
        add: (segment) => {
          if (segment.kind === 'sessions') scan.addSessions(liveSessions(segment));
          else addCases(scan, segment);
        },
        result: scan.result,
        close: scan.close,
      };
    },
    walk: (plan, visit) => {
      const walk = startWalk(plan, buffers, visit);
      return { add: (segment) => addCases(walk, segment) };
    },
  };
}

function liveSessions({ columns, dead }: LiveSegment) {
  const gone = new Set(dead);
  return openSessions(columns)
    .rows()
    .filter((_, row) => !gone.has(row));
}

export const DECODED_BYTES = 110_000_000; // columns kept decoded: the second of two reports takes a quarter of the time

const SPELL = 8; // ms after which other requests of this process have their turn

/** A scanner that lets other requests of its process in now and then. */
export function createScanner(): Scanner {
  const scanner = createSegmentScanner(DECODED_BYTES);
  return {
    start: (plan) => {
      const scan = scanner.start(plan);
      return { add: inSpells(scan), result: scan.result, close: scan.close };
    },
    walk: (plan, visit) => ({ add: inSpells(scanner.walk(plan, visit)) }),
  };
}

/** Adds segments one by one, with turns for others in between. */
function inSpells({ add }: { add(segment: LiveSegment): void }): ScanRun['add'] {
  let since = performance.now();
  return async (segments) => {
    for (const segment of segments) {
      add(segment);
      if (performance.now() - since < SPELL) continue;
      await breathe();
      since = performance.now();
    }
  };
}
