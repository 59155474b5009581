import { NEW_SITE } from '../../../../../lib/access/site-fields.ts';
import { goalText, judge } from '../../../../../lib/console/model/board/goal.ts';
import { createFormat } from '../../../../../lib/console/model/format.ts';
import type { Report, Row } from '../../../../../lib/console/model/report/report.ts';
import { definitions, siteDefinition } from '../../../../../lib/insights/definitions/definitions.ts';

const row = (window: string | null, ...values: (number | null)[]): Row => ({ window, members: [null, null], values });
const report = (rows: readonly Row[], all: number | null, more: Partial<Report> = {}): Report => ({
  ...{ fields: ['case_creates'], dimensions: [], size: 'week', zone: 'UTC', at: 0, before: undefined },
  ...{ min: '2026-03-02T00:00:00Z', max: '2026-03-23T00:00:00Z', until: '2026-03-20T10:00:00', rows },
  totals: { members: [], windows: [...rows], all: row(null, all) },
  ...more,
});
const WEEKS = [row('2026-03-02 00:00:00', 40), row('2026-03-09 00:00:00', 39), row('2026-03-16 00:00:00', 5)];

describe('a goal', () => {
  it('is for each window that is over, and one that is just reached is kept', () => {
    expect(judge(report(WEEKS, 84), { value: 40, better: 'above' }, false)).toEqual({ kept: 1, of: 2 });
    expect(judge(report(WEEKS, 84), { value: 39, better: 'below' }, false)).toEqual({ kept: 1, of: 2 });
    expect(judge(report([row('2026-03-02 00:00:00', null)], null), { value: 1, better: 'above' }, false).of).toBe(0);
  });

  it('is for the one number of a tile that shows that, and of a report without windows', () => {
    expect(judge(report(WEEKS, 84), { value: 80, better: 'above' }, true)).toEqual({ kept: 1, of: 1 });
    expect(judge(report([], 84, { size: 'none' }), { value: 80, better: 'below' }, false)).toEqual({ kept: 0, of: 1 });
  });

  it.each([
    [{ value: 40, better: 'above' }, false, 'Goal: at least 40 – kept in 1 of 2'],
    [{ value: 90, better: 'below' }, true, 'Goal: at most 90 – kept'],
    [{ value: 90, better: 'above' }, true, 'Goal: at least 90 – missed'],
    [{ value: 50, better: 'above' }, false, 'Goal: at least 50 – missed in all 2'],
    [{ value: 1, better: 'above' }, false, 'Goal: at least 1 – kept in all 2'],
  ] as const)('is told in words: %j', (goal, isWhole, words) => {
    const site = siteDefinition({ ...NEW_SITE, name: 'test', title: 'Test', hosts: [] });
    const looks = { definitions: { ...definitions(), site }, format: createFormat('en-US') };
    expect(goalText(report(WEEKS, 84), goal, isWhole, looks)).toBe(words);
  });
});
