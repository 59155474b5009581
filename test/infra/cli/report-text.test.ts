import { describe, expect, it } from '@jest/globals';
import { duration, reportTable } from '../../../infra/cli/report-text.ts';
import { REPLY_EXAMPLES } from '../../../infra/openapi/examples.ts';
import { metaShape } from '../../../lib/insights/meta.ts';
import { reportShape } from '../../../lib/insights/report.ts';

const meta = metaShape().parse(REPLY_EXAMPLES.showMeta);
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
    expect(reportTable(report, meta, { zone: 'Europe/Berlin', human: false }).split('\n')).toEqual([
      'window               channel  case_creates  avg_handle_time s  case_reopen_rate %',
      '2026-01-01 00:00:00  email           1,234          187,265.5               12.50',
      '2026-01-02 00:00:00  99                  0                  -                   -',
      '2026-01-03 00:00:00  99                  7               60.0                3.25',
      '',
      'Times in Europe/Berlin.',
    ]);
  });

  it('shows durations as people say them where that is wanted', () => {
    expect(reportTable(report, meta, { zone: 'UTC', human: true })).toContain('2d 4h');
    expect([0, 59.6, 61, 3600, 90_000].map(duration)).toEqual(['0s', '1m 0s', '1m 1s', '1h 0m', '1d 1h']);
  });

  it('keeps a row on its line whatever is in a name', () => {
    const odd = { ...meta, channels: { ...meta.channels, 99: { name: 'a\nb\u001b[2J' } } };
    expect(reportTable(report, odd, { zone: 'UTC', human: false })).toContain('  a b [2J  ');
  });

  it('says where there are no rows', () => {
    expect(reportTable({ ...report, data: [] }, meta, { zone: 'UTC', human: false })).toMatch(/^No rows\./);
  });
});
