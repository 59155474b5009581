import { memberId } from '../../../lib/access/member-id.ts';
import { compareEvents } from '../../../lib/history/cases/case-history.ts';
import type { CaseEvent } from '../../../lib/history/cases/event.ts';

/**
 * Zendesk's API cannot hold these parts of a history (docs/import/zendesk.md), so they are dropped before writing: views
 * and sessions; handle time beside calls; the group in which an agent acted; fractions of seconds, and the order of
 * changes within one second; priorities other than 2, 5, 8 and 10, and ratings other than good and bad; replies, notes
 * and macros by nobody known; who changed an assignee; changes that change nothing; a second creation, and events before
 * the first.
 */

export const CHANNELS = ['Email', 'Web', 'API', 'Phone'] as const;
const PRIORITIES = [2, 5, 8, 10] as const;
export const label = (id: number): string => `label ${id}`;

const labelIds = (ids: readonly number[] = []): number[] =>
  [...new Set(ids.map((id) => memberId('label', label(id))))].sort((a, b) => a - b);

/** The part of a case's history that Zendesk's API can hold, with names in place of some ids; undefined if none. */
export function carried(events: readonly CaseEvent[], ticket: string, anyAgent: number): CaseEvent[] | undefined {
  const [creation] = events.filter(({ type }) => type === 'case.created');
  if (creation === undefined) return undefined;
  const rest = [...events].sort(compareEvents).filter(({ type, at }) => type !== 'case.created' && at >= creation.at);
  const state = { labels: new Set<number>(), isRated: false };
  let second = 0;
  const result: CaseEvent[] = [];
  for (const event of [creation, ...rest]) {
    const kept = keep(event, state, anyAgent);
    if (kept === undefined) continue;
    second = Math.max(second + 1, Math.floor(event.at / 1_000_000));
    result.push({ ...kept, case: ticket, at: second * 1_000_000 });
  }
  return result;
}

interface State {
  labels: Set<number>;
  isRated: boolean;
}

function keep(given: CaseEvent, state: State, anyAgent: number): CaseEvent | undefined {
  const { group: _, ...event } = given as CaseEvent & { group?: number };
  const byAgent = event.automated || event.agent !== undefined ? {} : { agent: anyAgent };
  switch (event.type) {
    case 'case.created':
      return createdOf(event, state);
    case 'case.viewed':
    case 'case.handled':
      return undefined;
    case 'case.labels':
      return labelsOf(event, state);
    case 'case.priority':
      return { ...event, priority: priorityOf(event.priority) };
    case 'case.custom_field':
      return { ...event, value: event.value || null };
    case 'case.assigned': {
      const { agent: __, ...rest } = event;
      return Object.keys(event.to).length === 0 ? undefined : rest;
    }
    case 'interaction':
      if (event.direction === 'outbound') return { ...event, ...byAgent };
      return { type: event.type, id: event.id, at: event.at, case: event.case, direction: 'inbound' };
    case 'note':
    case 'macro.applied':
      return { ...event, ...byAgent };
    case 'csat.rated': {
      if (event.score === null && !state.isRated) return undefined;
      state.isRated = event.score !== null;
      return { ...event, score: event.score === null ? null : event.score % 2 };
    }
    default:
      return event;
  }
}

const priorityOf = (priority: number | null | undefined): number | null =>
  priority === null || priority === undefined ? null : PRIORITIES[priority % PRIORITIES.length]!;

function createdOf(event: Extract<CaseEvent, { type: 'case.created' }>, state: State): CaseEvent {
  const { channel, priority, company, labels, custom_fields, language: _, status: __, ...rest } = event;
  const ids = labelIds(labels);
  state.labels = new Set(ids);
  const fields = Object.entries(custom_fields ?? {}).filter(([, value]) => value);
  return {
    ...rest,
    channel: memberId('channel', CHANNELS[(channel ?? 0) % CHANNELS.length]!),
    ...(priority ? { priority: priorityOf(priority) } : {}),
    ...(company ? { company } : {}),
    ...(ids.length > 0 ? { labels: ids } : {}),
    ...(fields.length > 0 ? { custom_fields: Object.fromEntries(fields) } : {}),
  };
}

function labelsOf(event: Extract<CaseEvent, { type: 'case.labels' }>, state: State): CaseEvent | undefined {
  const { set, add, remove, ...rest } = event;
  const after = new Set(set ? labelIds(set) : state.labels);
  for (const id of labelIds(remove)) after.delete(id);
  for (const id of labelIds(add)) after.add(id);
  const added = [...after].filter((id) => !state.labels.has(id));
  const removed = [...state.labels].filter((id) => !after.has(id));
  if (added.length + removed.length === 0) return undefined;
  state.labels = after;
  return { ...rest, add: added, remove: removed };
}
