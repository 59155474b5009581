import { createFormat } from '../../../../../lib/console/model/format.ts';
import { createNames } from '../../../../../lib/console/model/names.ts';
import { type ReportReply, readReport } from '../../../../../lib/console/model/report/report.ts';
import { type ReportState, USUAL_REPORT } from '../../../../../lib/console/model/report/report-state.ts';
import { questionOf, whyRequest } from '../../../../../lib/console/model/report/why.ts';

const NEW_YORK = 'America/New_York';
const state: ReportState = {
  ...USUAL_REPORT,
  ...{ fields: ['case_creates'], per: 'week', compare: 'previous_period', zone: NEW_YORK },
};

/** Three weeks, of which the last one runs, beside the three before: clocks change in the second. */
const reply: ReportReply = {
  request: {
    fields: ['case_creates'],
    time: {
      ...{ min: '2026-10-19T00:00:00-04:00', max: '2026-11-09T00:00:00-05:00', window_size: 'week' },
      ...{ time_zone: NEW_YORK, until: '2026-11-04T03:06:00-05:00' },
    },
    ...{ dimension1: null, dimension2: null },
  },
  data: [
    ['2026-10-19 00:00:00', null, null, 13],
    ['2026-10-26 00:00:00', null, null, 4],
    ['2026-11-02 00:00:00', null, null, 2],
  ],
  comparison: {
    time: { min: '2026-09-28T00:00:00-04:00', max: '2026-10-14T03:06:00-04:00' },
    data: [
      ['2026-09-28 00:00:00', null, null, 8],
      ['2026-10-05 00:00:00', null, null, 1],
      ['2026-10-12 00:00:00', null, null, 5],
    ],
  },
};
const report = readReport(reply, { now: Date.parse('2026-11-04T08:06:00Z'), zone: 'UTC' });
const names = createNames(undefined, undefined, createFormat('en'));

const timeOf = (window: string | null) =>
  Object(questionOf({ state, report, cell: { row: { window, members: [null, null] }, field: 0 } }, names, 'UTC')?.body)
    .time;

describe('why a number moved', () => {
  it('is asked of the whole range, as it was counted', () => {
    expect(timeOf(null).compare).toEqual({ min: '2026-09-28T00:00:00-04:00', max: '2026-10-14T03:06:00-04:00' });
  });

  it('is asked of a window and the one that it is compared with, each with the offset of its own day', () => {
    expect(timeOf('2026-10-26 00:00:00')).toEqual({
      ...{ min: '2026-10-26T00:00:00-04:00', max: '2026-11-02T00:00:00-05:00' },
      ...{ window_size: 'none', time_zone: NEW_YORK },
      compare: { min: '2026-10-05T00:00:00-04:00', max: '2026-10-12T00:00:00-04:00' },
    });
  });

  it('is asked of a window that still runs up to the same moment', () => {
    expect(timeOf('2026-11-02 00:00:00').compare).toEqual({
      ...{ min: '2026-10-12T00:00:00-04:00', max: '2026-10-14T03:06:00-04:00' },
    });
  });

  it('is not asked without a comparison, or of a window without one', () => {
    const cell = { row: { window: '2026-10-26 00:00:00', members: [null, null] as const }, field: 0 };
    expect(questionOf({ state, report: { ...report, before: undefined }, cell }, names, 'UTC')).toBeUndefined();
    expect(timeOf('2026-12-07 00:00:00')).toBeUndefined();
  });

  it('takes from a request what no such question has', () => {
    const body = {
      fields: ['case_creates'],
      dimension1: 'label',
      totals: true,
      hours: 'business',
      time: { all: true },
    };
    expect(whyRequest(body, { min: 'a', max: 'b' })).toEqual({
      ...{ fields: ['case_creates'], hours: 'business' },
      time: { all: true, window_size: 'none', compare: { min: 'a', max: 'b' } },
    });
  });
});
