import { certain } from '../../certain.ts';
import type { Mutable } from '../../typed-object.ts';
import { CASE_STATUSES, type CaseStatus } from '../../vocabulary.ts';
import { secondOf } from './case-history.ts';
import type { CaseRow, CustomValue, Fact, FactKind, Session, SessionRow } from './case-row.ts';
import { extentOf, noFacts, OPENINGS } from './case-row.ts';
import { type ClockWatch, watchClocks } from './clocks.ts';
import type { CaseEvent, CaseKey, SessionEvent } from './event.ts';
import { guessPresence, type Mention, presenceOf } from './presence.ts';
import { type Clocks, clockFacts, guessClocks, type Slice } from './waits.ts';

/** The seconds after a resolve in which messages and reopens count against it, exclusive (docs/rules.md 15). */
export const QUIET_SECONDS = 14 * 86_400;
const VIEW_SECONDS = 60; // docs/rules.md 19

type FactLists = Record<FactKind, Mutable<Fact>[]>;

/**
 * Computes the row of one case from its history, as `caseHistory` returns it: the case's present state, and its facts
 * with every number that depends on earlier or later events, so that a report only adds up (docs/rules.md 7-21).
 */
export function caseRow(key: CaseKey, history: readonly CaseEvent[]): CaseRow {
  const state = startingState();
  for (const event of history) apply(state, event);
  const { facts } = state;
  settleResolves(state);
  const first = secondOf(history[0]?.at ?? 0);
  if (history.length > 0) settlePresence(state, first);
  settleClocks(state, first);
  // These may be out of order: intervals are dated by their start, and a creation acts first even if its time is later.
  for (const kind of ['handle', 'label'] as const) facts[kind].sort((a, b) => a.second - b.second);
  const { start, end } = extentOf(facts, first);
  return {
    key,
    start,
    end,
    attributes: {
      channel: state.channel,
      agent: state.agent,
      group: state.group,
      priority: state.priority,
      company: state.company,
      score: state.score,
      status: CASE_STATUSES.indexOf(state.status),
      labels: [...state.labels].sort(rising),
      macros: appliedMacros(facts),
      customValues: [...state.customValues]
        .map(([field, value]): CustomValue => ({ field, value }))
        .sort((a, b) => a.field - b.field),
    },
    facts,
  };
}

/** Computes an agent's time online: the union, in whole seconds, of sessions in any order, repeats included. */
export function sessionRow(agent: number, events: readonly SessionEvent[]): SessionRow {
  const spans = events
    .map(({ from, to }) => ({ from: secondOf(from), to: secondOf(to) }))
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.from - b.from);
  const sessions: Mutable<Session>[] = [];
  for (const span of spans) {
    const last = sessions.at(-1);
    if (last === undefined || span.from > last.to) sessions.push(span);
    else last.to = Math.max(last.to, span.to);
  }
  return { agent, sessions };
}

const rising = (a: number, b: number): number => a - b;

interface CaseState {
  begunDone: boolean; // created resolved or closed: then nothing is known of that resolve
  status: CaseStatus;
  channel: number | null;
  agent: number | null;
  group: number | null;
  priority: number | null;
  company: number | null;
  score: number | null;
  labels: ReadonlySet<number>;
  readonly customValues: Map<number, string>;
  readonly viewed: Map<number, number>; // agent → second of the last view that counted
  readonly clocks: ClockWatch;
  readonly mentions: Mention[]; // for `presenceOf`
  readonly facts: FactLists;
}

function startingState(): CaseState {
  return {
    begunDone: false,
    status: 'new',
    channel: null,
    agent: null,
    group: null,
    priority: null,
    company: null,
    score: null,
    labels: new Set(),
    customValues: new Map(),
    viewed: new Map(),
    clocks: watchClocks(),
    mentions: [],
    facts: noFacts(),
  };
}

function factOf(event: CaseEvent, second: number, value: number): Mutable<Fact> {
  if (event.automated) return { second, agent: null, group: null, value };
  return { second, agent: event.agent ?? null, group: event.group ?? null, value };
}

function add(state: CaseState, event: CaseEvent, kind: FactKind, value = 0): void {
  state.facts[kind].push(factOf(event, secondOf(event.at), value));
}

function apply(state: CaseState, event: CaseEvent): void {
  const second = secondOf(event.at);
  switch (event.type) {
    case 'case.created':
      create(state, event);
      break;
    case 'case.deleted':
      add(state, event, 'delete');
      state.clocks.deletion(second);
      state.mentions.push({ second, open: false });
      break;
    case 'case.status':
      changeStatus(state, event);
      break;
    case 'case.assigned':
      if (event.to.agent !== undefined) state.agent = event.to.agent;
      if (event.to.group !== undefined) state.group = event.to.group;
      break;
    case 'case.labels': {
      const after = new Set(event.set ?? state.labels);
      for (const label of event.remove ?? []) after.delete(label);
      for (const label of event.add ?? []) after.add(label);
      relabel(state, event, second, after);
      break;
    }
    case 'case.priority':
      state.priority = event.priority;
      break;
    case 'case.company':
      state.company = event.company;
      break;
    case 'case.custom_field':
      setCustom(state, event.field, event.value);
      break;
    case 'case.viewed':
      view(state, event);
      break;
    case 'case.handled': {
      const from = secondOf(event.from);
      const length = secondOf(event.to) - from;
      if (length > 0) state.facts.handle.push(factOf(event, from, length));
      break;
    }
    case 'interaction':
      interact(state, event);
      break;
    case 'macro.applied':
      add(state, event, 'macro', event.macro);
      break;
    case 'csat.rated':
      state.score = event.score;
      if (event.score !== null) add(state, event, 'rating', event.score);
      break;
    case 'note':
    case 'case.version':
      break;
    default:
      event satisfies never; // fails to compile when a new event type is not handled here
  }
}

type EventOf<T extends CaseEvent['type']> = Extract<CaseEvent, { type: T }>;

/** Lets the case begin. One that begins done gets no resolve, as nobody knows when that was. */
function create(state: CaseState, event: EventOf<'case.created'>): void {
  const second = secondOf(event.at);
  add(state, event, 'created', OPENINGS.none);
  state.status = event.status ?? 'new';
  state.begunDone = isDone(state.status);
  if (state.begunDone) state.clocks.beginDone(second);
  state.channel = event.channel ?? null;
  state.priority = event.priority ?? null;
  state.company = event.company ?? null;
  for (const [field, value] of Object.entries(event.custom_fields ?? {})) setCustom(state, Number(field), value);
  relabel(state, event, second, new Set(event.labels));
}

function changeStatus(state: CaseState, event: EventOf<'case.status'>): void {
  const second = secondOf(event.at);
  const resolved = isDone(event.to);
  if (resolved !== isDone(state.status)) {
    add(state, event, resolved ? 'resolve' : 'reopen');
    if (resolved) state.clocks.resolve(second);
    else state.clocks.reopen();
  }
  state.status = event.to;
  state.mentions.push({ second, open: !resolved });
}

function view(state: CaseState, event: EventOf<'case.viewed'>): void {
  const { agent } = event;
  if (agent === undefined || event.automated) return;
  const second = secondOf(event.at);
  const last = state.viewed.get(agent);
  if (last !== undefined && second - last < VIEW_SECONDS) return;
  state.viewed.set(agent, second);
  add(state, event, 'view');
}

function interact(state: CaseState, event: EventOf<'interaction'>): void {
  const { direction } = event;
  if (direction === 'outbound' && event.automated) return;
  const created = state.facts.created[0];
  if (created?.value === OPENINGS.none) created.value = OPENINGS[direction];
  add(state, event, direction);
  if (direction === 'inbound') state.clocks.message(event);
  else state.clocks.reply(secondOf(event.at));
}

const isDone = (status: CaseStatus): boolean => status === 'resolved' || status === 'closed';

function setCustom(state: CaseState, field: number, value: string | null): void {
  if (value === null) state.customValues.delete(field);
  else state.customValues.set(field, value);
}

function relabel(state: CaseState, event: CaseEvent, second: number, after: ReadonlySet<number>): void {
  const added = [...after].filter((label) => !state.labels.has(label)).sort(rising);
  for (const label of added) state.facts.label.push(factOf(event, second, label));
  state.labels = after;
}

/** Stores in each resolve the number of replies before it and whether the 14 days after it were quiet. */
function settleResolves({ begunDone, facts: { resolve, reopen, inbound, outbound } }: CaseState): void {
  let replies = 0; // outbound interactions up to the resolve's second
  let after = 0; // index of the first inbound interaction after the resolve's second
  for (const [index, fact] of resolve.entries()) {
    while ((outbound[replies]?.second ?? Number.POSITIVE_INFINITY) <= fact.second) replies += 1;
    while ((inbound[after]?.second ?? Number.POSITIVE_INFINITY) <= fact.second) after += 1;
    const horizon = fact.second + QUIET_SECONDS;
    // Resolves and reopens alternate, so the reopen after resolve i is reopen i, or the next one if a reopen came first.
    const reopened = reopen[begunDone ? index + 1 : index];
    const quiet = [reopened, inbound[after], outbound[replies]].every((next) => !next || next.second >= horizon);
    fact.value = 2 * replies + (quiet ? 1 : 0);
  }
}

/**
 * Adds `presence` facts if `guessPresence` cannot tell from the other facts when the case is open. Of 27,000 cases of the
 * benches none needs them; stored for all, segments would take 7 % more (4.1 bytes a case).
 */
function settlePresence({ facts, mentions, begunDone }: CaseState, first: number): void {
  const { created, resolve, reopen, delete: deleted, presence } = facts;
  const seconds = (list: readonly Fact[]): number[] => list.map(({ second }) => second);
  const from = created[0]?.second ?? first;
  const turns = presenceOf(from, mentions, !begunDone);
  const guessed = guessPresence({
    created: created[0]?.second,
    resolves: seconds(resolve),
    reopens: seconds(reopen),
    deleted: deleted[0]?.second,
  });
  if (isLike(turns, guessed, (a, b) => a.second === b.second && a.open === b.open)) return;
  if (turns.length === 0) turns.push({ second: from, open: false }); // without any such fact, the guess would stand
  for (const { second, open } of turns) presence.push({ second, agent: null, group: null, value: open ? 1 : 0 });
}

/**
 * Adds `wait` facts if `guessClocks` cannot tell from the other facts the waits and what stops the promises. Stored for
 * all cases of the benches, segments would take 22 % more (12.6 bytes a case, 3.84 to 4.69 bytes a fact).
 */
function settleClocks({ facts, clocks }: CaseState, first: number): void {
  const part = (list: readonly Fact[]): Slice => ({ of: list.map(({ second }) => second), from: 0, to: list.length });
  const { inbound, outbound, resolve, delete: deleted } = facts;
  const sources = { inbound: part(inbound), outbound: part(outbound), resolve: part(resolve), delete: part(deleted) };
  const known = clocks.clocks();
  if (sameClocks(known, guessClocks(sources))) return;
  for (const fact of clockFacts(known, outbound, extentOf(facts, first).start)) facts.wait.push(fact);
}

const sameClocks = (a: Clocks, b: Clocks): boolean =>
  a.responseStop === b.responseStop &&
  a.resolutionStop === b.resolutionStop &&
  isLike(a.waits, b.waits, (one, two) => one.begin === two.begin && one.reply === two.reply && one.stop === two.stop);

/** Whether two lists are equal, element by element. */
const isLike = <T>(a: readonly T[], b: readonly T[], same: (one: T, two: T) => boolean): boolean =>
  a.length === b.length && a.every((one, index) => same(one, certain(b[index])));

function appliedMacros({ macro, resolve }: FactLists): CaseRow['attributes']['macros'] {
  const first = new Map<number, number>();
  for (const fact of macro) if (!first.has(fact.value)) first.set(fact.value, fact.second);
  return [...first]
    .sort(([a], [b]) => a - b)
    .map(([id, second]) => {
      const at = resolve.findIndex((fact) => fact.second >= second);
      return { macro: id, resolve: at < 0 ? resolve.length : at };
    });
}
