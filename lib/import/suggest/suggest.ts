import type { CsvSample } from '../sniff.ts';
import { attributes, statusField } from './attribute-fields.ts';
import { type ColumnRole, columnByRole } from './roles.ts';
import { columnsOf, type SampledColumn } from './sampled-columns.ts';
import {
  columnTaker,
  MAX_LISTED,
  MAX_TABLE_VALUES,
  type MappingPart,
  namesOfColumns,
  pickColumn,
  type SuggestionDraft,
  type SuggestionNote,
  type TakeColumn,
  valueTable,
} from './suggestion-draft.ts';
import { directionOf, suggestedEvents } from './words.ts';

/** A mapping to start from. */
export interface Suggestion {
  readonly mapping: Readonly<Record<string, unknown>>;
  readonly notes: readonly SuggestionNote[];
}

/** Suggests a mapping from the beginning of a CSV; undefined if it has no column for the case or none for a time. */
export function suggestMapping(sample: CsvSample): Suggestion | undefined {
  const draft: SuggestionDraft = { columns: columnsOf(sample), notes: [], rows: sample.rows.length };
  const caseColumn = pickColumn('case', draft);
  const anyTime = draft.columns.find(({ time }) => time !== undefined);
  if (caseColumn === undefined || anyTime === undefined) return undefined;
  const isLog = caseColumn.values.size < 0.9 * caseColumn.filled.length;
  draft.notes.push({
    what: isLog ? 'Rows are what happened to cases.' : 'Each row is one case.',
    why: `"${caseColumn.name}" has ${caseColumn.values.size} different values in ${caseColumn.filled.length} rows`,
    isSure: draft.rows >= 10,
  });
  const rest = isLog ? logMapping(draft, caseColumn) : ticketsMapping(draft, caseColumn);
  const mapping = {
    ...rest.first,
    ...dialectFields(sample, draft),
    ...timeFields(rest.times, draft),
    case: caseField(caseColumn, draft),
    ...rest.fields,
  };
  noteLeft(mapping, draft);
  return { mapping, notes: draft.notes };
}

/** Spellings of ids by other programs, and the pattern that takes the id from them. */
const SPELLINGS = [
  { spelling: /^\d+\.0+$/, pattern: '^(\\d+)' }, // 1004298.0
  { spelling: /^#\d+$/, pattern: '^#(\\d+)' },
];

function caseField({ name, filled }: SampledColumn, { notes }: SuggestionDraft): unknown {
  const pattern = SPELLINGS.find(({ spelling }) => filled.every((id) => spelling.test(id)))?.pattern;
  if (pattern === undefined) return name;
  const [id = ''] = filled;
  const what = `The case ${id} is ${new RegExp(pattern).exec(id)?.[1]}.`;
  notes.push({ what, why: 'its digits are the id in other exports', isSure: true });
  return { column: name, pattern };
}

const LEFT = 8; // columns in a sentence

/** Notes which columns the mapping does not use. */
function noteLeft(mapping: MappingPart, { columns, notes }: SuggestionDraft): void {
  const texts = new Set(textsIn(mapping));
  const left = columns.filter(({ name, filled }) => filled.length > 0 && !texts.has(name));
  if (left.length === 0) return;
  const names = left.map(({ name }) => `"${name}"`);
  const more = names.length > LEFT ? ` and ${names.length - LEFT} more` : '';
  const what = `Not used: ${names.slice(0, LEFT).join(', ')}${more}.`;
  notes.push({ what, why: 'custom_fields, csat and other keys could use them', isSure: true });
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

function dialectFields({ dialect }: CsvSample, { columns, notes }: SuggestionDraft): MappingPart {
  const { separator, encoding, skip } = dialect;
  const name = separator === '\t' ? 'a tab' : `"${separator}"`;
  notes.push({
    what: `Cells are separated by ${name}, in ${encoding}.`,
    why: 'this way all rows have equally many cells',
    isSure: encoding !== 'windows-1252',
  });
  const nothing = [...new Set(columns.flatMap((column) => [...column.nothing]))];
  if (nothing.length > 0) {
    const texts = nothing.map((text) => `"${text}"`).join(', ');
    notes.push({ what: `These mean nothing: ${texts}.`, why: 'by their words', isSure: true });
  }
  const csv = {
    ...(separator === ',' ? {} : { separator }),
    ...(encoding === 'utf-8' ? {} : { encoding }),
    ...(skip === 0 ? {} : { skip }),
    ...(nothing.length === 0 ? {} : { null: nothing }),
  };
  return Object.keys(csv).length === 0 ? {} : { csv };
}

/** Suggests the format of the times that the mapping uses, and a zone if the times have none. */
function timeFields(times: readonly SampledColumn[], { notes }: SuggestionDraft): MappingPart {
  const formats = [...new Set(times.flatMap(({ time }) => time?.format ?? []))];
  const fits = (format: string) => times.every(({ time }) => time?.format === format || time?.others.includes(format));
  const others = [...new Set(times.flatMap(({ time }) => time?.others ?? []))].filter(
    (one) => fits(one) && !formats.includes(one),
  );
  const needsZone = times.some(({ time }) => time?.needsZone);
  const doubt = others.length === 0 ? '' : `; ${others.slice(0, 3).join(', ')} would fit as well`;
  notes.push({
    what: `Times are written ${formats.join(' or ')}.`,
    why: `nearly all cells of ${times.map(({ name }) => `"${name}"`).join(', ')} are${doubt}`,
    isSure: others.length === 0,
  });
  if (needsZone) {
    notes.push({
      what: 'Times are in UTC.',
      why: 'the file does not say their zone: put yours in time.zone',
      isSure: false,
    });
  }
  const format = formats.length === 1 ? formats[0] : formats;
  return { time: { ...(format === 'iso' ? {} : { format }), ...(needsZone ? { zone: 'UTC' } : {}) } };
}

/** The parts of a mapping that depend on its kind, and the columns of its times. */
interface Rest {
  readonly first: MappingPart;
  readonly fields: MappingPart;
  readonly times: readonly SampledColumn[];
}

function ticketsMapping(draft: SuggestionDraft, caseColumn: SampledColumn): Rest {
  const take = columnTaker(draft, [caseColumn]);
  const [replied, solved, created] = [take('replied'), take('solved'), take('created')];
  const updated = take('updated');
  const first = created ?? updated ?? draft.columns.find(({ time }) => time !== undefined);
  const after = (role: ColumnRole): MappingPart | undefined => {
    const column = take(role);
    return column && { column: first?.name, plus: { column: column.name, unit: column.duration } };
  };
  const fields = {
    created: first?.name,
    replied: replied?.name ?? after('repliedAfter'),
    solved: solved?.name ?? after('solvedAfter'),
    ...namesOfColumns({ updated, as_of: updated }),
    ...requesters(take, draft),
    ...namesOfColumns({ agent: take('agent'), group: take('group') }),
    ...statusField(take('status'), draft),
    ...attributes(take, draft),
  };
  const times = [first, replied, solved, updated].filter((column) => column !== undefined);
  return { first: { kind: 'tickets' }, fields, times };
}

/** Suggests requester and submitter; both or none, because each means nothing without the other. */
function requesters(take: TakeColumn, { columns }: SuggestionDraft): MappingPart {
  const [requester, submitter] = [columnByRole('requester', columns), columnByRole('submitter', columns)];
  return requester && submitter ? namesOfColumns({ requester: take('requester'), submitter: take('submitter') }) : {};
}

function logMapping(draft: SuggestionDraft, caseColumn: SampledColumn): Rest {
  const full = draft.columns.filter(({ filled }) => filled.length >= 0.9 * draft.rows);
  const at = pickColumn('at', { ...draft, columns: full }) ?? draft.columns.find(({ time }) => time !== undefined);
  const take = columnTaker(draft, [caseColumn, ...(at ? [at] : [])]);
  const times = at === undefined ? [] : [at];
  const actor = take('actor');
  const common = { at: at?.name, ...orderField(full, draft), ...(actor ? { actor: { agent: actor.name } } : {}) };
  const activity = take('activity');
  if (activity !== undefined) {
    const fields = {
      ...common,
      activity: activity.name,
      ...activityFields(activity, actor, draft),
      created: attributes(take, draft),
    };
    return { first: { kind: 'activities' }, fields, times };
  }
  const direction = take('direction');
  if (direction !== undefined) {
    const key = take('key') ?? at;
    const secret = take('private');
    const fields = {
      ...common,
      key: [key?.name],
      ...(secret ? { note: secret.name } : {}),
      direction: {
        column: direction.name,
        table: valueTable(direction, directionOf, 'outbound', draft),
        default: 'outbound',
      },
      created: attributes(take, draft),
    };
    return { first: { kind: 'messages' }, fields, times };
  }
  const created = pickColumn('created', { ...draft, columns: full }, at ? [at] : []);
  if (created) times.push(created);
  const fields = {
    ...common,
    ...(created ? { created: { at: created.name } } : {}),
    ...statusField(take('status'), draft),
    ...namesOfColumns({ agent: take('agent'), group: take('group') }),
    ...attributes(take, draft),
  };
  return { first: { kind: 'snapshots' }, fields, times };
}

/** Suggests the columns that number a case's rows: they order rows of the same time. */
function orderField(columns: readonly SampledColumn[], { notes }: SuggestionDraft): MappingPart {
  const counts = columns.filter(
    ({ name, filled }) =>
      /(^|[ _])(seq|sequence|revision|version|mod[ _]count)$/i.test(name) && filled.every((text) => /^\d+$/.test(text)),
  );
  if (counts.length === 0) return {};
  const order = counts.map(({ name }) => name);
  const what = `Rows of one time are ordered by ${order.map((name) => `"${name}"`).join(', ')}.`;
  notes.push({ what, why: 'by its name', isSure: true });
  return { order };
}

function activityFields(
  column: SampledColumn,
  actor: SampledColumn | undefined,
  { notes }: SuggestionDraft,
): MappingPart {
  const values = [...column.values].slice(0, MAX_TABLE_VALUES);
  const activities = Object.fromEntries(
    values.map((value) => {
      const events = suggestedEvents(value) ?? [];
      const isAssignment = actor !== undefined && /assign|take in charge|took|transfer/i.test(value);
      return [value, isAssignment ? [{ type: 'case.assigned', agent: actor.name }] : events];
    }),
  );
  const silent = values.filter((value) => (activities[value] ?? []).length === 0);
  const told = values.filter((value) => !silent.includes(value));
  notes.push({
    what: `Of the activities in "${column.name}", these become events: ${told.slice(0, MAX_LISTED).join(', ') || 'none'}.`,
    why:
      silent.length === 0
        ? 'by their words'
        : `by their words; write what these mean: ${silent.slice(0, MAX_LISTED).join(', ')}`,
    isSure: silent.length === 0,
  });
  return { activities, otherwise: 'ignore' };
}
