import { memberId } from '../../../lib/access/member-id.ts';
import type { CaseEvent } from '../../../lib/history/cases/event.ts';
import { MEMBERS } from '../generators/members.ts';
import { CHANNELS, label } from './carried.ts';

/** The id of the customer. */
export const REQUESTER = 900_001;

type Part = Readonly<Record<string, unknown>>;
export interface Audit {
  readonly id: number;
  readonly ticket_id: number;
  readonly created_at: string;
  readonly author_id: number;
  readonly via: { readonly channel: string };
  readonly events: readonly Part[];
}

const STATUSES = { new: 'new', open: 'open', pending: 'pending', resolved: 'solved', closed: 'closed' } as const;
const PRIORITIES: Readonly<Record<number, string>> = { 2: 'low', 5: 'normal', 8: 'high', 10: 'urgent' };
const LABELS = new Map(MEMBERS.label.map((id) => [memberId('label', label(id)), label(id)]));
const CHANNEL_NAMES = new Map(CHANNELS.map((name) => [memberId('channel', name), name.toLowerCase()]));
const tagOf = (id: number): string => LABELS.get(id) ?? '';

/** Writes a ticket's carried history as audits, one for each event; `base` is below all their ids. */
export function auditsOf(events: readonly CaseEvent[], base: number): Audit[] {
  return events.map((event, place) => ({
    id: base + 10 * place + 1,
    ticket_id: Number(event.case),
    created_at: new Date(event.at / 1_000).toISOString().replace('.000', ''),
    author_id: event.automated ? -1 : (event.agent ?? REQUESTER),
    via: { channel: viaOf(event) },
    events: partsOf(event, base + 10 * place + 2),
  }));
}

function viaOf(event: CaseEvent): string {
  if (event.type === 'case.created') return CHANNEL_NAMES.get(event.channel ?? 0) ?? 'web';
  return event.automated ? 'rule' : 'web';
}

function partsOf(event: CaseEvent, id: number): Part[] {
  const change = (field_name: string, value: unknown, previous_value: unknown = null): Part => ({
    id,
    type: 'Change',
    field_name,
    value,
    previous_value,
  });
  switch (event.type) {
    case 'case.created':
      return creationParts(event, id);
    case 'case.status':
      return [change('status', STATUSES[event.to])];
    case 'case.deleted':
      return [change('status', 'deleted')];
    case 'case.assigned':
      return Object.entries(event.to).map(([part, value]) =>
        change(part === 'agent' ? 'assignee_id' : 'group_id', value === null ? null : String(value)),
      );
    case 'case.labels':
      return [change('tags', (event.add ?? []).map(tagOf), (event.remove ?? []).map(tagOf))];
    case 'case.priority':
      return [change('priority', event.priority === null ? null : PRIORITIES[event.priority])];
    case 'case.company':
      return [change('organization_id', event.company === null ? null : String(event.company))];
    case 'case.custom_field':
      return [change(String(event.field), event.value)];
    case 'interaction':
    case 'note':
      return [{ id, type: 'Comment', author_id: writer(event), public: event.type === 'interaction' }];
    case 'macro.applied':
      return [{ id, type: 'AgentMacroReference', macro_id: String(event.macro), macro_title: 'M' }];
    case 'csat.rated':
      return [
        change(
          'satisfaction_score',
          event.score === null ? 'offered' : event.score === 1 ? 'good' : 'bad',
          event.score === null ? 'good' : 'offered',
        ),
      ];
    default:
      throw new Error(`${event.type} is not carried`);
  }
}

const writer = (event: CaseEvent): number => (event.automated ? -1 : (event.agent ?? REQUESTER));

function creationParts(event: Extract<CaseEvent, { type: 'case.created' }>, id: number): Part[] {
  const create = (field_name: string, value: unknown): Part => ({ id, type: 'Create', field_name, value });
  return [
    create('status', 'new'),
    create('requester_id', String(REQUESTER)),
    ...(event.priority ? [create('priority', PRIORITIES[event.priority])] : []),
    ...(event.company ? [create('organization_id', String(event.company))] : []),
    ...(event.labels ? [create('tags', event.labels.map(tagOf))] : []),
    ...Object.entries(event.custom_fields ?? {}).map(([field, value]) => create(field, value)),
  ];
}

const VIA_TEXTS: Readonly<Record<string, string>> = {
  email: 'Mail',
  web: 'Web form',
  api: 'Web Service',
  phone: 'Phone',
  rule: 'Rule',
};

/** The same audit as a ticket event. */
export function ticketEventOf({ id, ticket_id, created_at, author_id, via, events }: Audit): Part {
  return {
    id,
    ticket_id,
    timestamp: Date.parse(created_at) / 1_000,
    created_at,
    updater_id: author_id,
    via: VIA_TEXTS[via.channel],
    child_events: events.map(childOf),
  };
}

function childOf({ type, field_name, value, previous_value, ...rest }: Part): Part {
  if (field_name === undefined) return { ...rest, type, event_type: type };
  const field = String(field_name);
  const before = type === 'Change' ? { previous_value } : {};
  if (/^\d+$/.test(field)) return { event_type: type, custom_ticket_fields: { [field]: value }, ...before };
  if (field === 'tags' && type === 'Change')
    return { event_type: type, added_tags: value, removed_tags: previous_value };
  return { event_type: type, [field]: value, ...before };
}
