import { comparedRange } from '../../../lib/insights/comparison.ts';
import { relativeRange, type TIME_UNITS } from '../../../lib/insights/relative-time.ts';
import { type WindowSize, zonedTime } from '../../../lib/insights/windows.ts';
import { instantOf } from '../../../lib/zone.ts';

const BERLIN = { name: 'Europe/Berlin' };
const second = (text: string): number => Date.parse(text) / 1000;
const shown = ({ min, max }: { min: number; max: number }, zone = BERLIN) => [
  zonedTime(zone, min),
  zonedTime(zone, max),
];
const range = (min: string, max: string, size: WindowSize) => ({
  ...{ min: second(min), max: second(max), size, zone: BERLIN, weekStart: 0, now: second('2030-01-01T00:00:00Z') },
});

describe('a local clock', () => {
  it('takes a time that is shown twice as the first, and moves one that is skipped on by what was skipped', () => {
    const at = (text: string): string => zonedTime(BERLIN, instantOf(BERLIN, second(`${text}Z`)));
    expect(at('2026-10-25T02:30:00')).toBe('2026-10-25T02:30:00+02:00');
    expect(at('2026-03-29T02:30:00')).toBe('2026-03-29T03:30:00+02:00');
    expect(at('2026-03-29T03:00:00')).toBe('2026-03-29T03:00:00+02:00');
  });
});

describe('the previous period', () => {
  it.each<[string, string, WindowSize, string, string]>([
    // A month with a change of summer time, day by day.
    [
      '2026-04-01T00:00:00+02:00',
      '2026-05-01T00:00:00+02:00',
      'day',
      '2026-03-02T00:00:00+01:00',
      '2026-04-01T00:00:00+02:00',
    ],
    [
      '2026-05-01T00:00:00+02:00',
      '2026-06-01T00:00:00+02:00',
      'month',
      '2026-04-01T00:00:00+02:00',
      '2026-05-01T00:00:00+02:00',
    ],
    // Part of a week is compared with the same part of the week before.
    [
      '2026-03-30T00:00:00+02:00',
      '2026-04-02T12:00:00+02:00',
      'week',
      '2026-03-23T00:00:00+01:00',
      '2026-03-26T12:00:00+01:00',
    ],
    // A day of 25 hours, hour by hour.
    [
      '2026-10-25T00:00:00+02:00',
      '2026-10-26T00:00:00+01:00',
      'hour',
      '2026-10-24T00:00:00+02:00',
      '2026-10-25T00:00:00+02:00',
    ],
    [
      '2026-03-03T00:00:00+01:00',
      '2026-03-05T06:00:00+01:00',
      'none',
      '2026-02-28T18:00:00+01:00',
      '2026-03-03T00:00:00+01:00',
    ],
    // A day that the earlier month does not have is its last.
    [
      '2026-03-31T00:00:00+02:00',
      '2026-04-01T00:00:00+02:00',
      'month',
      '2026-02-28T00:00:00+01:00',
      '2026-03-01T00:00:00+01:00',
    ],
    [
      '2026-03-03T00:00:00+01:00',
      '2026-03-03T00:00:00+01:00',
      'day',
      '2026-03-03T00:00:00+01:00',
      '2026-03-03T00:00:00+01:00',
    ],
  ])('of %s to %s by %s is %s to %s', (min, max, size, ...expected) => {
    expect(shown(comparedRange(range(min, max, size), 'previous_period'))).toEqual(expected);
  });
});

describe('the previous year', () => {
  it('has the same dates, and 28 February for the 29th', () => {
    const leap = range('2024-02-29T00:00:00+01:00', '2024-03-31T06:00:00+02:00', 'day');
    expect(shown(comparedRange(leap, 'previous_year'))).toEqual([
      '2023-02-28T00:00:00+01:00',
      '2023-03-31T06:00:00+02:00',
    ]);
  });
});

describe('a range that is still running', () => {
  const at = second('2026-11-28T03:06:00+01:00'); // Saturday
  const running = (min: string, max: string, size: WindowSize) => ({ ...range(min, max, size), now: at });

  it('is compared up to the same moment, as much before the end on the local clock', () => {
    const week = running('2026-11-23T00:00:00+01:00', '2026-11-30T00:00:00+01:00', 'day');
    expect(shown(comparedRange(week, 'previous_period'))).toEqual([
      '2026-11-16T00:00:00+01:00',
      '2026-11-21T03:06:00+01:00',
    ]);
    const month = running('2026-11-01T00:00:00+01:00', '2026-12-01T00:00:00+01:00', 'month');
    expect(shown(comparedRange(month, 'previous_period'))).toEqual([
      '2026-10-01T00:00:00+02:00',
      '2026-10-29T03:06:00+01:00',
    ]);
  });

  it('that has not begun is compared with nothing', () => {
    const future = running('2026-12-07T00:00:00+01:00', '2026-12-14T00:00:00+01:00', 'day');
    const [min, max] = shown(comparedRange(future, 'previous_period'));
    expect([min, max]).toEqual(['2026-11-30T00:00:00+01:00', '2026-11-30T00:00:00+01:00']);
  });

  it('by a relative time ends at the present moment moved by the unit, whatever the windows', () => {
    for (const size of ['none', 'day', 'month'] as const) {
      const month = running('2026-11-01T00:00:00+01:00', '2026-12-01T00:00:00+01:00', size);
      const relative = { last: 1, unit: 'month' } as const;
      expect(shown(comparedRange({ ...month, relative }, 'previous_period'))).toEqual([
        '2026-10-01T00:00:00+02:00',
        '2026-10-28T03:06:00+01:00',
      ]);
    }
  });

  it('by a relative time takes the end of an earlier month that lacks the day', () => {
    const march = range('2026-03-01T00:00:00+01:00', '2026-04-01T00:00:00+02:00', 'day');
    const relative = { last: 1, unit: 'month' } as const;
    const now = second('2026-03-31T10:00:00+02:00');
    expect(shown(comparedRange({ ...march, now, relative }, 'previous_period'))).toEqual([
      '2026-02-01T00:00:00+01:00',
      '2026-03-01T00:00:00+01:00',
    ]);
  });

  it('by whole relative units moves both ends by the unit', () => {
    const october = range('2026-10-01T00:00:00+02:00', '2026-11-01T00:00:00+01:00', 'day');
    const relative = { last: 1, unit: 'month' } as const;
    expect(shown(comparedRange({ ...october, relative }, 'previous_period'))).toEqual([
      '2026-09-01T00:00:00+02:00',
      '2026-10-01T00:00:00+02:00',
    ]);
  });
});

describe('a relative time', () => {
  it('of a quarter or year that is running is compared with the one before to the same moment', () => {
    const at = second('2026-05-31T10:00:00+02:00');
    const until = (unit: 'quarter' | 'year', last: number, period: 'previous_period' | 'previous_year') => {
      const relative = { last, unit } as const;
      const { min, max } = relativeRange({ ...relative, includingCurrent: true }, BERLIN, 0, at);
      const cut = { min, max, now: at, size: 'none', zone: BERLIN, weekStart: 0 } as const;
      return shown(comparedRange({ ...cut, relative }, period));
    };
    expect(until('quarter', 1, 'previous_period')).toEqual(['2026-01-01T00:00:00+01:00', '2026-03-01T00:00:00+01:00']);
    expect(until('quarter', 2, 'previous_period')).toEqual(['2025-07-01T00:00:00+02:00', '2025-12-01T00:00:00+01:00']);
    expect(until('year', 1, 'previous_period')).toEqual(['2025-01-01T00:00:00+01:00', '2025-05-31T10:00:00+02:00']);
    expect(until('quarter', 1, 'previous_year')).toEqual(['2025-04-01T00:00:00+02:00', '2025-05-31T10:00:00+02:00']);
  });

  const now = second('2026-03-29T10:20:30Z'); // Sunday, on which summer time began
  it.each<[number, (typeof TIME_UNITS)[number], boolean, number, string, string]>([
    [1, 'day', false, 0, '2026-03-28T00:00:00+01:00', '2026-03-29T00:00:00+01:00'],
    [2, 'day', true, 0, '2026-03-28T00:00:00+01:00', '2026-03-30T00:00:00+02:00'],
    [4, 'week', false, 0, '2026-02-23T00:00:00+01:00', '2026-03-23T00:00:00+01:00'],
    [1, 'week', true, 6, '2026-03-29T00:00:00+01:00', '2026-04-05T00:00:00+02:00'],
    [12, 'month', false, 0, '2025-03-01T00:00:00+01:00', '2026-03-01T00:00:00+01:00'],
    [11, 'hour', false, 0, '2026-03-29T00:00:00+01:00', '2026-03-29T12:00:00+02:00'],
    [1, 'hour', true, 0, '2026-03-29T12:00:00+02:00', '2026-03-29T13:00:00+02:00'],
    [1, 'quarter', false, 0, '2025-10-01T00:00:00+02:00', '2026-01-01T00:00:00+01:00'],
    [5, 'quarter', true, 0, '2025-01-01T00:00:00+01:00', '2026-04-01T00:00:00+02:00'],
    [1, 'year', true, 0, '2026-01-01T00:00:00+01:00', '2027-01-01T00:00:00+01:00'],
    [3, 'year', false, 6, '2023-01-01T00:00:00+01:00', '2026-01-01T00:00:00+01:00'],
  ])(
    'of the last %d of a %s, the current one included: %s, weeks from day %d, is %s to %s',
    (...[last, unit, includingCurrent, weekStart, ...expected]) => {
      expect(shown(relativeRange({ last, unit, includingCurrent }, BERLIN, weekStart, now))).toEqual(expected);
    },
  );
});
