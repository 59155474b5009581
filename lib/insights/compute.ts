import { setImmediate as breathe } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { SessionRow } from '../history/case-row.ts';
import { createOpenSegments, type OpenSegments } from '../history/open-segments.ts';
import { createHistoryReader, type HistoryReader } from '../history/read.ts';
import { openSessions } from '../history/session-segment.ts';
import { unavailable } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import { type Plan, planReport } from './plan.ts';
import { makeReport, type Report } from './report.ts';
import type { ReportRequest } from './request.ts';
import { startScan } from './scan.ts';
import { readReference } from './site-reference.ts';

const CACHE_BYTES = 128_000_000; // deflated segments kept from one report to the next: about 40 million facts

const DECODED_BYTES = 112_000_000; // columns kept decoded: the second of two reports takes half the time or less

const createReader = (): HistoryReader => createHistoryReader({ cacheBytes: CACHE_BYTES });
const createOpened = (): OpenSegments => createOpenSegments(DECODED_BYTES);

/** Computes a report over the site's history as of now. Throws the 422 `too_large`, and `unavailable` past the deadline. */
export async function computeReport(context: Context, request: ReportRequest): Promise<Report> {
  const plan = planReport(request, await readReference(context, request));
  const { segments } = await context.shared(createReader).read(context, {
    from: plan.range.min,
    to: plan.range.max - 1,
    kinds: kindsOf(plan),
    version: context.version(keys.history(context.site.name)),
  });
  const opened = context.shared(createOpened);
  const scan = startScan(plan);
  for (const { kind, columns, dead, lasting } of segments) {
    if (kind === 'sessions') {
      scan.addSessions(liveSessions(columns, dead));
    } else {
      const segment = opened.open(columns);
      scan.addCases(segment, dead);
      if (lasting) opened.keep(columns, segment);
    }
    await breathe(); // other requests of this process are answered meanwhile
    if (context.clock() > context.deadline) throw unavailable();
  }
  return makeReport(plan, scan.result());
}

function liveSessions(columns: Uint8Array, dead: readonly number[]): SessionRow[] {
  const gone = new Set(dead);
  return openSessions(columns)
    .rows()
    .filter((_, row) => !gone.has(row));
}

function kindsOf({ measures }: Plan): ('cases' | 'sessions')[] {
  const online = measures.has('onlineSeconds');
  return [
    ...(measures.size > (online ? 1 : 0) ? (['cases'] as const) : []),
    ...(online ? (['sessions'] as const) : []),
  ];
}
