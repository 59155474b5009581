import * as fc from 'fast-check';
import { LONGEST_NUMBER, NOTHING, putNumber } from '../../../lib/insights/json-bytes.ts';
import { tries } from '../../support/generators/depth.ts';

/** What is written for a value from place 3 on, nothing before and behind it touched. */
function written(value: number): string {
  const out = Buffer.alloc(3 + LONGEST_NUMBER + 1, '#');
  const end = putNumber(out, 3, value);
  expect(out.toString('latin1', 0, 3) + out.toString('latin1', end)).toBe('#'.repeat(out.length - (end - 3)));
  return out.toString('latin1', 3, end);
}

const EDGES = [0, 9, 10, 99, 100, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 1e21, Number.MAX_VALUE];
const HUNDREDTHS = [1, 9, 10, 11, 50, 90, 99, 100, 214_748_364_701, 214_748_364_799, 214_748_364_801];

describe('a number of a report', () => {
  it.each([...EDGES, ...HUNDREDTHS.map((many) => many / 100)])('%d is written as JSON has it', (value) => {
    expect(written(value)).toBe(JSON.stringify(value));
  });

  it('is written as JSON has it, whatever its size', () => {
    const integers = fc.oneof(fc.nat(), fc.maxSafeNat());
    const decimals = fc.oneof(fc.nat(), fc.maxSafeNat()).map((hundredths) => hundredths / 100);
    fc.assert(
      fc.property(fc.oneof(integers, decimals), (value) => {
        expect(written(value)).toBe(JSON.stringify(value));
      }),
      { numRuns: tries(2000, 1 / 4) },
    );
  });

  it('is null where there is nothing', () => {
    expect(written(NOTHING)).toBe('null');
  });
});
