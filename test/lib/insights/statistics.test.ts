import * as fc from 'fast-check';
import { DURATION_NAMES } from '../../../lib/insights/definitions/durations.ts';
import { mergeResults } from '../../../lib/insights/scan/scan.ts';
import { createSegmentScanner } from '../../../lib/insights/scan/scanner.ts';
import { tries } from '../../support/generators/depth.ts';
import { reportRows } from '../../support/generators/report-rows.ts';
import { arbitraryExample } from '../../support/generators/requests.ts';
import { exampleSegments, planOf } from '../../support/oracle/engine-report.ts';
import type { Example, Row } from '../../support/oracle/example.ts';

const STATISTICS = ['min', 'p1', 'p37', 'p50', 'p99', 'max', 'mean', 'count'] as const;

/** An example that asks for statistics of one duration. */
const arbitraryStatistics: fc.Arbitrary<Example> = fc
  .tuple(arbitraryExample, fc.constantFrom(...DURATION_NAMES))
  .map(([{ body, ...rest }, duration]) => ({
    ...rest,
    body: { ...body, fields: STATISTICS.map((statistic) => `${duration}:${statistic}`) },
  }));

/** The rows of a report over so many segments, whose results are merged in some order, some of them before the rest. */
function rowsOver(example: Example, count: number, turn: number): readonly Row[] {
  const plan = planOf(example);
  const scanner = createSegmentScanner(0);
  const results = exampleSegments(example, count)
    .filter(({ kind }) => kind === 'cases')
    .map((segment) => {
      const scan = scanner.start(plan);
      scan.add(segment);
      return scan.result();
    });
  const turned = [...results.slice(turn % count), ...results.slice(0, turn % count)];
  const [some, others] = [turned.slice(0, turn % 3), turned.slice(turn % 3)];
  return reportRows(plan, mergeResults(plan, [mergeResults(plan, some), ...others]));
}

describe('the statistics of a duration', () => {
  it('rise from the shortest by percentiles to the longest, which the mean lies between, in every cell', () => {
    let cells = 0;
    fc.assert(
      fc.property(arbitraryStatistics, (example) => {
        for (const row of rowsOver(example, 2, 0)) {
          const [least, ...numbers] = row.slice(3).map((cell) => (cell === null ? null : Number(cell)));
          const count = numbers.pop();
          const mean = numbers.pop();
          if (count === 0) expect([least, mean, ...numbers].every((cell) => cell === null)).toBe(true);
          else {
            const values = [least, ...numbers].map(Number);
            expect(values).toEqual(values.toSorted((a, b) => a - b));
            expect(Number(mean)).toBeGreaterThanOrEqual(Number(least));
            expect(Number(mean)).toBeLessThanOrEqual(Number(values.at(-1)));
            if (count === 1) expect(new Set([...values, mean]).size).toBe(1);
            cells += 1;
          }
        }
      }),
      { numRuns: tries(300, 1 / 4), seed: 27 },
    );
    expect(cells).toBeGreaterThan(tries(200, 1 / 10));
  });

  it('are the same in whatever order events come, and however they are cut into segments and results', () => {
    const shuffled = arbitraryStatistics.chain((example) =>
      fc.record({
        example: fc.constant(example),
        events: fc.shuffledSubarray([...example.events], { minLength: example.events.length }),
        count: fc.integer({ min: 1, max: 6 }),
        turn: fc.nat(11),
      }),
    );
    let rows = 0;
    fc.assert(
      fc.property(shuffled, ({ example, events, count, turn }) => {
        const whole = rowsOver(example, 1, 0);
        expect(rowsOver({ ...example, events }, count, turn)).toEqual(whole);
        rows += whole.length;
      }),
      { numRuns: tries(200), seed: 28 },
    );
    expect(rows).toBeGreaterThan(tries(200, 1 / 10));
  });
});
