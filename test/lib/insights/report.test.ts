import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { openSegment } from '../../../lib/history/segments/segment.ts';
import { encodeSegment } from '../../../lib/history/segments/segment-encode.ts';
import { planReport } from '../../../lib/insights/plan.ts';
import { mergePartials, startScan } from '../../../lib/insights/scan/scan.ts';
import { arbitraryCases, arbitrarySessions } from '../../support/generators/arbitrary-history.ts';
import { arbitraryRequest, REFERENCE } from '../../support/generators/arbitrary-request.ts';
import { caseRows, replyOf, reportOf, sessionRows } from '../../support/generators/report-of.ts';
import { reportRows } from '../../support/generators/report-rows.ts';
import { naiveReport } from '../../support/oracle/naive-report.ts';

const RUNS = 100; // more by `npm run test:oracle -- --runs N`, against an oracle in SQL

describe('a report', () => {
  it('says what the definitions say, over random histories', () => {
    fc.assert(
      fc.property(arbitraryCases, arbitrarySessions, arbitraryRequest, (cases, sessions, request) => {
        const rows = reportOf(request, caseRows(cases), sessionRows(sessions), REFERENCE);
        expect(rows).toEqual(naiveReport(cases, sessions, REFERENCE, request));
      }),
      { numRuns: RUNS },
    );
  });

  it('is written as JSON has it', () => {
    fc.assert(
      fc.property(arbitraryCases, arbitrarySessions, arbitraryRequest, (cases, sessions, request) => {
        const text = replyOf(request, caseRows(cases), sessionRows(sessions), REFERENCE);
        expect(text).toBe(JSON.stringify(JSON.parse(text)));
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
          const whole = reportOf(request, caseRows(cases), sessionRows(sessions), REFERENCE);
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
