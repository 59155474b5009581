import { durationMicros } from '../../../../lib/import/language/durations.ts';
import type { DurationUnit } from '../../../../lib/vocabulary.ts';

const seconds = (unit: DurationUnit, text: string) => durationMicros(text, unit, 'First reply') / 1_000_000;

describe('how long something took', () => {
  it.each<[DurationUnit, string, number]>([
    ['seconds', '90', 90],
    ['minutes', '1.5', 90],
    ['hours', '1,5', 5_400],
    ['hours', '0,125', 450],
    ['days', '2', 172_800],
    ['clock', '1:30', 5_400],
    ['clock', '01:23:45', 5_025],
    ['clock', '120:00:00', 432_000],
    ['short_clock', '1:30', 90],
    ['words', '3 hours 20 min', 12_000],
    ['words', '1 day', 86_400],
    ['words', '2 Days, 4 hrs. and 5 minutes', 187_500],
    ['words', '1w 2d 3h 4m 5s', 788_645],
    ['words', '1,5 hours', 5_400],
  ])('in %s reads %j as %d seconds', (unit, text, expected) => {
    expect(seconds(unit, text)).toBe(expected);
  });

  it.each<[DurationUnit, string, string]>([
    ['minutes', 'x', 'First reply: "x" is not a duration in minutes'],
    ['minutes', '-5', 'First reply: "-5" is not a duration in minutes'],
    ['hours', '1,234', 'First reply: "1,234" is not a duration in hours'],
    ['clock', '1:99', 'First reply: "1:99" is not a duration in hours:minutes:seconds'],
    ['short_clock', '1:30:00', 'First reply: "1:30:00" is not a duration in minutes:seconds'],
    ['words', '3 moons', 'First reply: "3 moons" is not a duration in words such as 3 hours 20 min'],
    ['words', '20', 'First reply: "20" is not a duration in words such as 3 hours 20 min'],
    ['words', '1,234 min', 'First reply: "1,234 min" is not a duration in words such as 3 hours 20 min'],
  ])('in %s refuses %j', (unit, text, reason) => {
    expect(() => seconds(unit, text)).toThrow(reason);
  });
});
