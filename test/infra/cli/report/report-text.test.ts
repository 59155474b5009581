import { durationText, reportTable, type TableOptions } from '../../../../infra/cli/report/report-text.ts';
import { reportShape } from '../../../../lib/insights/report-json.ts';

const options: TableOptions = {
  zone: 'Europe/Berlin',
  human: false,
  names: [(member) => (member === 1 ? 'email' : String(member)), String],
};
const report = reportShape().parse({
  request: { dimension1: 'channel', dimension2: null },
  header: [
    'window_time',
    'dimension1_value',
    'dimension2_value',
    'case_creates',
    'avg_handle_time',
    'case_reopen_rate',
  ],
  data: [
    ['2026-01-01 00:00:00', 1, null, 1234, 187_265.5, 12.5],
    ['2026-01-02 00:00:00', 99, null, 0, null, null],
    ['2026-01-03 00:00:00', 99, null, 7, 60, 3.25],
  ],
  _links: { self: { href: null, class: 'report' } },
});

describe('a report for people', () => {
  it('names members, aligns numbers, leaves out what nobody asked for, and tells the zone', () => {
    expect(reportTable(report, options).split('\n')).toEqual([
      'window               channel  case_creates  avg_handle_time s  case_reopen_rate %',
      '2026-01-01 00:00:00  email           1,234          187,265.5               12.50',
      '2026-01-02 00:00:00  99                  0                  -                   -',
      '2026-01-03 00:00:00  99                  7               60.0                3.25',
      '',
      'Times in Europe/Berlin.',
    ]);
  });

  it('shows durations as people say them where that is wanted', () => {
    expect(reportTable(report, { ...options, human: true })).toContain('2d 4h');
    expect([0, 59.6, 61, 3600, 90_000].map(durationText)).toEqual(['0s', '1m', '1m 1s', '1h', '1d 1h']);
  });

  it('keeps a row on its line whatever is in a name', () => {
    const odd = { ...options, names: [() => 'a\nb\u001b[2J', String] as const };
    expect(reportTable(report, odd)).toContain('  a b [2J  ');
  });

  it('has totals and the comparison below, where they say anything new, and names what nobody has', () => {
    const all = [[null, null, null, 1241, 100, 12]];
    const totals = { members: [[null, 1, null, 1234, null, 12.5]], windows: report.data, all };
    const comparison = { time: { min: '2025-01-01T00:00:00+01:00', max: '2025-01-04T00:00:00+01:00' }, data: all };
    const unknown = { dimension1_values: [5], filters: [{ place: 'filters.0.0', object: 'Labels', ids: ['7'] }] };
    const text = reportTable({ ...report, totals, comparison, unknown }, options);
    expect(text.split('\n\n').map((part) => part.split('\n')[0])).toEqual([
      expect.stringMatching(/^window/),
      'The whole time:',
      'All:',
      'Compared with 2025-01-01T00:00:00+01:00 to 2025-01-04T00:00:00+01:00:',
      'Unknown: members 5; Labels 7.',
      'Times in Europe/Berlin.',
    ]);
  });

  it('says where there are no rows', () => {
    expect(reportTable({ ...report, data: [] }, options)).toMatch(/^No rows\./);
  });
});
