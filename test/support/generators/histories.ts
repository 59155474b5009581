import * as fc from 'fast-check';
import type { CaseEvent, HistoryEvent, SessionEvent } from '../../../lib/history/cases/event.ts';
import { actor, arbitrarySteps, created, DAY, dated, fraction, length, of } from './case-steps.ts';
import { MEMBERS } from './members.ts';

/** A moment at which the clocks of a zone change. Random histories are made around one. */
export interface Era {
  readonly zone: string; // IANA
  readonly second: number; // s since 1970
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
  { zone: 'America/New_York', second: at('1970-01-21T05:00:00Z') }, // ranges begin before 1970
  { zone: 'Europe/Berlin', second: 2 ** 31 }, // seconds outgrow 32 bits
];

/** Ids whose order by code point differs from the order of creation, of numbers, and of UTF-16. */
const ID_PREFIXES = ['', 'a', 'Z', 'ä', '\uffee', '\u{1f600}'];
const eventId = (salt: number, place: number): string =>
  `${ID_PREFIXES[(salt + place * 5) % ID_PREFIXES.length]}${(place * 7 + salt) % 101}`;

/** Events of one case around an era, with distinct ids. Mostly the creation comes first. */
function caseAround(key: string, { second }: Era): fc.Arbitrary<CaseEvent[]> {
  const begin = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: -DAY, max: 3600 }) },
    fc.integer({ min: -15 * DAY, max: DAY }),
  );
  const creation = fc.option(fc.tuple(fc.constantFrom(0, 0, 0, 1, -60, 4000, -DAY), actor, created), { freq: 8 });
  const overnight = fc.option(fc.tuple(length, length, actor), { freq: 3 }); // handled over the change of clocks
  return fc.tuple(begin, fc.nat(100), creation, arbitrarySteps, overnight).map(([start, salt, opening, list, work]) => {
    const base = (time: number, place: number) => ({ id: eventId(salt, place), at: time, case: key });
    let now = (second + start - (start % 900)) * 1_000_000;
    const events: CaseEvent[] = [];
    if (opening) {
      const [late, who, what] = opening;
      events.push({ ...base(now + late * 1_000_000, 0), ...who, ...what });
    }
    for (const { gap, micros, who, what } of list) {
      now = now - (now % 1_000_000) + gap * 1_000_000 + micros;
      events.push(dated({ ...base(now, events.length + 1), ...who }, what));
    }
    if (work) {
      const [before, after, who] = work;
      const [from, to] = [second - before, second + after].map((edge) => edge * 1_000_000) as [number, number];
      events.push({ ...base(from, events.length + 1), ...who, type: 'case.handled', from, to });
    }
    return events;
  });
}

function sessionsAround({ second }: Era): fc.Arbitrary<SessionEvent[]> {
  const session = fc.tuple(of(MEMBERS.agent), fc.integer({ min: -200, max: 200 }), fraction, length);
  return fc.array(session, { maxLength: 8 }).map((list) =>
    list.map(([agent, quarters, micros, long], place) => {
      const from = (second + quarters * 900) * 1_000_000 + micros;
      return { type: 'agent.session', id: eventId(0, place), at: from, agent, from, to: from + long * 1_000_000 };
    }),
  );
}

const CASES = ['1001', '1002', 'INC-ä', '7', '\u{1f600}'];

type Cases = Map<string, CaseEvent[]>;

/**
 * Some cases around an era, by key. In some histories every second case is around another era, years before or after.
 */
const casesAround = (era: Era): fc.Arbitrary<Cases> =>
  fc
    .integer({ min: 1, max: CASES.length })
    .map((count) => CASES.slice(0, count))
    .chain((keys) =>
      fc
        .constantFrom(era, era, era, ...ERAS)
        .chain((other) => fc.tuple(...keys.map((key, place) => caseAround(key, place % 2 === 0 ? era : other))))
        .map((lists) => new Map(keys.map((key, place) => [key, lists[place] ?? []]))),
    );

const historyAround = (era: Era): fc.Arbitrary<HistoryEvent[]> =>
  fc
    .tuple(casesAround(era), sessionsAround(era))
    .map(([cases, sessions]) => [...[...cases.values()].flat(), ...sessions]);

const anyEra = fc.constantFrom(...ERAS);

/** Events of a case, without repeats. */
export const arbitraryEvents = (key: string): fc.Arbitrary<CaseEvent[]> => anyEra.chain((era) => caseAround(key, era));

/** Events of some cases by key, without repeats. */
export const arbitraryCases: fc.Arbitrary<Cases> = anyEra.chain(casesAround);

/** Sessions of the agents who act in cases. */
export const arbitrarySessions: fc.Arbitrary<SessionEvent[]> = anyEra.chain(sessionsAround);

/** Events of some cases and agents, without repeats. */
export const arbitraryHistory: fc.Arbitrary<HistoryEvent[]> = anyEra.chain(historyAround);

/** A history as a stream may deliver it: cases and sessions around an era, mostly shuffled and with repeats. */
export function arbitraryStream(era: Era): fc.Arbitrary<HistoryEvent[]> {
  return historyAround(era).chain((events) =>
    fc
      .tuple(fc.subarray(events), fc.boolean())
      .chain(([repeats, orderly]) => (orderly ? fc.constant(events) : shuffled([...events, ...repeats]))),
  );
}

const shuffled = <T>(list: T[]): fc.Arbitrary<T[]> => fc.shuffledSubarray(list, { minLength: list.length });
