import { keysOf, type Mutable } from '../../typed-object.ts';
import { CASE_STATUSES } from '../../vocabulary.ts';
import { type Assignee, type HistoryEvent, type Instant, isOfAgent, type SessionEvent } from '../cases/event.ts';

/**
 * The number columns of a ledger leaf for fields of certain event types; each has one value for each event of these.
 */
export const FORM_COLUMNS = [
  'text', // index into the leaf's texts
  'status',
  'direction',
  'assignedAgent',
  'assignedGroup',
  'priority',
  'company',
  'field',
  'macro',
  'score',
  'from',
  'length',
] as const;

type FormColumn = (typeof FORM_COLUMNS)[number];

/** The kinds of members that a leaf stores as indices into a dictionary of its own. */
export type LeafDictionary = 'agents' | 'groups' | 'companies' | 'fields' | 'macros';

/** Takes the field values of an event. */
export interface FormWriter {
  put(column: FormColumn, value: number): void;
  text(value: unknown): void;
  index(dictionary: LeafDictionary, member: number): number;
}

/** Returns the field values of an event, in the order in which they were written. */
export interface FormReader {
  next(column: FormColumn): number;
  text(): unknown;
  member(dictionary: LeafDictionary, index: number): number;
}

type EventType = HistoryEvent['type'];
type EventOf<T extends EventType> = Extract<HistoryEvent, { readonly type: T }>;

interface Form<T extends EventType> {
  readonly columns: readonly FormColumn[]; // the columns of its fields
  write(event: EventOf<T>, out: FormWriter): void;
  read(event: Mutable<EventOf<T>>, source: FormReader): void; // adds the type's fields, in the order of `write`
}

/** How a leaf stores each type of event. The order is part of the format: append new types at the end. */
export const FORMS: { readonly [T in EventType]: Form<T> } = {
  'case.created': {
    columns: ['text'],
    write: ({ type, id, at, case: key, agent, group, automated, source, as_of, ...rest }, out) => out.text(rest),
    read: (event, source) => void Object.assign(event, source.text()),
  },
  'case.deleted': { columns: [], write: () => undefined, read: () => undefined },
  'case.status': {
    columns: ['status'],
    write: ({ to }, out) => out.put('status', CASE_STATUSES.indexOf(to)),
    read: (event, source) => void (event.to = CASE_STATUSES[source.next('status')]!),
  },
  'case.assigned': {
    columns: ['assignedAgent', 'assignedGroup'],
    write: ({ to }, out) => {
      out.put(
        'assignedAgent',
        optionalIndex(to.agent, (agent) => out.index('agents', agent)),
      );
      out.put(
        'assignedGroup',
        optionalIndex(to.group, (group) => out.index('groups', group)),
      );
    },
    read: (event, source) => {
      const to: { -readonly [K in keyof Assignee]: Assignee[K] } = {};
      const agent = source.next('assignedAgent');
      if (agent > 0) to.agent = agent === 1 ? null : source.member('agents', agent - 2);
      const group = source.next('assignedGroup');
      if (group > 0) to.group = group === 1 ? null : source.member('groups', group - 2);
      event.to = to;
    },
  },
  'case.labels': {
    columns: ['text'],
    write: ({ set, add, remove }, out) => out.text({ set, add, remove }),
    read: (event, source) => void Object.assign(event, source.text()),
  },
  'case.priority': {
    columns: ['priority'],
    write: ({ priority }, out) => out.put('priority', priority ?? 0),
    read: (event, source) => void (event.priority = source.next('priority') || null),
  },
  'case.company': {
    columns: ['company'],
    write: ({ company }, out) => out.put('company', company === null ? 0 : 1 + out.index('companies', company)),
    read: (event, source) => {
      const company = source.next('company');
      event.company = company === 0 ? null : source.member('companies', company - 1);
    },
  },
  'case.custom_field': {
    columns: ['field', 'text'],
    write: ({ field, value }, out) => {
      out.put('field', out.index('fields', field));
      out.text(value);
    },
    read: (event, source) => {
      event.field = source.member('fields', source.next('field'));
      const value = source.text();
      event.value = typeof value === 'string' ? value : null;
    },
  },
  'case.viewed': { columns: [], write: () => undefined, read: () => undefined },
  'case.handled': {
    columns: ['from', 'length'],
    write: writeInterval,
    read: readInterval,
  },
  interaction: {
    columns: ['direction'],
    write: ({ direction }, out) => out.put('direction', direction === 'inbound' ? 0 : 1),
    read: (event, source) => void (event.direction = source.next('direction') === 0 ? 'inbound' : 'outbound'),
  },
  note: { columns: [], write: () => undefined, read: () => undefined },
  'macro.applied': {
    columns: ['macro'],
    write: ({ macro }, out) => out.put('macro', out.index('macros', macro)),
    read: (event, source) => void (event.macro = source.member('macros', source.next('macro'))),
  },
  'csat.rated': {
    columns: ['score'],
    write: ({ score }, out) => out.put('score', score === null ? 0 : 1 + score),
    read: (event, source) => {
      const score = source.next('score');
      event.score = score === 0 ? null : score - 1;
    },
  },
  'agent.session': {
    columns: ['from', 'length'],
    write: writeInterval,
    read: readInterval,
  },
  'case.version': { columns: [], write: () => undefined, read: () => undefined },
  'agent.version': { columns: [], write: () => undefined, read: () => undefined },
};

/** The event types; a type's index is its number. */
const EVENT_TYPES = keysOf(FORMS);

/** Bits that say which optional keys an event has; stored below the number of its type. */
export const FLAGS = { agent: 1, group: 2, automated: 4 } as const;
const TYPE_SHIFT = 3; // number of flag bits
const TYPE_NUMBERS = new Map(EVENT_TYPES.map((type, number) => [type, number]));

/** Returns an event's type and flags as one number. */
export function typeNumberOf(event: HistoryEvent): number {
  let flags = event.agent === undefined ? 0 : FLAGS.agent;
  if (!isOfAgent(event)) {
    if (event.group !== undefined) flags |= FLAGS.group;
    if (event.automated) flags |= FLAGS.automated;
  }
  return (TYPE_NUMBERS.get(event.type)! << TYPE_SHIFT) | flags;
}

/** Whether events of a type belong to an agent instead of a case. */
export const isAgentType = (type: EventType): boolean => type === 'agent.session' || type === 'agent.version';

/** Returns the type from a number that `typeNumberOf` made. */
export const typeOf = (kind: number): EventType => EVENT_TYPES[kind >>> TYPE_SHIFT]!;

/** Writes the fields that are particular to the event's type. */
export function writeForm(event: HistoryEvent, out: FormWriter): void {
  const form: { write(event: HistoryEvent, out: FormWriter): void } = FORMS[event.type];
  form.write(event, out);
}

/**
 * The fields of an event that a reader has read before those of its type. `owner` is the case's key or the agent's id.
 */
export interface EventStart {
  readonly id: string;
  readonly at: Instant;
  readonly owner: string;
  readonly agent: number | undefined;
  readonly group: number | undefined;
}

/** Reads an event. Its keys are added one by one: spreading objects of many shapes takes ten times as long. */
export function readForm(kind: number, { id, at, owner, agent, group }: EventStart, source: FormReader): HistoryEvent {
  const type = typeOf(kind);
  const event: Record<string, unknown> = { type, id, at };
  if (!isAgentType(type)) event.case = owner;
  if (agent !== undefined) event.agent = agent;
  if (group !== undefined) event.group = group;
  if (kind & FLAGS.automated) event.automated = true;
  const form: { read(event: object, source: FormReader): void } = FORMS[type];
  form.read(event, source);
  return event as unknown as HistoryEvent;
}

/** Encodes an optional member: 0 if absent, 1 for null, else its index + 2. */
function optionalIndex(member: number | null | undefined, index: (member: number) => number): number {
  if (member === undefined) return 0;
  return member === null ? 1 : 2 + index(member);
}

function writeInterval({ at, from, to }: Pick<SessionEvent, 'at' | 'from' | 'to'>, out: FormWriter): void {
  out.put('from', zigzagEncode(from - at));
  out.put('length', zigzagEncode(to - from));
}

function readInterval(event: Mutable<Pick<SessionEvent, 'at' | 'from' | 'to'>>, source: FormReader): void {
  event.from = event.at + zigzagDecode(source.next('from'));
  event.to = event.from + zigzagDecode(source.next('length'));
}

/** Maps a signed integer to an unsigned one that stays small (zigzag): 0, −1, 1, −2, … become 0, 1, 2, 3, … */
export const zigzagEncode = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
export const zigzagDecode = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
