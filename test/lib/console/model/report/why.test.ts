import { createFormat } from '../../../../../lib/console/model/format.ts';
import { createNames } from '../../../../../lib/console/model/names.ts';
import { type ReportReply, rangesText, readReport } from '../../../../../lib/console/model/report/report.ts';
import { type ReportState, USUAL_REPORT } from '../../../../../lib/console/model/report/report-state.ts';
import {
  type ChangesReply,
  movedText,
  questionOf,
  silentDimensions,
  whyLines,
  whyParts,
  whyRequest,
} from '../../../../../lib/console/model/report/why.ts';

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
const english = createFormat('en');
const names = createNames(undefined, undefined, english);

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

  it('is told of the ranges that were counted, of a window of its own and the one before', () => {
    const told = (window: string | null) => {
      const cell = { row: { window, members: [null, null] as const }, field: 0 };
      const { ranges } = questionOf({ state, report, cell }, names, 'UTC') ?? {};
      return ranges && rangesText(ranges, english);
    };
    expect(told(null)).toBe(rangesText(report, english));
    expect(told('2026-10-26 00:00:00')).toBe(
      'Mon, Oct 26 – Sun, Nov 1, 2026, compared with Mon, Oct 5 – Sun, Oct 11, 2026',
    );
    expect(told('2026-11-02 00:00:00')).toBe(
      'Mon, Nov 2 – Wed, Nov 4, 2026, 3:06 AM, compared with Mon, Oct 12 – Wed, Oct 14, 2026, 3:06 AM',
    );
  });

  it.each([
    [30, 41, false, '', 'is up by 11, from 30 to 41.'],
    [41, 30, undefined, '', 'is down by 11, from 41 to 30.'],
    [30, 32, true, '', 'is about the same: it is up by 2, from 30 to 32, and chance alone gives as much.'],
    [50, 47.5, null, 'percent', 'is down by 2.5 points, from 50% to 47.5%.'],
    [7200, 3600, false, 'seconds', 'is down by 1h, from 2h to 1h.'],
  ])('says from %d to %d which way and by how much', (...[before, now, byChance, unit, sentence]) => {
    expect(movedText({ now: { value: now }, before: { value: before } }, byChance, unit, english)).toBe(sentence);
  });

  it('is told by every dimension of the reply, of which those come last that explain nothing', () => {
    const member = (id: number | null, before: number, now: number) => ({
      id,
      before,
      now,
      contribution: now - before,
    });
    const split = (dimension: string, ...members: ReturnType<typeof member>[]) => ({ dimension, told: true, members });
    const six = ['a', 'b', 'c', 'd', 'e', 'channel'].map((name) => split(name, member(1, 9, 4), member(2, 1, 1)));
    const changes: ChangesReply = {
      ...{ now: { value: 5 }, before: { value: 10 } },
      dimensions: [
        ...six,
        split('company', member(null, 10, 5)),
        { dimension: 'action_agent', told: false, sentence: 'Nobody reopens.', members: [] },
      ],
    };
    const parts = whyParts(changes, '', names, english);
    expect(parts.map(({ dimension }) => dimension)).toEqual(['a', 'b', 'c', 'd', 'e', 'channel']);
    expect(silentDimensions(changes, parts).map(({ dimension, sentence }) => [dimension, sentence])).toEqual([
      ['company', undefined],
      ['action_agent', 'Nobody reopens.'],
    ]);
    const none = split('channel', member(null, 9, 4), member(2, 1, 1));
    expect(whyLines({ ...changes, dimensions: [none] }, '', names, english)).toEqual(['Channel: none −5 (9 → 4)']);
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
