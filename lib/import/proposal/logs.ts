import type { FileColumn } from './columns.ts';
import { firstRow, meaningsOfColumn } from './meanings.ts';
import { pickRole, takeRole } from './pick-role.ts';
import type { ColumnMeanings, FileRole, Meaning, ProposedKind } from './proposal.ts';
import { casesBy, type Scene, timeAt } from './scene.ts';
import { attributesPart, type KindMapping, part } from './tickets.ts';
import { type ProposedPart, priorityValue, ratingValue, type SiteRating } from './values.ts';
import { mentionsRole, namesRole } from './words.ts';

/** What a log's kinds have in common. */
interface Log {
  readonly scene: Scene;
  readonly at: FileColumn;
  readonly cases: readonly (readonly number[])[];
  readonly rating: SiteRating;
  readonly meanings: ColumnMeanings[];
}

/** Understands a file with several rows for a case. */
export function logMapping(
  scene: Scene,
  kind: Exclude<ProposedKind, 'tickets'>,
  rating: SiteRating,
): KindMapping | undefined {
  const key = scene.taken.get('case');
  const at = key && pickRowTime(scene, casesBy(scene, key));
  if (key === undefined || at === undefined) return undefined;
  const created = pickRole(scene, 'created', {
    matters: false,
    among: (column) => column.times !== undefined && isSteady(column, casesBy(scene, key)),
  });
  const log: Log = { scene, at, cases: casesBy(scene, key), rating, meanings: [] };
  const fields = { activities: activityFields, messages: messageFields, snapshots: snapshotFields }[kind](log, created);
  if (fields === undefined) return undefined;
  const order = orderColumns(scene);
  const times = [at, created].filter((column) => column !== undefined);
  return { fields: { kind, at: { time: at }, ...part('order', order), ...fields }, times, meanings: log.meanings };
}

/** The time of a row: a column whose times change within cases. */
function pickRowTime(scene: Scene, cases: readonly (readonly number[])[]): FileColumn | undefined {
  const varies = (column: FileColumn): boolean => column.times !== undefined && !isSteady(column, cases);
  const varying = scene.columns.filter(
    (column) => varies(column) && !column.isDue && column.filled >= 0.8 * scene.rows,
  );
  const [only] = varying;
  if (only !== undefined && varying.length === 1)
    return takeRole(scene, 'at', only, { why: 'it is the only time that changes within a case' });
  const named = (role: FileRole) => varying.find((column) => namesRole(column, role));
  const changing = named('updated') ?? named('created');
  const isOnly = varying.filter((column) => namesRole(column, 'updated', 'created')).length === 1;
  if (changing !== undefined && isOnly && named('at') === undefined)
    return takeRole(scene, 'at', changing, { why: 'by its name, and it changes within a case' });
  return pickRole(scene, 'at', {
    matters: true,
    needed: true,
    among: varying.length > 0 ? varies : ({ times }) => times !== undefined,
  });
}

/** Whether a column has one text for each case. */
export function isSteady(column: FileColumn, cases: readonly (readonly number[])[]): boolean {
  let [several, steady] = [0, 0];
  for (const rows of cases) {
    const texts = new Set(rows.map(column.cell));
    texts.delete('');
    if (rows.length < 2) continue;
    several += 1;
    if (texts.size < 2) steady += 1;
  }
  return several > 0 && steady >= 0.95 * several;
}

/** Columns that number a case's rows: they order rows of the same time. */
function orderColumns({ columns, rows }: Scene): string[] | undefined {
  const found = columns.filter(
    ({ name, filled, isNumber }) =>
      isNumber && filled === rows && /(^|[ _])(seq|sequence|revision|version|mod[ _]count)$/i.test(name),
  );
  return found.length === 0 ? undefined : found.map(({ name }) => name);
}

type KindFields = (log: Log, created: FileColumn | undefined) => ProposedPart | undefined;

const messageFields: KindFields = ({ scene, at, meanings, cases }, created) => {
  const column = pickRole(scene, 'direction', { matters: true, needed: true });
  const note = pickRole(scene, 'note', { matters: true });
  const actor = pickActor(scene);
  if (column === undefined) return undefined;
  const directions = meaningsOfColumn(scene, 'direction', column, { isOneWay: true });
  meanings.push(directions.found);
  const told = directions.meanings;
  const known = new Map(
    directions.found.values.map(({ value, meaning, state }) => [value, state === 'proven' ? meaning : undefined]),
  );
  const notes =
    note && meaningsOfColumn(scene, 'note', note, { isInbound: (row) => known.get(column.cell(row)) === 'inbound' });
  if (notes) meanings.push(notes.found);
  const message = pickRole(scene, 'message', { matters: false }) ?? idOfRows(scene);
  const inside = attributesPart(scene, meanings, false);
  if (told === undefined || (notes && notes.meanings === undefined)) return undefined;
  const ways = [...told].map(([value, is]) => [value, is === 'note' || is === null ? 'outbound' : is] as const);
  const nothing = [...told].filter(([, is]) => is === null).map(([value]) => value);
  noteFirst(scene, cases, at, (row) => told.get(column.cell(row)) === 'inbound');
  return {
    ...(nothing.length === 0 ? {} : { when: { column: column.name, not: nothing } }),
    key: message ? [message.name] : [at.name, column.name, ...(actor ? [actor.name] : [])],
    ...part('actor', actor && { agent: actor.name }),
    direction: { column: column.name, table: Object.fromEntries(ways) },
    ...part('note', noteValue(column, told, note, notes?.meanings)),
    created: { ...part('at', created && { time: created }), ...inside },
  };
};

/** The mapping of notes: by a column of their own, by the direction, or by both. */
function noteValue(
  column: FileColumn,
  told: ReadonlyMap<string, Meaning>,
  note: FileColumn | undefined,
  notes: ReadonlyMap<string, Meaning> | undefined,
): ProposedPart | undefined {
  const isNote = [...told.values()].includes('note');
  const byDirection = {
    column: column.name,
    table: Object.fromEntries([...told].map(([value, is]) => [value, is === 'note'])),
  };
  if (note === undefined || notes === undefined) return isNote ? byDirection : undefined;
  const table = Object.fromEntries(
    [...notes].map(([value, is]) => [value, is === true ? true : isNote ? null : false]),
  );
  return { column: note.name, table, ...(isNote ? { else: byDirection } : {}) };
}

/** A column with an id for each row. */
function idOfRows(scene: Scene): FileColumn | undefined {
  const used = new Set(scene.taken.values());
  return scene.columns.find(
    (column) =>
      !used.has(column) && !column.times && column.distinct === scene.rows && namesRole(column, 'case', 'message'),
  );
}

/** Who acted: an author, or else a column that may be an author or an assignee. */
const pickActor = (scene: Scene): FileColumn | undefined => pickRole(scene, 'actor', { matters: false });

function noteFirst(scene: Scene, cases: Log['cases'], at: FileColumn, isInbound: (row: number) => boolean): void {
  const begun = cases.filter((rows) => {
    const first = firstRow(scene, rows, at);
    return first !== undefined && isInbound(first);
  }).length;
  if (begun < cases.length)
    scene.notes.push(`${cases.length - begun} of ${cases.length} cases do not begin with a message of the customer.`);
}

const activityFields: KindFields = ({ scene, at, cases, meanings, rating }, created) => {
  const column = pickRole(scene, 'activity', { matters: true, needed: true });
  if (column === undefined) return undefined;
  const actor = pickActor(scene);
  const isBoth = actor !== undefined && mentionsRole(actor, 'assignee');
  const agent = isBoth ? actor : pickRole(scene, 'assignee', { matters: false });
  const group = pickRole(scene, 'group', { matters: false });
  const { found, meanings: told } = meaningsOfColumn(scene, 'activity', column, {});
  meanings.push(found);
  const note = pickRole(scene, 'note', { matters: true });
  const marks =
    note && meaningsOfColumn(scene, 'note', note, { isInbound: (row) => told?.get(column.cell(row)) === 'inbound' });
  if (marks) meanings.push(marks.found);
  const isRated = [...(told?.values() ?? [])].includes('rated');
  const csat = isRated ? pickRole(scene, 'csat', { matters: false }) : undefined;
  const score = csat && ratingValue(scene, csat, rating);
  const changes = [...(told?.values() ?? [])].includes('priority');
  const priority = changes ? pickRole(scene, 'priority', { matters: false }) : undefined;
  const level = priority && priorityValue(scene, priority);
  const inside = attributesPart(scene, meanings, false);
  if (told === undefined || (marks && !marks.meanings) || (score && !score.value) || (level && !level.value))
    return undefined;
  const secret = note && [...(marks?.meanings ?? [])].filter(([, is]) => is === true).map(([value]) => value);
  const means = (row: number): Meaning | undefined => told.get(column.cell(row));
  const countsCreation = needsFirstMessage(scene, cases, at, means);
  if (countsCreation) scene.notes.push('The file has no first message of the customer: the creation counts as one.');
  const to = (status: string) => [{ type: 'case.status', to: { value: status } }];
  const assigned = { ...part('agent', agent?.name), ...part('group', group?.name) };
  const events = (is: Meaning): readonly ProposedPart[] => {
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
    if (is === 'rated')
      return score?.value && 'column' in score.value ? [{ type: 'csat.rated', score: score.value }] : [];
    return typeof is === 'string' ? to(is) : [];
  };
  const creators = [...told].filter(([, is]) => is === 'created').map(([value]) => value);
  return {
    activity: column.name,
    ...part('actor', actor && { agent: actor.name }),
    activities: Object.fromEntries([...told].map(([value, is]) => [value, events(is)])),
    created: {
      ...(creators.length === 0 ? {} : { by: creators }),
      ...part('at', created && { time: created }),
      ...inside,
    },
  };
};

/** Whether a log lacks the customer's first message: few cases have one before anything is sent to the customer. */
function needsFirstMessage(
  scene: Scene,
  cases: Log['cases'],
  at: FileColumn,
  means: (row: number) => Meaning | undefined,
): boolean {
  let [begun, told] = [0, 0];
  for (const rows of cases) {
    const sorted = [...rows].sort((a, b) => timeAt(scene, at, a) - timeAt(scene, at, b) || a - b);
    if (!sorted.some((row) => means(row) === 'created')) continue;
    begun += 1;
    const first = sorted.find((row) => means(row) === 'inbound' || means(row) === 'outbound');
    if (first !== undefined && means(first) === 'inbound') told += 1;
  }
  return begun > 0 && told < 0.5 * begun;
}

const snapshotFields: KindFields = ({ scene, meanings }, created) => {
  const column = pickRole(scene, 'status', { matters: true, needed: true });
  const status = column && meaningsOfColumn(scene, 'status', column, {});
  if (status) meanings.push(status.found);
  const inside = attributesPart(scene, meanings); // the assignee first: `Agent` is mostly that
  const actor = pickActor(scene);
  const table =
    status?.meanings &&
    Object.fromEntries([...status.meanings].map(([value, is]) => [value, is === 'deleted' ? 'closed' : is]));
  return {
    ...part('actor', actor && { agent: actor.name }),
    ...part('created', created && { at: { time: created } }),
    ...part('status', column && table && { column: column.name, table }),
    ...inside,
  };
};
