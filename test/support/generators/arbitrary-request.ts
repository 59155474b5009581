import * as fc from 'fast-check';
import { DIMENSION_NAMES } from '../../../lib/insights/dimensions.ts';
import { FIELD_NAMES } from '../../../lib/insights/fields.ts';
import type { Condition } from '../../../lib/insights/filters.ts';
import {
  FILTER_ACTIONS,
  FILTER_MATCHES,
  FILTER_OBJECTS,
  type FilterObjectName,
} from '../../../lib/insights/filters.ts';
import type { Reference } from '../../../lib/insights/reference.ts';
import type { ReportRequest } from '../../../lib/insights/request.ts';
import { WINDOW_SIZES } from '../../../lib/insights/windows.ts';
import { SPAN } from './arbitrary-history.ts';

const BIG = 9_007_199_254_740_000;

/** Names for some of the members that random histories have; not for all. */
export const REFERENCE: Reference = {
  names: {
    agents: new Map([
      [1, 'Ann'],
      [2, 'Bob'],
      [3, 'Änne'],
    ]),
    groups: new Map([
      [1, 'Support'],
      [2, 'support EU'],
    ]),
    channels: new Map([
      [1, 'Email'],
      [2, 'Chat'],
    ]),
    labels: new Map([
      [1, 'Billing'],
      [2, 'bug'],
      [3, 'Bug fix'],
    ]),
    macros: new Map([
      [1, 'Greet'],
      [2, 'Close'],
    ]),
    companies: new Map([
      [1, 'Acme'],
      [2, 'ACME Ltd'],
    ]),
  },
  agentGroups: new Map([
    [1, [1, 2]],
    [2, [2]],
    [4, [3, 1]],
    [BIG + 5, [1]],
  ]),
  customFields: new Map([
    [11, { name: 'Plan', listed: true }],
    [12, { name: 'Mood', listed: false }],
  ]),
};

const zones = fc.constantFrom(
  { name: 'America/New_York' },
  { name: 'Australia/Lord_Howe' },
  { name: 'Asia/Kathmandu' },
  { name: 'America/Santiago' },
  { offset: -12_600 },
  { offset: 0 },
);

const time = fc
  .record({
    min: fc.integer({ min: SPAN.from - 90_000, max: SPAN.to }),
    length: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 90_000 }), fc.integer({ min: 1, max: 2_000_000 })),
    size: fc.constantFrom(...WINDOW_SIZES),
    zone: zones,
    weekStart: fc.integer({ min: 0, max: 6 }),
  })
  .map(({ min, length, size, zone, weekStart }) => {
    const max = min + (size === 'hour' ? length % 150_000 : length);
    return { min, max, size, zone, weekStart, timeZone: null };
  });

const ids = fc.array(
  fc.constantFrom('1', '2', '3', '4', String(BIG + 4), '12', '5', '11:13bd4f9b1d6b4c5e', '11').map((id) => ({ id })),
  { maxLength: 2 },
);

const texts = fc.constantFrom('', 'u', 'BUG', 'bug', 'Ann', 'ä', 'support', 'gold', 'Gold', 'Mood', '5', '1', 'acme');

const condition: fc.Arbitrary<Condition> = fc.record({
  action: fc.constantFrom(...FILTER_ACTIONS),
  object: fc.constantFrom(...(Object.keys(FILTER_OBJECTS) as FilterObjectName[])),
  match: fc.constantFrom(...FILTER_MATCHES),
  text: texts,
  caseSensitive: fc.boolean(),
  ids,
});

const agentCondition = condition.map((any): Condition => ({ ...any, object: any.caseSensitive ? 'Agents' : 'Groups' }));

const filters = fc.oneof(
  fc.constant(null),
  fc.array(fc.array(condition, { maxLength: 2 }), { maxLength: 2 }),
  fc.array(fc.array(agentCondition, { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
);

const values = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.array(fc.constantFrom<(number | string)[]>(1, '2', 3, String(BIG + 4), '12', 77), { maxLength: 3 }),
  },
);

/** Reports of all kinds about random histories. */
export const arbitraryRequest: fc.Arbitrary<ReportRequest> = fc
  .record({
    fields: fc.oneof(
      fc.constant([...FIELD_NAMES]),
      fc.uniqueArray(fc.constantFrom(...FIELD_NAMES), { minLength: 1, maxLength: 4 }),
    ),
    time,
    dimension1: fc.option(fc.constantFrom(...DIMENSION_NAMES)),
    dimension1_values: values,
    dimension2: fc.option(fc.constantFrom(...DIMENSION_NAMES)),
    dimension2_values: values,
    filters,
  })
  .map((request) => (request.dimension1 === request.dimension2 ? { ...request, dimension2: null } : request));
