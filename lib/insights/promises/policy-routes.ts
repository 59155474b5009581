import * as z from 'zod';
import { recordIn } from '../../access/records.ts';
import { R_SETTINGS } from '../../access/roles.ts';
import { lineField, moveFields } from '../../http/fields.ts';
import { show } from '../../http/reply.ts';
import { finderOf, type RecordResource, readsOfResource, recordsOf, writesOfResource } from '../../http/resource.ts';
import { type Route, route } from '../../http/route.ts';
import { idShape, linkShape } from '../../http/shapes.ts';
import { listOf } from '../../json-readers.ts';
import { keys } from '../../store/keys.ts';
import { showFilters } from '../filter-request.ts';
import { slaFilters, slaTarget } from './policy-fields.ts';
import { planPolicyMove } from './policy-order.ts';
import { readInto } from './read-into.ts';
import { LAST_POSITION, parseSlaPolicy, SLA_HOURS, SLA_METRICS } from './sla-policies.ts';

const PATH = '/api/v2/sla_policies';

const targetShape = () =>
  z.object(
    {
      metric: z.enum(SLA_METRICS, 'invalid'),
      priorities: z
        .array(z.int('invalid'), 'invalid')
        .nullable()
        .exactOptional()
        .meta({ description: 'From 1 to 10; null or absent: all' }),
      seconds: z.int('invalid').meta({ description: 'The longest time that keeps the promise' }),
      hours: z.enum(SLA_HOURS, 'invalid').exactOptional().meta({ description: 'calendar: all seconds, the default' }),
    },
    'invalid',
  );
const filtersShape = () =>
  z
    .array(z.unknown(), 'invalid')
    .nullable()
    .meta({ description: "Like a report's `filters`: the cases that the policy is for; null for all" });

const POLICIES: RecordResource = {
  ...recordsOf('sla_policy'),
  path: PATH,
  param: 'sla_policy_id',
  shape: () =>
    z.object({
      id: idShape(),
      name: z.string(),
      position: z.int().nullable().meta({ description: 'From 0: the first policy that a case passes applies' }),
      filters: filtersShape(),
      targets: z.array(targetShape()),
      _links: z.object({ self: linkShape('sla_policy') }),
    }),
  show: (item) => {
    const { id, name, position, filters, targets } = parseSlaPolicy(item);
    return {
      ...{ id, name, position: position === LAST_POSITION ? null : position },
      ...{ filters: filters === null ? null : showFilters(filters), targets },
      _links: { self: { href: `${PATH}/${id}`, class: 'sla_policy' } },
    };
  },
};

const findPolicy = finderOf(POLICIES);

/** Promises: policies with their targets, read by all, written by Administrators. */
export const policyRoutes: readonly Route[] = [
  ...readsOfResource(POLICIES),
  ...writesOfResource(POLICIES, {
    limit: 'SLA policies',
    roles: R_SETTINGS,
    deletes: true,
    fields: {
      name: lineField(),
      position: z.int('invalid').min(0, 'invalid').nullable().meta({ description: 'null: after all with a position' }),
      filters: filtersShape(),
      targets: z
        .array(targetShape(), 'invalid')
        .meta({ description: 'At most 1,000; the first with the metric and the priority of a case applies' }),
    },
    required: ['name', 'targets'],
    examples: [
      {
        name: 'Gold',
        filters: [[['Include', 'Companies', [{ id: '9' }]]]],
        targets: [{ metric: 'first_response', seconds: 3_600, hours: 'business' }],
      },
      { position: 0 },
    ],
    plan: ({ fields, faults }) => {
      const { filters, targets, position, ...rest } = fields;
      return {
        ...rest,
        ...(position === undefined ? {} : { position: position ?? LAST_POSITION }),
        ...(filters === undefined ? {} : { filters: filters && readInto(faults, 'filters', filters, slaFilters) }),
        ...(targets === undefined ? {} : { targets: readInto(faults, 'targets', targets, listOf(slaTarget)) }),
      };
    },
  }),
  route({
    name: 'moveSlaPolicy',
    summary: 'Move an SLA policy before another one, or to the end',
    method: 'POST',
    path: `${PATH}/{${POLICIES.param}}/move`,
    success: 200,
    roles: R_SETTINGS,
    extension: true,
    reads: (site) => [keys.reference(site, 'sla_policy')],
    body: moveFields,
    required: ['before'],
    reply: POLICIES.shape,
    example: { before: null },
    find: findPolicy,
    handle: async ({ context, resource: item, fields: { before = null }, faults }) => {
      const { id } = parseSlaPolicy(item);
      const collection = await context.open(keys.reference(context.site.name, 'sla_policy'));
      const put = planPolicyMove(collection, id, before, { faults, now: context.now });
      faults.check();
      if (put.length > 0) await context.commit([{ collection, put }]);
      return show(await POLICIES.show(recordIn(collection, 'sla_policy', id), collection, context));
    },
  }),
];
