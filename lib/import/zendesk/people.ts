import type { Actor } from '../mapping/attributes.ts';
import type { Update } from './update.ts';
import { zendeskId } from './values.ts';

/** The author id of Zendesk itself. */
const SYSTEM = -1;

/** Knows which authors are agents and which are machines. */
export interface People {
  /** Learns agents from an update: an assignee, the author of a private comment, or a user of a macro is an agent. */
  readonly learn: (update: Update) => void;
  readonly add: (agent: number) => void;
  readonly addOutsider: (id: number) => void; // who is no agent, whatever else says so
  readonly isAgent: (id: number | null) => boolean;
  /** Returns the actor for an event's author. */
  readonly actor: (author: number | null, byRule: boolean) => Actor;
}

/** Starts with the agents of the site. */
export function newPeople(agents: Iterable<number>, automated: ReadonlySet<number>): People {
  const known = new Set(agents);
  const add = (id: number): void => {
    known.add(id);
  };
  const outsiders = new Set<number>();
  const isAgent = (id: number | null): id is number => id !== null && known.has(id) && !outsiders.has(id);
  const isAutomated = (id: number | null): boolean => id === SYSTEM || (id !== null && automated.has(id));
  return {
    add,
    addOutsider: (id) => void outsiders.add(id),
    learn: (update) => {
      for (const id of agentsIn(update)) add(id);
    },
    isAgent,
    actor: (author, byRule) => {
      if (byRule || isAutomated(author)) return { automated: true };
      return isAgent(author) ? { agent: author } : {};
    },
  };
}

/** The ids that an update says to be agents: assignees, authors of private comments, and who used a macro. */
export function agentsIn({ author, changes, comments, macros }: Update): readonly number[] {
  const assigned = changes.flatMap(({ field, value, before }) =>
    field === 'assignee_id' ? [zendeskId(value), zendeskId(before)] : [],
  );
  const writers = comments.flatMap(({ author: writer, isPublic }) => (isPublic ? [] : [writer]));
  return [...assigned, ...writers, ...(macros.length > 0 ? [author] : [])].flatMap((id) =>
    id !== null && id > 0 ? [id] : [],
  );
}
