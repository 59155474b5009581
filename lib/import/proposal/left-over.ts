import { MAX_LIST } from '../../json-readers.ts';
import { durationSeconds } from '../language/durations.ts';
import { mentionsRole, namesRole } from '../language/words.ts';
import type { WrittenMapping } from '../mapping/mapping.ts';
import type { FileColumn } from './columns.ts';
import { isToldField, mayHave } from './pick-role.ts';
import { FILE_ROLES, type FileRole, type KeptField, type ProposedKind } from './proposal.ts';
import { casesBy, isSteady, type ProposalDraft, textsIn } from './proposal-draft.ts';

/** Fields that a file proposes by itself; a person may choose more. */
const MOST_FIELDS = 50;
const LONGEST = 100; // characters of a value
const FEW = 12; // values that need not stand in two rows each
const LONGEST_NAME = 255; // characters

/** What no role took: asks about its times; its labels, by which cases are split, are kept unless a person says otherwise. */
export function leftOver(draft: ProposalDraft, kind: ProposedKind): KeptField[] {
  if (kind === 'tickets') askLeftTimes(draft);
  return keptFields(draft, kind);
}

function keptFields(draft: ProposalDraft, kind: ProposedKind): KeptField[] {
  const { columns, taken, asker, notes } = draft;
  const used = new Set(taken.values());
  const asked = new Set(
    asker.open().flatMap(({ column, choices }) => [column, ...choices.map(({ answer }) => answer)]),
  );
  const kept: KeptField[] = [];
  const left: string[] = [];
  const names = new Set<string>();
  for (const column of columns) {
    const told = asker.told(`field:${column.name}`);
    const isTold = isToldField(draft, column);
    if (used.has(column) || told === null || column.name === '') continue;
    if (!isTold && (asked.has(column.name) || !isOfCases(draft, kind, column) || !areLabels(draft, column))) continue;
    const proposals = kept.filter(({ state }) => state !== 'proven').length;
    if (!isTold && proposals === MOST_FIELDS) {
      left.push(column.name);
      continue;
    }
    const wanted = (typeof told === 'string' ? told : column.name).trim().slice(0, LONGEST_NAME);
    const name = names.has(wanted) ? column.name.slice(0, LONGEST_NAME) : wanted;
    names.add(name);
    const why = `no role took it, and it has ${column.distinct} ${column.distinct === 1 ? 'value' : 'different values'}`;
    kept.push({ column: column.name, name, ...(isTold ? ANSWERED : { state: 'likely', why }) });
  }
  if (kept.length > 0) notes.push(`Kept as custom fields: ${quoted(kept.map(({ column }) => column))}.`);
  if (left.length > 0)
    notes.push(`More than ${MOST_FIELDS} columns could be custom fields: ${quoted(left)} are left out.`);
  return kept;
}

const ANSWERED = { state: 'proven', why: 'as answered' } as const;
const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** A mapping with custom fields: those of a log are of the row that creates the case. */
export function withFields(mapping: WrittenMapping, kept: readonly KeptField[]): WrittenMapping {
  if (kept.length === 0 || mapping.kind === 'members') return mapping;
  const fields = kept.map(({ column, name }) => ({ name, column, values: true as const }));
  if (mapping.kind === 'tickets' || mapping.kind === 'snapshots') return { ...mapping, custom_fields: fields };
  return { ...mapping, created: { ...mapping.created, custom_fields: fields } };
}

/** Whether a column says something of the case, and not of a row of it that nothing keeps. */
function isOfCases(draft: ProposalDraft, kind: ProposedKind, column: FileColumn): boolean {
  const key = draft.taken.get('case');
  if (kind === 'tickets' || kind === 'snapshots' || key === undefined) return true;
  return isSteady(column, casesBy(draft, key));
}

const PEOPLE: readonly FileRole[] = ['requester', 'submitter', 'company'];
/** Names of columns with addresses, and with ids, as programs write them. */
const OF_ADDRESSES = /e-?mail|phone|telefon|tel[ée]fono|address|adresse|\burl\b|\blink\b/iu;
const OF_IDS = /(?:^|[\s_#.-])(?:ids?|uuid|guid|nr\.?|no\.|num|number|№)$|[a-z]I[Dd]s?$|#$|番号$|编号$|번호$/u;
const ADDRESS = /\S@\S+\.\S|:\/\/|^www\.|^\+?[\d\s()/-]{7,}$/iu;
const MEASURED = /^[-+~<>≤≥]?\s*[$€£¥₹]?\s*\d[\d.,\s]*\s*(?:[%‰$€£¥₹]|\p{L}{1,3}\.?)?$/u;
const ID = /^\p{L}{0,8}[-_#:]?\d{3,}$|^[\da-f]{8}-[\da-f]{4}-|^(?=.*\d)[\w-]{12,}$/iu;
const NAME_OF_PERSON = /^\p{Lu}[\p{L}'’-]+\s+\p{Lu}[\p{L}'’-]+$/u;

/** Whether the values of a column are labels by which cases can be split: no texts, addresses, people, ids, times, or numbers. */
function areLabels(draft: ProposalDraft, column: FileColumn): boolean {
  const { name, times, isClock, filled, distinct, values } = column;
  if (times !== undefined || isClock || filled === 0) return false;
  if (namesRole(column, ...PEOPLE, 'case', 'message') || OF_ADDRESSES.test(name) || OF_IDS.test(name.trim()))
    return false;
  if (!draft.fields.has(name) && !(values !== undefined && areFew(draft, column))) return false;
  if (distinct > MAX_LIST) return false;
  const texts = [...(values?.keys() ?? new Set(textsIn(draft, column)))];
  const most = (holds: (text: string) => boolean): boolean => texts.filter(holds).length >= 0.9 * texts.length;
  if (texts.some((text) => text.length > LONGEST || /[\r\n]/.test(text) || ADDRESS.test(text))) return false;
  if (mentionsRole(column, ...PEOPLE) && texts.filter((text) => NAME_OF_PERSON.test(text)).length >= 0.5 * texts.length)
    return false;
  const isFlag = texts.every((text) => text === '0' || text === '1');
  return isFlag || !(most(isMeasured) || most((text) => ID.test(text)));
}

const isMeasured = (text: string): boolean => MEASURED.test(text) || durationSeconds(text, 'words') !== undefined;

/** Whether the values of a column stand in several rows; of a column that is called *Category* or *Type* they need not. */
function areFew({ rows }: ProposalDraft, column: FileColumn): boolean {
  const { filled, distinct } = column;
  if (namesRole(column, 'type')) return true;
  if (distinct === 1 && filled === rows) return false;
  const most = namesRole(column, 'subject') ? 0.2 * filled : 0.5 * filled;
  return distinct <= most || (distinct <= FEW && distinct < filled && !namesRole(column, 'subject'));
}

/** The id of the question, and of its answer: by column its role, or null for none. */
const TIMES = 'times';
/** The roles of times that may stand empty, by the roles that fill them. */
const EMPTY: readonly (readonly [role: FileRole, filled: readonly FileRole[]])[] = [
  ['replied', ['replied', 'replied_after']],
  ['solved', ['solved', 'solved_after', 'closed']],
];

/** Asks what the times are that no role took and no other question offers, while a role of times stands empty. */
function askLeftTimes(draft: ProposalDraft): void {
  const { columns, taken, asker, offered, isOrderSure } = draft;
  const told = timesTold({ [TIMES]: asker.told(TIMES) });
  const empty = EMPTY.flatMap(([role, by]) =>
    by.some((one) => taken.has(one) || asker.told(`role:${one}`) === null) ? [] : [role],
  );
  const used = new Set(taken.values());
  const left = columns.filter(
    (column) =>
      column.times !== undefined &&
      column.filled > 0 &&
      !column.isDue &&
      !used.has(column) &&
      !offered.has(column) &&
      !isToldField(draft, column) &&
      !namesRole(column, 'created', 'updated', 'at') &&
      told[column.name] !== null &&
      empty.some((role) => mayHave(draft, role, column)),
  );
  if (left.length === 0 || !isOrderSure) return; // which of them may be one is seen once the order of dates is known
  const choices = [...empty, ...(taken.has('updated') ? [] : (['updated'] as const))];
  asker.askMeanings({
    id: TIMES,
    about: 'meaning',
    text: 'What are the times in these columns?',
    values: left.map(({ name, filled }) => ({ value: name, rows: filled, proposed: null, guess: true })),
    choices: [...choices.map((role) => ({ answer: role, text: FILE_ROLES[role].label })), NO_ROLE],
    proposed: Object.fromEntries(left.map(({ name }) => [name, null])),
  });
}

const NO_ROLE = { answer: null, text: 'None of these' };

const timesTold = ({ [TIMES]: told }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  typeof told === 'object' && told !== null ? { ...told } : {};

/** Answers with a role for each column whose times were answered. */
export function withTimes(answers: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const roles = Object.entries(timesTold(answers)).flatMap(([column, role]) =>
    typeof role === 'string' ? [[`role:${role}`, column] as const] : [],
  );
  return { ...Object.fromEntries(roles), ...answers };
}
