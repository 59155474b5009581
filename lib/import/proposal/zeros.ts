import { durationSeconds } from '../language/durations.ts';
import { namesRole } from '../language/words.ts';
import type { DateOrder } from '../language/written-time.ts';
import type { FileColumn } from './columns.ts';
import type { Choice, FileRole } from './proposal.ts';
import {
  MANY,
  NEARLY_ALL,
  NEARLY_NONE,
  type ProposalDraft,
  share,
  type TimePart,
  textsIn,
  timeAt,
} from './proposal-draft.ts';

/** A column of durations as it counts: without the zeros, if they stand for none. */
interface Lasting {
  readonly column: FileColumn;
  readonly none: string[]; // texts of the column that stand for no duration
}

const MINUTE = 60_000_000; // microseconds

const CHOICES = (isReply: boolean): readonly Choice[] => [
  { answer: 'none', text: isReply ? 'No reply' : 'No end, or nobody knows when' },
  { answer: 'at_once', text: isReply ? 'A reply at once' : 'An end at once' },
];

const isZeroIn =
  (column: FileColumn) =>
  (row: number): boolean =>
    column.units.some((unit) => durationSeconds(column.cell(row), unit) === 0);

/**
 * Says whether durations of 0 stand for none, as programs write them for a case without a reply or an end. The data
 * proves it, or it is asked; undefined while it is open.
 */
export function withoutZeros(draft: ProposalDraft, role: FileRole, column: FileColumn): Lasting | undefined {
  const isZero = isZeroIn(column);
  const { of: zeros } = share(draft, isZero, () => true);
  if (zeros === 0) return { column, none: [] };
  if (isNone(draft, role, isZero, zeros)) {
    draft.notes.push(
      `Cases with 0 in "${column.name}" count as ${role === 'replied_after' ? 'not replied to' : 'not done'}.`,
    );
    return cleaned(draft, role, column);
  }
  if (column.filled < draft.rows && zeros <= NEARLY_NONE * column.filled) {
    draft.notes.push(`${zeros} rows have 0 in "${column.name}".`);
    return { column, none: [] };
  }
  const answer = draft.asker.ask({
    id: `zero:${column.name}`,
    about: 'zero',
    column: column.name,
    text: `${zeros} of ${draft.rows} rows have 0 in "${column.name}". What does 0 mean?`,
    choices: CHOICES(role === 'replied_after'),
    proposed: 'none',
  });
  if (answer === undefined) return undefined;
  return answer === 'none' ? cleaned(draft, role, column) : { column, none: [] };
}

const SOME = 0.1; // part of the rows that is no chance

/**
 * Asks whether a time that many rows have at the moment of their creation stands for none, where all rows have one.
 * Returns the column as it counts; undefined while it is open.
 */
export function withoutCreations(
  draft: ProposalDraft,
  role: FileRole,
  column: FileColumn,
  created: FileColumn,
): TimePart | undefined {
  const isSame = (row: number): boolean => column.cell(row) !== '' && column.cell(row) === created.cell(row);
  const { of: same } = share(draft, isSame, () => true);
  if (same < MANY || same < SOME * draft.rows || column.filled < draft.rows) return { time: column };
  const answer = draft.asker.ask({
    id: `zero:${column.name}`,
    about: 'zero',
    column: column.name,
    text: `${same} of ${draft.rows} rows have the same time in "${column.name}" and "${created.name}". What does that mean?`,
    choices: CHOICES(role === 'replied'),
    proposed: 'none',
  });
  if (answer !== 'none') return answer === undefined ? undefined : { time: column };
  const cell = (row: number): string => (isSame(row) ? '' : column.cell(row));
  const times = column.times && {
    ...column.times,
    at: (row: number, order: DateOrder) => (isSame(row) ? Number.NaN : (column.times?.at(row, order) ?? Number.NaN)),
  };
  const without = { ...column, cell, times };
  draft.taken.set(role, without);
  return { time: without, unless: created.name };
}

/** Whether the data proves that zeros stand for none: such cases were not touched, or have no agent, or are of other statuses. */
function isNone(draft: ProposalDraft, role: FileRole, isZero: (row: number) => boolean, zeros: number): boolean {
  const { taken, columns } = draft;
  const status = taken.get('status');
  if (role === 'solved_after' && status === undefined) return true; // nothing else says what is done
  const tells = (isUntouched: (row: number) => boolean): boolean => {
    const [zero, other] = [share(draft, isZero, isUntouched), share(draft, (row) => !isZero(row), isUntouched)];
    return zeros >= MANY && zero.part >= NEARLY_ALL && other.part <= NEARLY_NONE;
  };
  if (role === 'solved_after') return status !== undefined && tells(isOfValues(draft, status, isZero));
  const [created, updated] = [taken.get('created'), taken.get('updated')];
  const agents = columns.find((column) => namesRole(column, 'assignee'));
  return (
    (created !== undefined &&
      updated !== undefined &&
      tells((row) => timeAt(draft, updated, row) - timeAt(draft, created, row) <= MINUTE)) ||
    (agents !== undefined && tells((row) => agents.cell(row) === ''))
  );
}

/** The rows of values of a column all of whose rows meet a condition. */
function isOfValues(
  draft: ProposalDraft,
  column: FileColumn,
  holds: (row: number) => boolean,
): (row: number) => boolean {
  const others = new Set<string>();
  for (let row = 0; row < draft.rows; row += 1) if (!holds(row)) others.add(column.cell(row));
  return (row) => !others.has(column.cell(row));
}

function cleaned(draft: ProposalDraft, role: FileRole, column: FileColumn): Lasting {
  const isZero = isZeroIn(column);
  const none = new Set(textsIn(draft, { ...column, cell: (row) => (isZero(row) ? column.cell(row) : '') }));
  const cell = (row: number): string => (isZero(row) ? '' : column.cell(row));
  const values = column.values && new Map([...column.values].filter(([text]) => !none.has(text)));
  const without = { ...column, cell, values };
  draft.taken.set(role, without);
  return { column: without, none: [...none] };
}
