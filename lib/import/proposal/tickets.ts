import { isDeepStrictEqual } from 'node:util';
import { mentionsRole, namesRole, wordMeaning } from '../language/words.ts';
import type { WrittenMapping } from '../mapping/mapping.ts';
import type { TimeInput, WrittenValue } from '../mapping/mapping-values.ts';
import type { FileColumn } from './columns.ts';
import { meaningsOfColumn } from './meanings.ts';
import { mayHave, pickRole, rankFor, takeRole } from './pick-role.ts';
import type { ColumnMeanings, ColumnUnit, FileRole, Meaning } from './proposal.ts';
import {
  filledByWord,
  NEARLY_ALL,
  type ProposalDraft,
  share,
  type TimePart,
  timeAt,
  timeOfDayColumn,
} from './proposal-draft.ts';
import { UNIT_NAMES, unitOf, weigh } from './units.ts';
import { labelsValue, priorityValue, ratingValue, type SiteRating, type WrittenTable } from './values.ts';
import { withoutCreations, withoutZeros } from './zeros.ts';

/** The fields of a mapping that do not depend on its kind. */
export type FileFields = Pick<WrittenMapping, 'csv' | 'time'> & { readonly case: WrittenValue };

/** A mapping of one kind, whose times are written when their formats and zones are known. */
export interface KindMapping {
  /** The mapping, from the fields that every kind has. */
  readonly write: (file: FileFields, written: (time: TimePart) => TimeInput) => WrittenMapping;
  readonly times: readonly FileColumn[];
  readonly meanings: readonly ColumnMeanings[];
  readonly units?: readonly ColumnUnit[];
}

/** A time that is counted from the creation. */
interface LaterPart {
  readonly time: TimePart | undefined; // undefined: there is none, or its unit is open
  readonly lasting: FileColumn | undefined; // the column, if it holds durations
}

function laterPart(
  draft: ProposalDraft,
  created: FileColumn,
  units: ColumnUnit[],
  [role, column]: readonly [role: FileRole, column: FileColumn | undefined],
): LaterPart {
  if (column === undefined) return { time: undefined, lasting: undefined };
  const { found, unit } = unitOf(draft, created, column);
  units.push(found);
  if (unit === null) return { time: undefined, lasting: undefined };
  const lasting = withoutZeros(draft, role, column);
  const none = lasting && lasting.none.length > 0 ? { null: lasting.none } : {};
  const time = unit && lasting ? { time: created, plus: { column: column.name, unit, ...none } } : undefined;
  return { time, lasting: lasting?.column ?? column };
}

/** Understands a file with one row for each ticket. */
export function ticketsMapping(draft: ProposalDraft, rating: SiteRating): KindMapping | undefined {
  const { taken } = draft;
  const created = pickRole(draft, 'created', { matters: true, needed: true, guess: likelyCreation(draft) });
  if (created === undefined) return undefined;
  const meanings: ColumnMeanings[] = [];
  const statusColumn = pickRole(draft, 'status', { matters: true });
  const { solved: solvedAll, closed: closedAll } = pickEnds(draft);
  const timed = (role: FileRole, column: FileColumn | undefined): TimePart | undefined =>
    column && (withoutCreations(draft, role, column, created) ?? { time: column });
  const solvedAt = timed('solved', solvedAll);
  const closedAt = solvedAll ? closedAll && { time: closedAll } : timed('closed', closedAll);
  const [solved, closed] = [solvedAt?.time, closedAt?.time];
  const updated = pickRole(draft, 'updated', { matters: false });
  const { replied, repliedAfter } = pickReply(draft);
  const repliedAt = timed('replied', replied);
  const solvedAfter = solved || closed ? undefined : pickRole(draft, 'solved_after', { matters: true });
  const units: ColumnUnit[] = [];
  const [repliedLater, solvedLater] = [
    laterPart(draft, created, units, ['replied_after', repliedAfter]),
    laterPart(draft, created, units, ['solved_after', solvedAfter]),
  ];
  const daysOnly = daysOf(draft, created, repliedAt?.time, solved ?? closed);
  const ends = [solved, closed, solvedLater.lasting].filter((column) => column !== undefined);
  if (statusColumn === undefined && ends.length === 0) askStatus(draft);
  const statusOf = taken.get('status');
  const told = draft.asker.told('ended_when');
  const answered = draft.columns.filter((column) => column.times && column.name === told && column !== updated);
  const status = statusOf && statusValue(draft, statusOf, [...ends, ...answered], meanings);
  const isEndLeft = [solved, closed].some((column) => column !== undefined && daysOnly.has(column));
  const asksEnd = status?.meanings && !isEndLeft;
  const ended = asksEnd && endedWhen(draft, status.meanings, { status: statusOf, ends, created, updated });
  const filed = requesters(draft);
  const people = 'submitter' in filed ? filed : callers(draft);
  const others = attributesPart(draft, meanings);
  const csat = pickRating(draft);
  const rated = csat && ratingValue(draft, csat, rating);
  if (rated?.found) meanings.push(rated.found);
  const used = (at: TimePart) => (daysOnly.has(at.time) ? undefined : at);
  const [reply, solve] = [
    repliedAt ? used(repliedAt) : repliedLater.time,
    solvedAt ? used(solvedAt) : solvedLater.time,
  ];
  const close = closedAt && used(closedAt);
  const end = isEndLeft ? 'unknown' : ended;
  return {
    write: (file, written) => ({
      kind: 'tickets',
      ...file,
      created: written({ time: created }),
      ...(reply && { replied: written(reply) }),
      ...(solve && { solved: written(solve) }),
      ...(close && { closed: written(close) }),
      ...(updated && { updated: written({ time: updated }), as_of: written({ time: updated }) }),
      ...(status?.value && { status: status.value }),
      ...(end && { ended_when: end === 'unknown' ? end : written(end) }),
      ...people,
      ...others,
      ...(rated?.value && { csat: rated.value }),
    }),
    times: [created, replied, solved, closed, updated].filter((column) => column !== undefined),
    meanings,
    units,
  };
}

/** The creation, where no name says it: of the times before all others of a case the last, else the first of most rows. */
const likelyCreation =
  (draft: ProposalDraft) =>
  (columns: readonly FileColumn[]): FileColumn | undefined => {
    const named = draft.columns.filter(
      (column) => column.times && !column.isDue && namesRole(column, 'updated', 'replied', 'solved', 'closed'),
    );
    const full = columns.filter(({ filled }) => filled === draft.rows);
    const before = (full.length > 0 ? full : columns).filter(
      (column) => named.length > 0 && named.every((one) => one !== column && !isBefore(draft, one, column)),
    );
    const [first, ...others] = before;
    if (first === undefined) return earliest(draft)(columns);
    return others.reduce((last, column) => (isBefore(draft, last, column) ? column : last), first);
  };

/** Whether the times of a column lie before those of another in more than a few of the rows that have both. */
const isBefore = (draft: ProposalDraft, a: FileColumn, b: FileColumn): boolean =>
  share(
    draft,
    (row) => a.cell(row) !== '' && b.cell(row) !== '',
    (row) => timeAt(draft, a, row) < timeAt(draft, b, row),
  ).part > 0.05;

const earliest =
  (draft: ProposalDraft) =>
  (columns: readonly FileColumn[]): FileColumn | undefined => {
    const first = (row: number): number =>
      Math.min(...columns.map((column) => timeAt(draft, column, row)).filter((at) => !Number.isNaN(at)));
    const firsts = columns.map(
      (column) =>
        share(
          draft,
          () => true,
          (row) => timeAt(draft, column, row) === first(row),
        ).part,
    );
    return columns[firsts.indexOf(Math.max(...firsts))];
  };

type Picked<T extends string> = Readonly<Record<T, FileColumn | undefined>>;

/** The times of the solve and of the close, in this order. */
function pickEnds(draft: ProposalDraft): Picked<'solved' | 'closed'> {
  const isNamedEnd = (column: FileColumn): boolean => mentionsRole(column, 'solved', 'closed');
  let solved = pickRole(draft, 'solved', { matters: true, among: isNamedEnd });
  const closed = pickRole(draft, 'closed', { matters: true, among: isNamedEnd });
  const isOther = ({ named }: FileColumn): boolean =>
    named.some(({ role, level }) => level > 1 && role !== 'solved' && role !== 'closed');
  if (solved === undefined && closed === undefined) {
    const used = new Set(draft.taken.values());
    const shown = draft.columns.filter((one) => !used.has(one) && !isOther(one) && rankFor(draft, 'solved', one) > 1);
    const [a, b, ...more] = shown;
    if (a !== undefined && b !== undefined && more.length === 0 && draft.asker.told('role:solved') === undefined) {
      const [earlier, later] = isLater(draft, a, b) ? [b, a] : [a, b];
      const why = 'it is filled for exactly the cases that are done';
      return { solved: takeRole(draft, 'solved', earlier, { why }), closed: takeRole(draft, 'closed', later, { why }) };
    }
    solved = pickRole(draft, 'solved', {
      matters: true,
      among: (column) => column.times !== undefined && !isOther(column),
    });
  }
  return solved && closed && isLater(draft, solved, closed) ? { solved: closed, closed: solved } : { solved, closed };
}

/** The time of the first reply, or the time to it. */
function pickReply(draft: ProposalDraft): Picked<'replied' | 'repliedAfter'> {
  const namedReply = pickRole(draft, 'replied', { matters: true, among: (column) => mentionsRole(column, 'replied') });
  const repliedAfter = namedReply ? undefined : pickRole(draft, 'replied_after', { matters: true });
  const replied = namedReply ?? (repliedAfter ? undefined : pickRole(draft, 'replied', { matters: true }));
  return { replied, repliedAfter };
}

/**
 * The columns of days alone that are left out, as how long cases took is what counts: it is asked, where the creation has
 * a time of day and they have none, or the other way round.
 */
function daysOf(
  draft: ProposalDraft,
  created: FileColumn,
  replied: FileColumn | undefined,
  end: FileColumn | undefined,
): ReadonlySet<FileColumn | undefined> {
  const hasDays = (column: FileColumn): boolean =>
    column.times?.isOfDays === true && timeOfDayColumn(draft, column) === undefined;
  const isOfDays = hasDays(created);
  const others = [replied, end].filter((column) => column !== undefined).filter((one) => hasDays(one) !== isOfDays);
  if (others.length === 0) return new Set();
  const quoted = (columns: typeof others): string => columns.map(({ name }) => `"${name}"`).join(' and ');
  const names = quoted(isOfDays ? [created] : others);
  const isEndAmong = end !== undefined && others.includes(end);
  const canLeave = draft.taken.has('status') || !isEndAmong;
  const answer = draft.asker.ask({
    id: 'days',
    about: 'days',
    text: `${names} has days without a time: how long cases took would be up to a day off. Use ${isOfDays ? quoted(others) : 'it'}?`,
    choices: [
      ...(canLeave ? [{ answer: 'leave', text: 'No: how long it took stays unknown' }] : []),
      { answer: 'use', text: 'Yes: up to a day off' },
    ],
    proposed: canLeave ? 'leave' : 'use',
  });
  if (answer !== 'leave') return new Set();
  draft.notes.push(`How long cases took stays unknown: ${names} has days without a time.`);
  return new Set(isEndAmong ? [...others, draft.taken.get('closed')] : others);
}

const MANY_VALUES = 30;

/** Roles of columns that may hold a status: *Type*, or *Closed* with yes and no. */
const STATUS_LIKE: readonly FileRole[] = ['type', 'solved', 'closed'];

/** Asks for the status where nothing says which cases are done. */
function askStatus(draft: ProposalDraft): void {
  const status = pickRole(draft, 'status', {
    matters: true,
    needed: true,
    among: ({ values, times, distinct, named }) =>
      values !== undefined &&
      !times &&
      distinct > 1 &&
      values.size <= MANY_VALUES &&
      !named.some(({ level, role }) => level > 1 && !STATUS_LIKE.includes(role)),
    text: 'Nothing says which cases are done. Which column does?',
  });
  if (status === undefined && draft.asker.open().length === 0)
    draft.notes.push('Nothing says which cases are done: all count as open.');
}

/** Whether the times of one column lie after those of another in most rows that have both. */
function isLater(draft: ProposalDraft, a: FileColumn, b: FileColumn): boolean {
  const { of, part } = share(
    draft,
    (row) => a.cell(row) !== '' && b.cell(row) !== '',
    (row) => timeAt(draft, a, row) > timeAt(draft, b, row),
  );
  return draft.isOrderSure && of > 0 && part > 0.5;
}

interface StatusFound {
  readonly value: WrittenTable | undefined;
  readonly meanings: ReadonlyMap<string, Meaning> | undefined;
}

function statusValue(
  draft: ProposalDraft,
  column: FileColumn,
  ends: readonly FileColumn[],
  all: ColumnMeanings[],
): StatusFound {
  const { found, meanings } = meaningsOfColumn(draft, 'status', column, { ends });
  all.push(found);
  return { meanings, value: meanings && { column: column.name, table: Object.fromEntries(meanings) } };
}

interface EndedContext {
  readonly status: FileColumn | undefined;
  readonly ends: readonly FileColumn[];
  readonly created: FileColumn;
  readonly updated: FileColumn | undefined;
}

const FEW_UNKNOWN = 0.05; // part of the cases that are done: so few without a time are no reason to ask

/** Asks when cases ended that are done without a time of it. */
function endedWhen(
  draft: ProposalDraft,
  meanings: ReadonlyMap<string, Meaning>,
  { status, ends, created, updated }: EndedContext,
): TimePart | 'unknown' {
  const isDone = (row: number): boolean => {
    const meaning = meanings.get(status?.cell(row) ?? '');
    return meaning === 'resolved' || meaning === 'closed';
  };
  const { of, part: lacking } = share(draft, isDone, (row) => ends.every((end) => end.cell(row) === ''));
  if (of === 0 || lacking === 0) return 'unknown'; // of cells that cannot be read, and of later files
  const unknown = Math.round(of * lacking);
  const sentence = `${unknown} of ${of} cases are done, and nothing says when.`;
  if (ends.length > 0 && lacking <= FEW_UNKNOWN) {
    draft.notes.push(`${sentence} They count in no resolution.`);
    return 'unknown';
  }
  const used = new Set(draft.taken.values());
  const times = draft.columns.filter(
    (column) =>
      column.times &&
      column !== created &&
      (column === updated || (!used.has(column) && mayHave(draft, 'solved', column))) &&
      filledFor(draft, column, isDone),
  );
  for (const column of times) draft.offered.add(column);
  const durations = draft.columns.filter(
    (column) => !column.times && column.units.length > 0 && !used.has(column) && mentionsRole(column, 'solved_after'),
  );
  const later = durations.flatMap((column) => {
    const { proven } = weigh(draft, created, column);
    return (proven === undefined ? column.units : [proven]).map((unit) => ({
      answer: { column: created.name, plus: { column: column.name, unit } },
      text: `"${column.name}" in ${UNIT_NAMES[unit]} after the creation${column.isBusiness ? ' (business hours: not calendar time)' : ''}`,
    }));
  });
  const answer = draft.asker.ask({
    id: 'ended_when',
    about: 'ended_when',
    text: `${sentence} When did they end?`,
    choices: [
      { answer: 'unknown', text: 'Unknown: they count in no resolution' },
      ...times.map(({ name }) => ({ answer: name, text: `"${name}"` })),
      ...later,
    ],
    proposed: times.find((column) => areOfDone(draft, column, status))?.name ?? 'unknown',
  });
  if (answer === 'unknown') draft.notes.push(`${sentence} They count in no resolution.`);
  const column = times.find(({ name }) => name === answer);
  if (column !== undefined) return { time: column };
  const chosen = later.find((choice) => isDeepStrictEqual(choice.answer, answer));
  return chosen === undefined ? 'unknown' : { time: created, plus: chosen.answer.plus };
}

/** Whether a column of times is filled for the done cases, and for few of the others. */
function areOfDone(draft: ProposalDraft, column: FileColumn, status: FileColumn | undefined): boolean {
  if (status === undefined) return false;
  const { done, open } = filledByWord(draft, column, status);
  return done.of > 1 && done.part >= NEARLY_ALL && open.of > 1 && open.part <= 0.5;
}

const filledFor = (draft: ProposalDraft, column: FileColumn, counts: (row: number) => boolean): boolean =>
  share(draft, counts, (row) => column.cell(row) !== '').part > 0;

/** Requester and submitter, if both are there: a case that somebody else filed begins without a message. */
function requesters(draft: ProposalDraft): { readonly requester?: string; readonly submitter?: string } {
  const submitter = pickRole(draft, 'submitter', { matters: false });
  const requester = pickRole(draft, 'requester', { matters: false });
  if (submitter === undefined || requester === undefined) return {};
  const { part: same } = share(
    draft,
    (row) => submitter.cell(row) !== '',
    (row) => submitter.cell(row) === requester.cell(row),
  );
  if (same > 0) return { requester: requester.name, submitter: submitter.name };
  draft.notes.push(
    `"${submitter.name}" and "${requester.name}" never name the same person, so every case counts as filed by its customer.`,
  );
  return {};
}

/** A call or message that the file calls outbound is filed by the desk: no customer has written. */
function callers(draft: ProposalDraft): { readonly requester?: WrittenValue; readonly submitter?: WrittenValue } {
  const column = draft.columns.find((one) => one.values && namesRole(one, 'direction'));
  const sides = [...(column?.values?.keys() ?? [])].map((value) => [value, wordMeaning('direction', value)] as const);
  if (column === undefined || !sides.every(([, said]) => said?.exact)) return {};
  const outbound = sides.filter(([, said]) => said?.is !== 'inbound').map(([value]) => [value, 'desk'] as const);
  if (outbound.length === 0) return {};
  const rows = outbound.reduce((sum, [value]) => sum + (column.values?.get(value) ?? 0), 0);
  draft.notes.push(`${rows} cases of "${column.name}" begin without a message of the customer.`);
  const submitter = { column: column.name, table: Object.fromEntries(outbound), default: 'customer' };
  return { submitter, requester: { value: 'customer' } };
}

/** Assignee, group and the attributes of a case. */
export function attributesPart(draft: ProposalDraft, meanings: ColumnMeanings[], withAssignee = true) {
  const agent = withAssignee ? pickRole(draft, 'assignee', { matters: true, among: isMember }) : undefined;
  const group = withAssignee ? pickRole(draft, 'group', { matters: true, among: isMember }) : undefined;
  const priority = pickRole(draft, 'priority', { matters: true });
  const scored = priority && priorityValue(draft, priority);
  if (scored?.found) meanings.push(scored.found);
  const channel = pickRole(draft, 'channel', { matters: false });
  const company = pickRole(draft, 'company', { matters: false });
  const labels = pickRole(draft, 'labels', { matters: false });
  return {
    ...(agent && { agent: agent.name }),
    ...(group && { group: group.name }),
    ...(scored?.value && { priority: scored.value }),
    ...(channel && { channel: { column: channel.name, usual: true } }),
    ...(company && { company: company.name }),
    ...(labels && { labels: labelsValue(labels, draft.rows) }),
  };
}

/** The column of ratings: one that is called so, or speaks of it and holds grades. */
export const pickRating = (draft: ProposalDraft): FileColumn | undefined =>
  pickRole(draft, 'csat', {
    matters: true,
    among: (column) => namesRole(column, 'csat') || (mentionsRole(column, 'csat') && haveGrades(column)),
  });

const haveGrades = ({ values }: FileColumn): boolean =>
  values !== undefined &&
  [...values.keys()].every((value) => /^(?:\d|10)(?:[.,]0)?$/.test(value) || wordMeaning('csat', value) !== undefined);

/** A column that only contains the word of a member is one only if its texts repeat. */
const isMember = ({ named, values, distinct, filled }: FileColumn): boolean =>
  named.some(({ level }) => level > 1) || (values !== undefined && distinct > 1 && distinct < 0.5 * filled);
