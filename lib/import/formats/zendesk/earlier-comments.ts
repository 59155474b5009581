import type { CaseEvent, HistoryEvent } from '../../../history/cases/event.ts';
import { caseSubject, type Subject } from '../../../history/cases/subject.ts';
import { commentId } from './comments.ts';
import type { Update } from './update.ts';

/** Reads the stored events of some cases. */
export type ReadStoredEvents = (subjects: readonly Subject[]) => Promise<ReadonlyMap<Subject, readonly HistoryEvent[]>>;

/** A comment that was made private or public and is not in the files itself. */
interface Changed {
  readonly line: number;
  readonly ticket: string;
  readonly id: string; // id of its event
  readonly isPublic: boolean;
}

/** A comment of an earlier import with its new content. */
export interface RereadComment {
  readonly line: number;
  readonly event: CaseEvent;
}

/**
 * Finds comments of earlier imports that audits of these tickets make private or public, by ticket. A weekly export of
 * new data may have such a change without the comment.
 */
export async function earlierComments(
  tickets: Iterable<readonly Update[]>,
  eventsOf: ReadStoredEvents,
): Promise<ReadonlyMap<string, readonly RereadComment[]>> {
  const changed = [...tickets].flatMap(changedComments);
  if (changed.length === 0) return new Map();
  const known = await eventsOf([...new Set(changed.map(({ ticket }) => caseSubject(ticket)))]);
  const found = new Map<string, RereadComment[]>();
  for (const { line, ticket, id, isPublic } of changed) {
    const before = known.get(caseSubject(ticket))?.find((event) => event.id === id);
    if (before?.type !== 'note' && before?.type !== 'interaction') continue;
    const list = found.get(ticket) ?? [];
    found.set(ticket, list);
    list.push({ line, event: asPrivacySays(before, isPublic) });
  }
  return found;
}

/** Returns the last change of privacy of each comment that is not among the updates. */
function changedComments(updates: readonly Update[]): Changed[] {
  const present = new Set(updates.flatMap(({ comments }) => comments.map(({ id }) => id)));
  const changed = new Map<number, Changed>();
  for (const { privacy, line, ticket } of [...updates].sort((a, b) => a.at - b.at || a.id - b.id))
    for (const { comment, isPublic } of privacy)
      if (!present.has(comment)) changed.set(comment, { line, ticket, id: commentId(comment), isPublic });
  return [...changed.values()];
}

/**
 * Turns a stored comment into a note if it is private, else into a message: outbound if its author is known, else
 * inbound.
 */
function asPrivacySays(before: Extract<CaseEvent, { type: 'note' | 'interaction' }>, isPublic: boolean): CaseEvent {
  const { id, at, case: key, agent, automated } = before;
  const actor = { ...(agent === undefined ? {} : { agent }), ...(automated === undefined ? {} : { automated }) };
  const base = { id, at, case: key, ...actor };
  if (!isPublic) return { type: 'note', ...base };
  if (before.type === 'interaction') return { type: 'interaction', ...base, direction: before.direction };
  return { type: 'interaction', ...base, direction: Object.keys(actor).length > 0 ? 'outbound' : 'inbound' };
}
