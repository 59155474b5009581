import { isSameMeaning, wordMeaning } from '../language/words.ts';
import type { FileColumn } from './columns.ts';
import {
  hasContrast,
  MEANING_EVIDENCE,
  type Reading,
  type ValueContext,
  type ValueRows,
} from './evidence/meaning-evidence.ts';
import type { Choice, ColumnMeanings, Meaning, MeaningRole, Question, ValueFinding } from './proposal.ts';
import { casesBy, MANY, NEARLY_ALL, NEARLY_NONE, type ProposalDraft } from './proposal-draft.ts';

/** What decides meanings beside the column itself. */
export interface MeaningContext {
  readonly ends?: readonly FileColumn[]; // times, or durations, that a case that is done has
  readonly isInbound?: (row: number) => boolean;
  readonly unclear?: Meaning; // what a word says, and is asked all the same
  readonly isOneWay?: boolean; // values that all mean the same are asked
}

/** The meanings of all values of a column, and the rest as one question; undefined while it is open. */
export function meaningsOfColumn(
  draft: ProposalDraft,
  role: MeaningRole,
  column: FileColumn,
  context: MeaningContext,
): { readonly found: ColumnMeanings; readonly meanings: ReadonlyMap<string, Meaning> | undefined } {
  const seen = lookAt(draft, column, context);
  const told = correctionsOf(draft, role, column);
  const values = [...(column.values ?? [])].map(([value, rows]): ValueFinding => {
    const meaning = told.get(value);
    const found = finding(role, value, rows, seen);
    if (meaning === undefined) return doubted(found, context.unclear);
    const isAgainst = found.state === 'proven' && found.meaning !== undefined && !isSameMeaning(found.meaning, meaning);
    const against = isAgainst ? { against: `The file says ${String(found.meaning)}: ${found.why}.` } : {};
    return { value, rows, meaning, state: 'proven', why: 'as answered', ...against };
  });
  const isOneWay =
    context.isOneWay === true &&
    told.size < values.length &&
    values.every(({ state }) => state === 'proven') &&
    new Set(values.map(({ meaning }) => meaning)).size < 2;
  const isAnswered = told.size > 0 && values.some(({ state }) => state !== 'proven');
  const open = isOneWay
    ? values
    : values.filter(({ value, state }) => state !== 'proven' || (isAnswered && told.has(value))); // an answer covers them all
  const proven = values
    .filter((one) => !open.includes(one))
    .map(({ value, meaning = null }) => [value, meaning] as const);
  const found = { role, column: column.name, choices: choicesOf(role), values };
  if (open.length === 0) return { found, meanings: new Map(proven) };
  const answer = draft.asker.askMeanings(questionOf(role, open, seen, context));
  return { found, meanings: answer && new Map([...proven, ...answer]) };
}

/** Meanings that were answered, also of values that were proven. */
function correctionsOf({ asker }: ProposalDraft, role: MeaningRole, column: FileColumn): ReadonlyMap<string, Meaning> {
  const told = asker.told(`meaning:${column.name}`);
  if (typeof told !== 'object' || told === null) return new Map();
  const allowed = CHOICES[role].map(([answer]) => answer);
  return new Map(Object.entries(told).flatMap(([value, is]) => (allowed.includes(is) ? [[value, is] as const] : [])));
}

function lookAt(draft: ProposalDraft, column: FileColumn, { ends = [], isInbound }: MeaningContext): ValueContext {
  const counts = new Map<string, { rows: number; ended: number; begins: number; inbound: number }>();
  const of = (value: string) => {
    const known = counts.get(value) ?? { rows: 0, ended: 0, begins: 0, inbound: 0 };
    counts.set(value, known);
    return known;
  };
  for (let row = 0; row < draft.rows; row += 1) {
    const value = column.cell(row);
    if (value === '') continue;
    const counted = of(value);
    counted.rows += 1;
    if (ends.some((end) => end.cell(row) !== '')) counted.ended += 1;
    if (isInbound?.(row)) counted.inbound += 1;
  }
  const key = draft.taken.get('case');
  const at = draft.taken.get('at');
  const cases = key === undefined || at === undefined ? [] : casesBy(draft, key);
  for (const rows of cases) {
    const first = firstRow(draft, rows, at);
    const value = first === undefined ? '' : column.cell(first);
    if (value !== '') of(value).begins += 1;
  }
  const all = [...counts].map(([value, one]): ValueRows => ({ value, ...one }));
  return { draft, column, cases: cases.length, all };
}

/** The first row of a case by its time; undefined if several rows with different texts are as early. */
export function firstRow(
  draft: ProposalDraft,
  rows: readonly number[],
  at: FileColumn | undefined,
): number | undefined {
  let first: number | undefined;
  for (const row of rows) {
    const time = at?.times?.at(row, draft.order) ?? Number.NaN;
    if (Number.isNaN(time)) continue;
    if (first === undefined || time < (at?.times?.at(first, draft.order) ?? 0)) first = row;
  }
  return first;
}

const doubted = (found: ValueFinding, unclear: Meaning | undefined): ValueFinding =>
  unclear !== undefined && found.meaning === unclear
    ? { ...found, meaning: undefined, state: 'open', why: 'it is neither good nor bad' }
    : found;

const STRENGTH = { data: 2, word: 1, part: 0 } as const;

function finding(role: MeaningRole, value: string, rows: number, seen: ValueContext): ValueFinding {
  const counted = seen.all.find((one) => one.value === value) ?? { value, rows: 0, ended: 0, begins: 0, inbound: 0 };
  const said: (Reading & { readonly why: string })[] = [];
  for (const entry of MEANING_EVIDENCE) {
    const reading = entry.role === role ? entry.look(counted, seen) : undefined;
    if (reading !== undefined) said.push({ ...reading, why: entry.why });
  }
  said.sort((a, b) => STRENGTH[b.by] - STRENGTH[a.by]);
  const [first] = said;
  if (first === undefined) return { value, rows, meaning: undefined, state: 'open', why: 'nothing says what it means' };
  const other = said.find((one) => !isSameMeaning(one.is, first.is) && !refines(role, one.is, first.is));
  if (other !== undefined) {
    const why = `${first.why}, but it says ${other.is} ${other.why}`;
    return { value, rows, meaning: first.is, state: 'open', why };
  }
  const words = said.find((one) => one.by !== 'data') ?? first;
  if (first.by === 'word' && isOpposed(role, words.is, counted, seen)) {
    const meaning = counted.ended === counted.rows ? 'resolved' : 'open';
    return { value, rows, meaning, state: 'open', why: 'its rows say the opposite of its word' };
  }
  const state = first.by === 'part' ? 'likely' : 'proven';
  return { value, rows, meaning: words.is, state, why: first.why };
}

/** A note begins no case and is no customer's, as an agent's message. */
const refines = (role: MeaningRole, word: Meaning, data: Meaning): boolean =>
  role === 'direction' && word === 'note' && data === 'outbound';

/** Whether the few rows of a value say the opposite of its word, where the rows of others agree with theirs. */
function isOpposed(role: MeaningRole, is: Meaning, { rows, ended }: ValueRows, seen: ValueContext): boolean {
  if (role !== 'status' || rows === 0) return false;
  const isDone = is === 'resolved' || is === 'closed';
  if (seen.all.every((one) => one.ended === 0)) return false;
  return isDone ? ended === 0 : ended === rows && hasOpenRows(seen);
}

const hasOpenRows = (seen: ValueContext): boolean =>
  hasContrast(seen) || seen.all.some(({ rows, ended }) => ended < rows);

type Pairs = readonly (readonly [Meaning, string])[];

const STATUSES: Pairs = [
  ['new', 'New'],
  ['open', 'Open'],
  ['pending', 'Pending'],
  ['resolved', 'Resolved'],
  ['closed', 'Closed'],
  ['deleted', 'Deleted'],
];

const CHOICES: Readonly<Record<MeaningRole, Pairs>> = {
  status: [...STATUSES, [null, 'No status']],
  direction: [
    ['inbound', 'From the customer'],
    ['outbound', 'To the customer'],
    ['note', 'An internal note'],
    [null, 'Not a message'],
  ],
  note: [
    [true, 'Internal'],
    [false, 'The customer sees it'],
  ],
  activity: [
    ['created', 'The case is created'],
    ['inbound', 'A message of the customer'],
    ['outbound', 'A message to the customer'],
    ['note', 'An internal note'],
    ['assigned', 'The case is assigned'],
    ...STATUSES,
    ['reopened', 'Reopened'],
    ['priority', 'The priority changes'],
    ['rated', 'The customer rates'],
    [null, 'Means nothing here'],
  ],
  priority: [
    ['lowest', 'Lowest (1)'],
    ['low', 'Low (2)'],
    ['normal', 'Normal (5)'],
    ['high', 'High (8)'],
    ['urgent', 'Urgent (10)'],
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => [number, String(number)] as const),
    [null, 'No priority'],
  ],
  csat: [
    ['good', 'Good'],
    ['bad', 'Bad'],
    ...[0, 1, 2, 3, 4].map((score) => [score, String(score)] as const),
    [null, 'No rating'],
  ],
};

/** The choices of a question about a role's meanings. */
const choicesOf = (role: MeaningRole): Choice[] => CHOICES[role].map(([answer, text]) => ({ answer, text }));

/** The meaning that is proposed for a value of which nothing is known, unless it is none. */
const PROPOSED: Readonly<Partial<Record<MeaningRole, Meaning>>> = { status: 'open', note: false };

/** What is proposed for a value that is asked: what its rows show before what its words say. */
function proposedFor(
  role: MeaningRole,
  { value, meaning: said }: ValueFinding,
  all: readonly ValueRows[],
  hasEnds: boolean,
): Meaning | undefined {
  const counted = all.find((one) => one.value === value);
  const word = role === 'status' ? wordMeaning(role, value) : undefined;
  if (word?.exact === true && counted !== undefined && counted.rows < MANY && !areTurned(all)) return word.is;
  if (role === 'status' && hasEnds && counted !== undefined) {
    const isDone = said === 'resolved' || said === 'closed';
    if (2 * counted.ended > counted.rows) return isDone ? said : 'resolved';
    return isDone || said === undefined ? 'open' : said;
  }
  if (role === 'direction' && said === undefined && counted !== undefined && hasBeginnings(all)) {
    const begun = all.reduce((sum, { begins }) => sum + begins, 0);
    return 2 * counted.begins > begun ? 'inbound' : 'outbound';
  }
  return said ?? PROPOSED[role];
}

/** Whether many rows say the opposite of their words: a few rows of one value do not outweigh its word. */
function areTurned(all: readonly ValueRows[]): boolean {
  const turned = all.filter(({ value, rows, ended }) => {
    const said = wordMeaning('status', value);
    if (said?.exact !== true) return false;
    return said.is === 'resolved' || said.is === 'closed' ? ended <= NEARLY_NONE * rows : ended >= NEARLY_ALL * rows;
  });
  return turned.reduce((sum, { rows }) => sum + rows, 0) >= MANY;
}

/** Whether one value begins most cases. */
function hasBeginnings(all: readonly ValueRows[]): boolean {
  const begun = all.reduce((sum, { begins }) => sum + begins, 0);
  return all.length > 1 && all.some(({ begins }) => 2 * begins > begun);
}

/**
 * Whether nothing in the file tells what a value means: no word of any language, but perhaps a part of one, and no row;
 * or its few rows say the opposite of its word, which is proposed.
 */
function isGuess(
  role: MeaningRole,
  { meaning, state }: ValueFinding,
  proposed: Meaning,
  all: readonly ValueRows[],
): boolean {
  if (meaning !== undefined && state !== 'likely') return role === 'status' && !isSameMeaning(meaning, proposed);
  if (role === 'status') return !(all.some(({ ended }) => ended > 0) && all.some(({ ended, rows }) => ended < rows));
  const unknown = all.filter((one) => one.begins === 0 && wordMeaning('direction', one.value) === undefined);
  return role !== 'direction' || !hasBeginnings(all) || unknown.length > 1; // which of them are notes
}

function questionOf(
  role: MeaningRole,
  open: readonly ValueFinding[],
  { all, column }: ValueContext,
  { ends = [] }: MeaningContext,
): Question {
  const values = open.map((one) => {
    const { value, rows } = one;
    const { ended = 0 } = all.find((seen) => seen.value === value) ?? {};
    const proposed = proposedFor(role, one, all, ends.length > 0) ?? null;
    return {
      value,
      rows,
      proposed,
      ...(isGuess(role, one, proposed, all) && { guess: true }),
      ...(ends.length !== 0 && { filled: Object.fromEntries(ends.map(({ name }) => [name, ended])) }),
      ...(role === 'status' && { effect: { resolved_cases: { open: 0, closed: rows } } }),
    };
  });
  return {
    id: `meaning:${column.name}`,
    about: 'meaning',
    role,
    column: column.name,
    text: `What do these words in "${column.name}" mean?`,
    values,
    choices: choicesOf(role),
    proposed: Object.fromEntries(values.map(({ value, proposed }) => [value, proposed])),
  };
}
