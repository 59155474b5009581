import { Failure, Faults } from '../../errors.ts';
import { between, listOf, objectOf, oneOf, optional, Rejection, required } from '../../json-readers.ts';
import { readFilters, showFilters } from '../filter-request.ts';
import { SLA_HOURS, SLA_METRICS, type SlaTarget } from './sla-policies.ts';

export const LONGEST_PROMISE = 100 * 366 * 86_400; // s

/** Reads a target of a policy: what it promises for one metric. */
export function slaTarget(value: unknown, field: string): SlaTarget {
  const raw = objectOf(value, field);
  const at = (name: string): string => `${field}.${name}`;
  return {
    metric: required(raw, 'metric', oneOf(SLA_METRICS), at('metric')),
    priorities: optional(raw, 'priorities', listOf(between(1, 10)), at('priorities')) ?? null,
    seconds: required(raw, 'seconds', between(0, LONGEST_PROMISE), at('seconds')),
    hours: optional(raw, 'hours', oneOf(SLA_HOURS), at('hours')) ?? 'calendar',
  };
}

/** Reads the filters of a policy, which have the form of filters of reports; returns their long form. */
export function slaFilters(value: unknown, field: string): readonly unknown[] {
  const faults = new Faults();
  const filters = readFilters(value, faults);
  try {
    faults.check();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { field: path = field, message = error.message } = error.details?.[0] ?? {};
    const reason = message.replace(/\.$/, '');
    throw new Rejection(reason.startsWith(path) ? reason : `${path}: ${reason}`);
  }
  return showFilters(filters ?? []);
}
