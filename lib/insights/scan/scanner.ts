import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LiveSegment } from '../../history/read.ts';
import { createOpenSegments } from '../../history/segments/open-segments.ts';
import { openSessions } from '../../history/segments/session-segment.ts';
import type { Plan } from '../plan.ts';
import { notedAgents } from './by-agent.ts';
import { type SplitScan, startByCase } from './by-case.ts';
import { startByHours } from './by-hours.ts';
import { type Scan, type ScanMemory, startScan, startWalk } from './scan.ts';
import type { ScanResult } from './scan-result.ts';
import { type Buffers, createBuffers, type SegmentView } from './view.ts';

/** Scans segments for one report after the other. */
interface Scanner {
  start(plan: Plan): ScanRun;
  /** Starts a scan for several plans, as `startByCase` takes them. */
  split(plans: readonly [Plan, ...Plan[]]): SplitRun;
  /** Visits the facts that a scan would add up. The plan has one cell. */
  walk(plan: Plan, visit: (view: SegmentView) => void): Pick<ScanRun, 'add'>;
}

/** A scan for one report. */
export interface ScanRun {
  /** Adds segments; resolves when the next can be added. Rejects with what the methods of `Scan` throw. */
  add(segments: readonly LiveSegment[]): Promise<void>;
  /** Takes the result, once; it is valid until `close`. */
  result(): ScanResult;
  /** Releases the buffers; call once, with a result or without. */
  close(): void;
}

/** A scan for several plans. */
type SplitRun = Omit<ScanRun, 'result'> & Pick<SplitScan, 'results'>;

/** Scans one segment after the other, without pauses. */
export interface SegmentScanner {
  start(plan: Plan): { add(segment: LiveSegment): void; result(): ScanResult; close(): void };
  split(plans: readonly [Plan, ...Plan[]]): Omit<SplitScan, 'addCases'> & { add(segment: LiveSegment): void };
  walk(plan: Plan, visit: (view: SegmentView) => void): { add(segment: LiveSegment): void };
}

export interface ScannerOptions {
  readonly memory?: ScanMemory | undefined; // default `SCAN_MEMORY`
  readonly isFast?: boolean; // whether it takes the faster ways, `by-agent.ts` and `by-hours.ts`, which give the same; default true
}

/** Starts a scan by the fastest way that fits the plan. It gives what `startScan` gives. */
export function startFastScan(plan: Plan, memory: ScanMemory | undefined, buffers: Buffers): Scan {
  const options = { memory, agentSearch: notedAgents };
  return startByHours(plan, options, buffers) ?? startScan(plan, options, buffers);
}

/** Creates a scanner that caches decoded columns, up to about `decodedBytes`. */
export function createSegmentScanner(
  decodedBytes: number,
  { memory, isFast = true }: ScannerOptions = {},
): SegmentScanner {
  const opened = createOpenSegments(decodedBytes);
  const buffers = createBuffers();
  const addCases = (scan: Pick<Scan, 'addCases'>, { name, columns, dead }: LiveSegment): void => {
    const segment = opened.open(name ?? '', columns);
    scan.addCases(segment, dead);
    if (name !== undefined) opened.keep(name, segment);
  };
  return {
    start: (plan) => {
      const scan = isFast ? startFastScan(plan, memory, buffers) : startScan(plan, { memory }, buffers);
      return {
        add: (segment) => {
          if (segment.kind === 'sessions') scan.addSessions(liveSessions(segment));
          else addCases(scan, segment);
        },
        result: scan.result,
        close: scan.close,
      };
    },
    split: (plans) => {
      const scan = startByCase(plans, buffers);
      return { add: (segment) => addCases(scan, segment), results: scan.results, close: scan.close };
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

const DECODED_BYTES = 110_000_000; // with cached columns the second of two reports takes a quarter of the time

const LONGEST_TURN = 8; // ms, then other requests of this process get a turn

/** Creates a scanner that pauses now and then, so that other requests of its process are served. */
export function createScanner(): Scanner {
  const scanner = createSegmentScanner(DECODED_BYTES);
  return {
    start: (plan) => {
      const scan = scanner.start(plan);
      return { add: inTurns(scan), result: scan.result, close: scan.close };
    },
    split: (plans) => {
      const scan = scanner.split(plans);
      return { add: inTurns(scan), results: scan.results, close: scan.close };
    },
    walk: (plan, visit) => ({ add: inTurns(scanner.walk(plan, visit)) }),
  };
}

/** Adds segments one by one, with pauses for other requests. */
function inTurns({ add }: { add(segment: LiveSegment): void }): ScanRun['add'] {
  let since = performance.now();
  return async (segments) => {
    for (const segment of segments) {
      add(segment);
      if (performance.now() - since < LONGEST_TURN) continue;
      await nextTurn();
      since = performance.now();
    }
  };
}
