import { describe, expect, it } from '@jest/globals';
import { Failure } from '../../../lib/errors.ts';
import type { CaseEvent } from '../../../lib/history/event.ts';
import { FIELD_NAMES } from '../../../lib/insights/fields.ts';
import { planReport } from '../../../lib/insights/plan.ts';
import { NO_REFERENCE } from '../../../lib/insights/reference.ts';
import { REPLY_LIMIT } from '../../../lib/insights/too-large.ts';
import { ask, caseRows, reportOf } from '../../support/report-of.ts';

const CENTURY = { min: '1990-01-01T00:00:00Z', max: '2090-01-01T00:00:00Z' };

const failureOf = (work: () => unknown): Failure | undefined => {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  return undefined;
};

/** Cases that each of 600 agents wrote in, every hour for 20 days. */
const BUSY = caseRows(
  new Map(
    Array.from({ length: 600 }, (_, agent): [string, CaseEvent[]] => [
      String(agent),
      Array.from({ length: 480 }, (_, hour): CaseEvent => {
        const at = (Date.parse('2026-01-02T00:00:00Z') / 1000 + hour * 3600) * 1_000_000;
        return { type: 'interaction', direction: 'outbound', id: String(hour), at, case: String(agent), agent };
      }),
    ]),
  ),
);
const HOURLY = { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z', window_size: 'hour' };

describe('a report that would not fit a reply', () => {
  it('is refused before anything is read when its empty windows alone are too many', () => {
    const failure = failureOf(() =>
      planReport(ask({ fields: ['case_creates'], time: { ...CENTURY, window_size: 'hour' } }), NO_REFERENCE),
    );
    expect(failure?.errors).toEqual({ time: { window_size: ['too_large'] } });
    expect(failure?.message).toBe(
      'The report would have at least 876600 rows, more than a reply of 5.5 MB holds. It would fit with a larger ' +
        'time.window_size, a shorter time or fewer fields.',
    );
  });

  it('is planned when only few of its windows can have a row', () => {
    const body = {
      fields: ['outbound_interactions'],
      time: { ...CENTURY, window_size: 'hour' },
      dimension1: 'channel',
    };
    expect(reportOf(ask(body), BUSY)).toEqual([]);
  });

  it('is refused once its rows are too many, naming what would make it fit', () => {
    const body = { fields: ['outbound_interactions'], time: HOURLY, dimension1: 'action_agent' };
    const failure = failureOf(() => reportOf(ask(body), BUSY));
    expect(failure?.errors).toEqual({ time: { window_size: ['too_large'] } });
    expect(failure?.message).toContain('fewer dimension1_values');
  });

  it('is given up to the bound', () => {
    const agents = Array.from({ length: 300 }, (_, agent) => agent);
    const body = {
      fields: ['outbound_interactions'],
      time: HOURLY,
      dimension1: 'action_agent',
      dimension1_values: agents,
    };
    const rows = reportOf(ask(body), BUSY);
    expect(rows.length).toBe(300 * 480);
    expect(JSON.stringify(rows).length).toBeLessThanOrEqual(REPLY_LIMIT);
  });

  it('is refused when its cells outgrow the memory', () => {
    const body = {
      fields: FIELD_NAMES,
      time: { ...CENTURY, window_size: 'hour' },
      dimension1: 'action_agent',
      dimension2: 'label',
    };
    const labels = Array.from({ length: 40 }, (_, label) => label + 1);
    const many = caseRows(
      new Map(
        Array.from({ length: 40 }, (_, agent): [string, CaseEvent[]] => [
          String(agent),
          Array.from({ length: 480 }, (_, hour): CaseEvent => {
            const at = (Date.parse('2026-01-02T00:00:00Z') / 1000 + hour * 3600) * 1_000_000;
            const base = { id: String(hour), at, case: String(agent), agent };
            return hour === 0
              ? { ...base, type: 'case.labels', set: labels }
              : { ...base, type: 'interaction', direction: 'outbound' };
          }),
        ]),
      ),
    );
    expect(failureOf(() => reportOf(ask(body), many))?.message).toContain('has more cells than there is memory for');
  });
});
