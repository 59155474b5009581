import { mentionsRole, namesRole } from '../language/words.ts';
import type { WrittenMapping } from '../mapping/mapping.ts';
import type { WrittenRule } from '../mapping/mapping-rules.ts';
import type { TimeInput, WrittenValue } from '../mapping/mapping-values.ts';
import type { FileColumn } from './columns.ts';
import { firstRow, meaningsOfColumn } from './meanings.ts';
import { pickRole, takeRole } from './pick-role.ts';
import type { ColumnMeanings, FileRole, Meaning, ProposedKind } from './proposal.ts';
import { casesBy, isSteady, type ProposalDraft, timeAt } from './proposal-draft.ts';
import { attributesPart, type FileFields, type KindMapping, pickRating } from './tickets.ts';
import { priorityValue, ratingValue, type SiteRating } from './values.ts';

/** What a log's kinds have in common. */
interface Log {
  readonly draft: ProposalDraft;
  readonly at: FileColumn;
  readonly cases: readonly (readonly number[])[];
  readonly rating: SiteRating;
  readonly meanings: ColumnMeanings[];
}

/** Understands a file with several rows for a case. */
export function logMapping(
  draft: ProposalDraft,
  kind: Exclude<ProposedKind, 'tickets'>,
  rating: SiteRating,
): KindMapping | undefined {
  const key = draft.taken.get('case');
  const at = key && pickRowTime(draft, casesBy(draft, key));
  if (key === undefined || at === undefined) return undefined;
  const created = pickRole(draft, 'created', {
    matters: false,
    among: (column) => column.times !== undefined && isSteady(column, casesBy(draft, key)),
  });
  const log: Log = { draft, at, cases: casesBy(draft, key), rating, meanings: [] };
  const fields = { activities: activityFields, messages: messageFields, snapshots: snapshotFields }[kind](log);
  if (fields === undefined) return undefined;
  const order = orderColumns(draft);
  return {
    write: (file, written) =>
      fields(
        { ...file, at: written({ time: at }), ...(order && { order }) },
        created && { at: written({ time: created }) },
      ),
    times: [at, created].filter((column) => column !== undefined),
    meanings: log.meanings,
  };
}

/** The time of a row: a column whose times change within cases. */
function pickRowTime(draft: ProposalDraft, cases: readonly (readonly number[])[]): FileColumn | undefined {
  const varies = (column: FileColumn): boolean => column.times !== undefined && !isSteady(column, cases);
  const varying = draft.columns.filter(
    (column) => varies(column) && !column.isDue && column.filled >= 0.8 * draft.rows,
  );
  const [only] = varying;
  if (only !== undefined && varying.length === 1)
    return takeRole(draft, 'at', only, { why: 'it is the only time that changes within a case' });
  const named = (role: FileRole) => varying.find((column) => namesRole(column, role));
  const changing = named('updated') ?? named('created');
  const isOnly = varying.filter((column) => namesRole(column, 'updated', 'created')).length === 1;
  if (changing !== undefined && isOnly && named('at') === undefined)
    return takeRole(draft, 'at', changing, { why: 'by its name, and it changes within a case' });
  return pickRole(draft, 'at', {
    matters: true,
    needed: true,
    among: varying.length > 0 ? varies : ({ times }) => times !== undefined,
  });
}

/** Columns that number a case's rows: they order rows of the same time. */
function orderColumns({ columns, rows }: ProposalDraft): string[] | undefined {
  const found = columns.filter(
    ({ name, filled, isNumber }) =>
      isNumber && filled === rows && /(^|[ _])(seq|sequence|revision|version|mod[ _]count)$/i.test(name),
  );
  return found.length === 0 ? undefined : found.map(({ name }) => name);
}

type LogFields = FileFields & { readonly at: TimeInput; readonly order?: string[] };

/** The mapping of a kind of log, from the fields of all kinds and the time of the creation; undefined if it has none yet. */
type KindFields = (log: Log) => ((file: LogFields, created?: { readonly at: TimeInput }) => WrittenMapping) | undefined;

const messageFields: KindFields = ({ draft, at, meanings, cases }) => {
  const column = pickRole(draft, 'direction', { matters: true, needed: true });
  const note = pickRole(draft, 'note', { matters: true });
  const actor = pickActor(draft);
  if (column === undefined) return undefined;
  const directions = meaningsOfColumn(draft, 'direction', column, { isOneWay: true });
  meanings.push(directions.found);
  const told = directions.meanings;
  const known = new Map(
    directions.found.values.map(({ value, meaning, state }) => [value, state === 'proven' ? meaning : undefined]),
  );
  const notes =
    note && meaningsOfColumn(draft, 'note', note, { isInbound: (row) => known.get(column.cell(row)) === 'inbound' });
  if (notes) meanings.push(notes.found);
  const message = pickRole(draft, 'message', { matters: false }) ?? idOfRows(draft);
  const inside = attributesPart(draft, meanings, false);
  if (told === undefined || (notes && notes.meanings === undefined)) return undefined;
  const ways = [...told].map(([value, is]) => [value, is === 'note' || is === null ? 'outbound' : is] as const);
  const nothing = [...told].filter(([, is]) => is === null).map(([value]) => value);
  noteFirst(draft, cases, at, (row) => told.get(column.cell(row)) === 'inbound');
  const noteMark = noteValue(column, told, note, notes?.meanings);
  return (file, created) => ({
    kind: 'messages',
    ...file,
    ...(nothing.length > 0 && { when: { column: column.name, not: nothing } }),
    key: message ? [message.name] : [at.name, column.name, ...(actor ? [actor.name] : [])],
    ...(actor && { actor: { agent: actor.name } }),
    direction: { column: column.name, table: Object.fromEntries(ways) },
    ...(noteMark && { note: noteMark }),
    created: { ...created, ...inside },
  });
};

/** The mapping of notes: by a column of their own, by the direction, or by both. */
function noteValue(
  column: FileColumn,
  told: ReadonlyMap<string, Meaning>,
  note: FileColumn | undefined,
  notes: ReadonlyMap<string, Meaning> | undefined,
): WrittenValue | undefined {
  const isNote = [...told.values()].includes('note');
  const byDirection = {
    column: column.name,
    table: Object.fromEntries([...told].map(([value, is]) => [value, is === 'note'])),
  };
  if (note === undefined || notes === undefined) return isNote ? byDirection : undefined;
  const table = Object.fromEntries(
    [...notes].map(([value, is]) => [value, is === true ? true : isNote ? null : false]),
  );
  return { column: note.name, table, ...(isNote && { else: byDirection }) };
}

/** A column with an id for each row. */
function idOfRows(draft: ProposalDraft): FileColumn | undefined {
  const used = new Set(draft.taken.values());
  return draft.columns.find(
    (column) =>
      !used.has(column) && !column.times && column.distinct === draft.rows && namesRole(column, 'case', 'message'),
  );
}

/** Who acted: an author, or else a column that may be an author or an assignee. */
const pickActor = (draft: ProposalDraft): FileColumn | undefined => pickRole(draft, 'actor', { matters: false });

function noteFirst(
  draft: ProposalDraft,
  cases: Log['cases'],
  at: FileColumn,
  isInbound: (row: number) => boolean,
): void {
  const begun = cases.filter((rows) => {
    const first = firstRow(draft, rows, at);
    return first !== undefined && isInbound(first);
  }).length;
  if (begun < cases.length)
    draft.notes.push(`${cases.length - begun} of ${cases.length} cases do not begin with a message of the customer.`);
}

const activityFields: KindFields = ({ draft, at, cases, meanings, rating }) => {
  const column = pickRole(draft, 'activity', { matters: true, needed: true });
  if (column === undefined) return undefined;
  const actor = pickActor(draft);
  const isBoth = actor !== undefined && mentionsRole(actor, 'assignee');
  const agent = isBoth ? actor : pickRole(draft, 'assignee', { matters: false });
  const group = pickRole(draft, 'group', { matters: false });
  const { found, meanings: told } = meaningsOfColumn(draft, 'activity', column, {});
  meanings.push(found);
  const note = pickRole(draft, 'note', { matters: true });
  const marks =
    note && meaningsOfColumn(draft, 'note', note, { isInbound: (row) => told?.get(column.cell(row)) === 'inbound' });
  if (marks) meanings.push(marks.found);
  const isRated = [...(told?.values() ?? [])].includes('rated');
  const csat = isRated ? pickRole(draft, 'csat', { matters: false }) : undefined;
  const score = csat && ratingValue(draft, csat, rating);
  const changes = [...(told?.values() ?? [])].includes('priority');
  const priority = changes ? pickRole(draft, 'priority', { matters: false }) : undefined;
  const level = priority && priorityValue(draft, priority);
  const inside = attributesPart(draft, meanings, false);
  if (
    told === undefined ||
    (marks && !marks.meanings) ||
    (score && score.value === undefined) ||
    (level && !level.value)
  )
    return undefined;
  const secret = note && [...(marks?.meanings ?? [])].filter(([, is]) => is === true).map(([value]) => value);
  const means = (row: number): Meaning | undefined => told.get(column.cell(row));
  const countsCreation = needsFirstMessage(draft, cases, at, means);
  if (countsCreation) draft.notes.push('The file has no first message of the customer: the creation counts as one.');
  const to = (status: string): WrittenRule[] => [{ type: 'case.status', to: { value: status } }];
  const assigned = { ...(agent && { agent: agent.name }), ...(group && { group: group.name }) };
  const events = (is: Meaning): WrittenRule[] => {
    if (is === 'created') return countsCreation ? [{ type: 'interaction', direction: { value: 'inbound' } }] : [];
    if (is === 'outbound' && note && secret && secret.length > 0) {
      return [
        { type: 'interaction', direction: { value: is }, when: { column: note.name, not: secret } },
        { type: 'note', when: { column: note.name, is: secret } },
      ];
    }
    if (is === 'inbound' || is === 'outbound') return [{ type: 'interaction', direction: { value: is } }];
    if (is === 'note') return [{ type: 'note' }];
    if (is === 'assigned') return Object.keys(assigned).length === 0 ? [] : [{ type: 'case.assigned', ...assigned }];
    if (is === 'reopened') return to('open');
    if (is === 'deleted') return [{ type: 'case.deleted' }];
    if (is === 'priority') return level?.value ? [{ type: 'case.priority', priority: level.value }] : [];
    if (is === 'rated') return score?.value ? [{ type: 'csat.rated', score: score.value }] : [];
    return typeof is === 'string' ? to(is) : [];
  };
  const creators = [...told].filter(([, is]) => is === 'created').map(([value]) => value);
  return (file, created) => ({
    kind: 'activities',
    ...file,
    activity: column.name,
    ...(actor && { actor: { agent: actor.name } }),
    activities: Object.fromEntries([...told].map(([value, is]) => [value, events(is)])),
    created: { ...(creators.length > 0 && { by: creators }), ...created, ...inside },
  });
};

/** Whether a log lacks the customer's first message: few cases have one before anything is sent to the customer. */
function needsFirstMessage(
  draft: ProposalDraft,
  cases: Log['cases'],
  at: FileColumn,
  means: (row: number) => Meaning | undefined,
): boolean {
  let [begun, told] = [0, 0];
  for (const rows of cases) {
    const sorted = [...rows].sort((a, b) => timeAt(draft, at, a) - timeAt(draft, at, b) || a - b);
    if (!sorted.some((row) => means(row) === 'created')) continue;
    begun += 1;
    const first = sorted.find((row) => means(row) === 'inbound' || means(row) === 'outbound');
    if (first !== undefined && means(first) === 'inbound') told += 1;
  }
  return begun > 0 && told < 0.5 * begun;
}

const snapshotFields: KindFields = ({ draft, meanings, rating }) => {
  const column = pickRole(draft, 'status', { matters: true, needed: true });
  const status = column && meaningsOfColumn(draft, 'status', column, {});
  if (status) meanings.push(status.found);
  const inside = attributesPart(draft, meanings); // the assignee first: `Agent` is mostly that
  const actor = pickActor(draft);
  const csat = pickRating(draft);
  const rated = csat && ratingValue(draft, csat, rating);
  if (rated?.found) meanings.push(rated.found);
  const table =
    status?.meanings &&
    Object.fromEntries([...status.meanings].map(([value, is]) => [value, is === 'deleted' ? 'closed' : is]));
  return (file, created) => ({
    kind: 'snapshots',
    ...file,
    ...(actor && { actor: { agent: actor.name } }),
    ...(created && { created }),
    ...(column && table && { status: { column: column.name, table } }),
    ...(rated?.value && { csat: rated.value }),
    ...inside,
  });
};
