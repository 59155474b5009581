import { caseHistory } from '../../../lib/history/cases/case-history.ts';
import type { CaseRow, SessionRow } from '../../../lib/history/cases/case-row.ts';
import type { CaseEvent, SessionEvent } from '../../../lib/history/cases/event.ts';
import { caseRow, sessionRow } from '../../../lib/history/cases/facts.ts';
import { openSegment } from '../../../lib/history/segments/segment.ts';
import { encodeSegment } from '../../../lib/history/segments/segment-encode.ts';
import { planReport } from '../../../lib/insights/plan.ts';
import { NO_REFERENCE, type Reference } from '../../../lib/insights/reference.ts';
import { reportJson } from '../../../lib/insights/report-json.ts';
import { type ReportRequest, readRequest } from '../../../lib/insights/request.ts';
import { startScan } from '../../../lib/insights/scan/scan.ts';
import type { Row } from '../oracle/example.ts';
import { rowsIn } from './report-rows.ts';

/** The rows of cases, by key. */
export const caseRows = (cases: ReadonlyMap<string, readonly CaseEvent[]>): CaseRow[] =>
  [...cases].map(([key, events]) => caseRow(key, caseHistory(events)));

/** The rows of the agents who have sessions. */
export const sessionRows = (sessions: readonly SessionEvent[]): SessionRow[] =>
  [...new Set(sessions.map(({ agent }) => agent))].map((agent) =>
    sessionRow(
      agent,
      sessions.filter((session) => session.agent === agent),
    ),
  );

/** The rows of a report over cases, in one segment, and sessions. */
export function reportOf(
  request: ReportRequest,
  cases: readonly CaseRow[],
  sessions: readonly SessionRow[] = [],
  reference: Reference = NO_REFERENCE,
): Row[] {
  return rowsIn(replyOf(request, cases, sessions, reference));
}

/** The JSON of the same report. */
export function replyOf(
  request: ReportRequest,
  cases: readonly CaseRow[],
  sessions: readonly SessionRow[] = [],
  reference: Reference = NO_REFERENCE,
): string {
  const plan = planReport(request, reference);
  const scan = startScan(plan);
  scan.addCases(openSegment(encodeSegment(cases)));
  scan.addSessions(sessions);
  return reportJson({ tables: new Map([['data', { plan, result: scan.result() }]]) });
}

const NOW = Date.parse('2026-03-01T12:00:00Z');

/** A request over January 2026 in UTC, without windows unless the body says so. */
export const ask = (body: Record<string, unknown>): ReportRequest =>
  readRequest(
    {
      time: { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z', window_size: 'none' },
      ...body,
    },
    { timeZone: 'UTC', weekStart: 'monday' },
    NOW,
  );
