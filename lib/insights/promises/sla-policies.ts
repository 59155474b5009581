import * as z from 'zod';
import { Faults } from '../../errors.ts';
import { type Collection, perVersion } from '../../store/collection.ts';
import type { Filters } from '../definitions/filters.ts';
import { readFilters } from '../filter-request.ts';

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

const stored = z.object({
  id: z.int(),
  name: z.string().default(''),
  position: z.int().default(LAST_POSITION),
  filters: z
    .unknown()
    .default(null)
    .transform((sent) => readFilters(sent, new Faults())),
  targets: z
    .array(
      z.object({
        metric: z.enum(SLA_METRICS),
        priorities: z.array(z.int()).nullable().default(null),
        seconds: z.int(),
        hours: z.enum(SLA_HOURS).default('calendar'),
      }),
    )
    .default([]),
});

/** A policy from its stored item; throws if the item is not a policy. */
export const parseSlaPolicy = (item: unknown): SlaPolicy => stored.parse(item);

/** The policies of a site, without deleted ones, by position and then by id: the first that a case passes applies. */
export const slaPolicies = (collection: Collection): readonly SlaPolicy[] => perVersion(collection, readPolicies);

const readPolicies = ({ items }: Collection): readonly SlaPolicy[] =>
  [...items.values()]
    .filter(({ deleted }) => deleted !== true)
    .map(parseSlaPolicy)
    .sort((a, b) => a.position - b.position || a.id - b.id);
