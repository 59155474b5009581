import * as fc from 'fast-check';
import { dueNow, nextDue, type Schedule } from '../../../lib/deliver/schedule.ts';

const daily = (at: string): Schedule => ({ every: 'day', at, weekday: 'monday', day: 1 });
const NEVER = { since: 0, done: '' };
const due = (schedule: Schedule, zone: string, now: string, done = NEVER) => {
  const found = dueNow(schedule, zone, done, Date.parse(now));
  return found && [found.key, new Date(found.at).toISOString()];
};
const BERLIN = 'Europe/Berlin';

describe('a due time', () => {
  it('is the last one of the schedule on the clock of the zone', () => {
    const weekly: Schedule = { every: 'week', at: '07:30', weekday: 'monday', day: 1 };
    const monthly: Schedule = { every: 'month', at: '07:30', weekday: 'monday', day: 31 };
    const cases: readonly [Schedule, string, string, string][] = [
      [daily('07:30'), '2026-11-25T06:30:00Z', '2026-11-25', '2026-11-25T06:30:00.000Z'],
      [daily('07:30'), '2026-11-25T06:29:59Z', '2026-11-24', '2026-11-24T06:30:00.000Z'],
      [weekly, '2026-11-25T12:00:00Z', '2026-11-23', '2026-11-23T06:30:00.000Z'],
      [weekly, '2026-11-23T06:29:00Z', '2026-11-16', '2026-11-16T06:30:00.000Z'],
      [monthly, '2026-03-01T12:00:00Z', '2026-02-28', '2026-02-28T06:30:00.000Z'],
      [{ ...monthly, day: 1 }, '2026-03-01T12:00:00Z', '2026-03-01', '2026-03-01T06:30:00.000Z'],
      [{ ...daily(''), every: 'hour' }, '2026-03-01T12:59:59Z', '2026-03-01T12Z', '2026-03-01T12:00:00.000Z'],
    ];
    for (const [schedule, now, ...expected] of cases) expect(due(schedule, BERLIN, now)).toEqual(expected);
  });

  it('in a night that has no 02:30 is moved on, and in a night that has two is the first', () => {
    expect(due(daily('02:30'), BERLIN, '2026-03-29T01:29:59Z')?.[0]).toBe('2026-03-28');
    expect(due(daily('02:30'), BERLIN, '2026-03-29T01:30:00Z')).toEqual(['2026-03-29', '2026-03-29T01:30:00.000Z']);
    expect(due(daily('02:30'), BERLIN, '2026-10-25T00:30:00Z')).toEqual(['2026-10-25', '2026-10-25T00:30:00.000Z']);
    const done = { since: 0, done: '2026-10-25' };
    expect(due(daily('02:30'), BERLIN, '2026-10-25T01:30:00Z', done)).toBeUndefined();
  });

  it('that is next is the first moment at which something is due', () => {
    const HOUR = 3_600_000;
    const START = Date.parse('2026-01-01T00:00:00Z');
    const schedule: fc.Arbitrary<Schedule> = fc.record({
      every: fc.constantFrom('hour', 'day', 'week', 'month'),
      at: fc.constantFrom('00:00', '02:00', '02:30', '23:00'),
      weekday: fc.constantFrom('monday', 'sunday'),
      day: fc.integer({ min: 1, max: 31 }),
    });
    const zone = fc.constantFrom(BERLIN, 'America/New_York', 'Asia/Kolkata');
    const hour = fc.integer({ min: 0, max: 8760 });
    fc.assert(
      fc.property(schedule, zone, hour, fc.boolean(), (each, name, hours, isDone) => {
        const now = START + hours * HOUR;
        const done = isDone ? (dueNow(each, name, NEVER, now)?.key ?? '') : '';
        const before = { since: isDone ? 0 : now, done };
        let first = now;
        while (dueNow(each, name, before, first) === undefined) first += HOUR / 2;
        expect(nextDue(each, name, before, now)).toEqual(dueNow(each, name, before, first));
        expect(nextDue(each, name, before, now).at).toBeLessThanOrEqual(first);
        expect(nextDue(each, name, NEVER, now)).toEqual(dueNow(each, name, NEVER, now)); // it waits to be done
      }),
    );
  });

  it('comes once on each date, whatever zone the site is moved to', () => {
    const zones = fc.constantFrom(
      BERLIN,
      'America/New_York',
      'Pacific/Auckland',
      'Pacific/Kiritimati',
      'Pacific/Pago_Pago',
    );
    const moves = fc.array(fc.record({ zone: zones, hours: fc.integer({ min: 1, max: 20 }) }), {
      minLength: 20,
      maxLength: 80,
    });
    fc.assert(
      fc.property(moves, fc.integer({ min: 0, max: 23 }), (all, hour) => {
        const at = `${String(hour).padStart(2, '0')}:00`;
        let now = Date.parse('2026-03-20T00:00:00Z');
        let done = '';
        const keys: string[] = [];
        for (const { zone, hours } of all) {
          now += hours * 3_600_000;
          const found = dueNow(daily(at), zone, { since: 0, done }, now);
          if (found === undefined) continue;
          expect(found.at).toBeLessThanOrEqual(now);
          done = found.key;
          keys.push(done);
        }
        expect(keys).toEqual([...new Set(keys)].sort());
      }),
    );
  });

  it('does not count up to the moment when the schedule was set, nor when the clock goes back by hours', () => {
    const set = Date.parse('2026-11-25T12:00:00Z');
    expect(due(daily('07:00'), 'UTC', '2026-11-25T13:00:00Z', { since: set, done: '' })).toBeUndefined();
    expect(due(daily('07:00'), 'UTC', '2026-11-26T07:00:00Z', { since: set, done: '' })?.[0]).toBe('2026-11-26');
    expect(due(daily('07:00'), 'UTC', '2026-11-24T10:00:00Z', { since: 0, done: '2026-11-25' })).toBeUndefined();
  });

  it('counts as if nothing were done after a clock that was ahead', () => {
    const ahead = { since: Date.parse('2027-03-05T00:00:00Z'), done: '2027-03-05' };
    expect(due(daily('07:00'), 'UTC', '2026-11-20T13:00:00Z', ahead)?.[0]).toBe('2026-11-20');
    expect(nextDue(daily('07:00'), 'UTC', ahead, Date.parse('2026-11-20T06:00:00Z')).key).toBe('2026-11-19');
    const hour = { since: 0, done: '2026-11-20T14Z' };
    const hourly = { ...daily('07:00'), every: 'hour' } as const;
    expect(due(hourly, 'UTC', '2026-11-20T13:00:01Z', hour)).toBeUndefined();
    expect(due(hourly, 'UTC', '2026-11-20T12:59:00Z', hour)?.[0]).toBe('2026-11-20T12Z');
  });

  it('of a day follows one of an hour of the same date, once the check is set to each day', () => {
    const before = { since: Date.parse('2026-11-25T12:30:00Z'), done: '2026-11-25T12Z' };
    expect(due(daily('18:00'), 'UTC', '2026-11-25T18:00:00Z', before)?.[0]).toBe('2026-11-25');
    expect(nextDue(daily('18:00'), 'UTC', before, before.since).key).toBe('2026-11-25');
    expect(due(daily('12:00'), 'UTC', '2026-11-25T18:00:00Z', before)).toBeUndefined();
  });

  it('is one after a pause, not one for each day of it', () => {
    expect(due(daily('07:00'), 'UTC', '2026-11-25T13:00:00Z', { since: 0, done: '2026-11-20' })?.[0]).toBe(
      '2026-11-25',
    );
  });
});
