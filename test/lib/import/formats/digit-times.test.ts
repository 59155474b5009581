import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { digitReader } from '../../../../lib/import/formats/digit-times.ts';

const pad = (value: number, digits = 2): string => String(value).padStart(digits, '0');

describe('times of digits alone', () => {
  it('are read to the microsecond, with and without zeros in front', () => {
    const instants = fc.integer({ min: 0, max: Date.UTC(2199, 11, 31) });
    const micros = fc.integer({ min: 0, max: 999 });
    fc.assert(
      fc.property(instants, micros, (ms, rest) => {
        const at = new Date(ms);
        const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()];
        const [hour, minute, second] = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()];
        const fraction = pad(at.getUTCMilliseconds(), 3) + pad(rest, 3);
        const clock = `${pad(hour)}:${pad(minute)}:${pad(second)}`;
        const whole = ms * 1000 + rest;
        expect(digitReader('yyyy-MM-dd HH:mm:ss.S')!(`${year}-${pad(month)}-${pad(day)} ${clock}.${fraction}`)).toBe(
          whole,
        );
        expect(
          digitReader('yyyyMMddHHmmssSSS')!(
            `${year}${pad(month)}${pad(day)}${clock.replaceAll(':', '')}${fraction}999`,
          ),
        ).toBe(whole);
        expect(digitReader('d/M/yyyy H:m')!(`${day}/${month}/${year} ${hour}:${minute}`)).toBe(
          whole - (whole % 60_000_000),
        );
      }),
    );
  });

  it('are left to others where they are not as their format says', () => {
    const read = digitReader('d/M/yyyy HH:mm')!;
    for (const text of [
      '',
      '1/2/2026',
      '1/2/2026 9:00',
      '1/2/2026 09:00 ',
      '1-2-2026 09:00',
      '31/2/2026 09:00',
      'x/2/2026 09:00',
    ]) {
      expect([text, read(text)]).toEqual([text, undefined]);
    }
  });

  it('have a format without names, offsets, quotes and parts that may be absent', () => {
    for (const format of [
      'iso',
      'd MMM yyyy',
      'yyyy-MM-dd[ HH:mm]',
      "yyyy-MM-dd'T'HH:mm",
      'yyyy-MM-dd HH:mmX',
      'h:mm a',
    ]) {
      expect([format, digitReader(format)]).toEqual([format, undefined]);
    }
  });
});
