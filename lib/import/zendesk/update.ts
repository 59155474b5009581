import type { Instant } from '../../history/cases/event.ts';
import { isJsonObject } from '../../json.ts';
import type { JsonFields } from '../../json-readers.ts';
import { ALL_TELLINGS, type Telling } from '../../vocabulary.ts';
import type { ZendeskKind } from './kinds.ts';
import { requiredId, requiredTime, tagsOf, textOf, timeOf, zendeskId, zendeskList } from './values.ts';

/** The value of a ticket's field. Zendesk writes ids as texts too. */
export type FieldValue = string | readonly string[] | null;

/** A field that an audit sets. */
export interface FieldChange {
  readonly field: string; // `status`, …, or the id of a custom field
  readonly isFirst: boolean; // the audit creates the ticket with this value
  readonly value: FieldValue;
  readonly before?: FieldValue | undefined; // absent: unknown
  readonly byRule?: boolean; // made by a trigger or automation; absent: the channel of the audit decides
}

/** A comment or a call. */
export interface Comment {
  readonly id: number;
  readonly author: number | null;
  readonly isPublic: boolean;
  readonly byRule?: boolean; // as in `FieldChange`
  readonly call?: PhoneCall | null; // null: a call without details
}

interface PhoneCall {
  readonly from: Instant;
  readonly seconds: number;
  readonly agent: number | null;
}

/**
 * What happened to a ticket at one moment, from any stream. Plain data, because it waits in a file for its ticket's
 * rest.
 */
export interface Update {
  readonly stream: 'audit' | 'ticket event' | 'comment' | 'ticket';
  readonly line: number;
  readonly ticket: string;
  readonly id: number; // of the audit; for the streams `comment` and `ticket` the id of the object itself
  readonly at: Instant;
  readonly asOf?: Instant | undefined; // of the stream `ticket`: its last update, of which its changes are
  readonly author: number | null; // −1: Zendesk; for the stream `ticket` its requester
  readonly channel: string | null;
  readonly isMerge: boolean;
  readonly changes: readonly FieldChange[];
  readonly comments: readonly Comment[];
  readonly privacy: readonly { readonly comment: number; readonly isPublic: boolean }[];
  readonly macros: readonly number[];
}

/** Called with the name of data that has no meaning here. */
export type Ignore = (what: string) => void;

/** How an object about a ticket says it: the names of its fields, and what it has beside them. */
interface Stream {
  readonly ticket: string;
  readonly at: readonly string[]; // the first that is present
  readonly author: string;
  readonly tells: readonly Telling[];
  readonly parts?: (fields: JsonFields, ignore: Ignore) => Partial<Parts> & Pick<Update, 'asOf'>;
}

/** One entry for each kind of object about a ticket. */
const STREAMS: { readonly [K in Update['stream']]: Stream } = {
  audit: {
    ticket: 'ticket_id',
    at: ['created_at', 'timestamp'],
    author: 'author_id',
    tells: ALL_TELLINGS,
    parts: ({ events }, ignore) => partsOf(zendeskList(events), 'type', ignore),
  },
  'ticket event': {
    ticket: 'ticket_id',
    at: ['timestamp', 'created_at'],
    author: 'updater_id',
    tells: ALL_TELLINGS,
    parts: (fields, ignore) => partsOf(zendeskList(fields.child_events), 'event_type', ignore),
  },
  comment: {
    ticket: 'ticket_id',
    at: ['created_at', 'timestamp'],
    author: 'author_id',
    tells: ['customer_messages', 'first_replies', 'replies', 'notes', 'handling'],
    parts: (fields) => ({
      comments: [commentOf(fields, fields.type === 'VoiceComment')].flatMap((comment) => comment ?? []),
    }),
  },
  ticket: {
    ticket: 'id',
    at: ['created_at'],
    author: 'requester_id',
    tells: ['creations', 'statuses', 'labels'], // its present state says of nothing when it happened
    parts: (fields) => ({ changes: presentState(fields), asOf: timeOf(fields.updated_at) }),
  },
};

export const isStream = (kind: ZendeskKind | undefined): kind is Update['stream'] =>
  kind !== undefined && Object.hasOwn(STREAMS, kind);

/** What objects of these kinds tell together. */
export const streamsTell = (streams: ReadonlySet<Update['stream']>): readonly Telling[] =>
  ALL_TELLINGS.filter((each) => [...streams].some((stream) => STREAMS[stream].tells.includes(each)));

/** Reads an object as an update of its ticket; throws `Rejection`. */
export function readUpdate(stream: Update['stream'], fields: JsonFields, line: number, ignore: Ignore): Update {
  const { ticket, at, author, parts } = STREAMS[stream];
  return {
    stream,
    line,
    id: requiredId(fields, 'id'),
    ...viaOf(fields.via),
    ticket: String(requiredId(fields, ticket)),
    at: requiredTime(fields, ...at),
    author: zendeskId(fields[author]),
    changes: [],
    comments: [],
    privacy: [],
    macros: [],
    ...parts?.(fields, ignore),
  };
}

/** Reads a channel: an object in audits, a text in ticket events. */
function viaOf(via: unknown): { readonly channel: string | null; readonly isMerge: boolean } {
  if (!isJsonObject(via)) return { channel: textOf(via), isMerge: /merge/i.test(textOf(via) ?? '') };
  const rel = isJsonObject(via.source) ? via.source.rel : undefined;
  return { channel: textOf(via.channel), isMerge: rel === 'merge' };
}

/** Whether a channel means that a trigger or automation acted. */
export const isRule = (channel: string | null): boolean => channel?.toLowerCase() === 'rule';

function ownRule(via: unknown): { readonly byRule?: boolean } {
  const { channel } = viaOf(via);
  return channel === null ? {} : { byRule: isRule(channel) };
}

type Parts = Pick<Update, 'changes' | 'comments' | 'privacy' | 'macros'>;

/** Reads the parts of an audit; `typeKey` is the key of their type. */
function partsOf(events: readonly unknown[], typeKey: string, ignore: Ignore): Parts {
  const changes: FieldChange[] = [];
  const comments: Comment[] = [];
  const privacy: Update['privacy'][number][] = [];
  const macros: number[] = [];
  for (const event of events) {
    if (!isJsonObject(event)) continue;
    const type = textOf(event[typeKey]) ?? textOf(event.type) ?? guessedType(event);
    if (type === 'Create' || type === 'Change') changes.push(...changesOf(event, type === 'Create', ignore));
    else if (type === 'Comment' || type === 'VoiceComment') {
      const comment = commentOf(event, type === 'VoiceComment');
      if (comment) comments.push(comment);
    } else if (type === 'CommentPrivacyChange') {
      const comment = zendeskId(event.comment_id);
      if (comment !== null) privacy.push({ comment, isPublic: event.public === true });
    } else if (type === 'AgentMacroReference') {
      const macro = zendeskId(event.macro_id);
      if (macro !== null) macros.push(macro);
    } else ignore(`part of an audit: ${type}`);
  }
  return { changes, comments, privacy, macros };
}

/** Guesses the type of a part that has none. */
function guessedType(event: JsonFields): string {
  if (typeof event.public === 'boolean' && event.author_id !== undefined) return 'Comment';
  if (event.macro_id !== undefined) return 'AgentMacroReference';
  const isChange = ['previous_value', 'added_tags', 'removed_tags'].some((key) => event[key] !== undefined);
  return isChange ? 'Change' : 'Create';
}

/** The fields that are imported, beside custom fields. */
const FIELDS = new Set([
  'status',
  'assignee_id',
  'group_id',
  'requester_id',
  'organization_id',
  'priority',
  'tags',
  'satisfaction_score',
]);

/** Those that a ticket has itself. Its rating is not among them: a rating counts each time that it is given. */
const PRESENT = ['status', 'assignee_id', 'group_id', 'organization_id', 'priority', 'tags'];

/** Returns the fields that a part sets: the one in `field_name`, or all whose names are keys of the part. */
function changesOf(event: JsonFields, isFirst: boolean, ignore: Ignore): FieldChange[] {
  const rule = ownRule(event.via);
  const before = event.previous_value === undefined ? undefined : fieldValue(event.previous_value);
  const change = (field: string, value: unknown): FieldChange => ({
    field,
    isFirst,
    value: fieldValue(value),
    before,
    ...rule,
  });
  if (event.field_name !== undefined) {
    const field = String(event.field_name);
    if (FIELDS.has(field) || /^\d+$/.test(field)) return [change(field, event.value)];
    ignore(`change of ${field}`);
    return [];
  }
  const changes = [...FIELDS]
    .filter((field) => event[field] !== undefined && !(field === 'tags' && hasTagDifference(event)))
    .map((field) => change(field, event[field]));
  if (hasTagDifference(event)) {
    const [value, removed] = [tagsOf(event.added_tags), tagsOf(event.removed_tags)];
    changes.push({ field: 'tags', isFirst: false, value, before: removed, ...rule });
  }
  const custom = isJsonObject(event.custom_ticket_fields) ? Object.entries(event.custom_ticket_fields) : [];
  for (const [field, value] of custom) if (/^\d+$/.test(field)) changes.push(change(field, value));
  if (changes.length === 0) ignore('change of a field that means nothing here');
  return changes;
}

/** The fields of a ticket as they are now, which count where no audit says how they became so. */
function presentState(ticket: JsonFields): FieldChange[] {
  const custom = zendeskList(ticket.custom_fields ?? ticket.fields).flatMap((one) =>
    isJsonObject(one) && zendeskId(one.id) !== null ? [[String(zendeskId(one.id)), one.value] as const] : [],
  );
  return [...PRESENT.map((field) => [field, ticket[field]] as const), ...custom]
    .map(([field, value]) => ({ field, isFirst: true, value: fieldValue(value) }))
    .filter(({ value }) => value !== null && value.length > 0);
}

const hasTagDifference = ({ added_tags, removed_tags }: JsonFields): boolean =>
  Array.isArray(added_tags) || Array.isArray(removed_tags);

function fieldValue(value: unknown): FieldValue {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === 'boolean') return value ? '1' : '0';
  return value === null || value === undefined || value === '' ? null : String(value);
}

function commentOf(event: JsonFields, isVoice: boolean): Comment | undefined {
  const id = zendeskId(event.id);
  if (id === null || id < 0) return undefined;
  const call = isVoice ? { call: callOf(event.data) } : {};
  return {
    id,
    author: zendeskId(event.author_id),
    isPublic: isVoice || event.public !== false,
    ...ownRule(event.via),
    ...call,
  };
}

function callOf(data: unknown): PhoneCall | null {
  if (!isJsonObject(data)) return null;
  const from = timeOf(data.started_at);
  const seconds = Math.floor(Number(data.call_duration));
  if (from === undefined || !(seconds > 0)) return null;
  return { from, seconds, agent: zendeskId(data.answered_by_id) };
}
