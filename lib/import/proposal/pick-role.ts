import { isOwnWord } from '../language/words.ts';
import type { FileColumn } from './columns.ts';
import { ROLE_EVIDENCE } from './evidence/role-evidence.ts';
import { type Certainty, FILE_ROLES, type FileRole } from './proposal.ts';
import { areAlike, type ProposalDraft } from './proposal-draft.ts';

/** A column that may have a role. */
interface Candidate {
  readonly column: FileColumn;
  readonly rank: number; // 3: the role's word; 2: with a noun of a case, or by the data; 1: contains the word
  readonly why: string;
}

/** How a role is picked. */
export interface Picking {
  readonly matters: boolean; // numbers hang on it: a doubt becomes a question
  readonly needed?: boolean; // without a column it is asked which one it is
  readonly among?: (column: FileColumn) => boolean; // columns to choose from
  readonly text?: string; // of the question
  readonly guess?: (choices: readonly FileColumn[]) => FileColumn | undefined; // what is proposed where no name says it
}

/** Finds the column of a role; undefined if there is none, or if it is asked. */
export function pickRole(draft: ProposalDraft, role: FileRole, picking: Picking): FileColumn | undefined {
  const { columns, taken, asker } = draft;
  const told = asker.told(`role:${role}`);
  let barred = '';
  if (told === null) return takeRole(draft, role, undefined, { why: 'as answered' });
  const named = typeof told === 'string' ? columns.find(({ name }) => name === told) : undefined;
  if (named !== undefined) {
    const [bar] = forbidding(draft, role, named, true);
    const [against] = bar === undefined ? forbidding(draft, role, named) : [bar];
    if (bar === undefined) return takeRole(draft, role, named, { why: 'as answered', against: against?.why });
    barred = `"${named.name}" cannot be ${FILE_ROLES[role].text}: it ${bar.why}.`;
  }
  const used = new Set(taken.values());
  const free = columns.filter(
    (column) => !used.has(column) && !isToldField(draft, column) && (picking.among?.(column) ?? true),
  );
  const candidates = free.flatMap((column) => candidateFor(draft, role, column));
  const most = Math.max(0, ...candidates.map(({ rank }) => rank));
  const fitting = candidates.filter(({ rank }) => rank === most);
  const own = ATTRIBUTES.includes(role) ? fitting.filter(({ column }) => isOwnWord(column.name, role)) : [];
  const best = own.length > 0 ? own : fitting;
  const [first] = best;
  const isClear = first !== undefined && most > 1 && best.every(({ column }) => areAlike(draft, column, first.column));
  if (isClear && barred === '') return takeRole(draft, role, first.column, first);
  if (first === undefined && !picking.needed && barred === '') return undefined;
  if (!picking.matters && barred === '') {
    const isOnly = first !== undefined && best.length === 1 && most > 1;
    return isOnly ? takeRole(draft, role, first.column, { ...first, state: 'likely' }) : undefined;
  }
  const choices = most > 1 ? best.map(({ column }) => column) : free.filter((column) => mayHave(draft, role, column));
  if (choices.length === 0 && barred === '') return undefined;
  for (const column of choices) draft.offered.add(column);
  const answer = asker.ask({
    id: `role:${role}`,
    about: 'role',
    role,
    text: `${barred} ${picking.text ?? `Which column is ${FILE_ROLES[role].text}?`}`.trim(),
    choices: [...choices.map(({ name }) => ({ answer: name, text: name })), { answer: null, text: 'none of them' }],
    proposed: ((most > 1 ? first?.column : picking.guess?.(choices)) ?? first?.column)?.name ?? null,
    examples: draft.survey.rows.slice(0, 3),
  });
  if (answer === undefined) takeRole(draft, role, undefined, { why: 'two columns fit, or none', state: 'open' });
  return undefined;
}

/** Whether a person said that a column is a custom field: by its name, or with another one. */
export function isToldField({ asker }: ProposalDraft, { name }: FileColumn): boolean {
  const told = asker.told(`field:${name}`);
  return told === true || (typeof told === 'string' && told.trim() !== '');
}

/** Roles that a case has beside its history: the column with the role's own word wins, *Priority* over *Impact*. */
const ATTRIBUTES: readonly FileRole[] = ['priority', 'group', 'channel', 'company', 'labels'];

/** Gives a role to a column, or notes that no column has it. */
export function takeRole<C extends FileColumn | undefined>(
  { findings, taken }: ProposalDraft,
  role: FileRole,
  column: C,
  {
    why,
    state = 'proven',
    against,
  }: { readonly why: string; readonly state?: Certainty; readonly against?: string | undefined },
): C {
  const doubt = against === undefined ? {} : { against: `It ${against}.` };
  findings.push({ role, label: FILE_ROLES[role].label, column: column?.name ?? null, state, why, ...doubt });
  if (column !== undefined) taken.set(role, column);
  return column;
}

function candidateFor(draft: ProposalDraft, role: FileRole, column: FileColumn): Candidate[] {
  const level = column.named.find((one) => one.role === role)?.level ?? 0;
  let [isProven, isLikely, isDoubted] = [false, false, false];
  let why = 'by its name';
  for (const entry of ROLE_EVIDENCE) {
    if (!entry.roles.includes(role)) continue;
    const says = entry.look(column, draft, role);
    if (says === 'against') {
      if (level > 1) draft.notes.push(`"${column.name}" is not ${FILE_ROLES[role].text}: it ${entry.why}.`);
      return [];
    }
    if (says === 'likely') isLikely = true;
    if (says === 'doubt') isDoubted = true;
    if (says === 'data') [isProven, why] = [true, `it ${entry.why}`];
  }
  const rank = Math.min(isDoubted ? 1 : 3, Math.max(level, isProven ? 2 : isLikely ? 1 : 0));
  return rank === 0 ? [] : [{ column, rank, why }];
}

/** How well a column fits a role: 3 by its exact name, 2 by its name or data, 1 by a part of its name, 0 not at all. */
export const rankFor = (draft: ProposalDraft, role: FileRole, column: FileColumn): number =>
  candidateFor({ ...draft, notes: [] }, role, column)[0]?.rank ?? 0;

/** Whether no evidence forbids that a column has a role. */
export const mayHave = (draft: ProposalDraft, role: FileRole, column: FileColumn): boolean =>
  forbidding(draft, role, column).length === 0;

/** What speaks against a column; `isBar`: what a person cannot answer away. */
const forbidding = (draft: ProposalDraft, role: FileRole, column: FileColumn, isBar = false) =>
  ROLE_EVIDENCE.filter(
    (entry) =>
      entry.roles.includes(role) && (!isBar || entry.isBar === true) && entry.look(column, draft, role) === 'against',
  );
