import fc from 'fast-check';
import { formatInstant, parseInstant } from '../../../../lib/history/cases/instant.ts';

describe('parseInstant', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0],
    ['2026-03-01T09:00:00+01:00', Date.UTC(2026, 2, 1, 8) * 1000],
    ['2026-03-01T09:00:00-05:30', Date.UTC(2026, 2, 1, 14, 30) * 1000],
    ['2026-03-01T09:00:00+0100', Date.UTC(2026, 2, 1, 8) * 1000],
    ['2026-03-01T09:00Z', Date.UTC(2026, 2, 1, 9) * 1000],
    ['2026-03-01 09:00:00+00', Date.UTC(2026, 2, 1, 9) * 1000],
    ['2026-03-01T09:00:00.5Z', Date.UTC(2026, 2, 1, 9) * 1000 + 500_000],
    ['2026-03-01T09:00:00.1234567Z', Date.UTC(2026, 2, 1, 9) * 1000 + 123_456],
    ['2024-02-29T23:59:59Z', Date.UTC(2024, 1, 29, 23, 59, 59) * 1000],
  ])('reads %s', (text, micros) => {
    expect(parseInstant(text)).toBe(micros);
  });

  it.each([
    '2026-03-01T09:00:00',
    '2026-02-29T09:00:00Z',
    '2100-02-29T09:00:00Z',
    '2026-13-01T09:00:00Z',
    '2026-00-01T09:00:00Z',
    '2026-01-00T09:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:60:00Z',
    '2026-01-01T23:59:60Z',
    '2026-01-01T23:59:5xZ',
    '2026-01-01T23:59:59.Z',
    '2026-01-01T23:59:59+24:00',
    '2026-01-01T23:59:59+01:60',
    '1970-01-01T00:00:00+01:00',
    '1969-12-31T23:59:59Z',
    '2200-01-01T00:00:00Z',
    '20260101T235959Z',
    '2026-01-01',
    'yesterday',
    '',
  ])('refuses %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('agrees with Date on every date of 1970-2199, and reads back what it wrote', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7_258_118_399_999 }), fc.nat({ max: 999 }), (millis, extra) => {
        expect(parseInstant(new Date(millis).toISOString())).toBe(millis * 1000);
        expect(parseInstant(formatInstant(millis * 1000 + extra))).toBe(millis * 1000 + extra);
      }),
    );
  });
});
