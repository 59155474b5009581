import { createFormat } from '../../lib/console/model/format.ts';
import { createNames } from '../../lib/console/model/names.ts';
import { type ReportReply, rangesText, readReport } from '../../lib/console/model/report/report.ts';
import { numbersOf, rowsOfTables, type Section, tableSectionOf } from '../../lib/deliver/mail/content.ts';
import { htmlOf } from '../../lib/deliver/mail/html.ts';
import { definitions } from '../../lib/insights/definitions/definitions.ts';
import { launch } from '../support/service/browser.ts';
import { describeInBrowser } from '../support/service/in-browser.ts';

const site = {
  ...{ title: 'Acme', time_zone: 'UTC', week_start: 'monday', locales: [], default_locale: 'en', case_url: null },
};
const known = { ...definitions(), site };
const format = createFormat('en-US');
const writing = { definitions: known, format, names: createNames(known, undefined, format) };
const WHY = ['Telephone and letters −120 (300 → 180)', 'Ann-Marguerite Becker of Oldenburg −90 (120 → 30)'];
const time = { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z', window_size: 'none', time_zone: 'UTC' };
const before = { min: '2025-12-01T00:00:00Z', max: '2026-01-01T00:00:00Z' };

/** A report of agents with three fields; numbers are compared with the month before. */
function report(members: number, isCompared: boolean) {
  const fields = ['case_creates', 'resolved_cases', 'time_to_first_response:p50'];
  const rows = Array.from({ length: members }, (_, id) => [null, id + 1, null, 400 - id, 300 - id, 5_400]);
  const totals = { members: rows, windows: [], all: [[null, null, null, 9_000, 8_000, 5_000]] };
  const request = { fields, time, dimension1: 'assigned_agent', dimension2: null };
  const comparison = isCompared && { comparison: { time: before, data: rows, totals } };
  const reply = { request, data: rows, totals, ...comparison };
  const moment = { now: Date.parse('2027-01-01T00:00:00Z'), zone: 'UTC', definitions: known };
  return readReport(reply as unknown as ReportReply, moment);
}

describeInBrowser('the mail of a board with six tiles', () => {
  it.each([1, 3].flatMap((each) => [0, 1, 2, 3, 4, 5, 6].map((tables) => [tables, each] as const)))(
    'is under 1,500 px at 700 px width, %d of them tables of forty rows, the others of %d numbers',
    async (tables, each) => {
      const rows = rowsOfTables(Array<number>(6 - tables).fill(each), tables);
      const numbers = numbersOf(report(1, true), undefined, writing)
        .slice(0, each)
        .map((number) => ({ ...number, ...(each === 1 && { why: WHY }) }));
      const sections: Section[] = [
        { kind: 'numbers', numbers: Array.from({ length: 6 - tables }, () => numbers).flat() },
        ...Array.from({ length: tables }, (_, at) =>
          tableSectionOf(report(40, false), `Agents ${at}`, { bars: at % 2 === 0, most: rows }, writing),
        ),
      ];
      for (const section of sections) if (section.kind === 'table') expect(section.rows.length).toBeLessThanOrEqual(15);
      const lead = [
        'Thu, Jan 1 – Sat, Jan 31, 2026, compared with Mon, Dec 1 – Wed, Dec 31, 2025',
        'Acme, as of Feb 1, 9:00 AM. Times as in UTC.',
      ];
      const link = { href: 'https://acme.example', label: 'Open the board' };
      const html = htmlOf({
        title: 'Monday',
        lead,
        sections,
        link,
        why: 'ann@acme.example has these numbers sent to you.',
      });
      const browser = await launch();
      try {
        const page = await browser.newPage({ viewport: { width: 700, height: 600 } });
        await page.setContent(html);
        const height = await page.locator('html').evaluate(({ scrollHeight }) => scrollHeight);
        console.info(`${tables} tables of ${rows} rows beside ${each} numbers a tile: ${height} px`);
        expect(height).toBeLessThan(1_500);
        expect(await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth)).toBe(700);
      } finally {
        await browser.close();
      }
    },
  );

  it('stays as wide and as low with a heat map of hours, and with numbers that have ranges of their own', async () => {
    const one = report(1, true);
    const rows = rowsOfTables([1, 1, 1, 1], 2, { ranges: true });
    const [created] = numbersOf(one, 'Created', writing);
    if (created === undefined) throw new Error('no number');
    const number = { ...created, why: WHY, ranges: rangesText(one, format) };
    const hours = [null, 1, 9, 100_000];
    const request = { fields: ['case_creates'], time, dimension1: 'weekday', dimension2: 'hour_of_day' };
    const reply = { request, data: [hours], totals: { members: [], windows: [], all: [hours] } };
    const moment = { now: Date.parse('2027-01-01T00:00:00Z'), zone: 'UTC', definitions: known };
    const heat = readReport(reply as unknown as ReportReply, moment);
    const sections: Section[] = [
      { kind: 'numbers', numbers: [number, number, number, number] },
      tableSectionOf(heat, 'When they write', { bars: false, most: rows }, writing),
      tableSectionOf(report(40, false), 'Agents', { bars: true, most: rows }, writing),
    ];
    const browser = await launch();
    try {
      const page = await browser.newPage({ viewport: { width: 700, height: 600 } });
      await page.setContent(
        htmlOf({
          ...{ title: 'Monday', lead: ['Acme'], sections, why: '' },
          link: { href: 'https://acme.example', label: 'Open the board' },
        }),
      );
      expect(await page.getByText('Thu, Jan 1 – Sat, Jan 31, 2026, compared with').count()).toBe(4);
      expect(await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth)).toBe(700);
      expect(await page.locator('html').evaluate(({ scrollHeight }) => scrollHeight)).toBeLessThan(1_500);
    } finally {
      await browser.close();
    }
  });
});
