import type { Definitions } from '../../../../../lib/console/model/definitions.ts';
import { createFormat } from '../../../../../lib/console/model/format.ts';
import { periodUpTo, type Unit } from '../../../../../lib/console/model/period.ts';
import {
  datesText,
  numberBefore,
  oneRange,
  type ReportReply,
  rangesText,
  readReport,
  seriesByWindow,
} from '../../../../../lib/console/model/report/report.ts';
import { definitions as definitionsOf } from '../../../../../lib/insights/definitions/definitions.ts';

const english = createFormat('en-GB');
const NOW = Date.parse('2026-11-28T08:40:00Z');
const BERLIN = { now: NOW, zone: 'Europe/Berlin' };

const reply = (time: object, more: Partial<ReportReply> = {}): ReportReply => ({
  request: {
    ...{ fields: ['case_creates'], dimension1: null, dimension2: null },
    time: { min: '2026-11-23T00:00:00+01:00', max: '2026-11-30T00:00:00+01:00', window_size: 'day', ...time },
  },
  data: [
    ['2026-11-27 00:00:00', null, null, 4],
    ['2026-11-28 00:00:00', null, null, 1],
    ['2026-11-29 00:00:00', null, null, 0],
  ],
  ...more,
});

describe('the range of a report in words', () => {
  const words = (time: object, more?: Partial<ReportReply>, moment = BERLIN): string =>
    rangesText(readReport(reply(time, more), moment), english);

  it('ends at the moment of the report on its own clock, and has the range that it is compared with', () => {
    expect(words({})).toBe('Mon, 23 Nov – Sat, 28 Nov 2026, 9:40');
    const compared = { min: '2026-11-16T00:00:00+01:00', max: '2026-11-21T09:40:00+01:00' };
    expect(words({ until: '2026-11-28T09:40:00+01:00' }, { comparison: { time: compared, data: [] } })).toBe(
      'Mon, 23 Nov – Sat, 28 Nov 2026, 9:40, compared with Mon, 16 Nov – Sat, 21 Nov 2026, 9:40',
    );
  });

  it('says when the data begins, where that is after most days of the range that it is compared with', () => {
    const year = { min: '2026-01-01T00:00:00+01:00', max: '2026-11-28T00:00:00+01:00' };
    const compared = (begins: string | undefined) => {
      const time = { min: '2025-01-01T00:00:00+01:00', max: '2025-11-28T00:00:00+01:00', ...(begins && { begins }) };
      return words(year, { comparison: { time, data: [] } });
    };
    const whole = 'Thu, 1 Jan – Fri, 27 Nov 2026, compared with Wed, 1 Jan – Thu, 27 Nov 2025';
    const told = [undefined, '2025-05-01T09:00:00+02:00', '2025-07-01T09:00:00+02:00', '2025-12-01T09:00:00+01:00'];
    expect(told.map(compared)).toEqual([
      ...[whole, whole, `${whole} (your data begins on 1 Jul 2025)`, `${whole} (your data begins on 1 Dec 2025)`],
    ]);
  });

  it('is of whole days where it is over, of times where it begins or ends within a day', () => {
    expect(words({ max: '2026-11-28T00:00:00+01:00' })).toBe('Mon, 23 Nov – Fri, 27 Nov 2026');
    expect(words({ max: '2026-11-24T00:00:00+01:00' })).toBe('Mon, 23 Nov 2026');
    expect(words({ min: '2026-11-28T00:00:00+01:00' })).toBe('Sat, 28 Nov 2026, 00:00–09:40');
    expect(words({ min: '2026-11-27T06:30:00+01:00', max: '2026-11-27T18:00:00+01:00' })).toBe(
      'Fri, 27 Nov 2026, 06:30–18:00',
    );
  });

  it('is by the zone or the offset that the report has, not by that of the site or the reader', () => {
    expect(words({ min: '2026-11-23T00:00:00+09:00', max: '2026-11-30T00:00:00+09:00' })).toMatch(
      /28 Nov 2026, 17:40$/,
    );
    const named = { min: '2026-11-23T00:00:00-05:00', max: '2026-11-30T00:00:00-05:00', time_zone: 'America/New_York' };
    expect(words(named)).toMatch(/28 Nov 2026, 3:40$/);
    expect(words({ min: '2026-11-23T00:00:00Z', max: '2026-11-30T00:00:00Z' })).toMatch(/28 Nov 2026, 8:40$/);
    // The clocks of Berlin go back within this range, which shows one more hour at its end than at its beginning.
    const spring = { min: '2026-10-19T00:00:00+02:00', max: '2026-10-26T00:00:00+01:00' };
    const moment = { ...BERLIN, now: Date.parse('2026-10-24T08:40:00Z') };
    expect(words(spring, {}, moment)).toMatch(/24 Oct 2026, 10:40$/);
  });

  it('is the whole range where that lies ahead', () => {
    expect(words({ min: '2026-12-01T00:00:00+01:00', max: '2026-12-08T00:00:00+01:00' })).toBe(
      'Tue, 1 Dec – Mon, 7 Dec 2026',
    );
  });
});

describe('the numbers of a report', () => {
  it('are not compared with those of a range of which less than a tenth has data, as a whole or by member', () => {
    const row = (window: string | null, member: number | null) => [window, member, null, 770] as const;
    const compared = (begins: string) => {
      const time = { min: '2026-01-01T00:00:00Z', max: '2026-01-21T00:00:00Z', begins };
      const totals = { members: [row(null, 7)], windows: [row('2026-11-27 00:00:00', null)], all: [row(null, null)] };
      const data = [row('2026-11-27 00:00:00', 7)];
      const told = { data: [[false]], totals: { members: [[false]], windows: [[false]], all: [[false]] } };
      const report = readReport(
        reply(
          {},
          {
            data,
            totals,
            comparison: { time, data: [], totals: { ...totals, all: [[null, null, null, 1]] }, chance: told },
          },
        ),
        BERLIN,
      );
      const all = report.totals && [
        ...report.rows,
        ...report.totals.members,
        ...report.totals.windows,
        report.totals.all,
      ];
      return [numberBefore(report), all?.map(({ chance }) => chance?.[0])];
    };
    expect(compared('2026-01-18T23:00:00Z')).toEqual([1, [false, false, false, false]]);
    expect(compared('2026-01-21T00:00:00Z')).toEqual([1, [false, false, false, false]]); // it has no data at all
    expect(compared('2026-01-20T09:00:00Z')).toEqual([null, [false, 'partial', false, 'partial']]);
  });
});

describe('the dates of several reports', () => {
  const before = {
    comparison: { time: { min: '2026-11-16T00:00:00+01:00', max: '2026-11-21T09:40:00+01:00' }, data: [] },
  };
  const read = (time: object, more = {}) =>
    readReport(reply({ until: '2026-11-28T09:40:00+01:00', ...time }, more), BERLIN);

  it('are told once where they are the same, with those that any of them is compared with', () => {
    const [alone, compared] = [read({}), read({}, before)];
    expect(oneRange([alone, compared])).toBe(compared);
    expect(oneRange([alone])).toBe(alone);
    expect(oneRange([])).toBeUndefined();
  });

  it.each([
    ['days', { min: '2026-11-24T00:00:00+01:00' }, {}],
    ['zones', { time_zone: 'Europe/Paris' }, {}],
    ['comparisons', {}, { comparison: { ...before.comparison, time: { min: 'a', max: 'b' } } }],
  ])('are told by each where they have other %s', (_, time, more) => {
    expect(oneRange([read({}, before), read(time, more)])).toBeUndefined();
  });

  it('bear their zone where it is not that of the site', () => {
    const tokyo = { min: '2026-11-23T00:00:00+09:00', max: '2026-11-30T00:00:00+09:00', time_zone: 'Asia/Tokyo' };
    expect(datesText(read(tokyo), english, 'Europe/Berlin')).toMatch(/ · Asia\/Tokyo$/);
    expect(datesText(read({}), english, 'Europe/Berlin')).toBe(rangesText(read({}), english));
  });
});

describe('a window that begins after the moment of the report', () => {
  it('has no value, not 0: lines end', () => {
    const report = readReport(reply({}), BERLIN);
    expect(report.rows.map(({ values }) => values[0])).toEqual([4, 1, null]);
    expect(seriesByWindow(report, 0, true, 8)[0]?.values).toEqual([4, 1, null]);
  });

  it('has none for a member without a row there, whose empty days are 0', () => {
    const rows = [
      ['2026-11-27 00:00:00', 7, null, 4],
      ['2026-11-29 00:00:00', 8, null, 0],
    ] as const;
    const windows = ['27', '28', '29'].map((day) => [`2026-11-${day} 00:00:00`, null, null, 4] as const);
    const totals = { members: [], windows, all: [[null, null, null, 4] as const] };
    const split = reply({}, { data: rows, totals });
    const report = readReport({ ...split, request: { ...split.request, dimension1: 'channel' } }, BERLIN);
    expect(seriesByWindow(report, 0, true, 8).map(({ values }) => values)).toEqual([
      [4, 0, null],
      [0, 0, null],
    ]);
  });
});

describe('a field that means nothing by a dimension', () => {
  it('has no values for its members, but for all together', () => {
    const site = {
      title: '',
      time_zone: 'UTC',
      week_start: 'monday',
      locales: [],
      default_locale: 'en',
      case_url: null,
    };
    const definitions: Definitions = JSON.parse(JSON.stringify({ ...definitionsOf(), site }));
    const all = [[null, null, null, 1, 9] as const];
    const rows = [[null, 7, null, 0, 9]] as const;
    const time = { min: '2026-11-01T00:00:00Z', max: '2026-11-02T00:00:00Z', window_size: 'none' } as const;
    const by = (dimension1: string) =>
      readReport(
        {
          request: { fields: ['case_reopens', 'resolved_cases'], time, dimension1, dimension2: null },
          ...{ data: rows, totals: { members: rows, windows: all, all } },
          comparison: { time, data: rows },
        },
        { now: NOW, zone: 'UTC', definitions },
      );
    const acted = by('action_agent');
    expect([acted.rows, acted.before?.rows, acted.totals?.members].map((list) => list?.[0]?.values)).toEqual([
      [null, 9],
      [null, 9],
      [null, 9],
    ]);
    expect([acted.totals?.all.values, acted.totals?.windows[0]?.values]).toEqual([
      [1, 9],
      [1, 9],
    ]);
    expect(by('assigned_agent').rows[0]?.values).toEqual([0, 9]);
  });
});

describe('the period of the newest day', () => {
  it.each([
    ['2025-02-28', '4 week from 0', '2025-02-03', '2025-03-03'],
    ['2025-03-02', '1 week from 0', '2025-02-24', '2025-03-03'], // a Sunday
    ['2025-03-02', '1 week from 6', '2025-03-02', '2025-03-09'], // the first day of a week that begins on Sunday
    ['2025-02-28', '1 month from 0', '2025-02-01', '2025-03-01'],
    ['2025-01-31', '3 month from 0', '2024-11-01', '2025-02-01'],
    ['2024-12-31', '7 day from 0', '2024-12-25', '2025-01-01'],
    ['2024-12-31', '30 hour from 0', '2024-12-30', '2025-01-01'],
  ])('up to %s, of %s, is from %s to %s', (day, length, from, until) => {
    const [count, unit, , weekStart] = length.split(' ');
    const period = { kind: 'last', count: Number(count), unit: unit as Unit, current: false } as const;
    expect(periodUpTo(day, period, Number(weekStart))).toEqual({ kind: 'range', from, until });
  });
});
