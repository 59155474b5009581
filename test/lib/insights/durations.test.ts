import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { percentile, readStatistic } from '../../../lib/insights/durations.ts';
import { isFieldName } from '../../../lib/insights/fields.ts';
import {
  addSample,
  createSamples,
  roomForSamples,
  scatterSamples,
  sortSamples,
} from '../../../lib/insights/scan/samples.ts';

const of = (...values: number[]): Float64Array => Float64Array.from(values).sort();

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
        const sorted = of(...values);
        const found = Array.from({ length: 101 }, (_, percent) => percentile(sorted, percent));
        expect(found).toEqual([...found].sort((a, b) => a - b));
        expect([found[0], found[100]]).toEqual([Math.min(...values), Math.max(...values)]);
        for (const value of found) expect(Math.round(value * 100) / 100).toBe(value);
      }),
    );
  });
});

describe('the name of a statistic', () => {
  it('is a duration and one of mean, min, max, count and p1 to p99', () => {
    for (const name of ['mean', 'min', 'max', 'count', 'p1', 'p50', 'p99']) {
      expect(readStatistic(`handle_time:${name}`)).toEqual({ duration: 'handle_time', statistic: name });
    }
    const wrong = ['handle_time:p0', 'handle_time:p100', 'handle_time:p05', 'handle_time:median', 'handle_time:'];
    for (const name of [...wrong, 'avg_time_to_resolution:p50', 'case_creates:p50', 'handle_time:p5.5', ':p50']) {
      expect(isFieldName(name)).toBe(false);
    }
  });
});

describe('samples', () => {
  const taken = (list: readonly (readonly [number, number])[]) => {
    const samples = createSamples(1_000_000);
    roomForSamples(samples, list.length);
    for (const [cell, value] of list) addSample(samples, cell, value);
    return sortSamples(scatterSamples(samples, Int32Array.of(0, 1, 2, 3), 4));
  };

  it('have the values of each cell sorted, in whatever order they came', () => {
    const pairs = fc.array(fc.tuple(fc.nat(3), fc.oneof(fc.nat(100), fc.nat(2 ** 26), fc.maxSafeNat())), {
      maxLength: 400,
    });
    fc.assert(
      fc.property(pairs, (list) => {
        const { offsets, values } = taken(list);
        expect(taken([...list].reverse())).toEqual({ offsets, values });
        for (const cell of [0, 1, 2, 3]) {
          const mine = list.flatMap(([at, value]) => (at === cell ? [value] : [])).sort((a, b) => a - b);
          expect(Array.from(values.subarray(offsets[cell], offsets[cell + 1]))).toEqual(mine);
        }
      }),
    );
  });

  it('are refused beyond what there is memory for, with what would make the report fit', () => {
    const samples = createSamples(200);
    roomForSamples(samples, 10);
    for (let value = 0; value < 10; value += 1) addSample(samples, 0, value);
    expect(() => roomForSamples(samples, 1)).toThrow('It would fit with a shorter time');
  });
});
