import * as fc from 'fast-check';
import { windowLookup, windowOf } from '../../../lib/insights/scan/lookup.ts';
import type { WindowSize } from '../../../lib/insights/windows.ts';
import { countWindows, cutWindows, WINDOW_SIZES, windowTimes, zonedTime } from '../../../lib/insights/windows.ts';
import type { ZoneSpec } from '../../../lib/zone.ts';
import { tries } from '../../support/generators/depth.ts';
import { walkedWindows } from '../../support/oracle/walked-windows.ts';

const MONDAY = 0;
const at = (text: string): number => Date.parse(text) / 1000;
const zone = (name: string): ZoneSpec => ({ name });

/** `window_time` and UTC start of each window. */
function cut(
  ...[where, size, min, max, weekStart = MONDAY]: [ZoneSpec, WindowSize, string, string, number?]
): string[] {
  const windows = cutWindows(where, size, weekStart, { min: at(min), max: at(max) });
  const utc = (start: number): string => new Date(start * 1000).toISOString().slice(11, 16);
  return Array.from(windows.starts, (start, index) => `${windowTimes(windows)(index)} = ${utc(start)}Z`);
}

/** Clocks that change at midnight, by half an hour, in Ramadan, over the date line, at :30 and :45, in the south, never. */
const ZONES = [
  'Africa/Cairo',
  'Africa/Casablanca',
  'America/Havana',
  'America/New_York',
  'America/Santiago',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Tehran',
  'Australia/Adelaide',
  'Australia/Lord_Howe',
  'Europe/London',
  'Pacific/Apia',
  'Pacific/Chatham',
  'UTC',
];

describe('windows', () => {
  it('start at the calendar boundary at or before min, and end before max', () => {
    expect(cut(zone('Europe/Berlin'), 'day', '2026-01-05T13:00:00Z', '2026-01-06T23:00:00Z')).toEqual([
      '2026-01-05 00:00:00 = 23:00Z',
      '2026-01-06 00:00:00 = 23:00Z',
    ]);
  });

  it('make two hours of a repeated hour and none of a skipped one', () => {
    const newYork = zone('America/New_York');
    expect(cut(newYork, 'hour', '2025-11-02T05:30:00Z', '2025-11-02T07:00:01Z')).toEqual([
      '2025-11-02 01:00:00 = 05:00Z',
      '2025-11-02 01:00:00 = 06:00Z',
      '2025-11-02 02:00:00 = 07:00Z',
    ]);
    expect(cut(newYork, 'hour', '2025-03-09T06:00:00Z', '2025-03-09T08:00:00Z')).toEqual([
      '2025-03-09 01:00:00 = 06:00Z',
      '2025-03-09 03:00:00 = 07:00Z',
    ]);
  });

  it('make a window of half an hour where the clock moves by half an hour', () => {
    const lordHowe = zone('Australia/Lord_Howe');
    expect(cut(lordHowe, 'hour', '2025-04-05T14:00:00Z', '2025-04-05T16:00:00Z')).toEqual([
      '2025-04-06 01:00:00 = 14:00Z',
      '2025-04-06 01:30:00 = 15:00Z',
      '2025-04-06 02:00:00 = 15:30Z',
    ]);
    expect(cut(lordHowe, 'hour', '2025-10-04T14:30:00Z', '2025-10-04T16:30:00Z')).toEqual([
      '2025-10-05 01:00:00 = 14:30Z',
      '2025-10-05 02:30:00 = 15:30Z',
      '2025-10-05 03:00:00 = 16:00Z',
    ]);
  });

  it('start a day without midnight at 01:00:00, and leave out a date that was skipped', () => {
    expect(cut(zone('America/Santiago'), 'day', '2025-09-06T12:00:00Z', '2025-09-08T12:00:00Z')).toEqual([
      '2025-09-06 00:00:00 = 04:00Z',
      '2025-09-07 01:00:00 = 04:00Z',
      '2025-09-08 00:00:00 = 03:00Z',
    ]);
    expect(cut(zone('Pacific/Apia'), 'day', '2011-12-30T09:00:00Z', '2011-12-31T12:00:00Z')).toEqual([
      '2011-12-29 00:00:00 = 10:00Z',
      '2011-12-31 00:00:00 = 10:00Z',
      '2012-01-01 00:00:00 = 10:00Z',
    ]);
  });

  it('are right in zones at :30 and :45 and at fixed offsets', () => {
    expect(cut(zone('Asia/Kathmandu'), 'hour', '2026-01-01T00:00:00Z', '2026-01-01T00:30:00Z')).toEqual([
      '2026-01-01 05:00:00 = 23:15Z',
      '2026-01-01 06:00:00 = 00:15Z',
    ]);
    expect(cut({ offset: -12_600 }, 'month', '2026-02-01T03:00:00Z', '2026-02-01T03:30:01Z')).toEqual([
      '2026-01-01 00:00:00 = 03:30Z',
      '2026-02-01 00:00:00 = 03:30Z',
    ]);
  });

  it('start weeks on the day of the site', () => {
    const utc = { offset: 0 };
    expect(cut(utc, 'week', '2026-01-04T00:00:00Z', '2026-01-04T00:00:01Z')).toEqual(['2025-12-29 00:00:00 = 00:00Z']);
    expect(cut(utc, 'week', '2026-01-04T00:00:00Z', '2026-01-04T00:00:01Z', 6)).toEqual([
      '2026-01-04 00:00:00 = 00:00Z',
    ]);
  });

  it('are none for an empty range, save the one of none', () => {
    expect(cut({ offset: 0 }, 'day', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')).toEqual([]);
    expect(cut({ offset: 0 }, 'none', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')).toEqual(['null = 00:00Z']);
  });

  it('are those that walking the clock finds, around the changes of zones of all kinds', () => {
    const quarter = fc.integer({ min: at('1990-01-01T00:00:00Z') / 900, max: at('2037-01-01T00:00:00Z') / 900 });
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.constantFrom('hour' as const, 'day' as const, 'week' as const, 'month' as const),
        quarter,
        fc.integer({ min: 1, max: 40 }),
        fc.nat(6),
        (...[name, size, start, length, weekStart]) => {
          const min = start * 900;
          const max = min + length * (size === 'hour' ? 3600 : 86_400);
          const windows = cutWindows(zone(name), size, weekStart, { min, max });
          // A zone with minutes of its own has boundaries that a walk by quarters misses.
          fc.pre(windows.starts.every((second) => second % 900 === 0));
          const found = Array.from(windows.starts, (second, index) => [second, windowTimes(windows)(index)]);
          expect(found).toEqual(walkedWindows({ min, max, size, zone: name, weekStart }));
        },
      ),
      { numRuns: tries(40, 1 / 4) },
    );
  });

  it('tile the range: each second lies in the window that the lookup finds', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          'America/New_York',
          'Australia/Lord_Howe',
          'Asia/Kathmandu',
          'Africa/Cairo',
          'America/St_Johns',
        ),
        fc.constantFrom(...WINDOW_SIZES),
        fc.integer({ min: at('2005-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z') }),
        fc.integer({ min: 1, max: 20_000_000 }),
        fc.array(fc.nat(1_000_000), { minLength: 20, maxLength: 20 }),
        (...[name, size, min, length, parts]) => {
          const range = { min, max: min + length };
          const windows = cutWindows(zone(name), size, MONDAY, range);
          const lookup = windowLookup(windows, range);
          for (const part of parts) {
            const second = min + Math.floor((part / 1_000_001) * length);
            const found = windowOf(lookup, second);
            expect(windows.starts[found]).toBeLessThanOrEqual(second);
            expect(windows.starts[found + 1] ?? Number.POSITIVE_INFINITY).toBeGreaterThan(second);
          }
        },
      ),
    );
  });

  it('are counted without being cut', () => {
    const range = { min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z') };
    expect(WINDOW_SIZES.map((size) => countWindows(size, range))).toEqual([1, 8760, 365, 52, 11]);
  });
});

describe('a zoned time', () => {
  it('bears the offset of its zone at that instant, and never Z', () => {
    expect(zonedTime(zone('America/New_York'), at('2025-11-02T05:30:00Z'))).toBe('2025-11-02T01:30:00-04:00');
    expect(zonedTime(zone('America/New_York'), at('2025-11-02T06:30:00Z'))).toBe('2025-11-02T01:30:00-05:00');
    expect(zonedTime({ offset: 0 }, 0)).toBe('1970-01-01T00:00:00+00:00');
    expect(zonedTime({ offset: -12_600 }, 0)).toBe('1969-12-31T20:30:00-03:30');
  });
});
