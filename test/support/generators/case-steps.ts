import * as fc from 'fast-check';
import type { CaseEvent } from '../../../lib/history/cases/event.ts';
import { MEMBERS, VALUES } from './members.ts';

export const DAY = 86_400; // s

/**
 * Seconds from one event to the next: 0, and the limits of the rules (a minute between views, an hour, 14 days) with
 * one second less and more.
 */
const SHORT_STEPS = [0, 0, 0, 1, 30, 59, 60, 61, 900, 1800, 3600, 5400];
const LONG_STEPS = [DAY - 1, DAY, 3 * DAY, 14 * DAY - 1, 14 * DAY, 14 * DAY + 1];

const step = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...SHORT_STEPS) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(...LONG_STEPS) },
);
export const fraction = fc.constantFrom(0, 0, 0, 250_000, 999_999);
export const length = fc.constantFrom(0, 1, 60, 900, 3600, 5400, DAY, 3 * DAY);
const nullable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null, freq: 4 });
export const of = <T>(list: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...list);
const some = (list: readonly number[]): fc.Arbitrary<number[]> => fc.subarray([...list], { maxLength: 3 });
const optional = { requiredKeys: [] };

type Actor = Pick<CaseEvent, 'agent' | 'group' | 'automated'>;

/** The actor of an event: an agent, a group, both, none, or an automatic process. */
export const actor: fc.Arbitrary<Actor> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ agent: of(MEMBERS.agent), group: of(MEMBERS.group) }, optional) },
  { weight: 1, arbitrary: fc.constant({ automated: true as const }) },
);

const customFields = fc.dictionary(of(MEMBERS.field).map(String), nullable(of(VALUES)), { maxKeys: 2 });
/** The fields of a creation. */
export const created = fc.record(
  {
    type: fc.constant('case.created' as const),
    status: of(['open', 'open', 'pending', 'pending', 'resolved', 'closed'] as const),
    channel: nullable(of(MEMBERS.channel)),
    priority: nullable(fc.integer({ min: 1, max: 10 })),
    company: nullable(of(MEMBERS.company)),
    labels: some(MEMBERS.label),
    custom_fields: customFields,
  },
  { requiredKeys: ['type'] },
);

type Detail = { readonly type: CaseEvent['type'] };
const kind = <T extends CaseEvent['type'], R extends object>(type: T, rest: fc.Arbitrary<R>) =>
  rest.map((fields) => ({ type, ...fields }));
const weighted = <T extends Detail>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

/** The events that a case may have after its creation. Intervals have offsets until their time is known. */
const detail = fc.oneof(
  weighted(1, created),
  weighted(1, kind('case.deleted', fc.constant({}))),
  weighted(5, kind('case.status', fc.record({ to: of(['new', 'open', 'pending'] as const) }))),
  weighted(7, kind('case.status', fc.record({ to: of(['resolved', 'resolved', 'closed'] as const) }))),
  weighted(
    3,
    kind(
      'case.assigned',
      fc.record({
        to: fc.record({ agent: nullable(of(MEMBERS.agent)), group: nullable(of(MEMBERS.group)) }, optional),
      }),
    ),
  ),
  weighted(1, kind('case.labels', fc.record({ set: some(MEMBERS.label) }))),
  weighted(2, kind('case.labels', fc.record({ add: some(MEMBERS.label), remove: some(MEMBERS.label) }))),
  weighted(1, kind('case.priority', fc.record({ priority: nullable(fc.integer({ min: 1, max: 10 })) }))),
  weighted(1, kind('case.company', fc.record({ company: nullable(of(MEMBERS.company)) }))),
  weighted(2, kind('case.custom_field', fc.record({ field: of(MEMBERS.field), value: nullable(of(VALUES)) }))),
  weighted(4, kind('case.viewed', fc.constant({}))),
  weighted(3, kind('case.handled', fc.record({ length, early: length }))),
  weighted(5, kind('interaction', fc.record({ direction: fc.constant('inbound' as const) }))),
  weighted(8, kind('interaction', fc.record({ direction: fc.constant('outbound' as const) }))),
  weighted(1, kind('note', fc.constant({}))),
  weighted(3, kind('macro.applied', fc.record({ macro: of(MEMBERS.macro) }))),
  weighted(1, kind('csat.rated', fc.record({ score: nullable(fc.integer({ min: 0, max: 4 })) }))),
);

export type Undated = typeof detail extends fc.Arbitrary<infer T> ? T : never;

/** Gives an event its time. */
export function dated(base: Pick<CaseEvent, 'id' | 'at' | 'case'> & Actor, what: Undated): CaseEvent {
  if (what.type !== 'case.handled') return { ...base, ...what };
  const from = base.at - what.early * 1_000_000;
  return { ...base, type: what.type, from, to: from + what.length * 1_000_000 };
}

/** An event some time after the one before it. */
export interface Step {
  readonly gap: number; // s
  readonly micros: number; // fraction of its second
  readonly who: Actor;
  readonly what: Undated;
}

const loose = fc.record({ gap: step, micros: fraction, who: actor, what: detail }).map((one): Step[] => [one]);

/** Sequences of steps by one actor at the limits of rules, which random steps alone would seldom reach. */
const motif = fc
  .tuple(
    fc.record({ agent: of(MEMBERS.agent), group: of(MEMBERS.group) }),
    fc.array(fc.nat(99), { minLength: 6, maxLength: 6 }),
  )
  .map(([who, chances]): Step[] => {
    const rest = chances.values();
    const pick = <T>(list: readonly T[]): T => list[(rest.next().value ?? 0) % list.length] as T;
    const by = (gap: number, what: Undated): Step => ({ gap, micros: 0, who, what });
    const view = { type: 'case.viewed' } as const;
    const reply = { type: 'interaction', direction: 'outbound' } as const;
    const resolve = { type: 'case.status', to: 'resolved' } as const;
    const macro = { type: 'macro.applied', macro: pick(MEMBERS.macro) } as const;
    const after = pick([
      reply,
      { type: 'interaction', direction: 'inbound' },
      { type: 'case.status', to: 'open' },
    ] as const);
    const sent = pick([
      [macro, resolve],
      [resolve, macro],
      [reply, resolve],
      [resolve, reply],
    ]);
    return pick([
      () => [by(0, view), by(pick([59, 60, 61]), view), by(pick([0, 1, 59, 60]), view)], // the minute of views
      () => [by(60, reply), by(pick([0, 1]), resolve), by(pick([0, 1]), after)], // just after a resolve
      () => [by(60, reply), by(0, resolve), by(14 * DAY + pick([-1, 0, 1]), after)], // the end of the 14 days
      () => sent.map((what) => by(pick([0, 0, 1]), what)), // send and resolve
    ])();
  });

/** The steps of a case after its creation. */
export const arbitrarySteps: fc.Arbitrary<Step[]> = fc
  .array(fc.oneof({ weight: 6, arbitrary: loose }, { weight: 1, arbitrary: motif }), { maxLength: 16, size: 'max' })
  .map((steps) => steps.flat());
