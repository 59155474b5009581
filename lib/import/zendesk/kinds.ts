import { isJsonObject, parsedJson } from '../../json.ts';
import type { JsonFields } from '../../json-readers.ts';

/** The names of lists in pages of Zendesk's API, each with the kind of its objects; streams and addresses use the same names. */
const LISTS = {
  audits: 'audit',
  ticket_audits: 'audit',
  ticket_events: 'ticket event',
  comments: 'comment',
  ticket_comments: 'comment',
  tickets: 'ticket',
  users: 'user',
  groups: 'group',
  organizations: 'organization',
  brands: 'brand',
  ticket_fields: 'ticket field',
  macros: 'macro',
  satisfaction_ratings: 'satisfaction rating',
  ticket_metrics: 'ticket metric',
} as const;

/** The kinds of objects of Zendesk's API that an import knows. */
export type ZendeskKind = (typeof LISTS)[keyof typeof LISTS];

const KIND_OF: ReadonlyMap<string, ZendeskKind> = new Map(Object.entries(LISTS));

/** The names of lists whose elements are read as single objects. */
export const PAGES: ReadonlySet<string> = new Set(KIND_OF.keys());

/** The keys by which each kind is recognised; the first match counts. */
const MARKS: readonly (readonly [kind: ZendeskKind, keys: readonly string[]])[] = [
  ['ticket event', ['ticket_id', 'child_events']],
  ['audit', ['ticket_id', 'events']],
  ['ticket metric', ['ticket_id', 'reopens']],
  ['satisfaction rating', ['ticket_id', 'score']],
  ['comment', ['ticket_id', 'author_id', 'public']],
  ['macro', ['id', 'title', 'actions']],
  ['ticket field', ['id', 'title', 'type']],
  ['ticket', ['id', 'status', 'requester_id']],
  ['user', ['id', 'name', 'role']],
  ['brand', ['id', 'name', 'subdomain']],
  ['organization', ['id', 'name', 'domain_names']],
  ['organization', ['id', 'name', 'shared_tickets']],
  ['group', ['id', 'name', 'is_public']],
];

/** An object without its envelope. */
export interface Unwrapped {
  readonly kind: ZendeskKind | undefined; // undefined: unknown
  readonly fields: JsonFields;
}

/** Types of connector messages without an object of Zendesk. */
const ASIDE = new Set(['STATE', 'SCHEMA', 'ACTIVATE_VERSION', 'LOG', 'TRACE', 'CATALOG', 'CONTROL']);

/**
 * Takes an object out of its envelope: none, an API page (`page` is the name of its list), Singer or Airbyte. Undefined
 * if the envelope has no object.
 */
export function unwrap(value: unknown, page: string | undefined): Unwrapped | undefined {
  if (!isJsonObject(value)) return { kind: undefined, fields: {} };
  const { type, record, stream, data, _airbyte_data: airbyte } = value;
  if (typeof type === 'string' && ASIDE.has(type) && record === undefined) return undefined;
  const name = typeof stream === 'string' ? stream : page;
  if (type === 'RECORD' && record !== undefined) return unwrap(parsed(record), name);
  if (airbyte !== undefined) return unwrap(parsed(airbyte), name);
  if (stream !== undefined && data !== undefined) return unwrap(parsed(data), name);
  return { kind: kindOf(value, page), fields: value };
}

/** Recognises a kind by the object's keys, else by its URL (`…/api/v2/groups/7.json`), else by its list or stream. */
function kindOf(fields: JsonFields, list: string | undefined): ZendeskKind | undefined {
  const marked = MARKS.find(([, keys]) => keys.every((key) => fields[key] !== undefined))?.[0];
  if (marked !== undefined) return marked;
  const address = typeof fields.url === 'string' ? /\/api\/v2\/(\w+)\//.exec(fields.url)?.[1] : undefined;
  return KIND_OF.get(address ?? '') ?? KIND_OF.get(list ?? '');
}

/** Parses a value that may be a text of JSON. */
const parsed = (value: unknown): unknown => (typeof value === 'string' ? parsedJson(value) : value);
