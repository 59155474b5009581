import fc from 'fast-check';
import { formatInstant } from '../../../../lib/history/cases/instant.ts';
import { carriesOffset, timeReader } from '../../../../lib/import/language/times.ts';
import { tries } from '../../../support/generators/depth.ts';

const read = (format: string, text: string, zone?: string) => formatInstant(timeReader([format], zone)(text, 'at'));

describe('timeReader', () => {
  it.each([
    ['d/M/yyyy HH:mm', '29/2/2016 01:16', 'UTC', '2016-02-29T01:16:00Z'],
    ['d/M/yyyy HH:mm', '5/3/2016 12:00', 'America/New_York', '2016-03-05T17:00:00Z'],
    ['yyyy/MM/dd HH:mm:ss.SSS', '2012/10/09 14:50:17.000', 'UTC', '2012-10-09T14:50:17Z'],
    ['yyyy-MM-dd HH:mm:ss.SSSSSS', '2012-10-09 14:50:17.123456', 'UTC', '2012-10-09T14:50:17.123456Z'],
    ['yyyy-MM-dd HH:mm:ss.S', '2012-10-09 14:50:17.123456789', 'UTC', '2012-10-09T14:50:17.123456Z'],
    ['yyyy-MM-dd HH:mm[:ss[.SSS]]', '2012-10-09 14:50', 'UTC', '2012-10-09T14:50:00Z'],
    ['yyyy-MM-dd HH:mm[:ss[.SSS]]', '2012-10-09 14:50:17.5', 'UTC', '2012-10-09T14:50:17.5Z'],
    ["yyyy-MM-dd'T'HH:mm:ssXXX", '2012-10-09T14:50:17+02:00', undefined, '2012-10-09T12:50:17Z'],
    ['yyyy-MM-dd HH:mm:ss[ X]', '2012-10-09 14:50:17 -0330', undefined, '2012-10-09T18:20:17Z'],
    ['yyyy-MM-dd HH:mm:ss[ X]', '2012-10-09 14:50:17', 'Asia/Kathmandu', '2012-10-09T09:05:17Z'],
    ['M/d/yyyy h:mm:ss a', '4/9/2016 12:05:00 AM', 'UTC', '2016-04-09T00:05:00Z'],
    ['M/d/yyyy h:mm:ss a', '4/9/2016 12:05:00 p.m.', 'UTC', '2016-04-09T12:05:00Z'],
    ['EEE, d MMM yyyy HH:mm:ss X', 'Tue, 9 Oct 2012 14:50:17 +0000', undefined, '2012-10-09T14:50:17Z'],
    ['d/MMM/yy h:mm a', '15/Mar/26 3:04\u202fPM', 'UTC', '2026-03-15T15:04:00Z'],
    ['d/MMM/yy h:mm a', '15/Mar/26\u00a03:04 AM', 'UTC', '2026-03-15T03:04:00Z'],
    ['MMMM d, yyyy', 'October 9, 2012', 'UTC', '2012-10-09T00:00:00Z'],
    ['dd.MM.yy HH:mm', '09.10.12 14:50', 'UTC', '2012-10-09T14:50:00Z'],
    ['dd.MM.yy HH:mm', '09.10.71 14:50', 'UTC', '1971-10-09T14:50:00Z'],
    ['d-MMM-yy', '26-Mar-26', 'UTC', '2026-03-26T00:00:00Z'],
    ['d. MMMM yyyy HH:mm', '26. März 2026 10:00', 'UTC', '2026-03-26T10:00:00Z'],
    ["d 'de' MMMM 'de' yyyy H:mm", '26 de março de 2026 10:00', 'UTC', '2026-03-26T10:00:00Z'],
    ['d/M/yyyy h:mm a', '26/3/2026 3:04 p. m.', 'UTC', '2026-03-26T15:04:00Z'],
    ['yyyy/M/d a h:mm', '2026/3/26 下午 3:04', 'UTC', '2026-03-26T15:04:00Z'],
    [
      "EEE MMM dd yyyy HH:mm:ss 'GMT'X[ (zzzz)]",
      'Thu Mar 05 2026 10:00:00 GMT+0100 (CET)',
      undefined,
      '2026-03-05T09:00:00Z',
    ],
    ['yyyy-MM-dd HH:mm:ss z', '2026-07-01 09:00:00 PDT', undefined, '2026-07-01T16:00:00Z'],
    ['yyyy-MM-dd HH:mm:ss.SSS X', '2026-03-01 09:00:00.000 +0000', undefined, '2026-03-01T09:00:00Z'],
    ['yyyy-MM-dd HH:mm:ss.SSS X', '2026-03-01 09:00:00.123 Z', undefined, '2026-03-01T09:00:00.123Z'],
    ['excel', '46080.375', 'Europe/Berlin', '2026-02-27T08:00:00Z'],
    ["d 'o''clock'", '', 'UTC', 'refused'],
    ['iso', '2022-01-02 11:12:51+00:00', undefined, '2022-01-02T11:12:51Z'],
    ['iso', '2022-01-02T11:12:51', 'Europe/Berlin', '2022-01-02T10:12:51Z'],
    ['iso', '2022-01-02', 'Europe/Berlin', '2022-01-01T23:00:00Z'],
    ['epoch_seconds', '1641121971', undefined, '2022-01-02T11:12:51Z'],
    ['epoch_seconds', '1641121971.25', undefined, '2022-01-02T11:12:51.25Z'],
    ['epoch_milliseconds', '1641121971250', undefined, '2022-01-02T11:12:51.25Z'],
    ['epoch_microseconds', '1641121971250001', undefined, '2022-01-02T11:12:51.250001Z'],
  ])('reads by %s the text %j in %s as %s', (format, text, zone, instant) => {
    if (instant === 'refused') expect(() => read(format, text, zone)).toThrow(/lacks year or day/);
    else expect(read(format, text, zone)).toBe(instant);
  });

  it.each([
    ['d/M/yyyy HH:mm', '30/2/2016 01:16', 'at: "30/2/2016 01:16" is not a time that exists in the years 1970 to 2199'],
    ['d/M/yyyy HH:mm', '2/30/2016 01:16', 'at: "2/30/2016 01:16" is not a time that exists in the years 1970 to 2199'],
    ['d/M/yyyy HH:mm', '1/1/1969 23:59', 'at: "1/1/1969 23:59" is not a time that exists in the years 1970 to 2199'],
    ['d/M/yyyy HH:mm', '1/1/2016 24:00', 'at: "1/1/2016 24:00" is not a time that exists in the years 1970 to 2199'],
    ['d/M/yyyy h:mm', '1/1/2016 13:00', 'at: "1/1/2016 13:00" is not a time that exists in the years 1970 to 2199'],
    ['d MMM yyyy', '1 Foo 2016', 'at: "1 Foo 2016" is not a time that exists in the years 1970 to 2199'],
    ['d/M/yyyy HH:mm', '2016-01-01 00:00', 'at: "2016-01-01 00:00" is not a time in the format d/M/yyyy HH:mm'],
    ['yyyy.MM.dd', '2016-01-01', 'at: "2016-01-01" is not a time in the format yyyy.MM.dd'],
    ['epoch_seconds', '99999999999', 'at: "99999999999" is not a time that exists in the years 1970 to 2199'],
  ])('refuses by %s the text %j', (format, text, reason) => {
    expect(() => read(format, text, 'UTC')).toThrow(reason);
  });

  it('reads digits to the microsecond, with and without zeros in front', () => {
    const pad = (value: number, digits = 2): string => String(value).padStart(digits, '0');
    const reads = (format: string, text: string): number => timeReader([format], 'UTC')(text, 'at');
    const instants = fc.integer({ min: 0, max: Date.UTC(2199, 11, 31) });
    fc.assert(
      fc.property(instants, fc.integer({ min: 0, max: 999 }), (ms, rest) => {
        const at = new Date(ms);
        const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()];
        const [hour, minute, second] = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()];
        const fraction = pad(at.getUTCMilliseconds(), 3) + pad(rest, 3);
        const date = `${year}-${pad(month)}-${pad(day)}`;
        const clock = `${pad(hour)}:${pad(minute)}:${pad(second)}`;
        const whole = ms * 1000 + rest;
        expect(reads('yyyy-MM-dd HH:mm:ss.S', `${date} ${clock}.${fraction}`)).toBe(whole);
        const digits = `${date}${clock}${fraction}999`.replaceAll(/[-:]/g, '');
        expect(reads('yyyyMMddHHmmssSSS', digits)).toBe(whole);
        expect(reads('d/M/yyyy H:m', `${day}/${month}/${year} ${hour}:${minute}`)).toBe(whole - (whole % 60_000_000));
      }),
    );
  });

  it('tries several formats in order', () => {
    const reader = timeReader(['d/M/yyyy', 'iso'], 'UTC');
    expect(reader('1/2/2016', 'at')).toBe(Date.UTC(2016, 1, 1) * 1000);
    expect(reader('2016-02-01T00:00Z', 'at')).toBe(Date.UTC(2016, 1, 1) * 1000);
  });

  it('asks for a zone where a text has no offset', () => {
    expect(() => read('iso', '2022-01-02T11:12:51')).toThrow('has no offset, and the mapping names no zone');
  });

  it.each([
    ['d/M/yyyy QQ', /unknown letters "QQ"/],
    ['d/M/yyyy d', /names the day twice/],
    ['d/M/yyyy [HH', /brackets that do not match/],
    ['d/M/yyyy HH]', /brackets that do not match/],
    ['HH:mm', /lacks year or day/],
  ])('refuses the format %s', (format, reason) => {
    expect(() => timeReader([format], 'UTC')).toThrow(reason);
  });

  it('refuses a zone that does not exist', () => {
    expect(() => timeReader(['iso'], 'Mars/Base')).toThrow('"Mars/Base" is not a time zone');
  });

  it('knows which formats carry their offset', () => {
    expect(['X', 'd XXX', '[X]', "'X'", 'd[ X]', 'epoch_seconds', 'd'].map(carriesOffset)).toEqual([
      true,
      true,
      false,
      false,
      false,
      true,
      false,
    ]);
  });

  it('moves a time that the clock skips on by the gap, and takes the first of a time that comes twice', () => {
    const berlin = timeReader(['iso'], 'Europe/Berlin');
    expect(formatInstant(berlin('2024-03-31T01:59:59', 'at'))).toBe('2024-03-31T00:59:59Z');
    expect(formatInstant(berlin('2024-03-31T02:30:00', 'at'))).toBe('2024-03-31T01:30:00Z');
    expect(formatInstant(berlin('2024-03-31T03:00:00', 'at'))).toBe('2024-03-31T01:00:00Z');
    expect(formatInstant(berlin('2024-10-27T02:30:00', 'at'))).toBe('2024-10-27T00:30:00Z');
    expect(formatInstant(berlin('2024-10-27T03:00:00', 'at'))).toBe('2024-10-27T02:00:00Z');
  });

  it('reads back what the clock of any zone shows, unless it shows it twice', () => {
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'America/Sao_Paulo',
      'Pacific/Apia',
    ];
    const clocks = new Map(
      zones.map((timeZone) => [
        timeZone,
        new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
      ]),
    );
    const instants = fc.integer({ min: Date.UTC(1990, 0) / 1000, max: Date.UTC(2037, 0) / 1000 });
    const readers = new Map(zones.map((zone) => [zone, timeReader(['iso'], zone)]));
    fc.assert(
      fc.property(fc.constantFrom(...zones), instants, (zone, seconds) => {
        const shown = (at: number) => clocks.get(zone)?.format(at * 1000);
        const at = (readers.get(zone)?.(String(shown(seconds)), 'at') ?? 0) / 1_000_000;
        expect(shown(at)).toBe(shown(seconds));
        expect(at).toBeLessThanOrEqual(seconds);
      }),
      { numRuns: tries(300, 1 / 4) },
    );
  });
});
