import { MOMENT_FORM, readMoment } from '../../../lib/insights/iso-moment.ts';
import { STRIDE } from '../../support/generators/depth.ts';

const shown = (text: string): string | undefined => {
  const moment = readMoment(text);
  return moment && new Date(moment.second * 1000).toISOString().replace('.000', '');
};

describe('the instant of a text', () => {
  it.each([
    ['20261001T000000Z', '2026-10-01T00:00:00Z'],
    ['2026-10-01T00Z', '2026-10-01T00:00:00Z'],
    ['2026-10-01T24:00:00Z', '2026-10-02T00:00:00Z'],
    ['2026-12-31T24Z', '2027-01-01T00:00:00Z'],
    ['2026-W40-4T00:00:00Z', '2026-10-01T00:00:00Z'],
    ['2026W404T0000Z', '2026-10-01T00:00:00Z'],
    ['2020-W53-5T00:00:00Z', '2021-01-01T00:00:00Z'],
    ['2026-W01-1T00:00:00Z', '2025-12-29T00:00:00Z'],
    ['2026-274T00:00:00Z', '2026-10-01T00:00:00Z'],
    ['2024366T120000.999+0130', '2024-12-31T10:30:00Z'],
    ['1970-W01-4T00Z', '1970-01-01T00:00:00Z'],
    ['0000-W01-1T00Z', '0000-01-03T00:00:00Z'],
  ])('of %s is %s', (text, instant) => {
    expect(shown(text)).toBe(instant);
    expect(text).toMatch(MOMENT_FORM);
  });

  it.each([
    '2026-10-01T24:00:01Z',
    '2026-10-01T24:01Z',
    '2026-1001T00Z',
    '2026-W54-1T00Z',
    '2026-W53-5T23-W',
    '2021-W53-1T00Z',
    '2026-W40-8T00Z',
    '2026-W40-0T00Z',
    '2026-W00-1T00Z',
    '2026-366T00Z',
    '2026-000T00Z',
    '2026-10-01T0:00Z',
    '2026-10-01T00:0000Z',
    '20261001T000000',
    '20261001',
    '',
  ])('is none for %s', (text) => {
    expect(readMoment(text)).toBeUndefined();
  });

  it('is the same in every form of every day of a hundred years', () => {
    for (let day = -30 * 365; day < 70 * 365; day += STRIDE) {
      const at = new Date(day * 86_400_000);
      const iso = at.toISOString().slice(0, 10);
      const nth = 1 + (at.getTime() - Date.UTC(at.getUTCFullYear(), 0, 1)) / 86_400_000;
      const ordinal = `${iso.slice(0, 4)}-${String(nth).padStart(3, '0')}`;
      const second = at.getTime() / 1000;
      for (const text of [iso, ordinal, weekDate(at)])
        expect([text, readMoment(`${text}T00Z`)?.second]).toEqual([text, second]);
    }
  });
});

/** The week date by the rule that a week belongs to the year of its Thursday. */
function weekDate(at: Date): string {
  const weekday = at.getUTCDay() || 7;
  const thursday = new Date(at.getTime() + (4 - weekday) * 86_400_000);
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / (7 * 86_400_000));
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}-${weekday}`;
}
