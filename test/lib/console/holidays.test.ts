import {
  byDate,
  dayForm,
  holidayFaults,
  holidayLines,
  hoursText,
  readHolidayLines,
  readHours,
} from '../../../lib/console/model/settings/holidays.ts';
import { readIcs } from '../../../lib/console/model/settings/ics.ts';

const file = (...events: readonly string[][]): string =>
  ['BEGIN:VCALENDAR', ...events.flatMap((event) => ['BEGIN:VEVENT', ...event, 'END:VEVENT']), 'END:VCALENDAR', ''].join(
    '\r\n',
  );
const one = (...event: string[]) => readIcs(file(event), 2026);
const dates = (...event: string[]) => one('SUMMARY:Day', ...event)?.holidays.map(({ date }) => date);

describe('holidays', () => {
  it('come from the first to the last, days and ranges', () => {
    const holidays = [{ date: '2026-12-25' }, { from: '2026-08-01', to: '2026-08-14' }, { date: '2026-01-01' }];
    expect(holidayLines(byDate(holidays), dayForm('sv'))).toBe('2026-01-01\n2026-08-01..2026-08-14\n2026-12-25');
  });
});

describe('an .ics file', () => {
  it('gives days and ranges of days, whose end it excludes, with names of one line', () => {
    expect(
      readIcs(
        file(
          [
            'DTSTART;VALUE=DATE:20261225',
            'DTEND;VALUE=DATE:20261226',
            'SUMMARY;LANGUAGE="a:b":Christmas\\, first',
            '  day',
          ],
          [
            'DTSTART:20261224T000000',
            'DTEND:20270101T000000',
            'SUMMARY:Two\\nlines',
            'BEGIN:VALARM',
            'SUMMARY:x',
            'END:VALARM',
          ],
        ),
        2026,
      )?.holidays,
    ).toEqual([
      { date: '2026-12-25', name: 'Christmas, first day' },
      { from: '2026-12-24', to: '2026-12-31', name: 'Two lines' },
    ]);
    expect(one('DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20270101', 'SUMMARY:Bcc: a\\nb')?.holidays).toEqual([
      { from: '2026-12-24', to: '2026-12-31', name: 'Bcc: a b' },
    ]);
  });

  it('repeats a yearly event around the present year, by date or weekday of a month', () => {
    expect(dates('DTSTART;VALUE=DATE:20240501', 'RRULE:FREQ=YEARLY')).toEqual(
      [2024, 2025, 2026, 2027, 2028, 2029, 2030, 2031].map((year) => `${year}-05-01`),
    );
    expect(dates('DTSTART;VALUE=DATE:20251127', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=3')).toEqual([
      ...['2025-11-27', '2026-11-26', '2027-11-25'],
    ]);
    expect(dates('DTSTART;VALUE=DATE:20250526', 'RRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO;UNTIL=20260601')).toEqual([
      ...['2025-05-26', '2026-05-25'],
    ]);
    expect(dates('DTSTART;VALUE=DATE:20240229', 'RRULE:FREQ=YEARLY')).toEqual(['2024-02-29', '2028-02-29']);
    expect(dates('DTSTART;VALUE=DATE:19000101', 'RRULE:FREQ=YEARLY')).toHaveLength(16);
    expect(dates('DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=YEARLY;COUNT=2', 'EXDATE;VALUE=DATE:20260101')).toEqual([
      '2027-01-01',
    ]);
    expect(dates('DTSTART;VALUE=DATE:20260105', 'RRULE:FREQ=YEARLY;INTERVAL=2')).toEqual([
      ...['2026-01-05', '2028-01-05', '2030-01-05'],
    ]);
  });

  it.each([
    [['DTSTART;VALUE=DATE:20260105', 'RRULE:FREQ=WEEKLY'], 'repeats'],
    [['DTSTART;VALUE=DATE:20260105', 'RRULE:FREQ=YEARLY;BYHOUR=1,2,3'], 'repeats'],
    [['DTSTART;VALUE=DATE:20260105', 'RDATE;VALUE=DATE:20260106'], 'repeats'],
    [['DTSTART;VALUE=DATE:20260105', 'RRULE:FREQ=YEARLY;BYSETPOS=1;BYDAY=MO'], 'repeats'],
    [['DTSTART:20260105T090000Z', 'DTEND:20260105T100000Z'], 'hours'],
    [['DTSTART;VALUE=DATE:20260230'], 'no date'],
    [[], 'no date'],
  ])('names what no holiday can be made of: %j', (event, why) => {
    expect(one('SUMMARY:Odd', ...event)).toEqual({ holidays: [], left: [{ name: 'Odd', why }] });
  });

  it.each(['', 'GIF89a', '<html>', 'END:VCALENDAR'])('is not %j', (text) => {
    expect(readIcs(text, 2026)).toBeUndefined();
  });
});

it('lines of holidays and periods of a day are read as they are written', () => {
  const holidays = [
    { date: '2026-12-25', name: 'Christmas, all day' },
    { from: '2026-12-27', to: '2026-12-31' },
  ];
  for (const locale of [
    'en-US',
    'en-GB',
    'de',
    'sv',
    'ko',
    'hu',
    'cs',
    'bg',
    'fa-IR',
    'ar-EG',
    'th-TH',
    'zh-TW',
    'ja',
    'fr-CA',
  ])
    expect(readHolidayLines(holidayLines(holidays, dayForm(locale)), dayForm(locale))).toEqual(holidays);
  const periods = [
    ['09:00', '12:00'],
    ['13:00', '17:00'],
  ];
  expect(readHours(hoursText(periods))).toEqual(periods);
  for (const typed of ['9am-5pm', '9-17', '9–17h', '09:00 – 17:00', '9 to 5 pm', '9.00-17.00', '9 a.m. - 5 p.m.'])
    expect([typed, readHours(typed)]).toEqual([typed, [['09:00', '17:00']]]);
  expect(readHours('09:00–17:00, 18–20')).toEqual([
    ['09:00', '17:00'],
    ['18:00', '20:00'],
  ]);
  expect(readHours('1-5pm; 12am-6am and 12pm-1pm')).toEqual([
    ['13:00', '17:00'],
    ['00:00', '06:00'],
    ['12:00', '13:00'],
  ]);
  expect(readHours('nine, 9:7-10')).toEqual([['nine'], ['9:7', '10:00']]); // for the service to refuse
});

describe('a holiday is typed', () => {
  const read = (locale: string, line: string): unknown => readHolidayLines(line, dayForm(locale));
  const christmas = [{ date: '2026-12-25', name: 'Christmas' }];

  it.each([
    ['de', '25.12.2026 Christmas'],
    ['de', '25.12.26 Christmas'],
    ['cs', '25. 12. 2026 Christmas'],
    ['en-US', '12/25/2026 Christmas'],
    ['en-US', '12-25-2026   Christmas '],
    ['en-GB', '25/12/2026 Christmas'],
    ['ko', '2026. 12. 25. Christmas'],
    ['sv', '2026-12-25 Christmas'],
    ['de', '2026-12-25 Christmas'],
    ['en-US', '2026/12/25 Christmas'],
    ['fa-IR', '2026/12/25 Christmas'],
  ])('in the order of %s, or with the year first: %s', (locale, line) => {
    expect(read(locale, line)).toEqual(christmas);
  });

  it.each([
    ['de', '24.12.2026..31.12.2026'],
    ['de', '24.12.2026 - 31.12.2026'],
    ['de', '24.12.2026–31.12.2026'],
    ['en-US', '12/24/2026 to 12/31/2026'],
    ['sv', '2026-12-24..2026-12-31'],
    ['sv', '2026-12-24-2026-12-31'],
  ])('as a range, in %s: %s', (locale, line) => {
    expect(read(locale, line)).toEqual([{ from: '2026-12-24', to: '2026-12-31' }]);
  });

  it.each([
    ['en-US', '25.12.2026'],
    ['en-US', '2/30/2026'],
    ['de', '12/25/2026'],
    ['de', '25.12.'],
    ['de', 'Christmas'],
    ['sv', '25.12.2026'],
    ['de', '24.12.2026..31.13.2026'],
  ])('in no other order, which could be another day, nor without a year, in %s: %s', (locale, line) => {
    expect(read(locale, `${line} Name`)).toEqual([{ date: `${line} Name` }]);
    expect(holidayFaults(`\n${line} Name`, 'holidays[0].date: no', dayForm(locale))).toEqual([
      `Line 2, “${line} Name”, begins with no day of the calendar: write days as ${holidayLines([{ date: '2026-12-25' }], dayForm(locale))}.`,
    ]);
  });

  it('and what the service refuses for another reason names its line, too', () => {
    const form = dayForm('de');
    expect(holidayFaults('2.1.2026..1.1.2026', 'no', form)).toEqual([
      'Line 1, “2.1.2026..1.1.2026”, ends before it begins.',
    ]);
    expect(holidayFaults('1.1.2026\n\n2.1.2026 x', 'holidays[1].name: too long', form)).toEqual([
      'Line 3, “2.1.2026 x”: too long',
    ]);
  });
});
