import * as fc from 'fast-check';
import type { CaseEvent } from '../../../lib/history/cases/event.ts';
import { SLA_METRICS } from '../../../lib/insights/promises/sla-policies.ts';
import { WEEK_DAYS } from '../../../lib/vocabulary.ts';
import type { Example } from '../oracle/example.ts';
import { arbitraryCalendars } from './calendars.ts';
import { actor, DAY, fraction, of } from './case-steps.ts';
import { ERAS, type Era } from './histories.ts';
import { arbitraryReference, MEMBERS } from './members.ts';
import { arbitraryPolicies, inCalendarTime, promiseToAll } from './policies.ts';
import { arbitraryCondition } from './requests.ts';

type Detail = CaseEvent extends infer E ? (E extends CaseEvent ? Omit<E, 'id' | 'at' | 'case'> : never) : never;

/** The events that start, end and stop the clocks of promises. */
const detail: fc.Arbitrary<Detail> = fc.constantFrom<Detail>(
  ...Array.from({ length: 5 }, (): Detail => ({ type: 'interaction', direction: 'inbound' })),
  ...Array.from({ length: 5 }, (): Detail => ({ type: 'interaction', direction: 'outbound' })),
  ...(['resolved', 'resolved', 'closed', 'open', 'pending'] as const).map(
    (to): Detail => ({ type: 'case.status', to }),
  ),
  { type: 'case.deleted' },
  { type: 'case.priority', priority: 5 },
  { type: 'case.assigned', to: { group: MEMBERS.group[0] } },
);

/** Seconds between events: often 0, or a second less or more than usual targets. */
const gap = fc.constantFrom(0, 0, 0, 1, 59, 60, 61, 899, 900, 901, 1800, 3599, 3600, 3601, 5000, DAY / 3, DAY, DAY + 1);

const creation = fc.record({
  late: fc.constantFrom(0, 0, 0, 0, 60, 3601, -60),
  company: of(MEMBERS.company),
  priority: fc.constantFrom(1, 5, 10, null),
  status: fc.constantFrom(undefined, undefined, undefined, 'open' as const, 'closed' as const),
});

function caseOf(key: string, { second }: Era): fc.Arbitrary<CaseEvent[]> {
  const begin = fc.integer({ min: -3 * DAY, max: DAY });
  const steps = fc.array(fc.tuple(gap, fraction, actor, detail), { minLength: 2, maxLength: 14 });
  return fc.tuple(begin, fc.option(creation, { freq: 9 }), steps).map(([start, opening, list]) => {
    let now = second + start;
    const base = (place: number, at: number) => ({ id: String(place).padStart(2, '0'), at, case: key });
    const first = opening && {
      ...{ ...base(0, (now + opening.late) * 1_000_000), type: 'case.created' as const },
      ...{ company: opening.company, priority: opening.priority },
    };
    const rest = list.map(([wait, micros, who, what], place): CaseEvent => {
      now += wait;
      return { ...base(place + 1, now * 1_000_000 + micros), ...who, ...what };
    });
    return first ? [first, ...rest] : rest;
  });
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', 'x'];
const FIELDS = SLA_METRICS.flatMap((metric) => ['met', 'missed', 'rate'].map((what) => `sla_${metric}_${what}`));
const DIMENSIONS = ['action_agent', 'assigned_group', 'company', 'priority', 'hour_of_day', 'weekday', 'status'];

const filters = fc.array(fc.array(arbitraryCondition, { maxLength: 2 }), { maxLength: 2 });

/** A history of busy cases with promises to all of them, and a report on the promises. */
export const arbitraryPromises: fc.Arbitrary<Example> = fc.constantFrom(...ERAS).chain((era) =>
  fc
    .record({
      cases: fc.tuple(...KEYS.map((key) => caseOf(key, era))),
      reference: arbitraryReference,
      calendars: fc.oneof(fc.constant([]), arbitraryCalendars(era)),
      policies: arbitraryPolicies(filters),
      everybody: promiseToAll,
      weekStart: fc.constantFrom(...WEEK_DAYS),
      now: fc.integer({ min: era.second - DAY, max: era.second + 20 * DAY }),
      size: fc.constantFrom('none' as const, 'day' as const, 'week' as const),
      begin: fc.integer({ min: era.second - 4 * DAY, max: era.second }),
      end: fc.integer({ min: era.second + 3600, max: era.second + 20 * DAY }),
      dimensions: fc.subarray(DIMENSIONS, { maxLength: 2 }),
    })
    .map(({ cases, reference, calendars, policies, everybody, weekStart, now, size, begin, end, dimensions }) => {
      const promised = [...policies, everybody];
      const [dimension1, dimension2] = dimensions;
      return {
        events: cases.flat(),
        reference: [...reference, ...calendars, ...(calendars.length === 0 ? inCalendarTime(promised) : promised)],
        site: { timeZone: era.zone, weekStart },
        now,
        body: {
          fields: [...FIELDS, 'reply_time'],
          time: { min: timeOf(begin), max: timeOf(end), window_size: size, time_zone: era.zone },
          ...(dimension1 === undefined ? {} : { dimension1 }),
          ...(dimension2 === undefined ? {} : { dimension2 }),
        },
      };
    }),
);

const timeOf = (second: number): string => new Date(second * 1000).toISOString().replace('.000Z', '+00:00');
