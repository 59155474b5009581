import type { CsvSample } from '../sniff.ts';
import { type ColumnRole, columnByRole, columnsOf, type SampledColumn } from './roles.ts';
import { directionOf, priorityOf, statusOf, suggestedEvents } from './words.ts';

/** One thing that a suggested mapping says, and by what. */
export interface SuggestionNote {
  readonly what: string;
  readonly why: string;
  readonly isSure: boolean;
}

/** A mapping to start from. */
export interface Suggestion {
  readonly mapping: Readonly<Record<string, unknown>>;
  readonly notes: readonly SuggestionNote[];
}

const LISTED = 12; // values in a sentence
const MOST_VALUES = 60; // of a table

/** What is said while a mapping is made. */
interface Making {
  readonly columns: readonly SampledColumn[];
  readonly notes: SuggestionNote[];
  readonly rows: number;
}

type Fields = Record<string, unknown>;

/** Makes a mapping from the beginning of a CSV; undefined where no column can be the case, or none a time. */
export function suggestMapping(sample: CsvSample): Suggestion | undefined {
  const making: Making = { columns: columnsOf(sample), notes: [], rows: sample.rows.length };
  const caseColumn = pick('case', making);
  const anyTime = making.columns.find(({ time }) => time !== undefined);
  if (caseColumn === undefined || anyTime === undefined) return undefined;
  const isLog = caseColumn.values.size < 0.9 * caseColumn.filled.length;
  making.notes.push({
    what: isLog ? 'Rows are what happened to cases.' : 'Each row is one case.',
    why: `"${caseColumn.name}" has ${caseColumn.values.size} different values in ${caseColumn.filled.length} rows`,
    isSure: making.rows >= 10,
  });
  const rest = isLog ? logMapping(making, caseColumn) : ticketsMapping(making, caseColumn);
  const mapping = {
    ...rest.first,
    ...dialectFields(sample, making),
    ...timeFields(rest.times, making),
    case: caseColumn.name,
    ...rest.fields,
  };
  return { mapping, notes: making.notes };
}

function dialectFields({ dialect }: CsvSample, { notes }: Making): Fields {
  const { separator, encoding, skip } = dialect;
  const name = separator === '\t' ? 'a tab' : `"${separator}"`;
  notes.push({
    what: `Cells stand between ${name}, in ${encoding}.`,
    why: 'rows have equally many cells so',
    isSure: encoding === 'utf-8',
  });
  const csv = {
    ...(separator === ',' ? {} : { separator }),
    ...(encoding === 'utf-8' ? {} : { encoding }),
    ...(skip === 0 ? {} : { skip }),
  };
  return Object.keys(csv).length === 0 ? {} : { csv };
}

/** The format of the times that the mapping names, and a zone where they have none. */
function timeFields(times: readonly SampledColumn[], { notes }: Making): Fields {
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
    notes.push({ what: 'Times are in UTC.', why: 'they do not say their zone: put yours as time.zone', isSure: false });
  }
  const format = formats.length === 1 ? formats[0] : formats;
  return { time: { ...(format === 'iso' ? {} : { format }), ...(needsZone ? { zone: 'UTC' } : {}) } };
}

/** The rest of a mapping, and the columns of its times. */
interface Rest {
  readonly first: Fields;
  readonly fields: Fields;
  readonly times: readonly SampledColumn[];
}

function ticketsMapping(making: Making, caseColumn: SampledColumn): Rest {
  const taken = [caseColumn];
  const take = (role: ColumnRole): SampledColumn | undefined => {
    const column = pick(role, making, taken);
    if (column) taken.push(column);
    return column;
  };
  const [replied, solved, created] = [take('replied'), take('solved'), take('created')];
  const updated = take('updated');
  const first = created ?? updated ?? making.columns.find(({ time }) => time !== undefined);
  const [requester, submitter] = [take('requester'), take('submitter')];
  const fields = {
    created: first?.name,
    ...named({ replied, solved, updated }),
    ...(requester && submitter ? named({ requester, submitter }) : {}),
    ...named({ agent: take('agent'), group: take('group') }),
    ...statusField(take('status'), making),
    ...attributes(take, making),
  };
  const times = [first, replied, solved, updated].filter((column) => column !== undefined);
  return { first: { kind: 'tickets' }, fields, times };
}

function logMapping(making: Making, caseColumn: SampledColumn): Rest {
  const full = making.columns.filter(({ filled }) => filled.length >= 0.9 * making.rows);
  const at = pick('at', { ...making, columns: full }) ?? making.columns.find(({ time }) => time !== undefined);
  const taken = [caseColumn, ...(at ? [at] : [])];
  const take = (role: ColumnRole): SampledColumn | undefined => {
    const column = pick(role, making, taken);
    if (column) taken.push(column);
    return column;
  };
  const times = at === undefined ? [] : [at];
  const actor = take('actor');
  const common = { at: at?.name, ...(actor ? { actor: { agent: actor.name } } : {}) };
  const activity = take('activity');
  if (activity !== undefined) {
    const fields = {
      ...common,
      activity: activity.name,
      ...activityFields(activity, actor, making),
      created: attributes(take, making),
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
        table: tableOf(direction, directionOf, 'outbound', making),
        default: 'outbound',
      },
      created: attributes(take, making),
    };
    return { first: { kind: 'messages' }, fields, times };
  }
  const fields = {
    ...common,
    ...statusField(take('status'), making),
    ...named({ agent: take('agent'), group: take('group') }),
    ...attributes(take, making),
  };
  return { first: { kind: 'snapshots' }, fields, times };
}

const named = (columns: Readonly<Record<string, SampledColumn | undefined>>): Fields =>
  Object.fromEntries(Object.entries(columns).flatMap(([key, column]) => (column ? [[key, column.name]] : [])));

function attributes(take: (role: ColumnRole) => SampledColumn | undefined, making: Making): Fields {
  const priority = take('priority');
  const labels = take('labels');
  const channel = take('channel');
  const separator = labels && [...labels.values].some((value) => value.includes(',')) ? ',' : ' ';
  return {
    ...(channel ? { channel: { column: channel.name, usual: true } } : {}),
    ...(priority
      ? { priority: { column: priority.name, table: tableOf(priority, priorityOf, 5, making), default: null } }
      : {}),
    ...named({ company: take('company') }),
    ...(labels ? { labels: { column: labels.name, split: separator } } : {}),
  };
}

function statusField(column: SampledColumn | undefined, making: Making): Fields {
  if (column === undefined) return {};
  return { status: { column: column.name, table: tableOf(column, statusOf, 'open', making), default: 'open' } };
}

/** What each value of a column means; the unknown mean `otherwise`, and are told. */
function tableOf<T>(
  column: SampledColumn,
  meaningOf: (text: string) => T | undefined,
  otherwise: T,
  { notes }: Making,
): Record<string, T> {
  const values = [...column.values].slice(0, MOST_VALUES);
  const unknown = values.filter((value) => meaningOf(value) === undefined);
  const said = values.map((value) => `${value} → ${meaningOf(value) ?? otherwise}`);
  notes.push({
    what: `In "${column.name}", ${said.slice(0, LISTED).join(', ')}${said.length > LISTED ? ', …' : ''}.`,
    why:
      unknown.length === 0
        ? 'by their words'
        : `by their words, but ${unknown.slice(0, LISTED).join(', ')} say nothing`,
    isSure: unknown.length === 0,
  });
  return Object.fromEntries(values.map((value) => [value, meaningOf(value) ?? otherwise]));
}

function activityFields(column: SampledColumn, actor: SampledColumn | undefined, { notes }: Making): Fields {
  const values = [...column.values].slice(0, MOST_VALUES);
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
    what: `Of the activities in "${column.name}", these become events: ${told.slice(0, LISTED).join(', ') || 'none'}.`,
    why:
      silent.length === 0
        ? 'by their words'
        : `by their words; write what these mean: ${silent.slice(0, LISTED).join(', ')}`,
    isSure: silent.length === 0,
  });
  return { activities, otherwise: 'ignore' };
}

/** The column of a role, told. */
function pick(
  role: ColumnRole,
  { columns, notes }: Making,
  taken: readonly SampledColumn[] = [],
): SampledColumn | undefined {
  const column = columnByRole(role, columns, taken);
  if (column !== undefined) {
    notes.push({
      what: `"${column.name}" is the ${LABELS[role] ?? role}.`,
      why: 'by its name',
      isSure: role !== 'actor' && role !== 'company',
    });
  }
  return column;
}

const LABELS: Readonly<Partial<Record<ColumnRole, string>>> = {
  at: 'time of a row',
  created: 'time of the creation',
  updated: 'time of the last update',
  replied: 'time of the first reply',
  solved: 'time of the solve',
  agent: 'agent to whom a case is assigned',
  group: 'group to which a case is assigned',
  actor: 'agent who acted',
};
