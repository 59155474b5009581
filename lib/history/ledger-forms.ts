import type { Assignee, CaseEvent, CaseStatus, HistoryEvent, SessionEvent } from './event.ts';

/** The number columns of a ledger leaf that hold what is particular to a type of event, one value an event each. */
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

export type FormColumn = (typeof FORM_COLUMNS)[number];

/** The members that a leaf numbers. */
export type LeafDictionary = 'agents' | 'groups' | 'companies' | 'fields' | 'macros';

/** Where an event's numbers go. */
export interface FormWriter {
  put(column: FormColumn, value: number): void;
  text(value: unknown): void;
  index(dictionary: LeafDictionary, member: number): number;
}

/** Where they come from again. */
export interface FormReader {
  next(column: FormColumn): number;
  text(): unknown;
  member(dictionary: LeafDictionary, index: number): number;
}

type EventType = HistoryEvent['type'];
type EventOf<T extends EventType> = Extract<HistoryEvent, { readonly type: T }>;
type BaseKeys = keyof Pick<CaseEvent, 'id' | 'at' | 'case' | 'agent' | 'group' | 'automated'>;
type Particular<T extends EventType> = Omit<EventOf<T>, BaseKeys>;

interface Form<T extends EventType> {
  readonly columns: readonly FormColumn[]; // each takes one value an event
  write(event: EventOf<T>, out: FormWriter): void;
  read(source: FormReader, at: number): Particular<T>;
}

const STATUSES: readonly CaseStatus[] = ['new', 'open', 'pending', 'resolved', 'closed'];

/** How each type of event lies in a leaf. The order is part of the format: new types come last. */
export const FORMS: { readonly [T in EventType]: Form<T> } = {
  'case.created': {
    columns: ['text'],
    write: ({ type, id, at, case: key, agent, group, automated, ...rest }, out) => out.text(rest),
    read: (source) => ({ type: 'case.created', ...(source.text() as object) }),
  },
  'case.deleted': { columns: [], write: () => undefined, read: () => ({ type: 'case.deleted' }) },
  'case.status': {
    columns: ['status'],
    write: ({ to }, out) => out.put('status', STATUSES.indexOf(to)),
    read: (source) => ({ type: 'case.status', to: STATUSES[source.next('status')]! }),
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
    read: (source) => {
      const to: { -readonly [K in keyof Assignee]: Assignee[K] } = {};
      const agent = source.next('assignedAgent');
      const group = source.next('assignedGroup');
      if (agent > 0) to.agent = agent === 1 ? null : source.member('agents', agent - 2);
      if (group > 0) to.group = group === 1 ? null : source.member('groups', group - 2);
      return { type: 'case.assigned', to };
    },
  },
  'case.labels': {
    columns: ['text'],
    write: ({ set, add, remove }, out) => out.text({ set, add, remove }),
    read: (source) => ({ type: 'case.labels', ...(source.text() as object) }),
  },
  'case.priority': {
    columns: ['priority'],
    write: ({ priority }, out) => out.put('priority', priority ?? 0),
    read: (source) => ({ type: 'case.priority', priority: source.next('priority') || null }),
  },
  'case.company': {
    columns: ['company'],
    write: ({ company }, out) => out.put('company', company === null ? 0 : 1 + out.index('companies', company)),
    read: (source) => {
      const company = source.next('company');
      return { type: 'case.company', company: company === 0 ? null : source.member('companies', company - 1) };
    },
  },
  'case.custom_field': {
    columns: ['field', 'text'],
    write: ({ field, value }, out) => {
      out.put('field', out.index('fields', field));
      out.text(value);
    },
    read: (source) => ({
      type: 'case.custom_field',
      field: source.member('fields', source.next('field')),
      value: source.text() as string | null,
    }),
  },
  'case.viewed': { columns: [], write: () => undefined, read: () => ({ type: 'case.viewed' }) },
  'case.handled': {
    columns: ['from', 'length'],
    write: writeInterval,
    read: (source, at) => ({ type: 'case.handled', ...readInterval(source, at) }),
  },
  interaction: {
    columns: ['direction'],
    write: ({ direction }, out) => out.put('direction', direction === 'inbound' ? 0 : 1),
    read: (source) => ({ type: 'interaction', direction: source.next('direction') === 0 ? 'inbound' : 'outbound' }),
  },
  note: { columns: [], write: () => undefined, read: () => ({ type: 'note' }) },
  'macro.applied': {
    columns: ['macro'],
    write: ({ macro }, out) => out.put('macro', out.index('macros', macro)),
    read: (source) => ({ type: 'macro.applied', macro: source.member('macros', source.next('macro')) }),
  },
  'csat.rated': {
    columns: ['score'],
    write: ({ score }, out) => out.put('score', score === null ? 0 : 1 + score),
    read: (source) => {
      const score = source.next('score');
      return { type: 'csat.rated', score: score === 0 ? null : score - 1 };
    },
  },
  'agent.session': {
    columns: ['from', 'length'],
    write: writeInterval,
    read: (source, at) => ({ type: 'agent.session', ...readInterval(source, at) }),
  },
};

/** The event types by their numbers in a leaf. */
export const EVENT_TYPES = Object.keys(FORMS) as readonly EventType[];

/** Absent 0, null 1, a member its index from 2. */
function optionalIndex(member: number | null | undefined, index: (member: number) => number): number {
  if (member === undefined) return 0;
  return member === null ? 1 : 2 + index(member);
}

function writeInterval({ at, from, to }: Pick<SessionEvent, 'at' | 'from' | 'to'>, out: FormWriter): void {
  out.put('from', fold(from - at));
  out.put('length', fold(to - from));
}

function readInterval(source: FormReader, at: number): { from: number; to: number } {
  const from = at + unfold(source.next('from'));
  return { from, to: from + unfold(source.next('length')) };
}

/** A signed integer as an unsigned one, small where it was small: 0, −1, 1, −2, … become 0, 1, 2, 3, … */
export const fold = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
export const unfold = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
