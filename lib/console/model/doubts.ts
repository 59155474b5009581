import type { CaseStory } from './file-import.ts';
import {
  type Answers,
  type ColumnMeanings,
  type ColumnUnit,
  choiceOf,
  meaningAfter,
  roleAfter,
  type ShownProposal,
  withRole,
} from './questions.ts';
import { importText } from './text/import-text.ts';

type StoryEvent = CaseStory['events'][number];

/** What a person says is wrong: what a column was taken as, what a row was, or an event of a case. */
export type Doubt = { readonly column: string } | { readonly row: number } | { readonly event: StoryEvent };

/** Opens the questions behind something that is wrong. */
export type SayWrong = (doubt: Doubt) => void;

/** The roles that decide the events of each type. */
const ROLES: Readonly<Record<string, readonly string[]>> = {
  'case.created': ['created', 'priority', 'channel', 'company', 'labels'],
  'case.status': ['status', 'solved', 'solved_after', 'closed', 'updated'],
  'case.assigned': ['assignee', 'group'],
  'case.priority': ['priority'],
  'case.company': ['company'],
  'case.labels': ['labels'],
  interaction: ['direction', 'replied', 'replied_after', 'requester', 'submitter', 'note', 'actor'],
  note: ['note', 'direction', 'actor'],
  'csat.rated': ['csat'],
};
/** The roles that decide the events of a log, whatever their type. */
const OF_LOGS = ['activity', 'at'];

/** The roles behind an event that the proposal knows. */
export function rolesBehind({ roles }: Pick<ShownProposal, 'roles'>, { type }: Pick<StoryEvent, 'type'>): string[] {
  const deciding = [...OF_LOGS, ...(ROLES[type] ?? [])];
  return deciding.filter((role) => roles.some((one) => one.role === role));
}

/** The column that has a role after the given answers; null for none. */
export function columnWith(proposal: ShownProposal, answers: Answers, role: string): string | null {
  return proposal.columns.find((column) => roleAfter(proposal, answers, column) === role) ?? null;
}

/** The answers that say which column has a role; the column loses the role that it had. */
export function withColumn(proposal: ShownProposal, answers: Answers, role: string, column: string | null): Answers {
  if (column === null) return { ...answers, [`role:${role}`]: null };
  return withRole(proposal, answers, column, role);
}

/** The meanings and the unit of a column. */
export const behindColumn = (
  { meanings, units }: ShownProposal,
  column: string,
): { readonly meanings: ColumnMeanings | undefined; readonly unit: ColumnUnit | undefined } => ({
  meanings: meanings.find((one) => one.column === column),
  unit: units.find((one) => one.column === column),
});

/** The answers that give a column with durations a unit. */
export const withUnit = (answers: Answers, { column }: ColumnUnit, unit: unknown): Answers => ({
  ...answers,
  [`unit:${column}`]: unit,
});

/** The unit that a column has after the given answers. */
export const unitAfter = ({ column, unit }: ColumnUnit, answers: Answers): unknown =>
  Object.hasOwn(answers, `unit:${column}`) ? answers[`unit:${column}`] : unit;

/** A value of a row, with what it was taken as. */
export interface TakenCell {
  readonly column: string;
  readonly value: string;
  readonly role: string | undefined; // for people
  readonly meaning: string | undefined; // for people
}

/** The values of a row as they are taken, those that are used first. */
export function takenRow(
  proposal: ShownProposal,
  header: readonly string[],
  row: readonly string[],
): readonly TakenCell[] {
  const cells = header.map((column, index) => takenCell(proposal, column, row[index] ?? ''));
  return [...cells.filter(({ role }) => role !== undefined), ...cells.filter(({ role }) => role === undefined)];
}

function takenCell(proposal: ShownProposal, column: string, value: string): TakenCell {
  const isField = proposal.fields.some((one) => one.column === column);
  const role = proposal.roles.find((one) => one.column === column)?.label ?? (isField ? importText.field : undefined);
  const { meanings, unit } = behindColumn(proposal, column);
  const chosen =
    meanings && value !== ''
      ? meanings.choices[choiceOf(meanings.choices, meaningAfter(meanings, {}, value))]?.text
      : undefined;
  return { column, value, role, meaning: chosen ?? (unit?.unit && value !== '' ? unit.unit : undefined) };
}
