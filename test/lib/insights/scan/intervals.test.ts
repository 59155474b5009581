import { describe, expect, it } from '@jest/globals';
import { cutIntervals, type Intervals, type SparePieces } from '../../../../lib/insights/scan/intervals.ts';
import { windowLookup } from '../../../../lib/insights/scan/lookup.ts';
import { cutWindows } from '../../../../lib/insights/windows.ts';

const HOUR = 3600;
const HOURS = 400_000;
const range = { min: 0, max: HOURS * HOUR };
const lookup = windowLookup(cutWindows({ offset: 0 }, 'hour', 0, range), range);

/** Intervals of so many hours each, one a row. */
const intervals = (...hours: number[]): Intervals => ({
  start: 0,
  seconds: new Int32Array(hours.length),
  lengths: Int32Array.from(hours, (length) => length * HOUR),
  rows: Uint16Array.from(hours, (_, row) => row),
});

const cut = (all: Intervals, spare: SparePieces) =>
  cutIntervals(all, new Uint8Array(all.lengths.length).fill(1), lookup, spare);

describe('cut intervals', () => {
  it('use the same room again', () => {
    const spare: SparePieces = { pieces: undefined };
    const [first] = [...cut(intervals(2, 3), spare)];
    const [second] = [...cut(intervals(4), spare)];
    expect([second, second?.count]).toEqual([first, 4]);
    expect(second?.windows).toBe(first?.windows);
    expect(spare.pieces).toBe(second);
  });

  it('give much room back, even when nobody asks for all of them', () => {
    const spare: SparePieces = { pieces: undefined };
    let pieces = 0;
    for (const batch of cut(intervals(HOURS, HOURS, HOURS, HOURS), spare)) pieces += batch.count;
    expect([pieces, spare.pieces]).toEqual([4 * HOURS, undefined]);
    for (const { count } of cut(intervals(HOURS, HOURS, HOURS, HOURS), spare)) {
      expect([count, spare.pieces?.count]).toEqual([3 * HOURS, 3 * HOURS]);
      break;
    }
    expect(spare.pieces).toBeUndefined();
  });
});
