import * as z from 'zod';
import { Faults } from '../errors.ts';
import { type Collection, view } from '../store/collection.ts';
import { readFilters } from './filter-request.ts';
import type { Filters } from './filters.ts';

/** What a policy can promise. */
export const SLA_METRICS = ['first_response', 'reply', 'resolution'] as const;
export type SlaMetric = (typeof SLA_METRICS)[number];

/** How the clock of a promise runs: in all seconds, or in those in which work is done. */
export const SLA_HOURS = ['calendar', 'business'] as const;

/** A promise: within so many seconds. */
export interface SlaTarget {
  readonly metric: SlaMetric;
  readonly priorities: readonly number[] | null; // of the cases it is made to; null: any
  readonly seconds: number; // at most so many keep it
  readonly hours: (typeof SLA_HOURS)[number];
}

/** What is promised to the cases that filters let through; plain data. */
export interface SlaPolicy {
  readonly id: number;
  readonly name: string;
  readonly position: number; // from 0; the smallest is asked first
  readonly filters: Filters | null; // null lets every case through
  readonly targets: readonly SlaTarget[]; // of those for a metric and a priority the first counts
}

/** The position of policies whose records name none. */
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

/** The policies of a site, without deleted ones, in the order in which they are asked: by position, then by id. */
export const slaPolicies = (collection: Collection): readonly SlaPolicy[] => view(collection, readPolicies);

const readPolicies = ({ items }: Collection): readonly SlaPolicy[] =>
  [...items.values()]
    .filter(({ deleted }) => deleted !== true)
    .map(parseSlaPolicy)
    .sort((a, b) => a.position - b.position || a.id - b.id);
