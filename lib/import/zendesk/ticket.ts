import type { CaseEvent } from '../../history/cases/event.ts';
import type { CaseStatus } from '../../vocabulary.ts';
import type { Row } from '../formats/row.ts';
import { creationEvent, settingEvents, type TicketSetting } from './change-events.ts';
import { commentEvents, privacyOf } from './comments.ts';
import { MERGED_TAG } from './options.ts';
import type { AuditIds, Story } from './story.ts';
import { type FieldChange, isRule, type Update } from './update.ts';
import { tagsOf } from './values.ts';

/**
 * Turns the updates of a ticket, in any order and with repeats, into rows with events. If an audit and a ticket event
 * are of the same change, the audit is used.
 */
export function ticketRows(ticket: string, updates: readonly Update[], setting: TicketSetting): Row[] {
  const sorted = inOrder(updates);
  const privacy = privacyOf(sorted);
  const story: Story = { ticket, requester: firstRequester(sorted), tags: [], isRated: false, timeSpent: undefined };
  const isCreated = sorted.some(({ stream, changes }) => stream !== 'ticket' && changes.some(({ isFirst }) => isFirst));
  const hasChanges = hasHistory(sorted);
  const rows: Row[] = [];
  const commented = new Set<number>();
  for (const update of sorted) {
    if (update.stream === 'ticket' && isCreated) continue;
    const events =
      update.stream === 'ticket'
        ? recordEvents(hasChanges ? { ...update, changes: [] } : update, story, setting)
        : eventsOf(update, story, setting);
    const comments = update.comments.filter(({ id }) => !commented.has(id) && commented.add(id));
    events.push(...commentEvents({ ...update, comments }, story, privacy, setting));
    rows.push({ line: update.line, records: [...setting.members.take(), ...events] });
  }
  return rows;
}

/** Keeps one update for each audit, and sorts by time. */
function inOrder(updates: readonly Update[]): Update[] {
  const best = new Map<string, Update>();
  for (const update of updates) {
    const key =
      update.stream === 'comment' || update.stream === 'ticket' ? `${update.stream} ${update.id}` : `${update.id}`;
    const other = best.get(key);
    if (other?.stream === 'audit' && update.stream !== 'audit') continue;
    best.set(key, update);
  }
  const rank = ({ stream }: Update): number => (stream === 'comment' ? 1 : stream === 'ticket' ? -1 : 0);
  return [...best.values()].sort((a, b) => a.at - b.at || rank(a) - rank(b) || a.id - b.id);
}

/**
 * Returns the first requester: from the creation, else from the first change of requester, else from the ticket itself.
 */
function firstRequester(updates: readonly Update[]): string | null {
  const changes = updates.flatMap(({ changes }) => changes.filter(({ field }) => field === 'requester_id'));
  const [first] = changes;
  if (first?.isFirst) return textOfId(first.value);
  if (first?.before !== undefined) return textOfId(first.before);
  const now = updates.find(({ stream }) => stream === 'ticket')?.author;
  return now === null || now === undefined ? null : String(now);
}

/** Whether updates say who asks: else an agent who asks cannot be told from one who answers. */
export const knowsRequester = (updates: readonly Update[]): boolean => firstRequester(updates) !== null;

const textOfId = (value: FieldChange['value']): string | null => (typeof value === 'string' ? value : null);

/** Whether updates say how a ticket became what it is: its record and its comments alone do not. */
export const hasHistory = (updates: readonly Update[]): boolean =>
  updates.some(({ stream }) => stream === 'audit' || stream === 'ticket event');

/**
 * The events of a ticket's record: its creation, and its present state as of its last update. One that is done begins
 * so, as nobody knows since when. An audit that comes later has its own creation, whose id comes before this one's.
 */
function recordEvents(update: Update, story: Story, setting: TicketSetting): CaseEvent[] {
  const id = `zd:t:${update.id}`;
  const ids: AuditIds = { next: (what) => `${id}:${what}` };
  const { isMerge } = mergeOf(update);
  const now = { ...update, at: Math.max(update.at, update.asOf ?? 0), author: null, channel: null };
  const changes = update.changes.filter(({ field }) => field === 'status' || PLACES.includes(field));
  const events = settingEvents(now, changes, story, { ids, setting, isMerge });
  const done = events.find((event) => event.type === 'case.status' && isDone(event.to));
  const status = done?.type === 'case.status' && isDone(done.to) ? done.to : undefined;
  const creation = creationEvent(update, update.changes, story, { id, setting, actor: {}, status });
  return [creation, ...events.filter((event) => event !== done)];
}

const PLACES = ['assignee_id', 'group_id'];
const isDone = (status: CaseStatus): status is 'resolved' | 'closed' => status === 'resolved' || status === 'closed';

function eventsOf(update: Update, story: Story, setting: TicketSetting): CaseEvent[] {
  const { id, changes, channel } = update;
  const first = changes.filter(({ isFirst }) => isFirst);
  const later = changes.filter(({ isFirst }) => !isFirst);
  for (const { field, value } of changes) if (field === 'requester_id') story.requester = textOfId(value);
  const ids = auditIds(id);
  const events: CaseEvent[] = [];
  if (first.length > 0) {
    const actor = setting.people.actor(update.author, isRule(channel));
    events.push(creationEvent(update, first, story, { id: ids.next('created'), setting, actor }));
  }
  const merge = mergeOf(update);
  events.push(
    ...settingEvents(update, [...first, ...later, ...merge.changes], story, { ids, setting, isMerge: merge.isMerge }),
  );
  const by = setting.people.actor(update.author, isRule(channel));
  for (const macro of update.macros) {
    events.push({ type: 'macro.applied', id: ids.next('macro'), at: update.at, case: story.ticket, ...by, macro });
  }
  return events;
}

function auditIds(audit: number): AuditIds {
  const times = new Map<string, number>();
  return {
    next: (what) => {
      const before = times.get(what) ?? 0;
      times.set(what, before + 1);
      return `zd:${String(audit).padStart(16, '0')}:${what}${before === 0 ? '' : `~${before}`}`;
    },
  };
}

/**
 * Whether an audit closes a ticket because it was merged into another, and a change that adds the tag for it if
 * missing.
 */
function mergeOf({ changes, isMerge }: Update): {
  readonly isMerge: boolean;
  readonly changes: readonly FieldChange[];
} {
  const closes = changes.some(({ field, value }) => field === 'status' && (value === 'closed' || value === 'solved'));
  const isTagged = changes.some(
    ({ field, value, before }) =>
      field === 'tags' && tagsOf(value).includes(MERGED_TAG) && !tagsOf(before ?? []).includes(MERGED_TAG),
  );
  if (!closes || !(isMerge || isTagged)) return { isMerge: false, changes: [] };
  return {
    isMerge: true,
    changes: isTagged ? [] : [{ field: 'tags', isFirst: false, value: [MERGED_TAG], before: [] }],
  };
}
