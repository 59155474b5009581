import type { CaseEvent, HistoryEvent } from '../../../lib/history/cases/event.ts';
import type { Row } from '../../../lib/import/formats/row.ts';
import type { ReferenceRecord } from '../../../lib/import/records/reference-record.ts';
import { type Chance, createChance } from './chance.ts';

/** The start of the last weeks of a made-up history, in epoch µs. */
export const LAST_WEEKS = Date.UTC(2025, 11, 4) * 1000;

/** The cases of a history of scale 1, which has 12.8 million facts. */
const FULL = 900_000;
const YEAR = { first: Date.UTC(2025, 0, 1) / 1000, days: 365 } as const;
const SEED = 20_250_101;

/** The numbers of members of the made-up site, as in a real incident log: 209 agents, 73 groups, 45 categories. */
export const MADE = {
  agents: 209,
  groups: 73,
  channels: 5,
  labels: 40,
  macros: 60,
  companies: 400,
  categories: 45,
  categoryField: 11,
} as const;

/** The weights of the hours of the day in which cases are opened: office hours with a dip at noon. */
const HOURS = [1, 1, 1, 1, 1, 1, 1, 3, 12, 15, 14, 13, 7, 8, 11, 11, 9, 5, 2, 1, 1, 1, 1, 1];
const HOUR_OF = HOURS.flatMap((weight, hour) => Array.from({ length: weight }, () => hour));
const PRIORITIES = [...Array.from({ length: 93 }, () => 3), 4, 4, 4, 2, 2, 1, 1]; // as in the log, where 93 % are moderate

/** Reference records of the made-up site; each agent is in one or two groups. */
export function madeReference(): ReferenceRecord[] {
  const chance = createChance(SEED);
  const named = (type: 'group' | 'label' | 'channel' | 'company' | 'macro', count: number): ReferenceRecord[] =>
    Array.from({ length: count }, (_, place) => ({ type, id: place + 1, name: `${type} ${place + 1}` }));
  return [
    ...Array.from(
      { length: MADE.agents },
      (_, place): ReferenceRecord => ({
        ...{ type: 'agent', id: place + 1, name: `agent ${place + 1}` },
        groups: chance.hits(0.7) ? [homeOf(place + 1)] : [homeOf(place + 1), 1 + (place % MADE.groups)],
      }),
    ),
    ...named('group', MADE.groups),
    ...named('label', MADE.labels),
    ...named('channel', MADE.channels),
    ...named('company', MADE.companies),
    ...named('macro', MADE.macros),
    { type: 'custom_field', id: MADE.categoryField, name: 'Category', object: 'case', values: categories() },
    OFFICE,
    PROMISE,
  ];
}

const WORKDAY = [['09:00', '17:00']] as const;

/** The working hours of the made-up site. */
const OFFICE: ReferenceRecord = {
  ...{ type: 'calendar', id: 1, name: 'Office', time_zone: 'UTC', default: true },
  hours: { mon: WORKDAY, tue: WORKDAY, wed: WORKDAY, thu: WORKDAY, fri: WORKDAY },
};

/** The promise of the made-up site: working seconds until the first response. */
export const PROMISED = 4 * 3600;
const PROMISE: ReferenceRecord = {
  ...{ type: 'sla_policy', id: 1, name: 'All', position: 0 },
  targets: [{ metric: 'first_response', priorities: null, seconds: PROMISED, hours: 'business' }],
};

const category = (place: number): string => `Category ${place + 1}`;
const categories = (): string[] => Array.from({ length: MADE.categories }, (_, place) => category(place));
const homeOf = (agent: number): number => 1 + ((agent * agent) % MADE.groups);

/**
 * A year of made-up history, case by case in order of creation, then the sessions of agents; the same events for the
 * same scale. Updates per case, busy agents and groups, pauses, priorities and reopens (1.3 %) follow the incident log;
 * messages, views, labels and macros are added. Another `prefix` makes other cases and sessions of the same shape.
 */
export function* madeEvents(scale = 1, prefix = ''): Generator<HistoryEvent> {
  const chance = createChance(SEED);
  const cases = casesOf(scale);
  for (let place = 0; place < cases; place += 1)
    yield* madeCase(`${prefix}${place + 1}`, opening(place / cases, chance), chance);
  yield* madeSessions(scale, prefix, chance);
}

/** Late messages of customers: one for about every third of the first `cases` cases, at any time of the year. */
export function* lateEvents(cases: number): Generator<HistoryEvent> {
  const chance = createChance(SEED + 1);
  for (let place = 1; place <= cases; place += 1) {
    if (!chance.hits(1 / 3)) continue;
    const at = (YEAR.first + chance.below(YEAR.days * 86_400)) * 1_000_000;
    yield { type: 'interaction', direction: 'inbound', id: `late.${place}`, at, case: String(place) };
  }
}

/** Events as rows of a file, by thousands. */
export async function* rowsOf(events: readonly HistoryEvent[]): AsyncGenerator<readonly Row[]> {
  for (let at = 0; at < events.length; at += 1000) {
    yield events.slice(at, at + 1000).map((event, place) => ({ line: at + place + 1, raw: '', records: [event] }));
  }
}

/** The number of cases in a history of a scale. */
export const casesOf = (scale: number): number => Math.round(FULL * scale);

/** The second in which a case is opened; days rise with `part` of the year. */
function opening(part: number, chance: Chance): number {
  const day = Math.floor(part * YEAR.days);
  return YEAR.first + day * 86_400 + (HOUR_OF[chance.below(HOUR_OF.length)] ?? 0) * 3600 + chance.below(3600);
}

type Base = Pick<CaseEvent, 'id' | 'at' | 'case'>;
interface Actor {
  readonly agent: number;
  readonly group: number;
}

function madeCase(key: string, created: number, chance: Chance): CaseEvent[] {
  const events: CaseEvent[] = [];
  let now = created;
  let count = 0;
  const base = (second = now): Base => ({ id: `${key}.${(count += 1)}`, at: second * 1_000_000, case: key });
  let who = actor(chance);
  events.push({ ...base(), type: 'case.created', ...attributes(chance) });
  if (chance.hits(0.8)) events.push({ ...base(now + 1), type: 'interaction', direction: 'inbound' });
  events.push({ ...base(now + 60), type: 'case.assigned', to: who });
  const updates = Math.min(58, chance.spread(2, 13));
  for (let update = 1; update < updates; update += 1) {
    now += pause(chance);
    if (chance.hits(0.12)) {
      who = actor(chance);
      events.push({ ...base(), type: 'case.assigned', to: who });
    }
    if (update === 1) events.push({ ...base(), ...who, type: 'case.status', to: 'open' });
    now = touched({ events, base }, now, who, chance);
  }
  events.push(...ending(base, now, who, chance));
  return events;
}

/** Adds the events of an update; returns the second in which it ends. */
function touched(
  { events, base }: { readonly events: CaseEvent[]; readonly base: (second?: number) => Base },
  start: number,
  who: Actor,
  chance: Chance,
): number {
  let now = start;
  if (chance.hits(0.7)) events.push({ ...base(now), ...who, type: 'case.viewed' });
  if (chance.hits(0.35)) {
    const length = chance.spread(30, 3600);
    const from = now * 1_000_000;
    events.push({ ...base(now), ...who, type: 'case.handled', from, to: from + length * 1_000_000 });
    now += length;
  }
  if (chance.hits(0.14))
    events.push({ ...base(now), ...who, type: 'macro.applied', macro: 1 + chance.skewed(MADE.macros) });
  if (chance.hits(0.12))
    events.push({ ...base(now), ...who, type: 'case.labels', add: [1 + chance.skewed(MADE.labels)] });
  if (chance.hits(0.6)) events.push({ ...base(now), ...who, type: 'interaction', direction: 'outbound' });
  if (chance.hits(0.45)) {
    now += chance.spread(120, 40_000);
    events.push({ ...base(now), type: 'interaction', direction: 'inbound' });
  }
  if (chance.hits(0.1)) events.push({ ...base(now), ...who, type: 'note' });
  return now;
}

function ending(base: (second?: number) => Base, start: number, who: Actor, chance: Chance): CaseEvent[] {
  let now = start + pause(chance);
  const events: CaseEvent[] = [{ ...base(now), ...who, type: 'case.status', to: 'resolved' }];
  if (chance.hits(0.013)) {
    events.push({ ...base((now += chance.spread(3600, 900_000))), type: 'case.status', to: 'open' });
    events.push({ ...base((now += pause(chance))), ...who, type: 'case.status', to: 'resolved' });
  }
  if (chance.hits(0.2)) events.push({ ...base(now + 7200), type: 'csat.rated', score: chance.between(1, 4) });
  if (chance.hits(0.002)) events.push({ ...base(now + 9000), type: 'case.deleted' });
  events.push({ ...base(now + 432_000), type: 'case.status', to: 'closed' }); // the log closes cases five days later
  return events;
}

/** Seconds to the next update: in the log a tenth follow at once, half within five hours, a tenth after days. */
const pause = (chance: Chance): number =>
  chance.hits(0.1) ? 0 : chance.spread(60, chance.hits(0.1) ? 2_700_000 : 430_000);

function actor(chance: Chance): Actor {
  const agent = 1 + chance.skewed(MADE.agents);
  return { agent, group: homeOf(agent) };
}

function attributes(chance: Chance) {
  return {
    channel: 1 + chance.skewed(MADE.channels),
    priority: PRIORITIES[chance.below(PRIORITIES.length)] ?? 3,
    company: 1 + chance.skewed(MADE.companies),
    labels: chance.hits(0.5) ? [1 + chance.skewed(MADE.labels)] : [],
    custom_fields: { [MADE.categoryField]: category(chance.skewed(MADE.categories)) },
  };
}

/** Two sessions on each working day for each agent; fewer agents at smaller scales. */
function* madeSessions(scale: number, prefix: string, chance: Chance): Generator<HistoryEvent> {
  const agents = Math.max(5, Math.round(MADE.agents * Math.min(1, scale)));
  for (let agent = 1; agent <= agents; agent += 1) {
    for (let day = 0; day < YEAR.days; day += 1) {
      if (day % 7 === 3 || day % 7 === 4) continue; // 2025 begins on a Wednesday
      for (const hour of [8, 13]) {
        const from = (YEAR.first + day * 86_400 + hour * 3600 + chance.below(1800)) * 1_000_000;
        const to = from + chance.between(9000, 16_000) * 1_000_000;
        yield { type: 'agent.session', id: `${prefix}${agent}.${day}.${hour}`, at: from, agent, from, to };
      }
    }
  }
}
