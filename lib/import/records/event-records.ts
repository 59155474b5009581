import type { AsOf, Assignee, CaseEvent, HistoryEvent, SessionEvent } from '../../history/cases/event.ts';
import { isJsonObject } from '../../json.ts';
import {
  between,
  bool,
  code,
  type JsonFields,
  listOf,
  MAX_LIST,
  member,
  memberSet,
  name,
  nullable,
  oneOf,
  optional,
  Rejection,
  required,
  shown,
  text,
} from '../../json-readers.ts';
import type { Mutable } from '../../typed-object.ts';
import { CASE_STATUSES } from '../../vocabulary.ts';
import { instant, key, MAX_SOURCE, language as readLanguage } from './record-fields.ts';

type EventType = HistoryEvent['type'];
type EventHead = Pick<CaseEvent, 'id' | 'at' | 'case' | 'agent' | 'group' | 'automated'>;

/** Longest value of a custom field, in bytes of UTF-8: long enough for any list's value, short enough for a segment. */
const MAX_VALUE = 4_096;
const AS_OF_PARTS = 3;

const status = oneOf(CASE_STATUSES);
const direction = oneOf(['inbound', 'outbound']);
const priority = nullable(between(1, 10));
const score = nullable(between(0, 4)); // the importer checks which scores the site's rating allows
const company = nullable(member);

/** One reader per event type of docs/import.md: turns a record's fields into an event; throws `Rejection`. */
export const EVENT_RECORDS: { readonly [T in EventType]: (raw: JsonFields) => Extract<HistoryEvent, { type: T }> } = {
  'case.created': (raw) => ({ type: 'case.created', ...base(raw), ...createdWith(raw) }),
  'case.deleted': (raw) => ({ type: 'case.deleted', ...base(raw) }),
  'case.status': (raw) => ({ type: 'case.status', ...base(raw), to: required(raw, 'to', status) }),
  'case.assigned': (raw) => ({ type: 'case.assigned', ...unattributed(raw), to: assignee(raw) }),
  'case.labels': (raw) => ({ type: 'case.labels', ...base(raw), ...labels(raw) }),
  'case.priority': (raw) => ({ type: 'case.priority', ...base(raw), priority: required(raw, 'priority', priority) }),
  'case.company': (raw) => ({ type: 'case.company', ...base(raw), company: required(raw, 'company', company) }),
  'case.custom_field': (raw) => ({
    type: 'case.custom_field',
    ...base(raw),
    field: required(raw, 'field', member),
    value: required(raw, 'value', fieldValue),
  }),
  'case.viewed': (raw) => ({ type: 'case.viewed', ...base(raw) }),
  'case.handled': (raw) => ({ type: 'case.handled', ...base(raw, 'from'), ...interval(raw) }),
  interaction: (raw) => ({ type: 'interaction', ...base(raw), direction: required(raw, 'direction', direction) }),
  note: (raw) => ({ type: 'note', ...base(raw) }),
  'macro.applied': (raw) => ({ type: 'macro.applied', ...base(raw), macro: required(raw, 'macro', member) }),
  'csat.rated': (raw) => ({ type: 'csat.rated', ...base(raw), score: required(raw, 'score', score) }),
  'agent.session': (raw): SessionEvent => ({
    type: 'agent.session',
    id: required(raw, 'id', key),
    at: instantOr(raw, 'from'),
    agent: required(raw, 'agent', member),
    ...interval(raw),
    ...origin(raw),
  }),
  'case.version': (raw) => ({ type: 'case.version', id: '', at: 0, case: required(raw, 'case', key), ...mark(raw) }),
  'agent.version': (raw) => ({
    type: 'agent.version',
    id: '',
    at: 0,
    agent: required(raw, 'agent', member),
    ...mark(raw),
  }),
};

const sourceName = (value: unknown, field: string): string => {
  const given = name(value, field);
  if ([...given].length <= MAX_SOURCE) return given;
  throw new Rejection(`${field}: longer than ${MAX_SOURCE} characters`);
};

/** Reads one time, or a list of up to three in which null stands for an unknown part. */
function asOf(value: unknown, field: string): AsOf {
  const parts = Array.isArray(value) ? value.map((part) => nullable(instant)(part, field)) : [instant(value, field)];
  if (parts.length > AS_OF_PARTS) throw new Rejection(`${field}: more than ${AS_OF_PARTS} times`);
  const last = parts.findLastIndex((part) => part !== null);
  if (last < 0) throw new Rejection(`${field}: ${shown(value)} holds no time`);
  return parts.slice(0, last + 1);
}

/** Reads the source and version of an event, if the record has them. */
function origin(raw: JsonFields): { source?: string; as_of?: AsOf } {
  const source = optional(raw, 'source', sourceName) ?? undefined;
  const version = optional(raw, 'as_of', asOf) ?? undefined;
  if (source === undefined && version !== undefined) throw new Rejection('as_of needs a source: name it');
  return { ...(source !== undefined && { source }), ...(version !== undefined && { as_of: version }) };
}

const mark = (raw: JsonFields) => ({
  source: required(raw, 'source', sourceName),
  as_of: required(raw, 'as_of', asOf),
});

/** Reads the fields that every event of a case has. `fallback` names the field that replaces a missing `at`. */
function base(raw: JsonFields, fallback?: string): EventHead {
  const event: Mutable<EventHead> = unattributed(raw, fallback);
  if (event.automated) return event; // it has no actor (docs/rules.md 16)
  const agent = optional(raw, 'agent', member);
  const group = optional(raw, 'group', member);
  if (typeof agent === 'number') event.agent = agent;
  if (typeof group === 'number') event.group = group;
  return event;
}

/** Reads the same fields without `agent` and `group`: in `case.assigned` these name the assignee, not who acted. */
function unattributed(raw: JsonFields, fallback?: string): EventHead {
  const event: Mutable<EventHead> = {
    id: required(raw, 'id', key),
    at: fallback === undefined ? required(raw, 'at', instant) : instantOr(raw, fallback),
    case: required(raw, 'case', key),
  };
  if (optional(raw, 'automated', bool)) event.automated = true;
  if (raw.source === undefined && raw.as_of === undefined) return event;
  return Object.assign(event, origin(raw));
}

function instantOr(raw: JsonFields, fallback: string): number {
  return optional(raw, 'at', instant) ?? required(raw, fallback, instant);
}

function interval(raw: JsonFields): { from: number; to: number } {
  const from = required(raw, 'from', instant);
  const to = required(raw, 'to', instant);
  if (to < from) throw new Rejection(`to: ${shown(raw.to)} is before from, ${shown(raw.from)}`);
  return { from, to };
}

function assignee(raw: JsonFields): Assignee {
  const agent = optional(raw, 'agent', member);
  const group = optional(raw, 'group', member);
  return { ...(agent !== undefined && { agent }), ...(group !== undefined && { group }) };
}

function labels(raw: JsonFields): Pick<Extract<CaseEvent, { type: 'case.labels' }>, 'set' | 'add' | 'remove'> {
  const set = optional(raw, 'set', memberSet);
  const add = optional(raw, 'add', memberSet);
  const remove = optional(raw, 'remove', memberSet);
  if (set === undefined && add === undefined && remove === undefined) {
    throw new Rejection('set, add or remove is missing');
  }
  if (set !== undefined && (add || remove)) throw new Rejection('set excludes add and remove: leave these out');
  if (set !== undefined) return { set: set ?? [] };
  return { ...(add && { add }), ...(remove && { remove }) };
}

type CreatedWith = Omit<Extract<CaseEvent, { type: 'case.created' }>, 'type' | keyof EventHead>;

function createdWith(raw: JsonFields): CreatedWith {
  const event: Mutable<CreatedWith> = {};
  const begins = optional(raw, 'status', status);
  const channel = optional(raw, 'channel', code);
  const urgency = optional(raw, 'priority', between(1, 10));
  const firm = optional(raw, 'company', member);
  const tags = optional(raw, 'labels', memberSet);
  const values = optional(raw, 'custom_fields', fieldValues);
  const language = optional(raw, 'language', readLanguage);
  if (begins && begins !== 'new') event.status = begins; // left out, so that both ways to say it are one content
  if (channel !== undefined) event.channel = channel;
  if (urgency !== undefined) event.priority = urgency;
  if (firm !== undefined) event.company = firm;
  if (tags) event.labels = tags;
  if (values) event.custom_fields = values;
  if (language !== undefined) event.language = language;
  return event;
}

/** Reads a custom field's value: a text; numbers and booleans are turned into texts. */
function fieldValue(value: unknown, name: string): string | null {
  if (value === null) return null;
  return text(MAX_VALUE)(typeof value === 'number' || typeof value === 'boolean' ? String(value) : value, name);
}

/** Reads an object of field id → value; its ids are in ascending order, so that equal records have equal JSON. */
function fieldValues(value: unknown, name: string): Readonly<Record<string, string | null>> {
  if (!isJsonObject(value)) {
    throw new Rejection(`${name}: ${shown(value)} is not an object of field id and value`);
  }
  const entries = Object.entries(value);
  if (entries.length > MAX_LIST) throw new Rejection(`${name}: more than ${MAX_LIST} elements`);
  const ids = listOf(member)(
    entries.map(([id]) => id),
    name,
  );
  return Object.fromEntries(
    entries.map(([, given], index) => [ids[index], fieldValue(given, `${name}.${ids[index]}`)]),
  );
}
