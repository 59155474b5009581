import { describe, expect, it } from '@jest/globals';
import type { DurationName } from '../../../../lib/insights/durations.ts';
import type { Measure } from '../../../../lib/insights/measures.ts';
import { createSpareSums, createTally, type TallySize } from '../../../../lib/insights/scan/tally.ts';

const sized = (measures: readonly Measure[], cells: number): TallySize => ({
  ...{ measures, cells, samples: new Set<DurationName>(), sampleBytes: 0 },
});

describe('a tally', () => {
  it('keeps what it holds as it grows, and never has room for more cells than there can be', () => {
    const tally = createTally(sized(['creates', 'views'], 100));
    tally.room(60);
    tally.sums('creates')![59] = 7;
    tally.lastCase('resolved')[58] = 8;
    expect(tally.sums('creates')).toHaveLength(60);
    tally.room(61);
    expect(tally.sums('creates')).toHaveLength(100);
    expect(tally.sums('creates')![59]).toBe(7);
    expect(tally.sums('views')).toHaveLength(100);
    expect(tally.lastCase('resolved')[58]).toBe(8);
    expect(tally.sums('resolves')).toBeUndefined();
  });

  it('has room for all cells there can be as soon as there are many', () => {
    const large = createTally(sized(['creates'], 1_000_000));
    large.room(10_000);
    expect(large.sums('creates')).toHaveLength(10_000);
    large.room(20_000);
    expect(large.sums('creates')).toHaveLength(1_000_000);
  });

  it('finds nothing in the room that another left, and takes no room that another has', () => {
    const spare = createSpareSums();
    const first = createTally(sized(['creates', 'views'], 100), spare);
    first.room(100);
    for (const sums of [first.sums('views')!, first.lastCase('handled'), first.lastCase('resolved')]) sums.fill(9);
    first.close();
    const second = createTally(sized(['resolves'], 300), spare);
    const third = createTally(sized(['resolves'], 300), spare);
    second.room(150); // in what the first had for 100
    third.room(150);
    second.sums('resolves')!.fill(1);
    expect(third.sums('resolves')!.subarray(0, 150)).toEqual(new Float64Array(150));
    for (const last of ['handled', 'resolved'] as const) {
      expect(second.lastCase(last)).toEqual(new Int32Array(second.lastCase(last).length));
    }
    second.close();
    second.close();
    third.close();
    const fourth = createTally(sized(['labels'], 100), spare);
    expect(createTally(sized(['labels'], 100), spare).sums('labels')).toHaveLength(0);
    fourth.room(100);
    expect(fourth.sums('labels')!.every((sum) => sum === 0)).toBe(true);
  });
});
