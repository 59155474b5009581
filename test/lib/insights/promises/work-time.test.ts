import * as fc from 'fast-check';
import type { Calendar } from '../../../../lib/access/calendars.ts';
import { parseRecord } from '../../../../lib/import/records/records.ts';
import { whenWorked, worked, workedBetween, workTime } from '../../../../lib/insights/promises/work-time.ts';
import { arbitraryCalendars } from '../../../support/generators/calendars.ts';
import { tries } from '../../../support/generators/depth.ts';
import { ERAS } from '../../../support/generators/histories.ts';
import { engineCalendar } from '../../../support/oracle/engine-report.ts';

const at = (text: string): number => Date.parse(text) / 1000;
const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const calendar = (timeZone: string, hours: Calendar['hours'], holidays: Calendar['holidays'] = []): Calendar => ({
  ...{ id: 1, name: 'Hours', timeZone, hours, holidays, isDefault: true, groups: [] },
});
const daily = (timeZone: string, ...periods: (readonly [string, string])[]): Calendar =>
  calendar(timeZone, Object.fromEntries(WEEK.map((day) => [day, periods])));

function between(of: Calendar, from: string, to: string): number {
  const time = workTime(of, at(from) - 86_400, at(to) + 86_400);
  return workedBetween(time, at(from), at(to));
}

describe('working time', () => {
  it('is 40 hours in a week of five working days', () => {
    const office = calendar('UTC', Object.fromEntries(WEEK.slice(0, 5).map((day) => [day, [['09:00', '17:00']]])));
    expect(between(office, '2022-03-20T00:00:00Z', '2022-03-27T00:00:00Z')).toBe(144_000);
    const away = { ...office, holidays: [{ date: '2022-03-21' }, { from: '2022-03-23', to: '2022-03-24' }] };
    expect(between(away, '2022-03-20T00:00:00Z', '2022-03-27T00:00:00Z')).toBe(57_600);
  });

  it('has what the wall clock shows on both days of a change of summer time', () => {
    const [spring, autumn] = ['2026-03-29', '2026-10-25'].map((day) => [
      `${day}T00:00:00${day < '2026-06' ? '+01:00' : '+02:00'}`,
      `${day}T23:59:59${day < '2026-06' ? '+02:00' : '+01:00'}`,
    ]);
    const hours = (of: Calendar, day: string[] | undefined): number => between(of, day![0]!, day![1]!);
    expect(hours(daily('Europe/Berlin', ['00:00', '24:00']), spring)).toBe(23 * 3600 - 1);
    expect(hours(daily('Europe/Berlin', ['00:00', '24:00']), autumn)).toBe(25 * 3600 - 1);
    expect(hours(daily('Europe/Berlin', ['01:30', '02:30']), spring)).toBe(1800);
    expect(hours(daily('Europe/Berlin', ['01:30', '02:30']), autumn)).toBe(5400);
  });

  it('adds up, and finds the second by which so much was worked, in zones of every kind', () => {
    const zones = ['Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe', 'America/New_York'];
    const times = [daily('UTC', ['09:10', '12:00'], ['12:00', '24:00'])].flatMap(({ hours }) =>
      zones.map((zone) =>
        workTime(
          calendar(zone, hours, [{ date: '2026-03-30' }]),
          at('2026-01-01T00:00:00Z'),
          at('2027-01-01T00:00:00Z'),
        ),
      ),
    );
    const second = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2026-12-31T00:00:00Z') });
    fc.assert(
      fc.property(fc.constantFrom(...times), second, second, second, (time, ...three) => {
        const [a, b, c] = three.sort((x, y) => x - y) as [number, number, number];
        expect(workedBetween(time, a, b) + workedBetween(time, b, c)).toBe(workedBetween(time, a, c));
        expect(workedBetween(time, a, b)).toBeLessThanOrEqual(b - a);
        expect(workedBetween(time, b, a)).toBe(0);
        const done = worked(time, b);
        for (const since of [a, b].filter((second) => second <= b)) {
          const reached = whenWorked(time, since, done - worked(time, since) + 1);
          expect([worked(time, reached), worked(time, reached - 1)]).toEqual([done + 1, done]);
          expect(reached).toBeGreaterThan(b);
        }
      }),
      { numRuns: tries(1000, 1 / 4) },
    );
  });

  it('adds up over random calendars around changes of the clocks, quarter by quarter of what the clocks show', () => {
    const around = fc
      .constantFrom(...ERAS)
      .chain((era) =>
        fc.tuple(fc.constant(era), arbitraryCalendars(era), fc.array(fc.nat(8 * 96), { minLength: 3, maxLength: 3 })),
      );
    let worked = 0;
    fc.assert(
      fc.property(around, ([{ second }, records, quarters]) => {
        const from = (Math.floor(second / 900) - 4 * 96) * 900;
        const [a, b, c] = quarters.toSorted((x, y) => x - y).map((quarter) => from + quarter * 900) as [
          number,
          number,
          number,
        ];
        for (const record of records) {
          const of = engineCalendar(record);
          const time = workTime(of, from, from + 9 * 86_400);
          expect(workedBetween(time, a, b) + workedBetween(time, b, c)).toBe(workedBetween(time, a, c));
          expect(workedBetween(time, a + 7, b + 8) + workedBetween(time, b + 8, c + 450)).toBe(
            workedBetween(time, a + 7, c + 450),
          );
          let sum = 0;
          for (let at = a; at < b; at += 900) sum += worksAt(of, at) ? 900 : 0;
          expect(workedBetween(time, a, b)).toBe(sum);
          worked += sum;
        }
      }),
      { numRuns: tries(120, 1 / 4), seed: 29 },
    );
    expect(worked).toBeGreaterThan(tries(500_000, 1 / 4));
  });
});

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known =
    clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  clocks.set(timeZone, known);
  return known;
}

/** Whether a calendar's clock shows a working time at a second, told by the clocks of the platform. */
function worksAt({ timeZone, hours, holidays }: Calendar, second: number): boolean {
  const clock = clockOf(timeZone).format(second * 1000);
  const [date = '', time = ''] = clock.split(' ');
  const day = WEEK[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7]!;
  const isHoliday = holidays.some((one) => ('date' in one ? one.date === date : one.from <= date && date <= one.to));
  return !isHoliday && (hours[day] ?? []).some(([from, to]) => from <= time && time < to);
}

describe('a calendar record', () => {
  const record = (fields: Record<string, unknown>) =>
    parseRecord({
      type: 'calendar',
      id: 1,
      name: 'Berlin',
      time_zone: 'Europe/Berlin',
      hours: { mon: [['09:00', '17:00']] },
      ...fields,
    });

  it('is taken with IANA names of zones and with those that Rails programs write', () => {
    expect(record({ holidays: [{ date: '2026-12-25', name: 'Christmas' }] })).toMatchObject({
      time_zone: 'Europe/Berlin',
    });
    expect(record({ time_zone: 'Pacific Time (US & Canada)' })).toMatchObject({ time_zone: 'America/Los_Angeles' });
    expect(
      record({
        hours: {
          mon: [
            ['00:00', '12:00'],
            ['12:00', '24:00'],
          ],
          sat: [],
        },
      }),
    ).toBeDefined();
    expect(parseRecord({ type: 'calendar', id: 1, deleted: true })).toEqual({ type: 'calendar', id: 1, deleted: true });
  });

  it('is refused where it overlaps, has no hours, or says what no clock and no calendar shows', () => {
    const wrong: readonly [Record<string, unknown>, string][] = [
      [
        {
          hours: {
            mon: [
              ['09:00', '12:00'],
              ['11:00', '13:00'],
            ],
          },
        },
        'hours.mon[1]',
      ],
      [
        {
          hours: {
            mon: [
              ['13:00', '14:00'],
              ['09:00', '12:00'],
            ],
          },
        },
        'hours.mon[1]',
      ],
      [{ hours: { mon: [] } }, 'hours: has no hours of work'],
      [{ hours: {} }, 'hours: has no hours of work'],
      [{ hours: { mon: [['17:00', '09:00']] } }, 'hours.mon[0]'],
      [{ hours: { mon: [['09:00', '24:30']] } }, 'hours.mon[0][1]'],
      [{ hours: { monday: [['09:00', '17:00']] } }, 'none of mon'],
      [{ holidays: [{ date: '2026-02-30' }] }, 'holidays[0].date'],
      [{ holidays: [{ from: '2026-03-02', to: '2026-03-01' }] }, 'holidays[0]'],
      [{ time_zone: 'Berlin Time' }, 'time_zone'],
    ];
    for (const [fields, place] of wrong) expect(() => record(fields)).toThrow(place);
  });
});
