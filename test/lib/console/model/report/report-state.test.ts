import * as fc from 'fast-check';
import { stateOf } from '../../../../../lib/console/model/report/report-open.ts';
import { curlOf, requestOf } from '../../../../../lib/console/model/report/report-request.ts';
import {
  CHARTS,
  COMPARISONS,
  type ReportState,
  readable,
  readReportState,
  USUAL_REPORT,
  WINDOW_SIZES,
  writeReportState,
} from '../../../../../lib/console/model/report/report-state.ts';

const word = fc.stringMatching(/^[a-z_]{1,12}$/);
const member = fc.oneof(fc.nat().map(String), fc.string({ minLength: 1, maxLength: 8 }));
const text = fc.string({ minLength: 1, maxLength: 10, unit: 'grapheme' });
const condition = fc
  .record({ action: fc.constantFrom('Include' as const, 'Exclude' as const), object: word })
  .chain((start) =>
    fc.oneof(
      fc.array(member, { minLength: 1, maxLength: 3 }).map((ids) => ({ ...start, ids, text: '' })),
      text.map((each) => ({ ...start, ids: [], text: each })),
    ),
  );
const period = fc.oneof(
  fc.record({
    kind: fc.constant('last' as const),
    count: fc.integer({ min: 1, max: 999 }),
    unit: fc.constantFrom('hour' as const, 'day' as const, 'week' as const, 'month' as const),
    current: fc.boolean(),
  }),
  fc.constantFrom(
    { kind: 'range' as const, from: '2026-01-01', until: '2026-02-01' },
    { kind: 'range' as const, from: '2026-01-01T09:00', until: '2026-01-01T10:00' },
  ),
);
const state: fc.Arbitrary<ReportState> = fc
  .record({
    fields: fc.uniqueArray(word, { minLength: 1, maxLength: 4 }),
    by: fc.option(word),
    byValues: fc.array(member, { maxLength: 3 }),
    and: fc.option(word),
    andValues: fc.array(member, { maxLength: 3 }),
    per: fc.constantFrom(...WINDOW_SIZES),
    period,
    zone: fc.option(fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata')),
    compare: fc.option(fc.constantFrom(...COMPARISONS)),
    hours: fc.option(fc.constant('business' as const)),
    filters: fc.array(fc.array(condition, { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
    chart: fc.option(fc.constantFrom(...CHARTS)),
    chartField: fc.nat(20),
    sort: fc.option(fc.record({ column: fc.nat(20), descending: fc.boolean() })),
    saved: fc.option(fc.integer({ min: 1 }).map(String)),
  })
  .map((each) => {
    const and = each.by === null || each.and === each.by ? null : each.and;
    return {
      ...each,
      and,
      byValues: each.by === null ? [] : each.byValues,
      andValues: and === null ? [] : each.andValues,
    };
  });

describe('the state of a report', () => {
  it('comes back from the address that it was written to', () => {
    fc.assert(
      fc.property(state, (each) => {
        expect(readReportState(new URLSearchParams(readable(writeReportState(each))))).toEqual(each);
      }),
    );
  });

  it('comes back from the request that it asks, save what only the page needs', () => {
    fc.assert(
      fc.property(state, (each) => {
        const zoned = { ...each, zone: each.zone ?? 'UTC' };
        const back = stateOf(JSON.parse(JSON.stringify(requestOf(zoned))));
        const seen = ({ fields, by, byValues, and, andValues, per, zone, compare, hours, filters }: ReportState) => ({
          ...{ fields, by, byValues, and, andValues, per, zone, compare, hours, filters },
        });
        expect(seen(back)).toEqual(seen(zoned));
      }),
    );
  });

  it('is as usual where an address says nothing or nonsense', () => {
    const nonsense =
      'show=&per=year&last=0w&from=x&until=y&chart=pie&sort=a&compare=x&where=%7B&where=%5B1%5D&of=-1&and=label';
    expect(readReportState(new URLSearchParams(nonsense))).toEqual(USUAL_REPORT);
    expect(readReportState(new URLSearchParams())).toEqual(USUAL_REPORT);
  });
});

describe('the request of a state', () => {
  it('names relative periods as they are, and ranges by instants of the zone', () => {
    expect(requestOf(USUAL_REPORT, 'Europe/Berlin').time).toEqual({ last: 4, unit: 'week', window_size: 'day' });
    const range = {
      ...USUAL_REPORT,
      period: { kind: 'range', from: '2026-03-29', until: '2026-03-30T12:00' },
    } as const;
    expect(requestOf(range, 'Europe/Berlin').time).toEqual({
      min: '2026-03-29T00:00:00+01:00',
      max: '2026-03-30T12:00:00+02:00',
      window_size: 'day',
      time_zone: 'Europe/Berlin',
    });
  });

  it('sends members as numbers where they are, and filters in their short form', () => {
    const filters = [[{ action: 'Include', object: 'Labels', ids: ['3'], text: '' } as const]];
    const asked = requestOf({ ...USUAL_REPORT, by: 'custom_field', byValues: ['12', '12:ab', '007'], filters });
    expect(asked.dimension1_values).toEqual([12, '12:ab', '007']);
    expect(asked.filters).toEqual([[['Include', 'Labels', [{ id: '3' }]]]]);
  });

  it('is quoted for a shell', () => {
    expect(curlOf('http://x', "o'neil", { a: "it's" })).toContain(`'{"a":"it'\\''s"}'`);
  });
});
