import * as fc from 'fast-check';
import type { LiveSegment } from '../../../lib/history/read.ts';
import type { Plan } from '../../../lib/insights/plan.ts';
import { reportJson } from '../../../lib/insights/report-json.ts';
import { mergeResults } from '../../../lib/insights/scan/scan.ts';
import type { ScanResult } from '../../../lib/insights/scan/scan-result.ts';
import { createSegmentScanner } from '../../../lib/insights/scan/scanner.ts';
import { tries } from '../../support/generators/depth.ts';
import { arbitraryExample } from '../../support/generators/requests.ts';
import { exampleSegments, planOf } from '../../support/oracle/engine-report.ts';

const RUNS = { numRuns: tries(100, 1 / 4) }; // that a report says what the definitions say is for test/oracle

/** What a scan of some segments finds, as another process would send it. */
function scanned(plan: Plan, segments: readonly LiveSegment[]): ScanResult {
  const scan = createSegmentScanner(0).start(plan);
  for (const segment of segments) scan.add(segment);
  return structuredClone(scan.result());
}

const jsonOf = (plan: Plan, result: ScanResult): string =>
  reportJson({ tables: new Map([['data', { plan, result }]]) });

describe('a report', () => {
  it('is written as JSON has it', () => {
    fc.assert(
      fc.property(arbitraryExample, (example) => {
        const plan = planOf(example);
        const text = jsonOf(plan, scanned(plan, exampleSegments(example, 2)));
        expect(text).toBe(JSON.stringify(JSON.parse(text)));
      }),
      RUNS,
    );
  });

  it('takes the sums of its cells from the buffer of the scan, without a copy of each', () => {
    fc.assert(
      fc.property(arbitraryExample, (example) => {
        const { sums } = scanned(planOf(example), exampleSegments(example, 2)); // a clone shares what the result shares
        expect(new Set(sums.map(({ buffer }) => buffer)).size).toBeLessThanOrEqual(2); // a backlog is added up apart
      }),
      RUNS,
    );
  });

  it('is the sum of the results of any partition of its segments', () => {
    const parts = fc.array(fc.nat(2), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(arbitraryExample, parts, (example, places) => {
        const plan = planOf(example);
        const segments = exampleSegments(example, 5);
        const results = [0, 1, 2].map((part) =>
          scanned(
            plan,
            segments.filter((_, at) => places[at] === part),
          ),
        );
        expect(jsonOf(plan, mergeResults(plan, results))).toBe(jsonOf(plan, scanned(plan, segments)));
      }),
      RUNS,
    );
  });
});
