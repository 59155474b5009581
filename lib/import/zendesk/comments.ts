import type { CaseEvent } from '../../history/cases/event.ts';
import type { TicketSetting } from './change-events.ts';
import type { Story } from './story.ts';
import { type Comment, isRule, type Update } from './update.ts';

/** Comments that were made private or public later: id → whether it is public. */
export type Privacy = ReadonlyMap<number, boolean>;

/** Returns the last change of each comment's privacy. */
export const privacyOf = (updates: readonly Update[]): Privacy =>
  new Map(updates.flatMap(({ privacy }) => privacy.map(({ comment, isPublic }) => [comment, isPublic])));

const COMMENT = 'zd:c:';

/** Returns the id of a comment's event, which is the same in every stream. */
export const commentId = (comment: number): string => `${COMMENT}${String(comment).padStart(16, '0')}`;

/**
 * Whether an event was made from a comment. A later import may read it differently: its author or privacy may change.
 */
export const isOfComment = ({ id }: Pick<CaseEvent, 'id'>): boolean => id.startsWith(COMMENT);

/** Makes the messages, notes and calls of an update. */
export function commentEvents(update: Update, story: Story, privacy: Privacy, setting: TicketSetting): CaseEvent[] {
  return update.comments.flatMap((comment) => [
    messageEvent(update, comment, story, { setting, isPublic: privacy.get(comment.id) ?? comment.isPublic }),
    ...handledEvents(comment, story.ticket),
  ]);
}

/**
 * Makes the event of a comment: a note if it is private; inbound if its author is the requester at that time or no
 * agent; outbound if its author is an agent or a machine.
 */
function messageEvent(
  { at, author, channel }: Update,
  comment: Comment,
  { ticket, requester }: Story,
  { setting, isPublic }: { readonly setting: TicketSetting; readonly isPublic: boolean },
): CaseEvent {
  const { people } = setting;
  const writer = comment.author ?? author;
  const base = { id: commentId(comment.id), at, case: ticket };
  const isRequester = writer !== null && String(writer) === requester;
  const actor = people.actor(writer, comment.byRule ?? isRule(channel));
  if (!isPublic) return { type: 'note', ...base, ...actor };
  if (isRequester || Object.keys(actor).length === 0) return { type: 'interaction', ...base, direction: 'inbound' };
  return { type: 'interaction', ...base, ...actor, direction: 'outbound' };
}

function handledEvents({ id, call }: Comment, ticket: string): CaseEvent[] {
  if (!call) return [];
  const { from, seconds, agent } = call;
  const by = agent === null || agent < 0 ? {} : { agent };
  const to = from + seconds * 1_000_000;
  return [{ type: 'case.handled', id: `${commentId(id)}:h`, at: from, case: ticket, ...by, from, to }];
}
