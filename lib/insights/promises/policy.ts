import * as z from 'zod';
import { present } from '../../access/records.ts';
import { R_READ, R_SETTINGS } from '../../access/roles.ts';
import { Faults } from '../../errors.ts';
import { lineField } from '../../http/fields.ts';
import { between, listOf, MAX_LIST } from '../../json-readers.ts';
import { nameText, type StoredFields } from '../../resource/field.ts';
import { resource } from '../../resource/resource.ts';
import { recordsOf } from '../../resource/storing.ts';
import { type Collection, perVersion } from '../../store/collection.ts';
import { readFilters, showFilters } from '../filter-request.ts';
import { LONGEST_PROMISE, slaFilters, slaTarget } from './policy-fields.ts';
import { planPolicyMove } from './policy-order.ts';
import { LAST_POSITION, SLA_HOURS, SLA_METRICS, type SlaPolicy } from './sla-policies.ts';

const targetShape = () =>
  z.object(
    {
      metric: z.enum(SLA_METRICS, 'invalid'),
      priorities: z
        .array(z.int('invalid').min(1, 'invalid').max(10, 'invalid'), 'invalid')
        .nullable()
        .exactOptional()
        .meta({ description: 'null or absent: all' }),
      seconds: z
        .int('invalid')
        .min(0, 'invalid')
        .max(LONGEST_PROMISE, 'invalid')
        .meta({ description: 'The longest time that keeps the promise' }),
      hours: z.enum(SLA_HOURS, 'invalid').exactOptional().meta({ description: 'calendar: all seconds, the default' }),
    },
    'invalid',
  );
const filtersShape = () =>
  z
    .array(z.unknown(), 'invalid')
    .nullable()
    .meta({ description: "Like a report's `filters`: the cases that the policy is for; null for all" });

const storedTarget = z.object({
  metric: z.enum(SLA_METRICS),
  priorities: z.array(z.int()).nullable().default(null),
  seconds: z.int(),
  hours: z.enum(SLA_HOURS).default('calendar'),
});

/** Promises: policies with their targets, read by all, written by Administrators. */
export const POLICIES = resource({
  one: 'sla_policy',
  path: '/api/v2/sla_policies',
  storing: recordsOf('sla_policy'),
  roles: R_READ,
  fields: {
    name: nameText({ required: true }, lineField()),
    position: {
      stored: z.int(),
      usual: LAST_POSITION,
      record: between(0, LAST_POSITION),
      body: z
        .int('invalid')
        .min(0, 'invalid')
        .nullable()
        .transform((position) => position ?? LAST_POSITION)
        .meta({ description: 'null: after all with a position' }),
      shown: () => z.int().nullable().meta({ description: 'From 0: the first policy that a case passes applies' }),
      show: (position: number) => (position === LAST_POSITION ? null : position),
    },
    filters: {
      stored: z.unknown().transform(filtersOf),
      usual: null,
      body: filtersShape(),
      read: slaFilters,
      record: slaFilters,
      shown: filtersShape,
      show: (filters: SlaPolicy['filters']) => (filters === null ? null : showFilters(filters)),
    },
    targets: {
      stored: z.array(storedTarget),
      usual: () => [],
      required: true as const,
      read: listOf(slaTarget),
      record: listOf(slaTarget),
      body: z
        .array(targetShape(), 'invalid')
        .meta({ description: 'The first with the metric and the priority of a case applies', maxItems: MAX_LIST }),
      shown: () => z.array(targetShape()),
    },
  },
  writes: {
    limit: 'SLA policies',
    roles: R_SETTINGS,
    deletes: true,
    moved: (collection, move) => planPolicyMove(collection, slaPolicies(collection), move),
    examples: [
      {
        name: 'Gold',
        filters: [[['Include', 'Companies', [{ id: '9' }]]]],
        targets: [{ metric: 'first_response', seconds: 3_600, hours: 'business' }],
      },
      { position: 0 },
    ],
  },
});

function filtersOf(sent: unknown): SlaPolicy['filters'] {
  return readFilters(sent, new Faults());
}

/** A policy from its stored item; throws if the item is not a policy. */
export const parseSlaPolicy = (item: StoredFields): SlaPolicy => POLICIES.parse(item);

/** The policies of a site, without deleted ones, by position and then by id: the first that a case passes applies. */
export const slaPolicies = (collection: Collection): readonly SlaPolicy[] => perVersion(collection, readPolicies);

const readPolicies = (collection: Collection): readonly SlaPolicy[] =>
  present(collection)
    .map(parseSlaPolicy)
    .sort((a, b) => a.position - b.position || a.id - b.id);
