import type { CaseEvent } from '../../../history/cases/event.ts';
import type { Setting } from './changes.ts';
import type { Story } from './story.ts';
import { type Comment, isRule, type Update } from './update.ts';

/** Which comments were made private or public later. */
export type Privacy = ReadonlyMap<number, boolean>;

/** The last word on each comment's privacy. */
export const privacyOf = (updates: readonly Update[]): Privacy =>
  new Map(updates.flatMap(({ privacy }) => privacy.map(({ comment, isPublic }) => [comment, isPublic])));

const COMMENT = 'zd:c:';

/** The id of a comment's event: the same in every stream. */
export const commentId = (comment: number): string => `${COMMENT}${String(comment).padStart(16, '0')}`;

/** Whether an event tells of a comment: what it was read as may change, as its author becomes known or it is made private. */
export const isOfComment = ({ id }: Pick<CaseEvent, 'id'>): boolean => id.startsWith(COMMENT);

/** The messages, notes and calls of an update. */
export function commentEvents(update: Update, story: Story, privacy: Privacy, setting: Setting): CaseEvent[] {
  return update.comments.flatMap((comment) => [
    messageEvent(update, comment, story, { setting, isPublic: privacy.get(comment.id) ?? comment.isPublic }),
    ...handledEvents(comment, story.ticket),
  ]);
}

/** A message is of its author: the requester at that moment, or no agent, writes inbound, an agent or a machine outbound. */
function messageEvent(
  { at, author, channel }: Update,
  comment: Comment,
  { ticket, requester }: Story,
  { setting, isPublic }: { readonly setting: Setting; readonly isPublic: boolean },
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
