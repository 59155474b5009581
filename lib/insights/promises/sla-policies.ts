import type { Filters } from '../definitions/filters.ts';

/** What a policy can set a target for. */
export const SLA_METRICS = ['first_response', 'reply', 'resolution'] as const;
export type SlaMetric = (typeof SLA_METRICS)[number];

/** How the clock of a promise runs: in all seconds, or only in working time. */
export const SLA_HOURS = ['calendar', 'business'] as const;

/** A promise to do something within a number of seconds. */
export interface SlaTarget {
  readonly metric: SlaMetric;
  readonly priorities: readonly number[] | null; // of the cases that it is made to; null for all
  readonly seconds: number; // the longest time that keeps the promise
  readonly hours: (typeof SLA_HOURS)[number];
}

/** The targets for the cases that pass some filters, as plain data. */
export interface SlaPolicy {
  readonly id: number;
  readonly name: string;
  readonly position: number; // from 0; of the policies that a case passes, the one with the smallest applies
  readonly filters: Filters | null; // null passes every case
  readonly targets: readonly SlaTarget[]; // the first with the metric and the case's priority applies
}

/** The position of a policy whose record has none. */
export const LAST_POSITION = Number.MAX_SAFE_INTEGER;
