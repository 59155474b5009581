import { cutIntervals, type Intervals } from '../../../../lib/insights/scan/intervals.ts';
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

const cut = (all: Intervals) => cutIntervals(all, new Uint8Array(all.lengths.length).fill(1), lookup);

describe('cut intervals', () => {
  it('come in batches of whole intervals, each with the pieces since the one before', () => {
    const counts: number[] = [];
    for (const { count } of cut(intervals(HOURS, HOURS, HOURS, HOURS))) counts.push(count);
    expect(counts).toEqual([3 * HOURS, HOURS]);
    expect(Array.from(cut(intervals(2, 3)), ({ count }) => count)).toEqual([5]);
  });
});
