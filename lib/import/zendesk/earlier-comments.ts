import { certain } from '../../certain.ts';
import type { CaseEvent, HistoryEvent, Instant } from '../../history/cases/event.ts';
import { caseSubject, type Subject } from '../../history/cases/subject.ts';
import { commentId, isOfComment } from './comments.ts';
import type { People } from './people.ts';
import type { Update } from './update.ts';

/** Reads the stored events of some cases. */
export type ReadStoredEvents = (subjects: readonly Subject[]) => Promise<ReadonlyMap<Subject, readonly HistoryEvent[]>>;

/** A comment that was made private or public and is not in the files itself. */
interface Changed {
  readonly line: number;
  readonly ticket: string;
  readonly at: Instant; // of the change
  readonly id: string; // id of its event
  readonly isPublic: boolean;
}

/** The stored events of comments, by ticket and id. */
export type StoredComments = ReadonlyMap<string, ReadonlyMap<string, CommentEvent>>;

type CommentEvent = Extract<CaseEvent, { type: 'note' | 'interaction' }>;

/** Reads the stored comments of tickets that have comments in the files, or changes of their privacy. */
export async function storedComments(
  tickets: Iterable<readonly Update[]>,
  eventsOf: ReadStoredEvents,
): Promise<StoredComments> {
  const named = [...tickets].flatMap((updates) =>
    updates.some(({ comments, privacy }) => comments.length + privacy.length > 0) ? [certain(updates[0]).ticket] : [],
  );
  if (named.length === 0) return new Map();
  const known = await eventsOf(named.map(caseSubject));
  return new Map(
    named.map((ticket) => {
      const comments = (known.get(caseSubject(ticket)) ?? []).flatMap((event) =>
        (event.type === 'note' || event.type === 'interaction') && isOfComment(event) ? [event] : [],
      );
      return [ticket, new Map(comments.map((event) => [event.id, event]))];
    }),
  );
}

/** What the files know of a ticket. */
export interface TicketFacts {
  readonly people: People;
  readonly hasRequester: boolean; // they say who asks
  readonly published: ReadonlySet<string>; // events of comments that they make public
}

/**
 * Returns the event of a comment as it is to be stored. What is stored takes a new reading one way only: an author
 * becomes known, a comment becomes private; a file that knows less, such as an older one or a part of a history, changes
 * neither.
 */
export function rereadComment(
  before: CommentEvent | undefined,
  after: CommentEvent,
  { people, hasRequester, published }: TicketFacts,
): CommentEvent {
  if (before === undefined) return after;
  if (before.type === 'note') {
    if (after.type === 'note' || published.has(after.id)) return after;
    const { agent = before.agent, automated = before.automated } = after;
    return {
      type: 'note',
      ...baseOf({ ...after, ...(agent !== undefined && { agent }), ...(automated && { automated }) }),
    };
  }
  if (after.type === 'note') return after;
  const isLessKnown = before.agent !== undefined && after.agent === undefined && !people.isAgent(before.agent);
  return hasRequester && !isLessKnown ? after : { type: 'interaction', ...baseOf(before), direction: before.direction };
}

/**
 * Makes the events of comments that audits make private or public, and that are not in the files: a weekly export of new
 * data may have such a change alone. One that is not stored either is kept as a note until it comes.
 */
export function changedEvents(
  updates: readonly Update[],
  stored: ReadonlyMap<string, CommentEvent> | undefined,
): readonly { readonly line: number; readonly event: CaseEvent }[] {
  return changedComments(updates).flatMap(({ line, ticket, at, id, isPublic }) => {
    const before = stored?.get(id);
    if (before !== undefined) return [{ line, event: asPrivacySays(before, isPublic) }];
    return isPublic ? [] : [{ line, event: { type: 'note', id, at, case: ticket } }];
  });
}

/** Returns the last change of privacy of each comment that is not among the updates. */
function changedComments(updates: readonly Update[]): Changed[] {
  const present = new Set(updates.flatMap(({ comments }) => comments.map(({ id }) => id)));
  const changed = new Map<number, Changed>();
  for (const { privacy, line, ticket, at } of [...updates].sort((a, b) => a.at - b.at || a.id - b.id))
    for (const { comment, isPublic } of privacy)
      if (!present.has(comment)) changed.set(comment, { line, ticket, at, id: commentId(comment), isPublic });
  return [...changed.values()];
}

/**
 * Turns a stored comment into a note if it is private, else into a message: outbound if its author is known, else
 * inbound.
 */
function asPrivacySays(before: CommentEvent, isPublic: boolean): CommentEvent {
  const base = baseOf(before);
  if (!isPublic) return { type: 'note', ...base };
  if (before.type === 'interaction') return { type: 'interaction', ...base, direction: before.direction };
  const isByAgent = base.agent !== undefined || base.automated !== undefined;
  return { type: 'interaction', ...base, direction: isByAgent ? 'outbound' : 'inbound' };
}

/** The fields of a stored event that an incoming one has, too: not its source. */
function baseOf({ id, at, case: key, agent, automated }: CommentEvent): Omit<CommentEvent, 'type' | 'direction'> {
  return {
    id,
    at,
    case: key,
    ...(agent !== undefined && { agent }),
    ...(automated !== undefined && { automated }),
  };
}
