import {
  breakOutState,
  cellState,
  onlyState,
  windowPeriod,
  zoomState,
} from '../../../../../lib/console/model/report/cell.ts';
import {
  createRowBefore,
  gridOf,
  type ReportReply,
  readReport,
  seriesByWindow,
  windowsOf,
} from '../../../../../lib/console/model/report/report.ts';
import { type ReportState, USUAL_REPORT } from '../../../../../lib/console/model/report/report-state.ts';
import { chartOf, chartsFor } from '../../../../../lib/console/model/report/shape.ts';
import { columnsOf, rowsOf } from '../../../../../lib/console/model/report/table.ts';

const reply: ReportReply = {
  request: {
    fields: ['case_creates', 'time_to_first_response'],
    time: { min: '2026-10-21T00:00:00-04:00', max: '2026-11-04T00:00:00-05:00', window_size: 'week' },
    dimension1: 'channel',
    dimension2: null,
  },
  data: [
    ['2026-10-19 00:00:00', 1, null, 4, 90],
    ['2026-10-19 00:00:00', 2, null, 9, null],
    ['2026-11-02 00:00:00', 1, null, 2, 60],
  ],
  totals: {
    members: [
      [null, 1, null, 6, 80],
      [null, 2, null, 9, null],
    ],
    windows: [
      ['2026-10-19 00:00:00', null, null, 13, 90],
      ['2026-10-26 00:00:00', null, null, 0, null],
      ['2026-11-02 00:00:00', null, null, 2, 60],
    ],
    all: [[null, null, null, 15, 80]],
  },
  comparison: {
    time: { min: '2026-10-07T00:00:00-04:00', max: '2026-10-21T00:00:00-04:00' },
    data: [['2026-10-05 00:00:00', 1, null, 8, 30]],
    totals: {
      members: [[null, 1, null, 8, 30]],
      windows: [
        ['2026-10-05 00:00:00', null, null, 8, 30],
        ['2026-10-12 00:00:00', null, null, 0, null],
        ['2026-10-19 00:00:00', null, null, 0, null],
      ],
      all: [[null, null, null, 8, 30]],
    },
  },
};
const report = readReport(reply, { now: Date.parse('2027-01-01T00:00:00Z'), zone: 'UTC' });
const state: ReportState = { ...USUAL_REPORT, fields: [...report.fields], by: 'channel', per: 'week' };
const cell = { row: { window: '2026-10-19 00:00:00', members: [1, null] as const }, field: 1 };

describe('a report as the pages look at it', () => {
  it('has every window, empty ones too, and finds the row that answers to one before', () => {
    expect(windowsOf(report)).toEqual(['2026-10-19 00:00:00', '2026-10-26 00:00:00', '2026-11-02 00:00:00']);
    const before = createRowBefore(report);
    expect(report.rows.map((row) => before(row)?.values[0])).toEqual([8, undefined, undefined]);
  });

  it('draws series by their totals, with 0 for counts and gaps for means', () => {
    expect(seriesByWindow(report, 0, true, 8).map(({ members, values }) => [members[0], values])).toEqual([
      [2, [9, 0, 0]],
      [1, [4, 0, 2]],
    ]);
    expect(seriesByWindow(report, 1, false, 1)[0]?.values).toEqual([90, null, 60]);
  });

  it('makes a grid of two things, and charts that suit the shape', () => {
    expect(gridOf(report)).toMatchObject({ down: [1, 2] });
    expect(gridOf(report)?.at(2, '2026-10-19 00:00:00')?.values[0]).toBe(9);
    expect(chartsFor({ windows: false, dimensions: 0, adds: true })).toEqual([]);
    expect(chartOf({ windows: true, dimensions: 1, adds: false }, 'stacked')).toBe('line');
    expect(chartOf({ windows: false, dimensions: 2, adds: true }, null)).toBe('heat');
  });

  it('is sorted by any column, empty cells last in both directions', () => {
    expect(columnsOf(report).map(({ kind }) => kind)).toEqual([
      'window',
      'dimension',
      'field',
      'before',
      'field',
      'before',
    ]);
    const values = (descending: boolean) =>
      rowsOf(report, { column: 4, descending }, { of: (_, member) => String(member), written: () => 'name' }).map(
        ({ row }) => row.values[1],
      );
    expect([values(false), values(true)]).toEqual([
      [60, 90, null],
      [90, 60, null],
    ]);
  });
});

describe('a cell', () => {
  it('asks for its own cases: its field, its members, the part of its window that counted', () => {
    expect(cellState(state, report, cell)).toMatchObject({
      ...{ fields: ['time_to_first_response'], by: 'channel', byValues: ['1'], and: null, per: 'none' },
      period: { kind: 'range', from: '2026-10-21', until: '2026-10-26' },
    });
    expect(windowPeriod(report, '2026-11-02 00:00:00')).toEqual({
      kind: 'range',
      from: '2026-11-02',
      until: '2026-11-04',
    });
  });

  it('of a total asks without what it adds up', () => {
    const total = { row: { window: null, members: [null, null] as const }, field: 0 };
    expect(cellState({ ...state, byValues: ['1'] }, report, total)).toMatchObject({
      by: null,
      byValues: [],
      period: state.period,
    });
  });

  it('zooms, filters and breaks out', () => {
    expect(zoomState(state, report, '2026-10-26 00:00:00')).toMatchObject({
      ...{ per: 'day', period: { kind: 'range', from: '2026-10-26', until: '2026-11-02' } },
    });
    expect(onlyState(state, 'channel', '2').byValues).toEqual(['2']);
    expect(breakOutState(state, report, cell, 'label')).toMatchObject({
      by: 'channel',
      byValues: ['1'],
      and: 'label',
      per: 'day',
    });
    const bare = { row: { window: null, members: [null, null] as const }, field: 0 };
    expect(breakOutState(state, report, bare, 'label')).toMatchObject({ by: 'label', and: null });
  });
});
