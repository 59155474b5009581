import type { FileColumn } from './columns.ts';
import { meaningsOfColumn } from './meanings.ts';
import { mayHave, pickRole } from './pick-role.ts';
import type { ColumnMeanings, ColumnUnit, FileRole, Meaning } from './proposal.ts';
import { type Scene, share, type TimePart, timeAt, timeOfDayColumn } from './scene.ts';
import { UNIT_NAMES, unitOf, weigh } from './units.ts';
import { labelsValue, type ProposedPart, priorityValue, ratingValue, type SiteRating } from './values.ts';
import { mentionsRole } from './words.ts';
import { withoutCreations, withoutZeros } from './zeros.ts';

/** The part of a mapping that depends on its kind. */
export interface KindMapping {
  readonly fields: ProposedPart; // a time is the column itself, to be written with its format
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
  scene: Scene,
  created: FileColumn,
  units: ColumnUnit[],
  [role, column]: readonly [role: FileRole, column: FileColumn | undefined],
): LaterPart {
  if (column === undefined) return { time: undefined, lasting: undefined };
  const { found, unit } = unitOf(scene, created, column);
  units.push(found);
  if (unit === null) return { time: undefined, lasting: undefined };
  const lasting = withoutZeros(scene, role, column);
  const none = lasting && lasting.none.length > 0 ? { null: lasting.none } : {};
  const time = unit && lasting ? { time: created, plus: { column: column.name, unit, ...none } } : undefined;
  return { time, lasting: lasting?.column ?? column };
}

/** Understands a file with one row for each ticket. */
export function ticketsMapping(scene: Scene, rating: SiteRating): KindMapping | undefined {
  const { taken } = scene;
  const created = pickRole(scene, 'created', { matters: true, needed: true });
  if (created === undefined) return undefined;
  const meanings: ColumnMeanings[] = [];
  const statusColumn = pickRole(scene, 'status', { matters: true });
  const { solved: solvedAll, closed: closedAll } = pickEnds(scene);
  const timed = (role: FileRole, column: FileColumn | undefined): TimePart | undefined =>
    column && (withoutCreations(scene, role, column, created) ?? { time: column });
  const solvedAt = timed('solved', solvedAll);
  const closedAt = solvedAll ? closedAll && { time: closedAll } : timed('closed', closedAll);
  const [solved, closed] = [solvedAt?.time, closedAt?.time];
  const updated = pickRole(scene, 'updated', { matters: false });
  const { replied, repliedAfter } = pickReply(scene);
  const repliedAt = timed('replied', replied);
  const solvedAfter = solved || closed ? undefined : pickRole(scene, 'solved_after', { matters: true });
  const units: ColumnUnit[] = [];
  const [repliedLater, solvedLater] = [
    laterPart(scene, created, units, ['replied_after', repliedAfter]),
    laterPart(scene, created, units, ['solved_after', solvedAfter]),
  ];
  const daysOnly = daysOf(scene, created, repliedAt?.time, solved ?? closed);
  const ends = [solved, closed, solvedLater.lasting].filter((column) => column !== undefined);
  if (statusColumn === undefined && ends.length === 0) askStatus(scene);
  const statusOf = taken.get('status');
  const told = scene.asker.told('ended_when');
  const answered = scene.columns.filter((column) => column.times && column.name === told && column !== updated);
  const status = statusOf && statusValue(scene, statusOf, [...ends, ...answered], meanings);
  const isEndLeft = [solved, closed].some((column) => column !== undefined && daysOnly.has(column));
  const asksEnd = status?.meanings && !isEndLeft;
  const ended = asksEnd ? endedWhen(scene, status.meanings, { status: statusOf, ends, created, updated }) : {};
  const people = requesters(scene);
  const others = attributesPart(scene, meanings);
  const csat = pickRole(scene, 'csat', { matters: false });
  const rated = csat && ratingValue(scene, csat, rating);
  if (rated?.found) meanings.push(rated.found);
  const used = (at: TimePart) => (daysOnly.has(at.time) ? undefined : at);
  const fields = {
    kind: 'tickets',
    created: { time: created },
    ...part('replied', repliedAt ? used(repliedAt) : repliedLater.time),
    ...part('solved', solvedAt ? used(solvedAt) : solvedLater.time),
    ...part('closed', closedAt && used(closedAt)),
    ...part('updated', updated && { time: updated }),
    ...part('as_of', updated && { time: updated }),
    ...part('status', status?.value),
    ...(isEndLeft ? { ended_when: 'unknown' } : ended),
    ...people,
    ...others,
    ...part('csat', rated?.value && 'column' in rated.value ? rated.value : undefined),
  };
  return {
    fields,
    times: [created, replied, solved, closed, updated].filter((column) => column !== undefined),
    ...{ meanings, units },
  };
}

export const part = (name: string, value: unknown): ProposedPart => (value === undefined ? {} : { [name]: value });

type Picked<T extends string> = Readonly<Record<T, FileColumn | undefined>>;

/** The times of the solve and of the close, in this order. */
function pickEnds(scene: Scene): Picked<'solved' | 'closed'> {
  const isNamedEnd = (column: FileColumn): boolean => mentionsRole(column, 'solved', 'closed');
  let solved = pickRole(scene, 'solved', { matters: true, among: isNamedEnd });
  const closed = pickRole(scene, 'closed', { matters: true, among: isNamedEnd });
  const isOther = ({ named }: FileColumn): boolean =>
    named.some(({ role, level }) => level > 1 && role !== 'solved' && role !== 'closed');
  if (solved === undefined && closed === undefined) {
    solved = pickRole(scene, 'solved', {
      matters: true,
      among: (column) => column.times !== undefined && !isOther(column),
    });
  }
  return solved && closed && isLater(scene, solved, closed) ? { solved: closed, closed: solved } : { solved, closed };
}

/** The time of the first reply, or the time to it. */
function pickReply(scene: Scene): Picked<'replied' | 'repliedAfter'> {
  const namedReply = pickRole(scene, 'replied', { matters: true, among: (column) => mentionsRole(column, 'replied') });
  const repliedAfter = namedReply ? undefined : pickRole(scene, 'replied_after', { matters: true });
  const replied = namedReply ?? (repliedAfter ? undefined : pickRole(scene, 'replied', { matters: true }));
  return { replied, repliedAfter };
}

/**
 * The columns of days alone that are left out, as how long cases took is what counts: it is asked, where the creation has
 * a time of day and they have none, or the other way round.
 */
function daysOf(
  scene: Scene,
  created: FileColumn,
  replied: FileColumn | undefined,
  end: FileColumn | undefined,
): ReadonlySet<FileColumn | undefined> {
  const hasDays = (column: FileColumn): boolean =>
    column.times?.isOfDays === true && timeOfDayColumn(scene, column) === undefined;
  const isOfDays = hasDays(created);
  const others = [replied, end].filter((column) => column !== undefined).filter((one) => hasDays(one) !== isOfDays);
  if (others.length === 0) return new Set();
  const quoted = (columns: typeof others): string => columns.map(({ name }) => `"${name}"`).join(' and ');
  const names = quoted(isOfDays ? [created] : others);
  const isEndAmong = end !== undefined && others.includes(end);
  const canLeave = scene.taken.has('status') || !isEndAmong;
  const answer = scene.asker.ask({
    ...{ id: 'days', about: 'days' },
    text: `${names} has days without a time: how long cases took would be up to a day off. Use ${isOfDays ? quoted(others) : 'it'}?`,
    choices: [
      ...(canLeave ? [{ answer: 'leave', text: 'No: how long it took stays unknown' }] : []),
      { answer: 'use', text: 'Yes: up to a day off' },
    ],
    proposed: canLeave ? 'leave' : 'use',
  });
  if (answer !== 'leave') return new Set();
  scene.notes.push(`How long cases took stays unknown: ${names} has days without a time.`);
  return new Set(isEndAmong ? [...others, scene.taken.get('closed')] : others);
}

const MANY_VALUES = 30;

/** Roles of columns that may hold a status: *Type*, or *Closed* with yes and no. */
const STATUS_LIKE: readonly FileRole[] = ['type', 'solved', 'closed'];

/** Asks for the status where nothing says which cases are done. */
function askStatus(scene: Scene): void {
  const status = pickRole(scene, 'status', {
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
  if (status === undefined && scene.asker.open().length === 0)
    scene.notes.push('Nothing says which cases are done: all count as open.');
}

/** Whether the times of one column lie after those of another in most rows that have both. */
function isLater(scene: Scene, a: FileColumn, b: FileColumn): boolean {
  const { of, part } = share(
    scene,
    (row) => a.cell(row) !== '' && b.cell(row) !== '',
    (row) => timeAt(scene, a, row) > timeAt(scene, b, row),
  );
  return scene.isOrderSure && of > 0 && part > 0.5;
}

interface StatusFound {
  readonly value: ProposedPart | undefined;
  readonly meanings: ReadonlyMap<string, Meaning> | undefined;
}

function statusValue(
  scene: Scene,
  column: FileColumn,
  ends: readonly FileColumn[],
  all: ColumnMeanings[],
): StatusFound {
  const { found, meanings } = meaningsOfColumn(scene, 'status', column, { ends });
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
  scene: Scene,
  meanings: ReadonlyMap<string, Meaning>,
  { status, ends, created, updated }: EndedContext,
): ProposedPart {
  const isDone = (row: number): boolean => {
    const meaning = meanings.get(status?.cell(row) ?? '');
    return meaning === 'resolved' || meaning === 'closed';
  };
  const { of, part: lacking } = share(scene, isDone, (row) => ends.every((end) => end.cell(row) === ''));
  if (of === 0 || lacking === 0) return { ended_when: 'unknown' }; // of cells that cannot be read, and of later files
  const unknown = Math.round(of * lacking);
  const sentence = `${unknown} of ${of} cases are done, and nothing says when.`;
  if (ends.length > 0 && lacking <= FEW_UNKNOWN) {
    scene.notes.push(`${sentence} They count in no resolution.`);
    return { ended_when: 'unknown' };
  }
  const used = new Set(scene.taken.values());
  const times = scene.columns.filter(
    (column) =>
      column.times &&
      column !== created &&
      (column === updated || (!used.has(column) && mayHave(scene, 'solved', column))) &&
      filledFor(scene, column, isDone),
  );
  const durations = scene.columns.filter(
    (column) => !column.times && column.units.length > 0 && !used.has(column) && mentionsRole(column, 'solved_after'),
  );
  const later = durations.flatMap((column) => {
    const { proven } = weigh(scene, created, column);
    return (proven === undefined ? column.units : [proven]).map((unit) => ({
      answer: { column: created.name, plus: { column: column.name, unit } },
      text: `"${column.name}" in ${UNIT_NAMES[unit]} after the creation${column.isBusiness ? ' (business hours: not calendar time)' : ''}`,
    }));
  });
  const answer = scene.asker.ask({
    ...{ id: 'ended_when', about: 'ended_when' },
    text: `${sentence} When did they end?`,
    choices: [
      { answer: 'unknown', text: 'Unknown: they count in no resolution' },
      ...times.map(({ name }) => ({ answer: name, text: `"${name}"` })),
      ...later,
    ],
    proposed: 'unknown',
  });
  if (answer === 'unknown') scene.notes.push(`${sentence} They count in no resolution.`);
  const column = times.find(({ name }) => name === answer);
  if (column !== undefined) return { ended_when: { time: column } };
  const chosen = later.find((one) => JSON.stringify(one.answer) === JSON.stringify(answer));
  if (chosen !== undefined) return { ended_when: { time: created, plus: chosen.answer.plus } };
  return { ended_when: 'unknown' };
}

const filledFor = (scene: Scene, column: FileColumn, counts: (row: number) => boolean): boolean =>
  share(scene, counts, (row) => column.cell(row) !== '').part > 0;

/** Requester and submitter, if both are there: a case that somebody else filed begins without a message. */
function requesters(scene: Scene): ProposedPart {
  const submitter = pickRole(scene, 'submitter', { matters: false });
  const requester = pickRole(scene, 'requester', { matters: false });
  if (submitter === undefined || requester === undefined) return {};
  const { part: same } = share(
    scene,
    (row) => submitter.cell(row) !== '',
    (row) => submitter.cell(row) === requester.cell(row),
  );
  if (same > 0) return { requester: requester.name, submitter: submitter.name };
  scene.notes.push(
    `"${submitter.name}" and "${requester.name}" never name the same person, so every case counts as filed by its customer.`,
  );
  return {};
}

/** Assignee, group and the attributes of a case. */
export function attributesPart(scene: Scene, meanings: ColumnMeanings[], withAssignee = true): ProposedPart {
  const agent = withAssignee ? pickRole(scene, 'assignee', { matters: true, among: isMember }) : undefined;
  const group = withAssignee ? pickRole(scene, 'group', { matters: true, among: isMember }) : undefined;
  const priority = pickRole(scene, 'priority', { matters: true });
  const scored = priority && priorityValue(scene, priority);
  if (scored?.found) meanings.push(scored.found);
  const channel = pickRole(scene, 'channel', { matters: false });
  const company = pickRole(scene, 'company', { matters: false });
  const labels = pickRole(scene, 'labels', { matters: false });
  return {
    ...part('agent', agent?.name),
    ...part('group', group?.name),
    ...part('priority', scored?.value),
    ...part('channel', channel && { column: channel.name, usual: true }),
    ...part('company', company?.name),
    ...part('labels', labels && labelsValue(labels, scene.rows)),
  };
}

/** A column that only contains the word of a member is one only if its texts repeat. */
const isMember = ({ named, values, distinct, filled }: FileColumn): boolean =>
  named.some(({ level }) => level > 1) || (values !== undefined && distinct > 1 && distinct < 0.5 * filled);
