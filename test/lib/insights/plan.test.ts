import { rowVersionOf } from '../../../lib/history/cases/case-row.ts';
import { planReport } from '../../../lib/insights/plan.ts';
import { NO_REFERENCE } from '../../../lib/insights/reference.ts';
import { ask } from '../../support/generators/report-of.ts';

const time = { min: '2026-01-05T00:00:00Z', max: '2026-01-06T00:00:00Z', window_size: 'none' };
const rowsOf = (body: object): number =>
  planReport(ask({ fields: ['case_creates'], time, ...body }), NO_REFERENCE).rows;

describe('the version of rows that a report needs', () => {
  it('is the first where everything that it counts, splits by and filters by was there from the beginning', () => {
    const filters = [[['Include', 'Channels', [{ id: '1' }]]]];
    expect(rowsOf({ dimension1: 'channel', dimension2: 'label', filters })).toBe(1);
    expect(rowsOf({ dimension1: 'weekday', dimension2: 'action_agent' })).toBe(1);
  });

  it.each([
    ['a field', { fields: ['case_creates', 'csat_ratings'] }],
    ['a dimension', { dimension2: 'status' }],
    ['a filter', { filters: [[['Exclude', 'Statuses', [{ id: 'new' }]]]] }],
  ])('is that of what came last, here %s', (_, body) => {
    expect(rowsOf(body)).toBe(rowVersionOf('status'));
    expect(rowVersionOf('status')).toBeGreaterThan(rowVersionOf('channel'));
  });
});
