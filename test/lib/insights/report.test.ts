import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { caseHistory } from '../../../lib/history/case-history.ts';
import type { CaseRow, SessionRow } from '../../../lib/history/case-row.ts';
import type { CaseEvent, SessionEvent } from '../../../lib/history/event.ts';
import { caseRow, sessionRow } from '../../../lib/history/facts.ts';
import { openSegment } from '../../../lib/history/segment.ts';
import { encodeSegment } from '../../../lib/history/segment-encode.ts';
import { planReport } from '../../../lib/insights/plan.ts';
import { reportRows } from '../../../lib/insights/report.ts';
import type { ReportRequest } from '../../../lib/insights/request.ts';
import { mergePartials, startScan } from '../../../lib/insights/scan.ts';
import { arbitraryCases, arbitrarySessions } from '../../support/arbitrary-history.ts';
import { arbitraryRequest, REFERENCE } from '../../support/arbitrary-request.ts';
import { naiveReport } from '../../support/naive-report.ts';

const RUNS = Number(process.env.RUNS ?? 150);

const caseRows = (cases: ReadonlyMap<string, readonly CaseEvent[]>): CaseRow[] =>
  [...cases].map(([key, events]) => caseRow(key, caseHistory(events)));

const sessionRows = (sessions: readonly SessionEvent[]): SessionRow[] =>
  [...new Set(sessions.map(({ agent }) => agent))].map((agent) =>
    sessionRow(
      agent,
      sessions.filter((session) => session.agent === agent),
    ),
  );

function report(request: ReportRequest, parts: readonly CaseRow[][], sessions: readonly SessionRow[]) {
  const plan = planReport(request, REFERENCE);
  const scan = startScan(plan);
  for (const rows of parts) scan.addCases(openSegment(encodeSegment(rows)));
  scan.addSessions(sessions);
  return reportRows(plan, scan.result());
}

describe('a report', () => {
  it('says what the definitions say, over random histories', () => {
    fc.assert(
      fc.property(arbitraryCases, arbitrarySessions, arbitraryRequest, (cases, sessions, request) => {
        const rows = report(request, [caseRows(cases)], sessionRows(sessions));
        expect(rows).toEqual(naiveReport(cases, sessions, REFERENCE, request));
      }),
      { numRuns: RUNS },
    );
  });

  it('is the sum of the partial results of any partition of its segments', () => {
    fc.assert(
      fc.property(
        arbitraryCases,
        arbitrarySessions,
        arbitraryRequest,
        fc.array(fc.nat(2), { minLength: 8, maxLength: 8 }),
        (cases, sessions, request, parts) => {
          const plan = planReport(request, REFERENCE);
          const whole = report(request, [caseRows(cases)], sessionRows(sessions));
          const scans = [0, 1, 2].map(() => startScan(plan));
          for (const [at, row] of caseRows(cases).entries()) {
            scans[parts[at % 8]!]!.addCases(openSegment(encodeSegment([row])));
          }
          for (const [at, row] of sessionRows(sessions).entries()) scans[parts[7 - (at % 8)]!]!.addSessions([row]);
          const partials = scans.map((scan) => structuredClone(scan.result()));
          expect(reportRows(plan, mergePartials(plan, partials))).toEqual(whole);
        },
      ),
      { numRuns: RUNS },
    );
  });
});
