import * as fc from 'fast-check';
import { percentile, percentiles, sortSamples } from '../../../lib/insights/percentiles.ts';

const of = (...values: number[]): Float64Array => Float64Array.from(values).sort();

function ofSorted(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = percent * (sorted.length - 1);
  const low = sorted[Math.floor(at / 100)]!;
  return (100 * low + (at % 100) * ((sorted[Math.floor(at / 100) + 1] ?? low) - low)) / 100;
}

describe('a percentile', () => {
  it('lies between the two closest ranks, as spreadsheets and databases have it', () => {
    expect(percentile(of(1, 2, 4, 10), 50)).toBe(3);
    const hundred = of(...Array.from({ length: 100 }, (_, at) => at + 1));
    expect([50, 90, 99].map((percent) => percentile(hundred, percent))).toEqual([50.5, 90.1, 99.01]);
    expect(percentile(of(7), 99)).toBe(7);
  });

  it('rises with the percent, from the smallest to the largest value, in whole hundredths', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(7_000_000_000), { minLength: 1, maxLength: 40 }), (values) => {
        const found = Array.from({ length: 101 }, (_, percent) => percentile(of(...values), percent));
        expect(found).toEqual([...found].sort((a, b) => a - b));
        expect([found[0], found[100]]).toEqual([Math.min(...values), Math.max(...values)]);
        for (const value of found) expect(Math.round(value * 100) / 100).toBe(value);
      }),
    );
  });

  it('is that of the sorted values, however many there are, and for each cell by itself', () => {
    const near = fc.nat(100).chain((middle) => fc.nat(20).map((more) => middle + more));
    const value = fc.oneof(
      near,
      near,
      fc.nat(2 ** 26),
      fc.constant(7),
      fc.maxSafeNat().map((large) => large % 2 ** 45),
    );
    const cells = fc.array(fc.array(value, { size: 'max', maxLength: 400 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(
        cells,
        fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 4 }),
        (lists, percents) => {
          const offsets = Int32Array.from([0, ...lists.keys()], (_, at) => lists.slice(0, at).flat().length);
          const sorted = sortSamples({ offsets, values: Float64Array.from(lists.flat()) });
          for (const percent of percents) {
            const found = Array.from(percentiles(sorted, percent, -1));
            expect(found).toEqual(lists.map((list) => (list.length === 0 ? -1 : ofSorted(list, percent))));
          }
        },
      ),
    );
  });
});
