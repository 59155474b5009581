import type { Calendar } from '../../../lib/access/calendars.ts';
import { Faults } from '../../../lib/errors.ts';
import type { CaseEvent } from '../../../lib/history/cases/event.ts';
import { readFilters } from '../../../lib/insights/filter-request.ts';
import { planReport, rangeRead } from '../../../lib/insights/plan.ts';
import type { SlaMetric, SlaPolicy, SlaTarget } from '../../../lib/insights/promises/sla-policies.ts';
import { NO_REFERENCE, type Reference } from '../../../lib/insights/reference.ts';
import { ask, caseRows, reportOf } from '../../support/generators/report-of.ts';

type Detail = CaseEvent extends infer E ? (E extends CaseEvent ? Omit<E, 'id' | 'at' | 'case'> : never) : never;
type Step = readonly [at: string, detail: Detail];

const ANN = 1;
const created = (more: object = {}): Detail => ({ type: 'case.created', ...more });
const question: Detail = { type: 'interaction', direction: 'inbound' };
const reply: Detail = { type: 'interaction', direction: 'outbound', agent: ANN };
const resolved: Detail = { type: 'case.status', to: 'resolved', agent: ANN };
const reopened: Detail = { type: 'case.status', to: 'open' };
const deleted: Detail = { type: 'case.deleted' };

/** A history of one case; times are of January 2026, as `05 09:00:00`. */
const history = (...steps: readonly Step[]): CaseEvent[] =>
  steps.map(([at, detail], place) => ({
    ...{ ...detail, id: String(place).padStart(2, '0'), case: '7' },
    at: Date.parse(`2026-01-${at.replace(' ', 'T')}Z`) * 1000,
  }));

const target = (metric: SlaMetric, seconds: number, more: Partial<SlaTarget> = {}): SlaTarget => ({
  ...{ metric, seconds, priorities: null, hours: 'calendar' as const },
  ...more,
});
const policy = (targets: readonly SlaTarget[], more: Partial<SlaPolicy> = {}): SlaPolicy => ({
  ...{ id: 1, name: 'Gold', position: 1, filters: null, targets },
  ...more,
});
const HOUR = 3600;
const HOURLY = policy((['first_response', 'reply', 'resolution'] as const).map((metric) => target(metric, HOUR)));

interface Asked {
  readonly metric: SlaMetric;
  readonly policies?: readonly SlaPolicy[];
  readonly body?: object;
  readonly more?: Partial<Reference>;
}

/** The rows of met, missed and rate of a metric. */
function rowsOf(events: readonly CaseEvent[], { metric, policies = [HOURLY], body = {}, more = {} }: Asked) {
  const fields = ['met', 'missed', 'rate'].map((what) => `sla_${metric}_${what}`);
  const reference = { ...NO_REFERENCE, policies, now: Date.parse('2026-03-01T00:00:00Z') / 1000, ...more };
  return reportOf(ask({ fields, ...body }), caseRows(new Map([['7', events]])), [], reference);
}

/** Met, missed and rate over all of January. */
const told = (events: readonly CaseEvent[], asked: Asked) => rowsOf(events, asked)[0]?.slice(3);

const KEPT = [1, 0, 100];
const BROKEN = [0, 1, 0];
const NEITHER = [0, 0, null];

describe('a promise', () => {
  const opened: Step[] = [
    ['05 09:00:00', created()],
    ['05 09:00:00', question],
  ];

  it.each<[string, SlaMetric, readonly Step[], readonly (number | null)[]]>([
    ['is kept in its last second', 'first_response', [...opened, ['05 10:00:00', reply]], KEPT],
    ['is broken a second later', 'first_response', [...opened, ['05 10:00:01', reply]], BROKEN],
    ['is broken where nothing ever comes', 'first_response', opened, BROKEN],
    [
      'is void where the case is resolved in time',
      'first_response',
      [...opened, ['05 10:00:00', resolved], ['05 10:00:01', reply]],
      NEITHER,
    ],
    ['is broken where it is resolved too late', 'first_response', [...opened, ['05 10:00:01', resolved]], BROKEN],
    [
      'is kept by a reply in the very second of a resolve',
      'first_response',
      [...opened, ['05 09:30:00', resolved], ['05 09:30:00', reply]],
      KEPT,
    ],
    [
      'is void where a deletion comes before the reply of its second',
      'reply',
      [...opened, ['05 09:30:00', deleted], ['05 09:30:00', reply]],
      NEITHER,
    ],
    [
      'of a first response is made to cases that a customer opened',
      'first_response',
      [
        ['05 09:00:00', created()],
        ['05 09:00:00', reply],
        ['05 09:10:00', question],
      ],
      NEITHER,
    ],
    [
      'of a reply is made for each wait',
      'reply',
      [...opened, ['05 09:30:00', reply], ['05 12:00:00', question], ['05 14:00:00', reply]],
      [1, 1, 50],
    ],
    [
      'of a reply is void by any resolve, reopened at once or not',
      'reply',
      [...opened, ['05 09:30:00', resolved], ['05 09:30:01', reopened], ['05 12:00:00', reply]],
      NEITHER,
    ],
    [
      'of a reply needs no creation',
      'reply',
      [
        ['05 09:00:00', question],
        ['05 09:10:00', reply],
      ],
      KEPT,
    ],
    [
      'of a resolution ends with the first resolve',
      'resolution',
      [...opened, ['05 09:30:00', resolved], ['05 09:31:00', reopened], ['05 12:00:00', resolved]],
      KEPT,
    ],
    ['of a resolution is void where the case is deleted', 'resolution', [...opened, ['05 09:30:00', deleted]], NEITHER],
  ])('%s', (_, metric, steps, expected) => {
    expect(told(history(...steps), { metric })).toEqual(expected);
  });

  it('counts where it was kept for who acted, and where it was broken for nobody', () => {
    const events = history(...opened, ['05 09:10:00', reply], ['06 09:00:00', question]);
    const time = { min: '2026-01-05T00:00:00Z', max: '2026-01-08T00:00:00Z', window_size: 'day' };
    expect(rowsOf(events, { metric: 'reply', body: { time } })).toEqual([
      ['2026-01-05 00:00:00', null, null, 1, 0, 100],
      ['2026-01-06 00:00:00', null, null, 0, 1, 0],
      ['2026-01-07 00:00:00', null, null, 0, 0, null],
    ]);
    const body = { dimension1: 'action_agent' };
    expect(rowsOf(events, { metric: 'reply', body })).toEqual([[null, ANN, null, 1, null, null]]);
    expect(rowsOf(events, { metric: 'reply', body: { dimension1: 'hour_of_day' } })).toEqual([
      [null, 9, null, 1, 0, 100],
      [null, 10, null, 0, 1, 0],
    ]);
  });

  it('is broken once the second is past, also long after all that happened', () => {
    const at = Date.parse('2026-01-05T10:00:01Z') / 1000; // the first second that is too late
    const events = history(...opened);
    expect(told(events, { metric: 'reply', more: { now: at } })).toEqual(NEITHER);
    expect(told(events, { metric: 'reply', more: { now: at + 1 } })).toEqual(BROKEN);
    const policies = [policy([target('reply', 21 * 86_400)])];
    const time = { min: '2026-01-26T00:00:00Z', max: '2026-01-27T00:00:00Z', window_size: 'none' };
    expect(told(events, { metric: 'reply', policies, body: { time } })).toEqual(BROKEN);
  });

  it('is that of the first policy that lets the case through, also where that promises nothing', () => {
    const events = history(
      ['05 09:00:00', created({ priority: 5, company: 9 })],
      ['05 09:00:00', question],
      ['05 09:30:00', reply],
    );
    const short = policy([target('reply', 60)], { id: 2 });
    const silent = policy([target('resolution', 60)], { id: 3 });
    const others = policy([target('reply', HOUR)], {
      filters: readFilters([[['Exclude', 'Companies', [{ id: '9' }]]]], new Faults()),
    });
    const by = (...policies: SlaPolicy[]) => told(events, { metric: 'reply', policies });
    expect([by(HOURLY, short), by(short, HOURLY), by(silent, HOURLY), by(others, short), by()]).toEqual([
      ...[KEPT, BROKEN, NEITHER, BROKEN, NEITHER],
    ]);
    const ofPriorities = (priorities: readonly number[] | null) =>
      by(policy([target('reply', 60, { priorities }), target('reply', HOUR)]));
    expect([ofPriorities([4, 5]), ofPriorities([]), ofPriorities([6]), ofPriorities(null)]).toEqual([
      ...[BROKEN, KEPT, KEPT, BROKEN],
    ]);
  });

  it('runs in working seconds where its target says so, whatever the report says', () => {
    const calendar: Calendar = {
      ...{ id: 1, name: 'Office', timeZone: 'UTC', holidays: [], isDefault: true, groups: [] },
      hours: { mon: [['09:00', '17:00']], tue: [['09:00', '17:00']] },
    };
    const policies = [policy([target('reply', HOUR, { hours: 'business' })])];
    const more = { calendars: [calendar] };
    const asked = (at: string, body = {}) =>
      told(history(['05 16:30:00', question], [at, reply]), { metric: 'reply', policies, more, body }); // a Monday
    expect([asked('06 09:30:00'), asked('06 09:30:01')]).toEqual([KEPT, BROKEN]);
    expect(asked('06 09:30:00', { hours: 'business' })).toEqual(KEPT);
    const time = { min: '2026-01-06T09:30:00Z', max: '2026-01-06T09:30:02Z', window_size: 'none' };
    expect(told(history(['05 16:30:00', question]), { metric: 'reply', policies, more, body: { time } })).toEqual(
      BROKEN,
    );
  });

  it('is read as far back as the longest promise reaches, of rows that know what stops it', () => {
    const body = {
      fields: ['sla_reply_rate'],
      time: { min: '2026-01-05T00:00:00Z', max: '2026-01-06T00:00:00Z', window_size: 'none' },
    };
    const readFrom = (more: Partial<Reference>, fields = body.fields) => {
      const plan = planReport(ask({ ...body, fields }), { ...NO_REFERENCE, ...more });
      expect(plan.rows).toBe(2);
      return new Date(rangeRead(plan).min * 1000).toISOString();
    };
    expect(readFrom({ policies: [HOURLY] })).toBe('2026-01-04T22:59:59.000Z');
    expect(readFrom({ policies: [HOURLY] }, ['sla_reply_met'])).toBe('2026-01-05T00:00:00.000Z');
    expect(readFrom({ policies: [HOURLY] }, ['sla_reply_missed', 'open_cases'])).toBe('1970-01-01T00:00:00.000Z');
    const hours = { mon: [['09:00', '17:00']] } as const; // 8 hours a week
    const calendar: Calendar = { id: 1, name: '', timeZone: 'UTC', hours, holidays: [], isDefault: true, groups: [] };
    const promised = (seconds: number) => [policy([target('reply', seconds, { hours: 'business' })])];
    const from = (seconds: number) => readFrom({ policies: promised(seconds), calendars: [calendar] });
    expect([from(15 * HOUR), from(16 * HOUR)]).toEqual(['2025-12-22T00:00:00.000Z', '2025-12-08T00:00:00.000Z']);
    const never = { ...calendar, holidays: [{ from: '1970-01-01', to: '2030-01-01' }] };
    expect(readFrom({ policies: promised(1), calendars: [never] })).toBe('1970-01-01T00:00:00.000Z');
  });
});
