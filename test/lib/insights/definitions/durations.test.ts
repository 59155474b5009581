import * as fc from 'fast-check';
import { readStatistic } from '../../../../lib/insights/definitions/durations.ts';
import { isFieldName } from '../../../../lib/insights/definitions/fields.ts';
import {
  addSample,
  addToCase,
  createSamples,
  roomForSamples,
  scatterSamples,
} from '../../../../lib/insights/scan/samples.ts';

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
    return scatterSamples(samples, Int32Array.of(0, 1, 2, 3), 4);
  };

  it('have the values of each cell, in whatever order they came', () => {
    const pairs = fc.array(fc.tuple(fc.nat(3), fc.nat(100)), { maxLength: 50 });
    const mine = (list: readonly (readonly [number, number])[], cell: number): number[] =>
      list.flatMap(([at, value]) => (at === cell ? [value] : []));
    fc.assert(
      fc.property(pairs, (list) => {
        const { offsets, values } = taken(list);
        for (const cell of [0, 1, 2, 3]) {
          expect(Array.from(values.subarray(offsets[cell], offsets[cell + 1]))).toEqual(mine(list, cell));
        }
      }),
    );
  });

  it('are kept however many there are, and those of a case in a cell added up however many came between', () => {
    const samples = createSamples(10_000_000);
    const many = 100_000;
    roomForSamples(samples, 1);
    addToCase(samples, 1, 7, 40);
    for (const cell of [2, 3]) {
      roomForSamples(samples, many);
      for (let number = 1; number <= many; number += 1) addToCase(samples, cell, number, number);
    }
    roomForSamples(samples, 1);
    addToCase(samples, 1, 7, 2);
    addToCase(samples, 3, many, 1);
    const { offsets, values } = scatterSamples(samples, Int32Array.of(0, 1, 2, 3), 4);
    expect(Array.from(offsets)).toEqual([0, 0, 1, 1 + many, 1 + 2 * many]);
    expect([values[0], values[1], values[many], values[2 * many]]).toEqual([42, 1, many, many + 1]);
  });

  it('are refused beyond what there is memory for, with what would make the report fit', () => {
    const samples = createSamples(200);
    roomForSamples(samples, 10);
    for (let value = 0; value < 10; value += 1) addSample(samples, 0, value);
    const message = expect.stringContaining('It would fit with a shorter time');
    expect(() => roomForSamples(samples, 1)).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ message })] }),
    );
  });
});
