import { createFormat } from '../../../lib/console/model/format.ts';
import { createNames } from '../../../lib/console/model/names.ts';
import { type ReportReply, readReport } from '../../../lib/console/model/report/report.ts';
import { attachmentsOf } from '../../../lib/deliver/mail/compose.ts';
import { type MailContent, tableSectionOf } from '../../../lib/deliver/mail/content.ts';
import { htmlOf } from '../../../lib/deliver/mail/html.ts';
import { plainOf } from '../../../lib/deliver/mail/plain.ts';
import { definitions } from '../../../lib/insights/definitions/definitions.ts';

describe('a mail', () => {
  it('has every table attached that fits, also after one that is too large', () => {
    const tables = [
      { title: 'By channel', csv: 'small' },
      { title: 'By custom field', csv: 'x'.repeat(3_000_000) },
      { title: 'By label', csv: 'small, too' },
    ];
    expect(attachmentsOf(tables).map(({ name }) => name)).toEqual(['1-by-channel.csv', '3-by-label.csv']);
  });

  it('counts the rows that it does not show', () => {
    const content = (left: number): MailContent => ({
      ...{ title: 'Cases', lead: [], link: { href: 'https://acme.example', label: 'Open' }, why: '' },
      sections: [
        { kind: 'table', title: 'Cases', range: '', columns: [], rows: [], total: undefined, empty: '', left },
      ],
    });
    for (const [left, said] of [
      [1, '1 more row'],
      [2, '2 more rows'],
    ] as const) {
      expect(plainOf(content(left))).toContain(`… and ${said}\n`);
      expect(htmlOf(content(left))).toContain(`And ${said}, in`);
    }
  });

  const site = {
    title: 'Acme',
    time_zone: 'UTC',
    week_start: 'monday',
    locales: [],
    default_locale: 'en',
    case_url: null,
  };
  const known = { ...definitions(), site };
  const format = createFormat('en-US');
  const writing = { definitions: known, format, names: createNames(known, undefined, format) };
  const sectionOf = (request: object, data: ReportReply['data'], members: ReportReply['data'] = []) => {
    const reply = {
      request: {
        ...{ fields: ['case_creates'], dimension1: null, dimension2: null },
        time: { min: '2026-01-01T00:00:00Z', max: '2026-01-21T00:00:00Z', window_size: 'none', time_zone: 'UTC' },
        ...request,
      },
      data,
      totals: { members, windows: [], all: [[null, null, null, 1]] },
    } as unknown as ReportReply;
    const moment = { now: Date.parse('2027-01-01T00:00:00Z'), zone: 'UTC', definitions: known };
    return tableSectionOf(readReport(reply, moment), 'Created', { bars: true }, writing);
  };
  const html = (section: ReturnType<typeof sectionOf>): string =>
    htmlOf({
      title: 'Monday',
      lead: [],
      sections: [section],
      link: { href: 'https://acme.example', label: 'Open' },
      why: '',
    });

  it('has a series as a row a window and a column a member, at most eight and the others, and the newest 15 rows', () => {
    const days = Array.from({ length: 20 }, (_, day) => `2026-01-${String(day + 1).padStart(2, '0')} 00:00:00`);
    const members = Array.from({ length: 10 }, (_, id) => id + 1);
    const time = { min: '2026-01-01T00:00:00Z', max: '2026-01-21T00:00:00Z', window_size: 'day', time_zone: 'UTC' };
    const rows = days.flatMap((day, at) => members.map((id) => [day, id, null, id * (at + 1)] as const));
    const totals = members.map((id) => [null, id, null, 210 * id] as const);
    const report = {
      ...{ request: { fields: ['case_creates'], dimension1: 'channel', dimension2: null, time }, data: rows },
      totals: {
        members: totals,
        windows: days.map((day) => [day, null, null, 1] as const),
        all: [[null, null, null, 1]],
      },
    } as unknown as ReportReply;
    const moment = { now: Date.parse('2027-01-01T00:00:00Z'), zone: 'UTC', definitions: known };
    const section = tableSectionOf(readReport(report, moment), 'Created', { bars: true }, writing);
    expect(section.columns.map(({ title }) => title.replace(/\D/g, '') || title)).toEqual([
      ...[expect.stringMatching(/day/i), '10', '9', '8', '7', '6', '5', '4', '3', 'Others'],
    ]);
    expect([section.rows.length, section.left]).toEqual([15, 5]);
    expect(section.rows.at(-1)?.map(({ text }) => text)).toEqual([
      ...['Jan 20, 2026', '200', '180', '160', '140', '120', '100', '80', '60', '60'].map((text, index) =>
        index === 0 ? expect.any(String) : text,
      ),
    ]);
    expect(html(section)).toContain('Others');
  });

  it('has a heat map as a table of coloured cells that needs no picture', () => {
    const section = sectionOf({ dimension1: 'weekday', dimension2: 'hour_of_day' }, [
      [null, 1, 9, 4],
      [null, 2, 10, 8],
    ] as unknown as ReportReply['data']);
    expect([section.rows.length, section.columns.length, section.isDense]).toEqual([7, 25, true]);
    expect(section.rows[0]?.[10]).toEqual({ text: '4', shade: 0.5 });
    expect(section.columns.map(({ title }) => title).slice(0, 3)).toEqual(['Weekday', '00', '01']); // so that 24 fit
    const shown = html(section);
    expect(shown).toContain('bgcolor="#');
    expect(shown).not.toMatch(/<img|<svg|<script/);
  });
});
