import { Failure } from '../../../lib/errors.ts';
import type { CaseEvent } from '../../../lib/history/cases/event.ts';
import { REPLY_LIMIT } from '../../../lib/http/reply.ts';
import { FIELD_NAMES } from '../../../lib/insights/definitions/fields.ts';
import { planReport } from '../../../lib/insights/plan.ts';
import { NO_REFERENCE } from '../../../lib/insights/reference.ts';
import { ask, caseRows, replyOf, reportOf } from '../../support/generators/report-of.ts';

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

/** What people read of a failure that has one fault. */
const explained = (failure: Failure | undefined): string | undefined => {
  expect([failure?.message, failure?.details?.length]).toEqual(['Validation Failed', 1]);
  return failure?.details?.[0]?.message;
};

const START = Date.parse('2026-01-02T00:00:00Z') / 1000;

/** A case for each agent, in which the agent wrote every hour; with `labels`, it has them. */
const busyCases = (agents: number, hours: number, labels: number[] = []) =>
  caseRows(
    new Map(
      Array.from({ length: agents }, (_, agent): [string, CaseEvent[]] => {
        const base = (hour: number) => ({
          id: String(hour),
          at: (START + hour * 3600) * 1_000_000,
          case: String(agent),
          agent,
        });
        const replies = Array.from({ length: hours }, (_, hour): CaseEvent => {
          return { ...base(hour), type: 'interaction', direction: 'outbound' };
        });
        return [String(agent), [{ ...base(0), id: 'labels', type: 'case.labels', set: labels }, ...replies]];
      }),
    ),
  );

const BUSY = busyCases(300, 300);
const SOME_FIELDS = FIELD_NAMES.slice(0, 22);
const HOURLY = { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z', window_size: 'hour' };

describe('a report that would not fit a reply', () => {
  it('is refused before anything is read when its empty windows alone are too many', () => {
    const failure = failureOf(() =>
      planReport(ask({ fields: ['case_creates'], time: { ...CENTURY, window_size: 'hour' } }), NO_REFERENCE),
    );
    expect(failure?.errors).toEqual({ time: { window_size: ['too_large'] } });
    expect(explained(failure)).toBe(
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
    const body = { fields: FIELD_NAMES, time: HOURLY, dimension1: 'action_agent' };
    const failure = failureOf(() => reportOf(ask(body), BUSY));
    expect(failure?.errors).toEqual({ time: { window_size: ['too_large'] } });
    expect(explained(failure)).toContain('fewer dimension1_values');
  });

  it('is given up to the bound', () => {
    const agents = Array.from({ length: 190 }, (_, agent) => agent);
    const body = { fields: SOME_FIELDS, time: HOURLY, dimension1: 'action_agent', dimension1_values: agents };
    const rows = reportOf(ask(body), BUSY);
    expect(rows.length).toBe(190 * 300);
    expect(JSON.stringify(rows).length).toBeLessThanOrEqual(REPLY_LIMIT);
  });

  it('has no byte more than the bound, with what it echoes', () => {
    const agents: (number | string)[] = Array.from({ length: 100 }, (_, agent) => agent);
    const body = { fields: FIELD_NAMES, time: HOURLY, dimension1: 'action_agent' };
    const size = (echoed: string): number =>
      replyOf(ask({ ...body, dimension1_values: [...agents, echoed] }), BUSY).length;
    const echoed = 'x'.repeat(REPLY_LIMIT - size(''));
    expect(size(echoed)).toBe(REPLY_LIMIT);
    expect(failureOf(() => size(`${echoed}x`))?.errors).toEqual({ time: { window_size: ['too_large'] } });
  });

  it('is refused when its cells outgrow the memory', () => {
    const time = { ...CENTURY, window_size: 'hour' };
    const body = { fields: FIELD_NAMES, time, dimension1: 'action_agent', dimension2: 'label' };
    const labels = Array.from({ length: 40 }, (_, label) => label + 1);
    const failure = failureOf(() => reportOf(ask(body), busyCases(20, 450, labels)));
    expect(explained(failure)).toContain('has more cells than there is memory for');
  });
});
