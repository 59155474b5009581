import * as fc from 'fast-check';
import type { CaseEvent, SessionEvent } from '../../../lib/history/cases/event.ts';

/** A span of time for random histories, in seconds since 1970: it begins before and ends after New York's autumn change of 2025. */
export const SPAN = { from: 1_761_800_000, to: 1_763_600_000 };

const second = (whole: number): number => whole * 1_000_000;

/** Instants that often coincide, often share a second and sometimes have a fraction. */
export const arbitraryInstant = fc
  .tuple(
    fc.oneof(
      fc.integer({ min: SPAN.from, max: SPAN.to }),
      fc.integer({ min: 0, max: 40 }).map((step) => SPAN.from + step * 45_000),
      fc.integer({ min: 0, max: 8 }).map((step) => 1_762_063_200 + step * 1_800), // around the repeated hour
    ),
    fc.constantFrom(0, 0, 0, 250_000, 999_999),
  )
  .map(([whole, fraction]) => second(whole) + fraction);

const member = (count: number): fc.Arbitrary<number> =>
  fc.integer({ min: 1, max: count }).map((id) => (id === count ? 9_007_199_254_740_000 + id : id));
const nullable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const labels = fc.uniqueArray(member(4), { maxLength: 3 });
const customText = fc.constantFrom('gold', 'silver', 'Grün', '', 'a:b');

const details = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      {
        type: fc.constant('case.created' as const),
        channel: nullable(member(3)),
        priority: nullable(fc.integer({ min: 1, max: 10 })),
        company: nullable(member(3)),
        labels,
        custom_fields: fc.dictionary(fc.constantFrom('11', '12'), nullable(customText)),
      },
      { requiredKeys: ['type'] },
    ),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('case.deleted' as const) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('case.status' as const),
      to: fc.constantFrom(
        'new' as const,
        'open' as const,
        'pending' as const,
        'resolved' as const,
        'closed' as const,
        'resolved' as const,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('case.assigned' as const),
      to: fc.record({ agent: nullable(member(4)), group: nullable(member(3)) }, { requiredKeys: [] }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.oneof(
      fc.record({ type: fc.constant('case.labels' as const), set: labels }),
      fc.record({ type: fc.constant('case.labels' as const), add: labels, remove: labels }, { requiredKeys: ['type'] }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('case.priority' as const),
      priority: nullable(fc.integer({ min: 1, max: 10 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('case.company' as const), company: nullable(member(3)) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('case.custom_field' as const),
      field: fc.constantFrom(11, 12, 13),
      value: nullable(customText),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('case.viewed' as const) }) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(arbitraryInstant, fc.oneof(fc.integer({ min: -5, max: 9_000 }), fc.constant(200_000)))
      .map(([from, length]) => ({ type: 'case.handled' as const, from, to: from + second(length) })),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('interaction' as const),
      direction: fc.constantFrom('inbound' as const, 'outbound' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('note' as const) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('macro.applied' as const), macro: member(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('csat.rated' as const), score: nullable(fc.integer({ min: 0, max: 4 })) }),
  },
);

const actor = fc.oneof(
  { weight: 4, arbitrary: fc.record({ agent: member(4), group: member(3) }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.constant({ automated: true as const }) },
);

/** Events of one case with distinct ids, in any order. */
export function arbitraryEvents(key: string, maxLength = 14): fc.Arbitrary<CaseEvent[]> {
  return fc
    .array(fc.tuple(arbitraryInstant, actor, details), { maxLength })
    .map((list) =>
      list.map(([at, who, detail], index) => ({ ...detail, ...who, id: `e${(index * 7) % 100}`, at, case: key })),
    );
}

/** Events of some cases, mostly with integer keys. */
export const arbitraryCases: fc.Arbitrary<Map<string, CaseEvent[]>> = fc
  .array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 5 })
  .chain((sizes) =>
    fc
      .tuple(...sizes.map((size, index) => arbitraryEvents(index === 3 ? 'INC-ä' : String(1001 + index), size + 2)))
      .map((lists) => new Map(lists.map((events, index) => [index === 3 ? 'INC-ä' : String(1001 + index), events]))),
  );

/** Sessions of the same agents that act in cases. */
export const arbitrarySessions: fc.Arbitrary<SessionEvent[]> = fc
  .array(fc.tuple(member(5), arbitraryInstant, fc.integer({ min: -10, max: 90_000 })), { maxLength: 8 })
  .map((list) =>
    list.map(([agent, from, length], index) => ({
      type: 'agent.session',
      id: `s${index}`,
      at: from,
      agent,
      from,
      to: from + second(length),
    })),
  );
