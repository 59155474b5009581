import type { Numbers } from '../load-proposed.ts';
import type { Chance } from './chance.ts';
import { type KnownCase, LEVELS, type Level, type State } from './help-desk.ts';
import { newTable, type Table, zoned } from './table.ts';
import { wordsOf } from './writing.ts';
import { counted, isShared, mean, type Style, type Written } from './written.ts';

type TicketTable = Table<KnownCase>;

const SCORES: Readonly<Record<Level, number>> = { low: 2, normal: 5, high: 8, urgent: 10 };
const STATES: readonly State[] = ['new', 'open', 'pending', 'resolved', 'closed'];
/** Words that no list has, and words that a careless reader takes for the opposite. */
const OWN_WORDS: Readonly<Record<State, readonly string[]>> = {
  new: ['Fresh in', 'Stage 0', 'Not yet closed'],
  open: [
    'Unresolved',
    'Not done',
    'Open (was closed)',
    'To be closed',
    'Zorbing',
    'Stage 2',
    'Closed?',
    'Solved by vendor?',
  ],
  pending: ['Waiting on us maybe', 'Pending close', 'Stage 3', 'Awaiting resolved confirmation'],
  resolved: ['Resolved by phone', 'Grompt', 'Stage 4', 'No longer open'],
  closed: ['Closed - duplicate', 'Zugeklappt', 'Stage 5', 'Open and shut'],
};

/** Writes cases as a list with one row each, with the distractors that real lists have. */
export function ticketList(chance: Chance, cases: readonly KnownCase[], style: Style): Written {
  const table = newTable<KnownCase>(chance, style);
  table.add('case', table.name('case'), ({ id }) => id);
  const isHidden = chance.maybe(0.05); // nobody knows what the column's name means
  if (isHidden) table.doubts.push('unknown header');
  const created = isHidden ? 'Qwx 1' : table.name('created');
  table.add('created', zoned(created, style), (one) => table.time(one.created));
  if (chance.maybe(0.1)) table.add(undefined, table.name('created'), (one) => table.time(one.created));
  const end = endColumns(table, cases);
  const reply = replyColumns(table, cases);
  const people = peopleColumns(table, cases);
  const levels = priorityColumn(table, cases);
  const scores = ratingColumn(table, cases, end.isTold);
  distractors(table);
  const rows = table.rows(cases);
  const { roles, meanings, units, doubts } = table;
  return {
    rows,
    truth: {
      kind: 'tickets',
      roles,
      meanings,
      units,
      ended: roles.solved ?? roles.closed ?? 'unknown',
      ...levels.truth,
    },
    doubts,
    expected: {
      creates: cases.length,
      created: cases.reduce((sum, one) => sum + one.created / 1_000, 0),
      inbound: cases.length,
      ...end.expected,
      ...reply,
      ...people,
      priorities: levels.expected,
      scores,
    },
  };
}

/** The status, and how the end of a case is told: a solve, a close alone, both, a duration, or nothing. */
function endColumns(
  table: TicketTable,
  cases: readonly KnownCase[],
): { readonly expected: Numbers; readonly isTold: boolean } {
  const { chance, add, name, time, doubts } = table;
  const end = chance.pick(['solved', 'solved', 'both', 'closed', 'duration', 'nothing'] as const);
  const hasStatus = end === 'nothing' || end === 'duration' || chance.maybe(0.9);
  // Some cells are lost, some columns have a name that says nothing, and reopened cases keep the time of their solve.
  const lost = hasStatus && chance.maybe(0.15) ? chance.pick([0.03, 0.4]) : 0;
  const lacks = new Set(cases.filter(() => chance.maybe(lost)));
  if (lost > 0) doubts.push('lost ends');
  const keeps = hasStatus && (end === 'solved' || end === 'both') && chance.maybe(0.3);
  const lastSolve = (one: KnownCase): number | undefined =>
    one.steps.filter(({ what }) => what === 'resolved').at(-1)?.at;
  const endOf = (one: KnownCase): number | undefined =>
    lacks.has(one) ? undefined : (one.done ?? (keeps ? lastSolve(one) : undefined));
  const isUnnamed = hasStatus && end === 'solved' && chance.maybe(0.1);
  if (isUnnamed) doubts.push('unknown header');
  const isProven = lost === 0 && !keeps && !isUnnamed && end !== 'nothing' && end !== 'duration';
  const words = statusWords(table, isProven);
  if (hasStatus) {
    const shown = new Map(cases.map((one) => [one, chance.pick(words.get(one.status) ?? [])]));
    const header = add('status', name('status'), (one) => shown.get(one) ?? '');
    table.meanings[header] = Object.fromEntries(cases.map((one) => [shown.get(one) ?? '', one.status]));
  }
  const never = chance.maybe(0.15) ? time(chance.pick(NEVER)) : ''; // what the program writes for none
  const timeOr = (at: number | undefined): string => (at === undefined ? never : time(at));
  if (end === 'solved') add('solved', isUnnamed ? 'Qwx 2' : name('solved'), (one) => timeOr(endOf(one)));
  if (end === 'both') {
    add('solved', name('solved'), (one) => timeOr(endOf(one)));
    add('closed', name('closed'), (one) => timeOr(lacks.has(one) ? undefined : one.closed));
  }
  if (end === 'closed') add('closed', name('closed'), (one) => timeOr(lacks.has(one) ? undefined : one.done));
  if (end === 'duration')
    add('solved_after', ...duration(table, 'solved_after', (one) => (lacks.has(one) ? undefined : one.done)));
  if (end === 'nothing') doubts.push('no end');
  const done = cases.filter((one) => one.done !== undefined);
  const told = end === 'nothing' ? [] : done.filter((one) => !lacks.has(one));
  const expected = {
    resolves: told.length,
    resolved: told.length,
    open: cases.length - done.length,
    resolution: mean(told.map((one) => ((one.done ?? 0) - one.created) / 1_000)),
  };
  return { expected, isTold: end !== 'nothing' };
}

const NEVER = ['1970-01-01', '2000-01-01', '2099-12-31', '9999-12-31'].map((day) => Date.parse(`${day}T00:00:00Z`));

function statusWords({ chance, style, doubts }: TicketTable, isProven: boolean): ReadonlyMap<State, readonly string[]> {
  const { statuses } = wordsOf(style.language);
  const isNumbered = chance.maybe(0.06);
  if (isNumbered) doubts.push('numbers as states');
  const words = new Map<State, readonly string[]>();
  for (const [index, state] of STATES.entries()) {
    const list = (statuses[state] ?? []).filter((one) => !isShared(statuses, state, one));
    const isOwn = chance.maybe(0.12);
    const picked = isOwn || list.length === 0 ? [chance.pick(OWN_WORDS[state])] : chance.some(list, 1 + chance.int(2));
    words.set(state, isNumbered ? [String(index + 1)] : picked);
    if (isOwn) doubts.push(`own word "${picked[0]}"`);
  }
  if (isProven && chance.maybe(0.05)) {
    // A desk whose words say the opposite.
    doubts.push('opposite words');
    const [open, closed] = [words.get('open') ?? [], words.get('closed') ?? []];
    words.set('open', closed).set('closed', open);
  }
  return words;
}

type Writing = readonly [suffix: string, write: (minutes: number) => string, unit?: string]; // unit: that nothing says

const UNITS: readonly Writing[] = [
  ['(minutes)', (minutes) => String(minutes)],
  ['(hours)', (minutes) => String(minutes / 60)],
  ['(seconds)', (minutes) => String(minutes * 60)],
  ['', (minutes) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:00`],
  ['', (minutes) => `${Math.floor(minutes / 60)} hours ${minutes % 60} min`],
  ['', String, 'minutes'],
  ['', (minutes) => String(minutes / 60), 'hours'],
  ['', (minutes) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`, 'clock'],
];

type HeaderAndCell = readonly [header: string, cell: (one: KnownCase) => string];

/** A column with the time from the creation: in minutes by a header of the language, or in another unit. */
function duration(
  { chance, style, doubts, units }: TicketTable,
  role: 'solved_after' | 'replied_after',
  to: (one: KnownCase) => number | undefined,
): HeaderAndCell {
  const own = (wordsOf(style.language).headers[role] ?? []).find((one) => /min|分|분|мин|dakika/iu.test(one));
  const [suffix, write, unit]: Writing = own !== undefined && chance.maybe(0.5) ? ['own', String] : chance.pick(UNITS);
  const english = role === 'solved_after' ? 'Resolution time' : 'Time to first response';
  const header = suffix === 'own' && own !== undefined ? own : `${english} ${suffix}`.trim();
  if (unit !== undefined) {
    doubts.push('unit');
    units[header] = unit;
  }
  const none = chance.pick(['', '', '', '0', '-1'] as const);
  if (none === '0') doubts.push('zero');
  const cell = (one: KnownCase): string => {
    const at = to(one);
    if (at === undefined && none === '0') return write(0);
    return at === undefined ? none : write(Math.round((at - one.created) / 60_000));
  };
  return [header, cell];
}

function replyColumns(table: TicketTable, cases: readonly KnownCase[]): Numbers {
  const { chance, add, name, time } = table;
  const { day } = table.style.clock;
  const reply = day && chance.maybe(0.2) ? 'day' : chance.pick(['time', 'duration', 'nothing'] as const);
  if (reply === 'day' && day) {
    table.doubts.push('days');
    add('replied', name('replied'), ({ replied }) => (replied === undefined ? '' : day(replied)));
  }
  if (reply === 'time') add('replied', name('replied'), (one) => time(one.replied));
  if (reply === 'duration') add('replied_after', ...duration(table, 'replied_after', (one) => one.replied));
  const told = reply === 'nothing' || reply === 'day' ? [] : cases.filter((one) => one.replied !== undefined);
  return { outbound: told.length, response: mean(told.map((one) => ((one.replied ?? 0) - one.created) / 1_000)) };
}

function peopleColumns({ chance, add, name, time }: TicketTable, cases: readonly KnownCase[]): Numbers {
  const [hasAgent, hasGroup] = [chance.maybe(0.8), chance.maybe(0.5)];
  if (hasAgent) add('assignee', name('assignee'), ({ agent }) => agent);
  if (hasGroup) add('group', name('group'), ({ group }) => group);
  if (chance.maybe(0.6)) add('updated', name('updated'), (one) => time(one.updated));
  if (chance.maybe(0.4)) add('company', name('company'), ({ company }) => company);
  if (chance.maybe(0.4)) add('channel', name('channel'), ({ channel }) => channel);
  if (chance.maybe(0.4)) add('requester', name('requester'), ({ requester }) => requester);
  return {
    agents: hasAgent ? counted(cases.map(({ agent }) => agent)) : {},
    groups: hasGroup ? counted(cases.map(({ group }) => group)) : {},
  };
}

function priorityColumn(
  table: TicketTable,
  cases: readonly KnownCase[],
): { readonly expected: Record<string, number>; readonly truth: object } {
  const { chance, add, name, style, doubts, meanings } = table;
  const { priorities } = wordsOf(style.language);
  const isEach = LEVELS.every((level) => cases.some(({ priority }) => priority === level)); // else numbers do not show their scale
  const scale = chance.pick(['words', 'words', 'P1', isEach ? 'numbers' : 'words', 'numbered words', 'none'] as const);
  if (scale === 'none') return { expected: {}, truth: {} };
  const order = chance.pick(['low_first', 'high_first'] as const);
  if (scale === 'numbers') doubts.push('priority scale');
  const written = LEVELS.map((level, index): readonly [Level, string] => {
    const word = chance.pick((priorities[level] ?? []).filter((one) => !isShared(priorities, level, one)));
    if (scale === 'P1') return [level, `P${4 - index}`];
    if (scale === 'numbers') return [level, String(order === 'low_first' ? index + 1 : 4 - index)];
    return [level, scale === 'numbered words' ? `${4 - index} - ${word}` : word];
  });
  const text = new Map(written);
  const header = add('priority', name('priority'), ({ priority }) => text.get(priority) ?? '');
  meanings[header] = Object.fromEntries(written.map(([level, word]) => [word, level]));
  const isScaled = scale === 'numbers';
  return {
    expected: counted(cases.map(({ priority }) => String(SCORES[priority]))),
    truth: isScaled ? { priorityScale: order } : {},
  };
}

function ratingColumn(
  { chance, add, name, style, meanings }: TicketTable,
  cases: readonly KnownCase[],
  isTold: boolean,
): Record<string, number> {
  if (!isTold || !chance.maybe(0.3)) return {};
  const { ratings } = wordsOf(style.language);
  const [good, bad] = [chance.pick(ratings.good ?? []), chance.pick(ratings.bad ?? [])];
  const header = add('csat', name('csat'), ({ rating }) =>
    rating === undefined ? '' : rating === 'good' ? good : bad,
  );
  meanings[header] = { [good]: 'good', [bad]: 'bad' };
  return counted(cases.flatMap(({ rating }) => (rating === undefined ? [] : rating === 'good' ? ['1'] : ['0'])));
}

const DAY = 86_400_000;

type Distractor = readonly [part: number, header: string, cell: (one: KnownCase, index: number) => string];

/** Columns that look like the ones that count. */
function distractors({ chance, add, name, time }: TicketTable): void {
  const half = (from: number, to: number | undefined): string =>
    to === undefined ? '' : String(Math.round((to - from) / 120_000));
  const accounts = Date.parse('2024-02-05T10:00:00Z');
  const all: readonly Distractor[] = [
    [0.5, name('due'), ({ created }) => time(created + 2 * DAY)],
    [0.3, name('due'), ({ created, priority }) => time(created + (priority === 'urgent' ? 1 : 4) * 3_600_000)],
    [0.3, 'Account Created At', (_, index) => time(accounts + (index % 7) * DAY)],
    [0.3, 'Parent ticket ID', (_, index) => (index % 9 === 0 ? '77' : '')],
    [0.3, 'First reply time within business hours (min)', ({ created, replied }) => half(created, replied)],
    [0.3, 'Resolution time in business hours (min)', ({ created, done }) => half(created, done)],
    [0.2, 'Last agent touch', ({ replied }) => time(replied === undefined ? undefined : replied + 600_000)],
    [0.2, 'Number of agent replies', ({ steps }) => String(steps.filter(({ what }) => what === 'outbound').length)],
    [0.2, 'Snoozed until', ({ created, status }) => (status === 'pending' ? time(created + 9 * DAY) : '')],
    [0.1, 'Resolution date (planned)', ({ created }) => time(created + 3 * DAY)],
    [0.2, 'SLA status', (_, index) => (index % 4 === 0 ? 'Breached' : 'Within SLA')],
    [0.3, name('subject'), (_, index) => `Broken thing ${index}`],
    [0.3, name('type'), (_, index) => (index % 3 === 0 ? 'Question' : 'Problem')],
  ];
  for (const [part, header, cell] of all) if (chance.maybe(part)) add(undefined, header, cell);
}
