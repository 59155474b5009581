import {
  type BoardScope,
  haveOneRange,
  headReports,
  moved,
  numberedTiles,
  overviewTiles,
  partOf,
  planBoard,
  scopedState,
  scopeOf,
  sectionsOf,
  shownTiles,
} from '../../../../../lib/console/model/board/board.ts';
import type { Definitions } from '../../../../../lib/console/model/definitions.ts';
import type { Report } from '../../../../../lib/console/model/report/report.ts';
import { requestOf, spanOf, toCondition } from '../../../../../lib/console/model/report/report-request.ts';
import { USUAL_REPORT } from '../../../../../lib/console/model/report/report-state.ts';
import { definitions as definitionsOf } from '../../../../../lib/insights/definitions/definitions.ts';

const definitions = JSON.parse(JSON.stringify({ ...definitionsOf(), site: { time_zone: 'UTC' } })) as Definitions;

const MONTH = { kind: 'last', count: 1, unit: 'month', current: false } as const;
const SCOPE: BoardScope = { period: MONTH, zone: null, filters: [] };
const email = { action: 'Include', object: 'Channels', ids: ['1'], text: '' } as const;
const urgent = { action: 'Include', object: 'Priorities', ids: ['1'], text: '' } as const;
const low = { action: 'Exclude', object: 'Priorities', ids: ['9'], text: '' } as const;
const TITLES = { course: 'Course', channels: 'Channels', hours: 'Hours', agents: 'Agents' };

const NO_ROWS: Report = {
  ...{ min: '', max: '', until: '', rows: [], totals: undefined, before: undefined },
  ...{ fields: [], dimensions: [], size: 'none', zone: 'UTC', at: 0 },
};

const report = (fields: readonly string[], per = 'week') => ({
  name: fields.join(),
  request: { fields, time: { last: 4, unit: 'week', window_size: per } },
});
const tile = (saved_report: number, shown_as: 'number' | 'line' | 'table', pinned = false) =>
  ({ saved_report, shown_as, width: 1, pinned }) as const;

describe('a tile of a board', () => {
  it('takes its period, in windows that suit it, and its filters beside its own', () => {
    const scoped = scopedState(
      { ...USUAL_REPORT, per: 'hour', filters: [[urgent], [low]] },
      { ...SCOPE, filters: [[email]] },
    );
    expect([scoped.period, scoped.per, scoped.filters]).toEqual([
      MONTH,
      'day',
      [
        [urgent, email],
        [low, email],
      ],
    ]);
    expect(scopedState({ ...USUAL_REPORT, per: 'none' }, SCOPE).per).toBe('none');
    expect(scopedState(USUAL_REPORT, { ...SCOPE, period: null }).period).toEqual(USUAL_REPORT.period);
  });

  it('keeps its own when it is pinned, and is not there when its report was deleted', () => {
    const reports = new Map([[1, report(['case_creates'])]]);
    const scope = { ...SCOPE, filters: [[email]] };
    const shown = shownTiles([tile(1, 'line', true), tile(2, 'line')], reports, scope);
    const [[pinned], gone] = [numberedTiles(shown), shown[1]];
    expect([pinned?.state.period, pinned?.state.filters, gone]).toEqual([USUAL_REPORT.period, [], undefined]);
  });

  it('reads the scope that the editor writes', () => {
    const scope = scopeOf({
      time: { ...spanOf(MONTH, 'UTC'), time_zone: 'Asia/Tokyo' },
      filters: [[toCondition(email)]],
    });
    expect(scope).toEqual({ period: MONTH, zone: 'Asia/Tokyo', filters: [[email]] });
    expect(scopeOf({ time: null, filters: null })).toEqual({ period: null, zone: null, filters: [] });
  });
});

describe('the requests of a board', () => {
  it('are two for the overview’s eight numbers and its curve, and one for each other tile', () => {
    const plan = planBoard(overviewTiles(SCOPE, TITLES), definitions);
    expect(plan.requests.map(({ state, isFirst }) => [state.fields.length, isFirst])).toEqual([
      [5, true],
      [3, true],
      [1, false],
      [1, false],
      [5, false],
    ]);
    expect(plan.of).toEqual([0, 0, 0, 1, 1, 0, 0, 1, 0, 2, 3, 4]);
  });

  it('ask first for numbers, and never for those of another period together', () => {
    const reports = new Map([
      [1, report(['case_creates'])],
      [2, report(['resolved_cases'])],
    ]);
    const tiles = shownTiles([tile(1, 'table'), tile(1, 'number'), tile(2, 'number', true)], reports, SCOPE);
    const plan = planBoard(numberedTiles(tiles), undefined);
    expect(plan.of).toEqual([0, 0, 1]);
    const answers = ['own', 'pinned'].map((min) => ({ data: { ...NO_ROWS, min } }));
    const heads = (period: BoardScope['period']) =>
      headReports(plan, { ...SCOPE, period }, answers).map(({ min }) => min);
    expect([heads(MONTH), heads(USUAL_REPORT.period), heads(null)]).toEqual([['own'], ['pinned'], ['own', 'pinned']]);
    expect(plan.requests.map(({ state }) => requestOf(state).time)).toEqual([
      { last: 1, unit: 'month', window_size: 'day', compare: 'previous_period' },
      { last: 4, unit: 'week', window_size: 'day', compare: 'previous_period' },
    ]);
  });

  it('are answered with the part that a tile shows', () => {
    const row = { window: null, members: [null, null] as const, values: [1, 2] };
    const side = { min: 'a', max: 'b', until: 'b', rows: [row], totals: { members: [], windows: [row], all: row } };
    const whole: Report = {
      ...side,
      fields: ['x', 'y'],
      dimensions: [],
      size: 'day',
      before: side,
      zone: 'UTC',
      at: 0,
    };
    const part = partOf(whole, { fields: ['y'], compare: null });
    expect([part.fields, part.rows[0]?.values, part.totals?.all.values, part.before]).toEqual([
      ['y'],
      [2],
      [2],
      undefined,
    ]);
    expect(partOf(whole, { fields: ['y', 'x'], compare: 'previous_period' }).before?.rows[0]?.values).toEqual([2, 1]);
  });

  it('are of one moment only if equal periods have equal ranges', () => {
    const body = (window_size: string) => ({ time: { last: 1, unit: 'day', window_size } });
    const data = (min: string) => ({ data: { min, max: 'end' } });
    expect(haveOneRange([body('none'), body('hour')], [data('a'), data('a')])).toBe(true);
    expect(haveOneRange([body('none'), body('hour')], [data('a'), data('b')])).toBe(false);
    expect(
      haveOneRange([body('none'), { time: { last: 2 } }, body('day')], [data('a'), data('b'), { data: undefined }]),
    ).toBe(true);
  });
});

describe('the tiles of a board', () => {
  it('stand with their neighbours of the same sort', () => {
    const of = (...layouts: Parameters<typeof sectionsOf>[0]) => sectionsOf(layouts);
    expect(of('number', 'number', 'card', 'heading', 'number')).toEqual([[0, 1], [2], [3], [4]]);
    expect(of()).toEqual([]);
  });

  it('are moved without losing one', () => {
    expect([moved('abcd'.split(''), 0, 2), moved('abcd'.split(''), 3, 0), moved(['a'], 1, 0)]).toEqual([
      ['b', 'c', 'a', 'd'],
      ['d', 'a', 'b', 'c'],
      ['a'],
    ]);
  });
});
