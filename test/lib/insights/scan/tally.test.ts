import type { DurationName } from '../../../../lib/insights/definitions/durations.ts';
import type { Measure } from '../../../../lib/insights/definitions/measures.ts';
import { createSpareSums, createTally, type SpareSums } from '../../../../lib/insights/scan/tally.ts';

/** A tally of cells that the test numbers, with the last cases of resolves and of handling. */
function sized(measures: readonly Measure[], mostCells: number, spare?: SpareSums) {
  const cells = { size: 0 };
  const size = {
    ...{ measures, mostCells, cells, remembering: ['resolve', 'handle'] },
    ...{ samples: new Set<DurationName>(), sampleBytes: 0 },
  };
  return { cells, tally: createTally(size, spare) };
}

describe('a tally', () => {
  it('keeps what it holds as it grows, and never has room for more cells than there can be', () => {
    const { cells, tally } = sized(['creates', 'views'], 100);
    cells.size = 60;
    tally.sums('creates')[59] = 7;
    tally.lastCase('resolve')[58] = 8;
    expect(tally.sums('creates')).toHaveLength(60);
    cells.size = 61;
    expect(tally.sums('creates')).toHaveLength(100);
    expect(tally.sums('creates')[59]).toBe(7);
    expect(tally.sums('views')).toHaveLength(100);
    expect(tally.lastCase('resolve')[58]).toBe(8);
    expect(() => tally.sums('resolves')).toThrow('does not ask for resolves');
  });

  it('has room for all cells there can be as soon as there are many', () => {
    const { cells, tally } = sized(['creates'], 1_000_000);
    cells.size = 10_000;
    expect(tally.sums('creates')).toHaveLength(10_000);
    cells.size = 20_000;
    expect(tally.sums('creates')).toHaveLength(1_000_000);
  });

  it('finds nothing in the room that another left, and takes no room that another has', () => {
    const spare = createSpareSums();
    const first = sized(['creates', 'views'], 100, spare);
    first.cells.size = 100;
    const { tally } = first;
    for (const array of [tally.sums('views'), tally.lastCase('handle'), tally.lastCase('resolve')]) array.fill(9);
    tally.close();
    const second = sized(['resolves'], 300, spare);
    const third = sized(['resolves'], 300, spare);
    second.cells.size = 150; // in what the first had for 100
    third.cells.size = 150;
    second.tally.sums('resolves').fill(1);
    expect(third.tally.sums('resolves').subarray(0, 150)).toEqual(new Float64Array(150));
    for (const name of ['resolve', 'handle']) {
      const last = second.tally.lastCase(name);
      expect(last).toEqual(new Int32Array(last.length));
    }
    second.tally.close();
    second.tally.close();
    third.tally.close();
    const fourth = sized(['labels'], 100, spare);
    expect(sized(['labels'], 100, spare).tally.sums('labels')).toHaveLength(0);
    fourth.cells.size = 100;
    expect(fourth.tally.sums('labels').every((sum) => sum === 0)).toBe(true);
  });
});
