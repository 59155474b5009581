import * as fc from 'fast-check';
import { countsByChance, meansByChance, percentilesByChance, ratesByChance } from '../../../lib/insights/chance.ts';

const sorted = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();

/** The probability of at most `most` of `count`, each with a probability of `share`, from Pascal's triangle. */
function atMost(most: number, count: number, share: number): number {
  let row = [1];
  for (let n = 0; n < count; n += 1) {
    row = [...row, 0].map((each, k) => each * (1 - share) + (k === 0 ? 0 : (row[k - 1] ?? 0) * share));
  }
  return row.slice(0, most + 1).reduce((sum, each) => sum + each, 0);
}

describe('chance', () => {
  it('gives two counts that differ by up to two standard deviations of both', () => {
    // 2·√(128 + 98) = 30.07, 2·√(72 + 98) = 26.08
    const pairs = [
      [128, 98],
      [129, 98],
      [72, 98],
      [71, 98],
      [4, 0],
      [5, 0],
      [0, 0],
    ] as const;
    expect(pairs.map(([now, before]) => countsByChance(now, before))).toEqual([
      ...[true, false, true, false, true, false, true],
    ]);
  });

  it('gives two rates whose pooled proportions are no more than 1.96 standard errors apart', () => {
    // 8 of 100 and 17 of 100: z = 1.924; 18 of 100: z = 2.103
    const rate = (sum: number, count = 100) => ({ sum, count });
    expect(ratesByChance(rate(8), rate(17))).toBe(true);
    expect(ratesByChance(rate(8), rate(18))).toBe(false);
    expect(ratesByChance(rate(0), rate(0))).toBe(true);
    expect(ratesByChance(rate(1, 1), rate(0, 1))).toBe(true); // a rate of one case says little
    expect(ratesByChance(rate(800, 10_000), rate(1000, 10_000))).toBe(false);
  });

  it('gives two means that Welch does not tell apart, and says nothing of a single value', () => {
    const mean = (...values: number[]) => ({
      sum: values.reduce((sum, value) => sum + value, 0),
      squares: values.reduce((sum, value) => sum + value ** 2, 0),
      count: values.length,
    });
    // means 20 and 30, standard errors √(100/3) = 5.77 each: t = 1.22
    expect(meansByChance(mean(10, 20, 30), mean(20, 30, 40))).toBe(true);
    expect(meansByChance(mean(10, 20, 30), mean(110, 120, 130))).toBe(false);
    expect(meansByChance(mean(10), mean(1000, 2000))).toBe(true);
    expect(meansByChance(mean(5, 5), mean(6, 6))).toBe(false);
  });

  it('gives two medians if one lies within the middle 95 % of ranks of the other, by the binomial distribution', () => {
    const ten = sorted([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]); // of ten values those of rank 2 to 9 (97.9 %)
    const at = (value: number) => sorted(Array.from({ length: 600 }, () => value));
    expect([1.9, 2, 9, 9.1].map((value) => percentilesByChance(50, ten, at(value)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(percentilesByChance(50, sorted([7]), at(100))).toBe(true); // a percentile of one case
    expect(percentilesByChance(90, sorted([1, 2, 3]), at(100))).toBe(true);
    expect([percentilesByChance(0, ten, at(50)), percentilesByChance(100, ten, at(50))]).toEqual([null, null]);
  });

  it('takes the ranks that hold a percentile in at least 95 of 100 samples, and no narrower ones', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 99 }), (count, percent) => {
        const ranks = sorted(Array.from({ length: count }, (_, index) => index + 1));
        const apart = (value: number) =>
          percentilesByChance(percent as 50, ranks, sorted(Array.from({ length: 900 }, () => value)));
        // The lowest rank that is still by chance: below it lies the percentile with at most 2.5 %.
        const lowest = Array.from({ length: count + 1 }, (_, rank) => rank).find((rank) => apart(rank) === true) ?? 0;
        if (lowest > 0) {
          expect(atMost(lowest - 1, count, percent / 100)).toBeLessThanOrEqual(0.025);
          if (lowest < count) expect(atMost(lowest, count, percent / 100)).toBeGreaterThan(0.025);
        }
      }),
    );
  });
});
