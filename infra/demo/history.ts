import { DEMO_MACROS } from './knowledge.ts';
import {
  AGENTS,
  CHANNELS,
  DEMO_COMPANIES,
  DEMO_LABELS,
  type DemoRecord,
  GROUPS,
  ORDER_FIELD,
  PLAN_FIELD,
  PLANS,
} from './members.ts';
import { type Chance, createChance } from './random.ts';

const SEED = 20_100_101;
const DAYS = 90;
const DAY = 86_400; // s
const HOUR = 3_600;
const MINUTE = 60;
const OPENS = 14 * HOUR; // UTC: a working day in New York
const CLOSES = 22 * HOUR;
const WORKDAY = 16; // cases on a working day
const WEEKEND = 5;

/**
 * The demo site's support history: the 90 days before `today` (s since 1970: the UTC midnight of the date at the site).
 */
export function* history(today: number): Generator<DemoRecord> {
  const chance = createChance(SEED);
  const first = today - DAYS * DAY;
  let number = 1000;
  for (let day = first; day < today; day += DAY) {
    const weekend = [0, 6].includes(new Date(day * 1000).getUTCDay());
    if (!weekend) yield* sessions(chance, day);
    const cases = chance.between(weekend ? WEEKEND - 2 : WORKDAY - 4, weekend ? WEEKEND + 2 : WORKDAY + 4);
    for (let count = 0; count < cases; count += 1) {
      number += 1;
      for (const event of oneCase(chance, number, day + chance.between(OPENS, CLOSES - HOUR)))
        if (event.second < today) yield event.record;
    }
  }
}

/** When agents are online: most of the day, with a break. */
function* sessions(chance: Chance, day: number): Generator<DemoRecord> {
  for (const { id } of AGENTS) {
    if (chance.is(0.1)) continue; // a day off
    const starts = day + OPENS + chance.between(-20, 20) * MINUTE;
    const pause = starts + chance.between(3, 4) * HOUR;
    const ends = day + CLOSES + chance.between(-30, 30) * MINUTE;
    yield session(id, starts, pause);
    yield session(id, pause + chance.between(30, 60) * MINUTE, ends);
  }
}

const session = (agent: number, from: number, to: number): DemoRecord => ({
  type: 'agent.session',
  id: `demo:${agent}:${from}`,
  agent,
  from: iso(from),
  to: iso(to),
});

interface DemoEvent {
  readonly second: number; // since 1970
  readonly record: DemoRecord;
}

/** The events of one case, which takes one of a few typical courses. */
function oneCase(chance: Chance, number: number, created: number): DemoEvent[] {
  const timeline = startTimeline(chance, number, created);
  const { add, later, events } = timeline;
  const channel = chance.pick(CHANNELS).id;
  const agent = chance.pick(AGENTS);
  const actor: Actor = { agent: agent.id, group: agent.groups[0] };
  const outbound = chance.is(0.12);
  add('case.created', { ...(outbound ? actor : {}), channel, ...attributes(chance) });
  if (outbound) add('interaction', { direction: 'outbound', ...actor });
  else add('interaction', { direction: 'inbound' });
  if (!outbound && chance.is(0.4)) {
    later(5, 20);
    add('interaction', { direction: 'outbound', automated: true });
  }
  if (chance.is(0.04)) {
    later(MINUTE, HOUR);
    add('case.deleted', actor);
    return events;
  }
  later(MINUTE, 20 * MINUTE);
  add('case.assigned', { agent: agent.id, group: chance.is(0.85) ? agent.groups[0] : chance.pick(GROUPS).id });
  if (chance.is(0.06)) {
    later(HOUR, 6 * HOUR);
    add('case.status', { to: 'resolved', ...actor }); // resolved without a reply
    return events;
  }
  const turns = chance.between(1, 3);
  for (let turn = 1; turn <= turns; turn += 1) {
    later(MINUTE, turn === 1 ? HOUR : 5 * HOUR);
    answer(timeline, chance, actor);
    if (turn < turns) askAgain(timeline, actor);
  }
  if (!chance.is(0.08)) end(timeline, chance, actor); // otherwise it stays open
  return events;
}

type Actor = { readonly agent: number; readonly group: number | undefined };

/** Collects the events of a case in order. */
interface CaseTimeline {
  readonly events: DemoEvent[];
  readonly add: (type: string, fields?: DemoRecord) => void; // adds an event at the current time
  readonly later: (least: number, most: number) => void; // moves the time on, by `least` to `most` s
  readonly now: () => number; // s since 1970
}

function startTimeline(chance: Chance, number: number, created: number): CaseTimeline {
  const events: DemoEvent[] = [];
  let second = created;
  return {
    events,
    add: (type, fields = {}) => {
      const id = `demo:${number}:${events.length}`;
      events.push({ second, record: { type, id, at: iso(second), case: number, ...fields } });
    },
    later: (least, most) => {
      second += chance.between(least, most);
    },
    now: () => second,
  };
}

function attributes(chance: Chance): DemoRecord {
  const custom_fields = {
    [PLAN_FIELD]: chance.pick(PLANS),
    ...(chance.is(0.3) && { [ORDER_FIELD]: `A-${chance.between(1, 40)}` }),
  };
  const labels = [chance.pick(DEMO_LABELS).id];
  const company = chance.is(0.6) ? { company: chance.pick(DEMO_COMPANIES).id } : {};
  return { priority: chance.between(1, 10), labels, custom_fields, ...company };
}

/** An agent works on the case and answers. */
function answer({ add, later, now }: CaseTimeline, chance: Chance, actor: Actor): void {
  add('case.viewed', actor);
  const from = now();
  later(2 * MINUTE, 25 * MINUTE);
  if (chance.is(0.3)) add('note', actor);
  if (chance.is(0.35)) add('macro.applied', { macro: chance.pick(DEMO_MACROS).id, ...actor });
  if (chance.is(0.2)) add('case.labels', { add: [chance.pick(DEMO_LABELS).id], ...actor });
  add('interaction', { direction: 'outbound', ...actor });
  add('case.handled', { from: iso(from), to: iso(now()), ...actor });
}

/** The customer asks again. */
function askAgain({ add, later }: CaseTimeline, actor: Actor): void {
  add('case.status', { to: 'pending', ...actor });
  later(10 * MINUTE, 20 * HOUR);
  add('interaction', { direction: 'inbound' });
  add('case.status', { to: 'open' });
}

/** The case is resolved, now and then reopened and resolved again, and may be rated. */
function end({ add, later }: CaseTimeline, chance: Chance, actor: Actor): void {
  add('case.status', { to: 'resolved', ...actor });
  if (chance.is(0.1)) {
    later(2 * HOUR, 4 * DAY);
    add('interaction', { direction: 'inbound' });
    add('case.status', { to: 'open' });
    later(HOUR, 8 * HOUR);
    add('interaction', { direction: 'outbound', ...actor });
    add('case.status', { to: 'resolved', ...actor });
  }
  if (chance.is(0.5)) {
    later(HOUR, 2 * DAY);
    add('csat.rated', { score: chance.pick([4, 3, 2, 1]) });
  }
}

const iso = (second: number): string => `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
