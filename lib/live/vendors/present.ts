import type { CaseEvent, HistoryEvent } from '../../history/cases/event.ts';
import { isMark } from '../../history/cases/event.ts';
import type { CaseStatus } from '../../vocabulary.ts';
import type { RawRecord } from '../records.ts';

/** What a case has now, of which its help desk tells no history. Absent: the help desk tells that, or nothing of it. */
interface PresentValues {
  readonly agent?: number | null;
  readonly group?: number | null;
  readonly priority?: number | null;
  readonly company?: number | null;
  readonly labels?: readonly number[];
  readonly fields?: Readonly<Record<number, string | null>>; // id of a custom field → value
  readonly status?: CaseStatus;
}

/** A case as a help desk shows it now. */
export interface PresentCase {
  readonly prefix: string; // of the ids of its events
  readonly id: string;
  readonly created: unknown; // a time
  readonly channel?: number | undefined;
  readonly changed: number; // epoch s of its last change
  readonly statusAt?: number; // epoch s since which it has its status; absent: as `changed`
  readonly values: PresentValues;
}

/** The events of a case that its help desk brought, the earliest first. */
export const ownEvents = (stored: readonly HistoryEvent[], prefix: string): CaseEvent[] =>
  stored
    .filter((event): event is CaseEvent => 'case' in event && !isMark(event) && event.id.startsWith(`${prefix}:`))
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));

/** What stored events make of a case. */
interface Held {
  agent: number | null;
  group: number | null;
  priority: number | null;
  company: number | null;
  labels: ReadonlySet<number>;
  fields: Readonly<Record<string, string | null>>;
  status: CaseStatus | 'deleted';
}

/** The state that events leave a case in. */
export function heldBy(events: readonly CaseEvent[]): Held {
  const held: Held = {
    ...{ agent: null, group: null, priority: null, company: null },
    ...{ labels: new Set(), fields: {}, status: 'new' },
  };
  const creation = events.find(({ type }) => type === 'case.created');
  for (const event of creation === undefined ? events : [creation, ...events]) take(held, event, event === creation);
  return held;
}

function take(held: Held, event: CaseEvent, isCreation: boolean): void {
  switch (event.type) {
    case 'case.created':
      if (!isCreation) return;
      held.priority = event.priority ?? null;
      held.company = event.company ?? null;
      held.labels = new Set(event.labels);
      held.fields = { ...event.custom_fields };
      held.status = event.status ?? 'new';
      break;
    case 'case.assigned':
      if (event.to.agent !== undefined) held.agent = event.to.agent;
      if (event.to.group !== undefined) held.group = event.to.group;
      break;
    case 'case.priority':
      held.priority = event.priority;
      break;
    case 'case.company':
      held.company = event.company;
      break;
    case 'case.labels':
      held.labels = new Set(
        [...(event.set ?? held.labels), ...(event.add ?? [])].filter((label) => !event.remove?.includes(label)),
      );
      break;
    case 'case.custom_field':
      held.fields = { ...held.fields, [event.field]: event.value };
      break;
    case 'case.status':
      held.status = event.to;
      break;
    case 'case.deleted':
      held.status = 'deleted';
      break;
    default:
  }
}

/**
 * The events of what a case has now. What it has when it is first fetched belongs to its creation; what differs later
 * is an event by nobody at the record's last change. A record older than the stored one changes nothing.
 */
export function presentEvents(shown: PresentCase, own: readonly CaseEvent[]): RawRecord[] {
  const { prefix, id } = shown;
  if (!own.some((event) => event.id === `${prefix}:${id}`)) return creationOf(shown);
  const start = `${prefix}:o:${id}:`;
  const ids = new Set(own.map((event) => event.id));
  const stored = [...ids]
    .filter((each) => each.startsWith(start))
    .map((each) => Number(each.slice(start.length).split(':', 1)[0]));
  if (shown.changed < Math.max(0, ...stored)) return [];
  return changesOf(shown, heldBy(own)).map(([field, change]) => {
    let at = field === 'status' ? (shown.statusAt ?? shown.changed) : shown.changed;
    while (ids.has(`${start}${at}:${field}`)) at += 1; // it changed twice in a second
    return { id: `${start}${at}:${field}`, at: new Date(at * 1000).toISOString(), case: id, ...change };
  });
}

function creationOf({ prefix, id, created: at, channel, values }: PresentCase): RawRecord[] {
  const { agent, group, priority, company, labels, fields, status } = values;
  const isAssigned = typeof agent === 'number' || typeof group === 'number';
  const base = { at, case: id };
  const filled = Object.entries(fields ?? {}).filter(([, value]) => value !== null);
  return [
    {
      ...{ type: 'case.created', id: `${prefix}:${id}`, ...base, channel },
      priority: priority ?? undefined,
      company: company ?? undefined,
      labels: labels?.length ? labels : undefined,
      custom_fields: filled.length > 0 ? Object.fromEntries(filled) : undefined,
      status: status === 'new' ? undefined : status,
    },
    ...(isAssigned
      ? [
          {
            type: 'case.assigned',
            id: `${prefix}:${id}:a`,
            ...base,
            agent: agent ?? undefined,
            group: group ?? undefined,
          },
        ]
      : []),
  ];
}

/** What differs, by the name that it has in ids. */
function changesOf({ values }: PresentCase, held: Held): (readonly [field: string, change: RawRecord])[] {
  const { agent = held.agent, group = held.group, priority, company, labels, fields = {}, status } = values;
  const changes: (readonly [string, RawRecord])[] = [];
  if (agent !== held.agent || group !== held.group) changes.push(['assigned', { type: 'case.assigned', agent, group }]);
  if (priority !== undefined && priority !== held.priority)
    changes.push(['priority', { type: 'case.priority', priority }]);
  if (company !== undefined && company !== held.company) changes.push(['company', { type: 'case.company', company }]);
  const isRelabelled = labels?.length !== held.labels.size || labels.some((label) => !held.labels.has(label));
  if (labels !== undefined && isRelabelled) changes.push(['labels', { type: 'case.labels', set: labels }]);
  for (const [field, value] of Object.entries(fields))
    if (value !== (held.fields[field] ?? null))
      changes.push([`field${field}`, { type: 'case.custom_field', field: Number(field), value }]);
  if (status !== undefined && status !== held.status) changes.push(['status', { type: 'case.status', to: status }]);
  return changes;
}
