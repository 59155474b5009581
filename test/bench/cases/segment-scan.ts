import { SHARDS } from '../../../lib/history/cases/subject.ts';
import { createHistoryReader, type LiveSegment } from '../../../lib/history/read.ts';
import { openSegment, type Segment } from '../../../lib/history/segments/segment.ts';
import { readBlobs } from '../../../lib/history/storage/blobs.ts';
import { readManifest, readShards } from '../../../lib/history/storage/commit.ts';
import type { HistoryContext } from '../../../lib/history/storage/history-context.ts';
import { canChangeReport, type Manifest, segmentBlob } from '../../../lib/history/storage/manifest.ts';
import { type Plan, planReport, rangeRead } from '../../../lib/insights/plan.ts';
import { reportJson } from '../../../lib/insights/report-json.ts';
import { readRequest } from '../../../lib/insights/request.ts';
import type { ScanResult } from '../../../lib/insights/scan/scan-result.ts';
import { startFastScan } from '../../../lib/insights/scan/scanner.ts';
import { createBuffers } from '../../../lib/insights/scan/view.ts';
import { allSegments } from '../../support/generators/all-segments.ts';
import { engineReference } from '../../support/oracle/engine-report.ts';
import type { ReportBody } from '../../support/oracle/example.ts';
import { madeReference } from '../data/history.ts';
import { medianTime } from '../figures.ts';

/** The size of a history in the table. */
export interface Stored {
  readonly facts: number; // of cases
  readonly segments: number;
  readonly segmentBytes: number;
  readonly ledgerBytes: number;
}

export async function storedOf({ table, site }: HistoryContext): Promise<Stored> {
  const manifest = await readManifest(table, site.name);
  const shards = await readShards(table, site.name, [...Array(SHARDS).keys()]);
  const leaves = [...shards.values()].flatMap(({ leaves, runs }) => [...leaves, ...runs]);
  const sizeOf = async (blobs: Parameters<typeof readBlobs>[2]): Promise<number> =>
    (await readBlobs(table, site.name, blobs)).reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0);
  let ledgerBytes = 0;
  for (let from = 0; from < leaves.length; from += 200) {
    ledgerBytes += await sizeOf(leaves.slice(from, from + 200).map(({ id, parts }) => ({ kind: 'leaf', id, parts })));
  }
  return {
    facts: manifest.segments.reduce((sum, { kind, facts }) => sum + (kind === 'cases' ? facts : 0), 0),
    segments: manifest.segments.length,
    segmentBytes: await sizeOf(manifest.segments.map(segmentBlob)),
    ledgerBytes,
  };
}

/** The measurements of a report inside the process, without HTTP. */
export interface Scanned {
  readonly segments: number; // that the report reads
  readonly facts: number; // in these segments
  readonly firstMs: number; // of the first scan, which decodes the columns that it needs
  readonly scanMs: number; // median of further scans, with the columns already decoded
  readonly reportMs: number; // median of plan, scan, rows and their JSON, with the columns already decoded
}

export async function scanOf(context: HistoryContext, body: ReportBody, runs: number): Promise<Scanned> {
  const plan = planOf(body);
  const manifest = await readManifest(context.table, context.site.name);
  const segments = await readSegments(context, plan);
  const opened = segments.map(({ columns, dead }) => ({ segment: openSegment(columns), dead }));
  const before = performance.now();
  scan(plan, opened);
  const firstMs = performance.now() - before;
  return {
    segments: segments.length,
    facts: factsIn(manifest, plan),
    firstMs,
    scanMs: await medianTime(runs, () => scan(plan, opened)),
    reportMs: await medianTime(runs, () => reportOf(body, opened)),
  };
}

const site = { timeZone: 'UTC', weekStart: 'monday' } as const;
const reference = engineReference({ reference: madeReference(), site });
export const planOf = (body: ReportBody): Plan => planReport(readRequest({ ...body }, site, 0), reference);

/** The segments that a report reads. */
export async function readSegments(context: HistoryContext, plan: Plan): Promise<readonly LiveSegment[]> {
  const reader = createHistoryReader({ cacheBytes: 1 });
  const range = rangeRead(plan);
  return reader.read(context, { from: range.min, to: range.max - 1, kinds: ['cases'] }, allSegments);
}

const buffers = createBuffers(); // shared by one report after the other, as in a service

interface Opened {
  readonly segment: Segment;
  readonly dead: readonly number[];
}

function scan(plan: Plan, segments: readonly Opened[], use: (result: ScanResult) => void = () => undefined): void {
  const running = startFastScan(plan, undefined, buffers);
  for (const { segment, dead } of segments) running.addCases(segment, dead);
  use(running.result());
  running.close();
}

function reportOf(body: ReportBody, segments: readonly Opened[]): void {
  const plan = planOf(body);
  scan(plan, segments, (result) => reportJson({ tables: new Map([['data', { plan, result }]]) }));
}

const factsIn = ({ segments }: Manifest, { range }: Plan): number =>
  segments
    .filter((segment) => segment.kind === 'cases' && canChangeReport(segment, range.min, range.max - 1))
    .reduce((sum, { facts }) => sum + facts, 0);
