import type { FileColumn } from './columns.ts';
import { meaningsOfColumn } from './meanings.ts';
import { mayHave, pickRole } from './pick-role.ts';
import type { ColumnMeanings, ColumnUnit, FileRole, LaterTime, Meaning } from './proposal.ts';
import { type Scene, share, timeAt } from './scene.ts';
import { UNIT_NAMES, unitOf, weigh } from './units.ts';
import { labelsValue, type ProposedPart, priorityValue, ratingValue, type SiteRating } from './values.ts';

/** The part of a mapping that depends on its kind. */
export interface KindMapping {
  readonly fields: ProposedPart; // a time is the column itself, to be written with its format
  readonly times: readonly FileColumn[];
  readonly meanings: readonly ColumnMeanings[];
  readonly units?: readonly ColumnUnit[];
}

/** A time in the fields of a mapping, whose format and zone are not yet written. */
export interface TimePart {
  readonly time: FileColumn;
  readonly plus?: LaterTime['plus'];
}

export const timePart = (column: FileColumn, plus?: LaterTime['plus']): TimePart => ({
  time: column,
  ...(plus ? { plus } : {}),
});

/** A time that is counted from the creation. */
interface LaterPart {
  readonly time: TimePart | undefined; // undefined: there is none, or its unit is open
  readonly counts: boolean; // the column holds durations
}

/** Understands a file with one row for each ticket. */
export function ticketsMapping(scene: Scene, rating: SiteRating): KindMapping | undefined {
  const { taken } = scene;
  const created = pickRole(scene, 'created', { matters: true, needed: true });
  if (created === undefined) return undefined;
  const meanings: ColumnMeanings[] = [];
  const statusColumn = pickStatus(scene);
  const isNamedEnd = ({ named }: FileColumn): boolean =>
    named.some(({ role }) => role === 'solved' || role === 'closed');
  let solved = pickRole(scene, 'solved', { matters: true, among: isNamedEnd });
  let closed = pickRole(scene, 'closed', { matters: true, among: isNamedEnd });
  const isOther = ({ named }: FileColumn): boolean =>
    named.some(({ role, level }) => level > 1 && role !== 'solved' && role !== 'closed');
  if (solved === undefined && closed === undefined) {
    solved = pickRole(scene, 'solved', {
      matters: true,
      among: (column) => column.times !== undefined && !isOther(column),
    });
  }
  if (solved && closed && isLater(scene, solved, closed)) [solved, closed] = [closed, solved];
  const updated = pickRole(scene, 'updated', { matters: false });
  const isNamedReply = ({ named }: FileColumn): boolean => named.some(({ role }) => role === 'replied');
  const namedReply = pickRole(scene, 'replied', { matters: true, among: isNamedReply });
  const repliedAfter = namedReply ? undefined : pickRole(scene, 'replied_after', { matters: true });
  const replied = namedReply ?? (repliedAfter ? undefined : pickRole(scene, 'replied', { matters: true }));
  const solvedAfter = solved || closed ? undefined : pickRole(scene, 'solved_after', { matters: true });
  const units: ColumnUnit[] = [];
  const after = (column: FileColumn | undefined): LaterPart => {
    if (column === undefined) return { time: undefined, counts: false };
    const { found, unit } = unitOf(scene, created, column);
    units.push(found);
    noteZeros(scene, column);
    return { time: unit ? timePart(created, { column: column.name, unit }) : undefined, counts: unit !== null };
  };
  const [repliedLater, solvedLater] = [after(repliedAfter), after(solvedAfter)];
  const lasting = statusColumn === undefined ? withoutZeros(scene, solvedAfter) : solvedAfter;
  const ends = [solved, closed, solvedLater.counts ? lasting : undefined].filter((column) => column !== undefined);
  if (statusColumn === undefined && ends.length === 0) askStatus(scene);
  const statusOf = taken.get('status');
  const told = scene.asker.told('ended_when');
  const answered = scene.columns.filter((column) => column.times && column.name === told && column !== updated);
  const status = statusOf && statusValue(scene, statusOf, [...ends, ...answered], meanings);
  const ended = status?.meanings ? endedWhen(scene, status.meanings, { status: statusOf, ends, created, updated }) : {};
  const people = requesters(scene);
  const others = attributesPart(scene, meanings);
  const csat = pickRole(scene, 'csat', { matters: false });
  const rated = csat && ratingValue(scene, csat, rating);
  if (rated?.found) meanings.push(rated.found);
  const fields = {
    kind: 'tickets',
    created: timePart(created),
    ...part('replied', replied ? timePart(replied) : repliedLater.time),
    ...part('solved', solved ? timePart(solved) : solvedLater.time),
    ...part('closed', closed && timePart(closed)),
    ...part('updated', updated && timePart(updated)),
    ...part('as_of', updated && timePart(updated)),
    ...part('status', status?.value),
    ...ended,
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

const isZeroIn =
  (column: FileColumn) =>
  (row: number): boolean =>
    /^0+(?:[.,:]0+)*$/.test(column.cell(row));

/** Says how many durations are 0: of a reply at once, or of none. */
function noteZeros(scene: Scene, column: FileColumn): void {
  const zeros = share(scene, isZeroIn(column), () => true).of;
  if (zeros > 0) scene.notes.push(`${zeros} rows have 0 in "${column.name}".`);
}

/** The column of durations to the end without zeros: where no status says what is done, they are of cases that are not. */
function withoutZeros(scene: Scene, column: FileColumn | undefined): FileColumn | undefined {
  if (column === undefined) return undefined;
  const isZero = isZeroIn(column);
  const zeros = new Set(Array.from({ length: scene.rows }, (_, row) => (isZero(row) ? column.cell(row) : '')));
  zeros.delete('');
  if (zeros.size === 0) return column;
  scene.notes.push(`Cases with 0 in "${column.name}" count as not done.`);
  const cell = (row: number): string => (isZero(row) ? '' : column.cell(row));
  const values = column.values && new Map([...column.values].filter(([text]) => !zeros.has(text)));
  const cleaned = { ...column, cell, values, nothing: [...column.nothing, ...zeros] };
  scene.taken.set('solved_after', cleaned);
  return cleaned;
}

export const part = (name: string, value: unknown): ProposedPart => (value === undefined ? {} : { [name]: value });

const MANY_VALUES = 30;

/** The column of statuses by its name or words. */
function pickStatus(scene: Scene): FileColumn | undefined {
  return pickRole(scene, 'status', { matters: true });
}

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
    (column) =>
      !column.times &&
      column.units.length > 0 &&
      !used.has(column) &&
      column.named.some(({ role }) => role === 'solved_after'),
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
  if (column !== undefined) return { ended_when: timePart(column) };
  const chosen = later.find((one) => JSON.stringify(one.answer) === JSON.stringify(answer));
  if (chosen !== undefined) return { ended_when: timePart(created, chosen.answer.plus) };
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
