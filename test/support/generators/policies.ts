import * as fc from 'fast-check';
import type { SlaPolicyRecord } from '../../../lib/import/records/reference-record.ts';
import { SLA_HOURS, SLA_METRICS, type SlaTarget } from '../../../lib/insights/promises/sla-policies.ts';
import type { Condition } from '../oracle/example.ts';

const DAY = 86_400; // s

const target: fc.Arbitrary<SlaTarget> = fc.record({
  metric: fc.constantFrom(...SLA_METRICS),
  priorities: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 2, arbitrary: fc.subarray([1, 5, 10]) }),
  seconds: fc.oneof(
    fc.constantFrom(0, 1, 59, 60, 900, 3600, DAY),
    fc.integer({ min: 0, max: 7200 }),
    fc.integer({ min: 0, max: 5 * DAY }),
  ),
  hours: fc.constantFrom(...SLA_HOURS),
});

/** A policy with a promise of every metric to all cases. */
export const promiseToAll: fc.Arbitrary<SlaPolicyRecord> = fc
  .record({
    position: fc.integer({ min: 0, max: 2 }),
    targets: fc.tuple(...SLA_METRICS.map((metric) => target.map((one) => ({ ...one, metric, priorities: null })))),
  })
  .map((policy) => ({ type: 'sla_policy', id: 20, name: 'All', filters: null, ...policy }));

/** Policies of a site; a site without calendars needs `inCalendarTime`. */
export const arbitraryPolicies = (
  filters: fc.Arbitrary<readonly (readonly Condition[])[]>,
): fc.Arbitrary<SlaPolicyRecord[]> =>
  fc.uniqueArray(
    fc.record(
      {
        type: fc.constant('sla_policy' as const),
        id: fc.integer({ min: 1, max: 5 }),
        name: fc.constant('Promise'),
        position: fc.integer({ min: 0, max: 2 }),
        filters: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: filters }),
        targets: fc.array(target, { maxLength: 6 }),
        deleted: fc.constantFrom(false, false, false, false, true),
      },
      { requiredKeys: ['type', 'id', 'name', 'targets'] },
    ),
    { maxLength: 4, selector: ({ id }) => id },
  );

/** The same policies without working time: their clocks run all the time. */
export const inCalendarTime = (policies: readonly SlaPolicyRecord[]): SlaPolicyRecord[] =>
  policies.map((policy) => ({
    ...policy,
    targets: (policy.targets ?? []).map((one) => ({ ...one, hours: 'calendar' as const })),
  }));

/** Whether any policy has a target in working time. */
export const isInWorkingTime = (policies: readonly SlaPolicyRecord[]): boolean =>
  policies.some(({ targets = [] }) => targets.some(({ hours }) => hours === 'business'));
