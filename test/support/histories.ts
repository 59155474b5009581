import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import type { CaseEvent, HistoryEvent, SessionEvent } from '../../lib/history/event.ts';
import type { ReferenceRecord } from '../../lib/history/reference-record.ts';

/** A moment at which the clocks of a zone change, in seconds since 1970: awkward histories gather around one. */
export interface Era {
  readonly zone: string; // IANA
  readonly second: number;
}

const at = (text: string): number => Date.parse(text) / 1000;

export const ERAS: readonly Era[] = [
  { zone: 'America/New_York', second: at('2025-11-02T06:00:00Z') },
  { zone: 'America/New_York', second: at('2026-03-08T07:00:00Z') },
  { zone: 'Europe/Berlin', second: at('2025-10-26T01:00:00Z') },
  { zone: 'Europe/Berlin', second: at('2026-03-29T01:00:00Z') },
  { zone: 'Australia/Lord_Howe', second: at('2026-04-04T15:00:00Z') }, // half an hour back
  { zone: 'Australia/Lord_Howe', second: at('2025-10-04T15:30:00Z') }, // half an hour forth
  { zone: 'Asia/Kathmandu', second: at('2025-12-31T18:15:00Z') }, // no change: a new year at +05:45
  { zone: 'America/Sao_Paulo', second: at('2018-11-04T03:00:00Z') }, // a day without midnight
  { zone: 'America/Sao_Paulo', second: at('2019-02-17T02:00:00Z') }, // 23:00 twice
  { zone: 'UTC', second: at('2024-02-29T00:00:00Z') },
];

const DAY = 86_400;
const HUGE = 9_007_199_254_740_990; // members may be as large as 2^53 - 1

/** Members that histories name; the last of each has no reference record. */
export const MEMBERS = {
  agent: [1, 2, 3, HUGE],
  group: [1, 2, 30],
  channel: [0, 1, 8],
  label: [3, 4, 5, HUGE + 1],
  macro: [6, 7, 12],
  company: [9, 10],
  field: [11, 12, 13],
} as const;

const VALUES = ['gold', 'Gold', 'Grün', 'a:b', '7'] as const;

/** Names that are alike but for case, part of one another, or another member's id. */
export const arbitraryReference: fc.Arbitrary<ReferenceRecord[]> = fc
  .record({
    groups: fc.array(fc.subarray([1, 2, 30]), { minLength: 3, maxLength: 3 }),
    listed: fc.boolean(),
    shift: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ groups, listed, shift }) => {
    const name = (place: number): string => ['Ann', 'ann', 'Anna Grün', 'B', '30', 'b.c'][(place + shift) % 6] ?? '';
    const known = (ids: readonly number[]) => ids.slice(0, -1).map((id, place) => ({ id, name: name(place) }));
    return [
      ...known(MEMBERS.agent).map((agent, place) => ({
        type: 'agent' as const,
        ...agent,
        groups: groups[place] ?? [],
      })),
      ...(['group', 'channel', 'label', 'company'] as const).flatMap((type) =>
        known(MEMBERS[type]).map((member, place) => ({ type, ...member, deleted: place === 1 })),
      ),
      ...known(MEMBERS.macro).map((macro) => ({ type: 'macro' as const, ...macro })),
      { type: 'custom_field', id: 11, name: 'Plan', object: 'case', values: ['gold', 'silver'] },
      { type: 'custom_field', id: 12, name: 'Gold code', object: 'case', ...(listed ? { values: ['7'] } : {}) },
    ];
  });

/** Steps from one event to the next, in seconds: equal times, the minute of views, the hour, the 14 days, one second beside each. */
const SHORT_STEPS = [0, 0, 0, 1, 30, 59, 60, 61, 900, 1800, 3600, 5400];
const LONG_STEPS = [DAY - 1, DAY, 3 * DAY, 14 * DAY - 1, 14 * DAY, 14 * DAY + 1];

const step = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...SHORT_STEPS) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(...LONG_STEPS) },
);
const fraction = fc.constantFrom(0, 0, 0, 250_000, 999_999);
const length = fc.constantFrom(0, 1, 60, 900, 3600, 5400, DAY, 3 * DAY);
const nullable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null, freq: 4 });
const of = <T>(list: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...list);
const some = (list: readonly number[]): fc.Arbitrary<number[]> => fc.subarray([...list], { maxLength: 3 });
const optional = { requiredKeys: [] };

const actor: fc.Arbitrary<Pick<CaseEvent, 'agent' | 'group' | 'automated'>> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ agent: of(MEMBERS.agent), group: of(MEMBERS.group) }, optional) },
  { weight: 1, arbitrary: fc.constant({ automated: true as const }) },
);

const customFields = fc.dictionary(of(MEMBERS.field).map(String), nullable(of(VALUES)), { maxKeys: 2 });
const created = fc.record(
  {
    type: fc.constant('case.created' as const),
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

/** What may happen to a case after its creation; intervals hold offsets until the time is known. */
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

/** Ids whose order by code point is neither that of their making, nor of numbers, nor of UTF-16. */
const ID_PREFIXES = ['', 'a', 'Z', 'ä', '\uffee', '\u{1f600}'];
const eventId = (salt: number, place: number): string =>
  `${ID_PREFIXES[(salt + place * 5) % ID_PREFIXES.length]}${(place * 7 + salt) % 101}`;

/** Events of one case around an era, mostly created first, with distinct ids, in order of making. */
function arbitraryCase(key: string, { second }: Era): fc.Arbitrary<CaseEvent[]> {
  const begin = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: -DAY, max: 3600 }) },
    fc.integer({ min: -15 * DAY, max: DAY }),
  );
  const steps = fc.array(fc.tuple(step, fraction, actor, detail), { minLength: 3, maxLength: 18, size: 'max' });
  const creation = fc.option(fc.tuple(fc.constantFrom(0, 0, 0, 1, -60, 4000, -DAY), actor, created), { freq: 8 });
  return fc.tuple(begin, fc.nat(100), creation, steps).map(([start, salt, opening, list]) => {
    const base = (time: number, place: number) => ({ id: eventId(salt, place), at: time, case: key });
    let now = (second + start - (start % 900)) * 1_000_000;
    const events: CaseEvent[] = [];
    if (opening) {
      const [late, who, what] = opening;
      events.push({ ...base(now + late * 1_000_000, 0), ...who, ...what });
    }
    for (const [gap, micros, who, what] of list) {
      now = now - (now % 1_000_000) + gap * 1_000_000 + micros;
      events.push(dated({ ...base(now, events.length + 1), ...who }, what));
    }
    return events;
  });
}

type Undated = typeof detail extends fc.Arbitrary<infer T> ? T : never;

function dated(
  base: Pick<CaseEvent, 'id' | 'at' | 'case' | 'agent' | 'group' | 'automated'>,
  what: Undated,
): CaseEvent {
  if (what.type !== 'case.handled') return { ...base, ...what };
  const from = base.at - what.early * 1_000_000;
  return { ...base, type: what.type, from, to: from + what.length * 1_000_000 };
}

function arbitrarySessions({ second }: Era): fc.Arbitrary<SessionEvent[]> {
  const session = fc.tuple(of(MEMBERS.agent), fc.integer({ min: -200, max: 200 }), fraction, length);
  return fc.array(session, { maxLength: 8 }).map((list) =>
    list.map(([agent, quarters, micros, long], place) => {
      const from = (second + quarters * 900) * 1_000_000 + micros;
      return { type: 'agent.session', id: eventId(0, place), at: from, agent, from, to: from + long * 1_000_000 };
    }),
  );
}

const CASES = ['1001', '1002', 'INC-ä', '7', '\u{1f600}'];

/** A history as a stream brings it: cases and sessions around an era, late, shuffled and repeated. */
export function arbitraryStream(era: Era): fc.Arbitrary<HistoryEvent[]> {
  return fc
    .tuple(fc.integer({ min: 1, max: CASES.length }), arbitrarySessions(era))
    .chain(([count, sessions]) =>
      fc
        .tuple(...CASES.slice(0, count).map((key) => arbitraryCase(key, era)))
        .map((cases): HistoryEvent[] => [...cases.flat(), ...sessions]),
    )
    .chain((events) =>
      fc
        .tuple(fc.subarray(events), fc.infiniteStream(fc.nat(1_000_000)), fc.boolean())
        .map(([repeats, chance, orderly]) => (orderly ? events : shuffled([...events, ...repeats], chance))),
    );
}

function shuffled<T>(list: readonly T[], chance: Iterator<number>): T[] {
  return list
    .map((item) => ({ item, rank: Number(chance.next().value) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

/** A custom-field member as meta keys it (insights.md rule 12). */
export const valueKey = (field: number, value: string): string =>
  `${field}:${createHash('sha256').update(value).digest('hex').slice(0, 16)}`;

/** Ids of members by dimension, unknown ones among them, as requests name them. */
export const MEMBER_IDS: Readonly<Record<string, readonly string[]>> = {
  agent: [...MEMBERS.agent.map(String), '999'],
  group: [...MEMBERS.group.map(String), '999'],
  channel: [...MEMBERS.channel.map(String), '999'],
  label: [...MEMBERS.label.map(String), '999'],
  macro: [...MEMBERS.macro.map(String), '999'],
  company: [...MEMBERS.company.map(String), '999'],
  custom_field: ['11', '12', '13', ...VALUES.flatMap((value) => [valueKey(11, value), valueKey(12, value)]), 'nothing'],
  priority: ['1', '5', '10', '11'],
  csat: ['0', '1', '4', '9'],
};
