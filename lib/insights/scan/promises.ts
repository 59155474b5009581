import type { Segment } from '../../history/segments/segment.ts';
import { ATTRIBUTES } from '../../history/segments/segment-columns.ts';
import type { LateFrom } from '../definitions/verdicts.ts';
import type { SlaMetric, SlaTarget } from '../promises/sla-policies.ts';
import { whenWorked } from '../promises/work-time.ts';
import type { Reference } from '../reference.ts';
import { rowSelector } from './select-cases.ts';
import { createWorkClocks } from './work-clocks.ts';

/** The promises of SLA policies to cases as they are now. */
export interface Promises {
  /** Returns a function that says when a promise of the metric to a case of the segment is broken. */
  of(segment: Segment, metric: SlaMetric): LateFrom;
}

/** Prepares the promises of a site's policies; `until` is the last second in which a broken one counts. */
export function createPromises(reference: Reference, until: number): Promises {
  const policies = reference.policies.map(({ filters, targets }) => ({
    select: rowSelector(filters, reference),
    targets,
  }));
  const clocks = createWorkClocks(reference.calendars, until);
  return {
    of(segment, metric) {
      const { start } = segment.head;
      const policyOf = policiesOf(segment);
      const priorities = segment.attribute('priority');
      const targets = policies.map((policy) => targetsOf(segment, metric, policy.targets));
      const isWorking = targets.flat().some((target) => target?.hours === 'business');
      const timeOf = isWorking && reference.calendars.length > 0 ? clocks.timeOf(segment) : undefined;
      return (row, begin) => {
        const target = targets[policyOf[row]!]?.[priorities[row]!];
        if (target?.hours === 'calendar') return begin + target.seconds + 1;
        if (target === undefined || timeOf === undefined) return Number.NaN;
        return whenWorked(timeOf(row), start + begin, target.seconds + 1) - start;
      };
    },
  };

  /** By row, the index of the first policy that the case passes; the number of policies if it passes none. */
  function policiesOf(segment: Segment): Int32Array {
    const policyOf = new Int32Array(segment.head.rows).fill(policies.length);
    for (const [index, { select }] of policies.entries()) {
      const { rows } = select(segment, []);
      for (let row = 0; row < rows.length; row += 1) {
        if (rows[row] === 1 && policyOf[row] === policies.length) policyOf[row] = index;
      }
    }
    return policyOf;
  }
}

/** By dictionary index of a priority, where 0 means none: the first target of the metric that is for this priority. */
function targetsOf(segment: Segment, metric: SlaMetric, targets: readonly SlaTarget[]): (SlaTarget | undefined)[] {
  const ofMetric = targets.filter((target) => target.metric === metric);
  return [null, ...segment.dictionary(ATTRIBUTES.priority)].map((priority) =>
    ofMetric.find(({ priorities }) => priorities === null || (priority !== null && priorities.includes(priority))),
  );
}
