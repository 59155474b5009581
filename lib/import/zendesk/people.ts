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
  const add = (id: number | null): void => {
    if (id !== null && id > 0) known.add(id);
  };
  const outsiders = new Set<number>();
  const isAgent = (id: number | null): id is number => id !== null && known.has(id) && !outsiders.has(id);
  const isAutomated = (id: number | null): boolean => id === SYSTEM || (id !== null && automated.has(id));
  return {
    add,
    addOutsider: (id) => void outsiders.add(id),
    learn: ({ author, changes, comments, macros }) => {
      for (const { field, value, before } of changes) {
        if (field !== 'assignee_id') continue;
        add(zendeskId(value));
        add(zendeskId(before));
      }
      for (const { author: writer, isPublic } of comments) if (!isPublic) add(writer);
      if (macros.length > 0) add(author);
    },
    isAgent,
    actor: (author, byRule) => {
      if (byRule || isAutomated(author)) return { automated: true };
      return isAgent(author) ? { agent: author } : {};
    },
  };
}
