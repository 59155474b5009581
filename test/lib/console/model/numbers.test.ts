import * as fc from 'fast-check';
import { createFormat, languageName, NOTHING } from '../../../../lib/console/model/format.ts';
import {
  nextWindow,
  PRESETS,
  readLast,
  readRange,
  suitingWindow,
  writeLast,
} from '../../../../lib/console/model/period.ts';
import { visibleRows } from '../../../../lib/console/model/report/table.ts';
import { highest, largestRun, linear, thinned, ticks } from '../../../../lib/console/model/scale.ts';
import { zonedText } from '../../../../lib/console/model/zone.ts';

describe('ticks', () => {
  it('start at 0, rise evenly, and reach the highest value in few steps', () => {
    const highest = fc.double({ min: 1e-6, max: 1e12, noNaN: true });
    fc.assert(
      fc.property(highest, fc.constantFrom('number' as const, 'count' as const, 'seconds' as const), (top, kind) => {
        const steps = ticks(top, 5, kind);
        expect(steps[0]).toBe(0);
        expect(steps.at(-1)).toBeGreaterThanOrEqual(top * (1 - 1e-9));
        expect(steps.length).toBeLessThanOrEqual(6);
        if (kind === 'count') for (const step of steps) expect(Number.isInteger(step)).toBe(true);
      }),
    );
  });

  it('name languages, and fall back to the code', () => {
    expect(['de', 'en_us', 'x_nothing_', 'zz'].map((locale) => languageName(locale, 'en'))).toEqual([
      ...['German (de)', 'American English (en_us)', 'x_nothing_', 'zz'],
    ]);
  });

  it('are round: numbers by 1, 2, 5, times by minutes, hours and days', () => {
    expect(ticks(87, 5, 'count')).toEqual([0, 20, 40, 60, 80, 100]);
    expect(ticks(3000, 5, 'seconds')).toEqual([0, 600, 1200, 1800, 2400, 3000]);
    expect(ticks(0.7, 5, 'number')).toEqual([0, 0.2, 0.4, 0.6, 0.8]);
    expect(ticks(0, 5, 'count')).toEqual([0, 1]);
    expect(ticks(Number.NaN, 5, 'count')).toEqual([0, 1]);
  });

  it('have a largest one, also of hundreds of thousands', () => {
    expect(highest([null, 3, 2])).toBe(3);
    expect(highest([])).toBe(0);
    expect(highest(new Array<number>(500_000).fill(7))).toBe(7);
  });

  it.each([
    [[0, 0, 3, 5, 4, 0], 3, 2],
    [[0, 0, 3, 5, 4, 0], 9, 0],
    [[2, 2, 2], 2, 0],
    [[], 4, 0],
  ])('show of %j, %d beside another, first that from which they are most', (values, length, start) => {
    expect(largestRun(values, length)).toBe(start);
  });

  it('scale to places, and labels are thinned to what fits', () => {
    expect(linear(50, 200, 0)(25)).toBe(100);
    expect(linear(0, 200, 0)(0)).toBe(200);
    expect(thinned(28, 10)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24, 27]);
    expect(thinned(0, 0)).toEqual([]);
  });
});

describe('formats', () => {
  const { value, exact, signed, signedShare, window, weekday } = createFormat('en-US');

  it('write durations by their two largest units and say nothing where there is nothing', () => {
    expect([59, 60, 3599, 3600, 93_784, 0].map((seconds) => value(seconds, 'seconds'))).toEqual([
      '59s',
      '1m',
      '59m 59s',
      '1h',
      '1d 2h',
      '0s',
    ]);
    expect([value(null, 'seconds'), value(0, 'cases'), value(null, 'percent')]).toEqual([NOTHING, '0', NOTHING]);
    expect([value(26.32, 'percent'), exact(3599.25, 'seconds'), value(12_345, 'cases')]).toEqual([
      '26.3%',
      '3,599.25 s',
      '12,345',
    ]);
  });

  it('write changes with their sign', () => {
    expect([signedShare(0.1), signedShare(-0.1), signedShare(0), signed(2.5)]).toEqual(['+10%', '-10%', '0%', '+2.5']);
  });

  it('write windows by their size and days from Monday', () => {
    expect(window('2026-10-26 00:00:00', 'month')).toBe('October 2026');
    expect([weekday(1), weekday(7)]).toEqual(['Mon', 'Sun']);
    expect(createFormat('de').value(1234.5, 'cases')).toBe('1.234,5');
  });
});

describe('periods', () => {
  it('come back from an address', () => {
    for (const { period } of PRESETS) expect(readLast(writeLast(period))).toEqual(period);
    expect(new Set(PRESETS.map(({ key }) => key)).size).toBe(PRESETS.length);
    expect([
      readLast('4x'),
      readLast('w'),
      readRange('2026-02-01', '2026-01-01'),
      readRange('2026-13-01', '2026-14-01'),
    ]).toEqual(Array(4).fill(undefined));
    expect(Object.fromEntries(PRESETS.map(({ key, period }) => [key, suitingWindow(period)]))).toEqual({
      ...{ d: 'hour', e: 'hour', k: 'day', s: 'day', m: 'day', p: 'day', q: 'week', u: 'week' },
      ...{ y: 'month', z: 'month', w: 'day', f: 'day', n: 'week', v: 'day', l: 'month', a: 'month' },
    });
  });

  it('know the window after a window, whatever it starts at', () => {
    expect(nextWindow('2026-01-31T00:00:00', 'month')).toBe('2026-02-01T00:00:00');
    expect(nextWindow('2026-03-08T01:00:00', 'day')).toBe('2026-03-09T00:00:00');
    expect(nextWindow('2026-12-28', 'week')).toBe('2027-01-04T00:00:00');
    expect(nextWindow('2026-12-31T23:00:00', 'hour')).toBe('2027-01-01T00:00:00');
  });

  it('tell local times with the offset of their zone, of a repeated hour the first, of a skipped one that before it', () => {
    expect(zonedText('2026-07-01', 'America/New_York')).toBe('2026-07-01T00:00:00-04:00');
    expect(zonedText('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T02:30:00+02:00');
    expect(zonedText('2026-01-01', 'Asia/Kolkata')).toBe('2026-01-01T00:00:00+05:30');
    expect(zonedText('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T02:30:00+01:00'); // a skipped one
  });
});

describe('rows in sight', () => {
  it('are few of many, with some to spare', () => {
    expect(visibleRows(50_000, 40, 0, 600)).toEqual([0, 35]);
    expect(visibleRows(50_000, 40, 40_000, 600)).toEqual([980, 1035]);
    expect(visibleRows(10, 40, 0, 600)).toEqual([0, 10]);
  });
});
