import { namesRole } from '../language/words.ts';
import type { WrittenMapping } from '../mapping/mapping.ts';
import type { TimeInput, WrittenValue } from '../mapping/mapping-values.ts';
import { newAsker } from './asker.ts';
import { areHalvesLost, askOrder, findOrder, timeFields, unclearZones } from './clock.ts';
import { type FileColumn, fileColumns } from './columns.ts';
import { withExamples } from './example-rows.ts';
import { leftOver, withFields, withTimes } from './left-over.ts';
import { logMapping } from './logs.ts';
import { mayHave, pickRole, rankFor, takeRole } from './pick-role.ts';
import {
  type Answers,
  FILE_ROLES,
  type FileRole,
  type KeptField,
  PROPOSED_KINDS,
  type ProposedKind,
  type Question,
  type RoleFinding,
  type ShownProposal,
} from './proposal.ts';
import {
  casesBy,
  isSteady,
  type ProposalDraft,
  type TimePart,
  textsIn,
  timeAt,
  timeOfDayColumn,
} from './proposal-draft.ts';
import type { Survey } from './survey.ts';
import { type KindMapping, ticketsMapping } from './tickets.ts';
import type { SiteRating } from './values.ts';

/** What is known beside the file. */
export interface ProposeContext {
  readonly zone?: string | undefined; // that the user named: it is not asked then
  readonly siteZone?: string; // proposed where the zone is asked
  readonly rating?: SiteRating;
  readonly fields?: ReadonlySet<string>; // names of the custom fields that the site has: a later file has them, too
}

/** What a file was understood as. */
export interface Proposal extends Pick<ShownProposal, 'roles' | 'meanings' | 'units' | 'fields'> {
  readonly kind: ProposedKind | undefined;
  readonly questions: readonly Question[];
  readonly mapping: WrittenMapping | undefined; // undefined while a question is open
  readonly notes: readonly string[]; // sentences about what is not used or stays unknown
  readonly ignored: readonly string[]; // ids of answers to questions that do not arise
  readonly refusal: string | undefined; // one sentence if the file can be read in no way
}

/** The questions without whose answer nothing else can be asked. */
const BLOCKING: readonly string[] = [
  'kind',
  'repeated',
  'role:case',
  'role:created',
  'role:at',
  'role:activity',
  'role:direction',
];

/**
 * Understands a file, as far as it and the answers say. Pure: the same input gives the same proposal. What can be asked
 * together is: while a question is open on which all others depend, those are asked that come up if its proposed answer,
 * or else its first one, is right.
 */
export function propose(survey: Survey, answers: Answers = {}, context: ProposeContext = {}): Proposal {
  const proposal = proposeBy(survey, answers, context);
  const questions = new Map(proposal.questions.map((question) => [question.id, question]));
  const assumed: Record<string, unknown> = { ...answers };
  const met = new Set<string>();
  for (let ahead = proposal; ahead.refusal === undefined; ahead = proposeBy(survey, assumed, context)) {
    for (const question of ahead.questions) if (!questions.has(question.id)) questions.set(question.id, question);
    const blocking = ahead.questions.filter(({ id }) => BLOCKING.includes(id) && !met.has(id));
    if (blocking.length === 0) break;
    for (const { id, proposed, choices } of blocking) {
      met.add(id);
      assumed[id] = proposed ?? choices[0]?.answer;
    }
  }
  return {
    ...proposal,
    questions: [...questions.values()],
    ignored: proposal.ignored.filter((id) => !questions.has(id)),
  };
}

const LOST_CLOCK =
  'The file does not say which times are before noon: export it again with 24 hours, or with AM and PM.';

function proposeBy(survey: Survey, answers: Answers, context: ProposeContext): Proposal {
  const asker = newAsker(withTimes(answers));
  const columns = fileColumns(survey);
  const found = findOrder(columns, survey.rows.length);
  const told = asker.told('date_order');
  const isTold = told === 'day' || told === 'month';
  const order = isTold ? told : found.order;
  const draft: ProposalDraft = {
    survey,
    columns,
    rows: survey.rows.length,
    asker,
    order,
    taken: new Map(),
    findings: [],
    notes: [],
    fields: context.fields ?? new Set(),
    offered: new Set(),
    isOrderSure: found.state !== 'open' || isTold,
  };
  const refused = (refusal: string): Proposal => result(draft, undefined, undefined, { refusal });
  if (survey.header.length < 2) return refused('The file has no table: it needs a header and at least two columns.');
  if (survey.total === 0) return refused('The file has a header and no rows.');
  const isLost = areHalvesLost(draft);
  if (isLost === true) return refused(LOST_CLOCK);
  const picked = pickCase(draft);
  const key = picked && withoutRemarks(draft, picked);
  if (key === undefined && asker.open().every(({ id }) => id === 'clock'))
    return refused(`No column could name the case: the columns are ${survey.header.join(', ')}.`);
  if (key === undefined) return result(draft, undefined, undefined, {});
  const destroyed = destroyedId(draft, key);
  if (destroyed !== undefined) {
    return refused(
      `A spreadsheet destroyed the ids in "${key.name}": several rows have ${destroyed}. Format the column as text, and export the file again.`,
    );
  }
  const kind = kindOf(draft, key);
  if (kind === 'refused') return refused(`Ids repeat in "${key.name}", and they should not: correct the file.`);
  if (kind === undefined) return result(draft, undefined, undefined, {});
  const rating = context.rating ?? 'yes_no';
  const mapped = kind === 'tickets' ? ticketsMapping(draft, rating) : logMapping(draft, kind, rating);
  const fields = mapped === undefined ? [] : leftOver(draft, kind);
  const used = mapped?.times ?? [];
  const unclear = unclearZones(used);
  if (unclear.length > 0)
    return refused(
      `${unclear.join(' and ')} may each be several zones: export the file again with all times in one zone.`,
    );
  if (
    found.state === 'open' &&
    !isTold &&
    used.some(({ times }) => (times?.pairs.either ?? 0) + (times?.pairs.day ?? 0) > 0)
  )
    askOrder(found, asker);
  const clock = timeFields(draft, used, context.zone, context.siteZone ?? 'UTC');
  const isOpen = clock === undefined || asker.open().length > 0;
  if (mapped === undefined && !isOpen) return refused(whatIsMissing(draft, kind));
  if (mapped === undefined || isOpen) return result(draft, kind, mapped, { fields });
  const fileFields = { ...csvFields(draft, mapped, fields), time: clock.time, case: caseValue(draft, key) };
  const mapping = mapped.write(fileFields, (part) => writtenTime(draft, part, clock.zoneOf));
  return result(draft, kind, mapped, { fields, mapping: withFields(mapping, fields) });
}

/** Roles without which a file of each kind counts nothing. */
const NEEDED: Readonly<Record<ProposedKind, readonly FileRole[]>> = {
  tickets: ['created'],
  snapshots: ['at'],
  activities: ['at', 'activity'],
  messages: ['at', 'direction'],
};

/** Says which column is missing, what the others hold, and what to do. */
function whatIsMissing({ taken, columns, survey, notes }: ProposalDraft, kind: ProposedKind): string {
  const role = NEEDED[kind].find((one) => !taken.has(one)) ?? 'created';
  const cells = columns.slice(0, SHOWN).map(({ name, index }) => {
    const cell = survey.rows.find((row) => (row[index] ?? '') !== '')?.[index];
    return cell === undefined ? `"${name}" is empty` : `"${name}" has "${cell.slice(0, 40)}"`;
  });
  const times = columns.filter((column) => column.times !== undefined);
  const why =
    times.length === 0 && (role === 'created' || role === 'at') ? 'no column holds times' : 'no column was chosen';
  const others = columns.length > SHOWN ? ', …' : '';
  return [
    ...notes,
    `${why[0]?.toUpperCase()}${why.slice(1)} for ${FILE_ROLES[role].text}: ${cells.join(', ')}${others}. Choose it in the table of columns (--answer 'role:${role}=COLUMN'), or export the file with it.`,
  ].join(' ');
}

const SHOWN = 6; // columns of a sentence

function writtenTime(
  draft: ProposalDraft,
  { time, plus: duration, unless }: TimePart,
  zoneOf: (column: FileColumn) => string | undefined,
): TimeInput {
  const zone = zoneOf(time);
  const clock = duration === undefined ? timeOfDayColumn(draft, time) : undefined;
  const plus = clock === undefined ? duration : { column: clock.name, unit: 'clock' as const };
  const more = {
    ...(zone !== undefined && { zone }),
    ...(plus !== undefined && { plus }),
    ...(unless !== undefined && { unless }),
  };
  return Object.keys(more).length === 0 ? time.name : { column: time.name, ...more };
}

function result(
  { asker, findings, notes, survey }: ProposalDraft,
  kind: ProposedKind | undefined,
  mapped: KindMapping | undefined,
  rest: { readonly fields?: readonly KeptField[]; readonly mapping?: WrittenMapping; readonly refusal?: string },
): Proposal {
  return {
    kind,
    roles: kind === undefined ? findings : withoutColumn(kind, findings),
    meanings: mapped?.meanings ?? [],
    units: mapped?.units ?? [],
    fields: rest.fields ?? [],
    questions: rest.refusal === undefined ? asker.open().map((question) => withExamples(survey, question)) : [],
    mapping: rest.mapping,
    notes: [...new Set(notes)],
    ignored: asker.ignored(),
    refusal: rest.refusal,
  };
}

const TICKET_ROLES: readonly FileRole[] = [
  'created',
  'updated',
  'replied',
  'replied_after',
  'solved',
  'solved_after',
  'closed',
  'csat',
];
const CASE_ROLES: readonly FileRole[] = ['priority', 'channel', 'company', 'labels'];
const KIND_ROLES: Readonly<Record<ProposedKind, readonly FileRole[]>> = {
  tickets: ['case', 'status', ...TICKET_ROLES, 'assignee', 'group', ...CASE_ROLES, 'requester', 'submitter'],
  snapshots: ['case', 'at', 'created', 'status', 'assignee', 'group', 'actor', 'csat', ...CASE_ROLES],
  activities: ['case', 'at', 'created', 'activity', 'note', 'actor', 'assignee', 'group', 'csat', ...CASE_ROLES],
  messages: ['case', 'at', 'created', 'direction', 'note', 'actor', 'message', ...CASE_ROLES],
};

/** The findings, with one for each role of the kind. */
function withoutColumn(kind: ProposedKind, findings: readonly RoleFinding[]): RoleFinding[] {
  const missing = KIND_ROLES[kind].filter((role) => findings.every((one) => one.role !== role));
  const none = { column: null, state: 'open', why: 'no column has it' } as const;
  return [...findings, ...missing.map((role) => ({ role, label: FILE_ROLES[role].label, ...none }))];
}

/** The column of the case: of several that are named so, one whose texts repeat is the case, and the other its rows. */
function pickCase(draft: ProposalDraft): FileColumn | undefined {
  const named = draft.columns.filter((column) => namesRole(column, 'case') && mayHave(draft, 'case', column));
  const full = named.filter(({ filled }) => filled >= 0.8 * draft.rows);
  const repeating = full.filter(({ distinct, filled }) => distinct < 0.95 * filled);
  const [only] = repeating;
  if (full.length > 1 && repeating.length === 1 && only !== undefined)
    return takeRole(draft, 'case', only, { why: 'its ids repeat, and those of the others do not' });
  const [first] = full;
  if (first !== undefined && full.length > 1 && full.every((one) => isOneToOne(draft, one, first)))
    return takeRole(draft, 'case', first, { why: 'by its name' });
  return pickRole(draft, 'case', {
    matters: true,
    needed: true,
    among: ({ times, filled }) => !times && filled >= 0.8 * draft.rows,
    guess: likelyId(draft),
  });
}

const LONGEST_ID = 40; // characters

/** The column that is most like ids: one text for each row, short and with digits, before a name or a value of few. */
const likelyId =
  (draft: ProposalDraft) =>
  (columns: readonly FileColumn[]): FileColumn | undefined => {
    const ids = columns.filter((column) => {
      const texts = textsIn(draft, column);
      const like = texts.filter((text) => text.length <= LONGEST_ID && /\d/.test(text) && !/\s\S+\s|@/.test(text));
      return column.units.length === 0 && !column.isClock && texts.length > 0 && like.length >= 0.9 * texts.length;
    });
    const isUnique = ({ distinct, filled }: FileColumn): boolean => distinct === filled && filled === draft.rows;
    return ids.find(isUnique) ?? ids.sort((a, b) => b.distinct - a.distinct)[0] ?? columns.find(isUnique);
  };

const ENOUGH_IDS = 10;
const FEW_REMARKS = 0.1; // of the different ids

/** The column of the case without texts such as *Total* and *Average*: they have no digit, and nearly all ids have one. */
function withoutRemarks(draft: ProposalDraft, column: FileColumn): FileColumn {
  const { taken, notes } = draft;
  const ids = new Set(textsIn(draft, column));
  const remarks = [...ids].filter((id) => !/\p{N}/u.test(id));
  const areFew = ids.size >= ENOUGH_IDS && remarks.length <= FEW_REMARKS * ids.size;
  if (remarks.length === 0 || !areFew) return column;
  notes.push(`Rows of ${remarks.map((text) => `"${text}"`).join(', ')} in "${column.name}" are no cases.`);
  const isRemark = new Set(remarks);
  const cell = (row: number): string => (isRemark.has(column.cell(row)) ? '' : column.cell(row));
  const values = column.values && new Map([...column.values].filter(([text]) => !isRemark.has(text)));
  const cleaned = { ...column, cell, values, nothing: [...column.nothing, ...remarks] };
  taken.set('case', cleaned);
  return cleaned;
}

function isOneToOne({ rows }: ProposalDraft, a: FileColumn, b: FileColumn): boolean {
  const met = new Map<string, string>();
  for (let row = 0; row < rows; row += 1) {
    const before = met.get(a.cell(row));
    if (before !== undefined && before !== b.cell(row)) return false;
    met.set(a.cell(row), b.cell(row));
  }
  return met.size === new Set(met.values()).size;
}

/** An id of several different rows that a spreadsheet has rounded; undefined if there is none. */
function destroyedId(draft: ProposalDraft, key: FileColumn): string | undefined {
  const met = new Set<string>();
  for (let row = 0; row < draft.rows; row += 1) {
    const id = key.cell(row);
    if (!/^\d(?:[.,]\d+)?E\+\d{1,3}$/i.test(id)) continue;
    if (met.has(id)) return id;
    met.add(id);
  }
  return undefined;
}

const FIFTH = 0.2; // of the ids: if fewer repeat, the file is no log by itself

function kindOf(draft: ProposalDraft, key: FileColumn): ProposedKind | 'refused' | undefined {
  const { asker } = draft;
  const told = PROPOSED_KINDS.find((kind) => kind === asker.told('kind'));
  if (told !== undefined) return told;
  const cases = casesBy(draft, key).map((rows) => distinctRows(draft, rows));
  const repeating = cases.filter((rows) => rows > 1).length;
  const log = logKind(draft);
  if (repeating === 0) {
    if (cases.length < draft.rows || log === undefined || hasCreation(draft)) return 'tickets';
    return askKind(draft, 'tickets');
  }
  if (log !== undefined && log !== 'ask') return log;
  if (log === 'ask') return askKind(draft);
  const isLog = repeating >= FIFTH * cases.length;
  if (isLog && !hasStatus(draft)) return askKind(draft);
  if (isLog && !areCopies(draft, casesBy(draft, key))) return 'snapshots';
  const answer = asker.ask({
    id: 'repeated',
    about: 'repeated',
    column: key.name,
    text: `${repeating} of ${cases.length} ids in "${key.name}" have several rows. What are these?`,
    choices: [
      { answer: 'log', text: 'A log: each row is the state of a case after a change' },
      { answer: 'newest', text: 'Repeats: the newest row of a case counts' },
      { answer: 'refuse', text: 'A mistake: do not load the file' },
    ],
    proposed: 'newest',
    examples: exampleRows(draft, key),
  });
  if (answer === 'log') return 'snapshots';
  if (answer === 'newest') return 'tickets';
  return answer === 'refuse' ? 'refused' : undefined;
}

/**
 * Whether the rows of a case are copies of it, and no changes: each has the same end, and the case has no row of that
 * time, as in an export of every night.
 */
function areCopies(draft: ProposalDraft, cases: readonly (readonly number[])[]): boolean {
  const end = draft.columns.find((column) => column.times && namesRole(column, 'solved', 'closed'));
  if (end === undefined) return false;
  const times = draft.columns.filter((column) => column.times && !isSteady(column, cases));
  let [ended, told] = [0, 0];
  for (const rows of cases) {
    const at = rows.map((row) => timeAt(draft, end, row)).find((time) => !Number.isNaN(time));
    if (at === undefined || rows.length < 2) continue;
    ended += 1;
    if (times.some((column) => rows.some((row) => Math.abs(timeAt(draft, column, row) - at) < MINUTE))) told += 1;
  }
  return ended > 0 && told < 0.5 * ended;
}

const MINUTE = 60_000_000; // microseconds

function distinctRows({ survey }: ProposalDraft, rows: readonly number[]): number {
  return rows.length === 1 ? 1 : new Set(rows.map((row) => JSON.stringify(survey.rows[row]))).size;
}

function exampleRows(draft: ProposalDraft, key: FileColumn): (readonly string[])[] {
  const several = casesBy(draft, key).find((rows) => rows.length > 1) ?? [];
  return several.slice(0, 3).map((row) => draft.survey.rows[row] ?? []);
}

const hasCreation = ({ columns }: ProposalDraft): boolean =>
  columns.some((column) => column.times !== undefined && namesRole(column, 'created'));

const hasStatus = (draft: ProposalDraft): boolean =>
  draft.columns.some((column) => rankFor(draft, 'status', column) > 1);

/** Which kind of log the columns make; undefined if none says what a row is; `ask`: two kinds fit. */
function logKind(draft: ProposalDraft): 'activities' | 'messages' | 'ask' | undefined {
  const has = (role: FileRole): boolean =>
    draft.columns.some((column) => column.filled >= 0.5 * draft.rows && rankFor(draft, role, column) > 1);
  const [isActivity, isMessage] = [has('activity'), has('direction')];
  if (isActivity && isMessage) return 'ask';
  return isActivity ? 'activities' : isMessage ? 'messages' : undefined;
}

function askKind({ asker, survey }: ProposalDraft, proposed: ProposedKind = 'activities'): ProposedKind | undefined {
  const answer = asker.ask({
    id: 'kind',
    about: 'kind',
    text: 'What is a row of this file?',
    choices: [
      { answer: 'tickets', text: 'A ticket' },
      { answer: 'activities', text: 'Something that happened to a case' },
      { answer: 'messages', text: 'A message' },
      { answer: 'snapshots', text: 'The state of a case after a change' },
    ],
    proposed,
    examples: survey.rows.slice(0, 3),
  });
  return PROPOSED_KINDS.find((kind) => kind === answer);
}

/** Spellings of ids by other programs, and the pattern that takes the id from them. */
const SPELLINGS = [
  { spelling: /^\d+\.0+$/, pattern: '^(\\d+)' }, // 1004298.0
  { spelling: /^#\d+$/, pattern: '^#(\\d+)' },
];

function caseValue(draft: ProposalDraft, column: FileColumn): WrittenValue {
  const { name } = column;
  const ids = textsIn(draft, column);
  const pattern = SPELLINGS.find(({ spelling }) => ids.every((id) => spelling.test(id)))?.pattern;
  return pattern === undefined ? name : { column: name, pattern };
}

/** The mapping's `csv`; texts that stand for nothing, unless one is a value with a meaning. */
function csvFields(
  { survey, taken, columns }: ProposalDraft,
  { meanings }: KindMapping,
  kept: readonly KeptField[],
): Pick<WrittenMapping, 'csv'> {
  const { separator, encoding, skip, quote } = survey.dialect;
  const meant = new Set(meanings.flatMap(({ values }) => values.map(({ value }) => value)));
  const used = [...taken.values(), ...columns.filter(({ name }) => kept.some(({ column }) => column === name))];
  const isUsed = (text: string): boolean => meant.has(text) || used.some(({ values }) => values?.has(text));
  const nothing = [...new Set(used.flatMap((column) => column.nothing))].filter((text) => !isUsed(text));
  const csv = {
    ...(separator !== ',' && { separator }),
    ...(quote !== '"' && { quote }),
    ...(encoding !== 'utf-8' && { encoding }),
    ...(skip !== 0 && { skip }),
    ...(nothing.length !== 0 && { null: nothing }),
  };
  return Object.keys(csv).length === 0 ? {} : { csv };
}
