import type { Actor } from '../attributes.ts';
import type { Update } from './update.ts';
import { zendeskId } from './values.ts';

/** Zendesk's own id as an author. */
const SYSTEM = -1;

/** Who of a history's people is an agent, and who a machine. */
export interface People {
  /** Learns from what somebody did: whoever was an assignee, wrote a private comment or used a macro is an agent. */
  readonly learn: (update: Update) => void;
  readonly add: (agent: number) => void;
  readonly isAgent: (id: number | null) => boolean;
  readonly isAutomated: (id: number | null) => boolean;
  /** Who acted, as events carry it. */
  readonly actor: (author: number | null, byRule: boolean) => Actor;
}

/** Starts with the agents that the site has. */
export function newPeople(agents: Iterable<number>, automated: ReadonlySet<number>): People {
  const known = new Set(agents);
  const add = (id: number | null): void => {
    if (id !== null && id > 0) known.add(id);
  };
  const isAutomated = (id: number | null): boolean => id === SYSTEM || (id !== null && automated.has(id));
  return {
    add,
    learn: ({ author, changes, comments, macros }) => {
      for (const { field, value, before } of changes) {
        if (field !== 'assignee_id') continue;
        add(zendeskId(value));
        add(zendeskId(before));
      }
      for (const { author: writer, isPublic } of comments) if (!isPublic) add(writer);
      if (macros.length > 0) add(author);
    },
    isAgent: (id) => id !== null && known.has(id),
    isAutomated,
    actor: (author, byRule) => {
      if (byRule || isAutomated(author)) return { automated: true };
      return author !== null && known.has(author) ? { agent: author } : {};
    },
  };
}
