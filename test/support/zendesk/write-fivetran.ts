import { memberId } from '../../../lib/access/member-id.ts';
import type { CaseEvent } from '../../../lib/history/cases/event.ts';
import { MEMBERS } from '../generators/members.ts';
import { CHANNELS, label } from './carried.ts';
import { REQUESTER } from './write-zendesk.ts';

/**
 * Fivetran's tables cannot hold these parts of a history, beside those that Zendesk's API cannot (docs/import/packs.md):
 * macros; labels as they were, as the present ones are added at the creation; who created a ticket.
 */

const LABELS = new Map(MEMBERS.label.map((id) => [memberId('label', label(id)), label(id)]));
const CHANNEL_NAMES = new Map(CHANNELS.map((name) => [memberId('channel', name), name.toLowerCase()]));
const STATUSES = { new: 'new', open: 'open', pending: 'pending', resolved: 'solved', closed: 'closed' } as const;
const PRIORITIES: Readonly<Record<number, string>> = { 2: 'low', 5: 'normal', 8: 'high', 10: 'urgent' };

/** The part of a carried history that Fivetran's tables can hold. */
export function inTables(events: readonly CaseEvent[]): CaseEvent[] {
  const [creation, ...rest] = events;
  if (creation?.type !== 'case.created') return [];
  const { labels: _, automated: __, agent: ___, ...created } = creation;
  const base = { id: `${creation.id} labels`, at: creation.at, case: creation.case };
  const labels = labelsAfter(events).map(
    (label): CaseEvent => ({ type: 'case.labels', ...base, id: `${base.id} ${label}`, add: [label] }),
  );
  const kept = rest.filter(({ type }) => type !== 'macro.applied' && type !== 'case.labels');
  return [created as CaseEvent, ...labels, ...kept];
}

function labelsAfter(events: readonly CaseEvent[]): number[] {
  const labels = new Set<number>();
  for (const event of events) {
    if (event.type === 'case.created') for (const id of event.labels ?? []) labels.add(id);
    if (event.type !== 'case.labels') continue;
    for (const id of event.remove ?? []) labels.delete(id);
    for (const id of event.add ?? []) labels.add(id);
  }
  return [...labels];
}

/** The rows of some tables, by table; the first row is the header. */
export type Tables = Readonly<Record<string, string[]>>;

/** Writes the histories of tickets as Fivetran's tables. Some rows come twice, as in real tables. */
export function tablesOf(cases: Iterable<readonly CaseEvent[]>): Tables {
  const tables = {
    user: ['id,role,name', `${REQUESTER},end-user,Bo`, ...MEMBERS.agent.map((id) => `${id},agent,A${id}`)],
    ticket: ['id,created_at,updated_at,status,via_channel,requester_id,organization_id'],
    ticket_field_history: ['ticket_id,field_name,value,user_id,updated'],
    ticket_comment: ['id,ticket_id,user_id,public,created'],
    ticket_tag: ['ticket_id,tag'],
  };
  let comment = 1;
  for (const events of cases) {
    const [creation, ...rest] = events;
    if (creation?.type !== 'case.created') continue;
    const key = creation.case;
    tables.ticket.push(ticketRow(creation, events));
    for (const tag of labelsAfter(events)) tables.ticket_tag.push(`${key},${LABELS.get(tag)}`);
    for (const row of creationRows(creation)) tables.ticket_field_history.push(row);
    for (const event of rest) {
      const row = changeRows(event);
      if (event.type === 'interaction' || event.type === 'note') {
        const isPublic = event.type === 'interaction';
        tables.ticket_comment.push(`${(comment += 1)},${key},${userOf(event, '-1')},${isPublic},${timeOf(event.at)}`);
      }
      tables.ticket_field_history.push(...row, ...(event.at % 3_000_000 === 0 ? row : []));
    }
  }
  return tables;
}

const timeOf = (at: number): string => new Date(at / 1_000).toISOString().replace('T', ' ').replace('.000Z', '');
const userOf = (event: CaseEvent, machine: string): string =>
  event.automated ? machine : String(event.agent ?? REQUESTER);

function ticketRow(creation: Extract<CaseEvent, { type: 'case.created' }>, events: readonly CaseEvent[]): string {
  const company = events.reduce<number | null>(
    (last, event) => (event.type === 'case.company' ? event.company : last),
    creation.company ?? null,
  );
  const status = events.reduce(
    (last, event) =>
      event.type === 'case.status' ? STATUSES[event.to] : event.type === 'case.deleted' ? 'deleted' : last,
    'new' as string,
  );
  const updated = Math.max(...events.map(({ at }) => at));
  const channel = CHANNEL_NAMES.get(creation.channel ?? 0) ?? 'web';
  return [creation.case, timeOf(creation.at), timeOf(updated), status, channel, REQUESTER, company ?? ''].join(',');
}

const historyRow = (event: CaseEvent, field: string, value: unknown): string =>
  [event.case, field, value ?? '', userOf(event, ''), timeOf(event.at)].map(String).map(quoted).join(',');
const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The rows with the first values of fields, which the ticket's row does not have. */
function creationRows(event: Extract<CaseEvent, { type: 'case.created' }>): string[] {
  return [
    historyRow(event, 'status', 'new'),
    ...(event.priority ? [historyRow(event, 'priority', PRIORITIES[event.priority])] : []),
    ...(event.company ? [historyRow(event, 'organization_id', event.company)] : []),
    ...Object.entries(event.custom_fields ?? {}).map(([field, value]) => historyRow(event, field, value)),
  ];
}

function changeRows(event: CaseEvent): string[] {
  switch (event.type) {
    case 'case.status':
      return [historyRow(event, 'status', STATUSES[event.to])];
    case 'case.deleted':
      return [historyRow(event, 'status', 'deleted')];
    case 'case.assigned':
      return Object.entries(event.to).map(([part, id]) =>
        historyRow(event, part === 'agent' ? 'assignee_id' : 'group_id', id),
      );
    case 'case.priority':
      return [historyRow(event, 'priority', event.priority === null ? '' : PRIORITIES[event.priority])];
    case 'case.company':
      return [historyRow(event, 'organization_id', event.company)];
    case 'case.custom_field':
      return [historyRow(event, String(event.field), event.value)];
    case 'csat.rated':
      return [
        historyRow(event, 'satisfaction_score', event.score === null ? 'offered' : event.score === 1 ? 'good' : 'bad'),
      ];
    default:
      return [];
  }
}
