import * as z from 'zod';
import type { Context } from '../context.ts';
import { type Collection, perVersion } from '../store/collection.ts';
import { keys } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import { normalizeLogin } from './users.ts';

const withLogin = z.object({ login: z.string().nullish() });

/** The agent records that are not deleted, by login in the form in which logins are compared. */
const agentsByLogin = (agents: Collection): ReadonlyMap<string, Item> => perVersion(agents, readByLogin);

function readByLogin({ items }: Collection): Map<string, Item> {
  const found = new Map<string, Item>();
  for (const item of items.values()) {
    const { login } = withLogin.parse(item);
    if (login && item.deleted !== true) found.set(normalizeLogin(login), item);
  }
  return found;
}

const grouped = z.object({ id: z.int(), groups: z.array(z.int()).optional() });

/** The groups of each agent, deleted agents included. */
export const groupsOfAgents = ({ items }: Collection): ReadonlyMap<number, readonly number[]> =>
  new Map(
    [...items.values()].map((item) => {
      const { id, groups = [] } = grouped.parse(item);
      return [id, groups];
    }),
  );

/** The caller's own agent record; undefined without one. The route reads the agents. */
export async function ownAgent({
  site,
  user,
  open,
}: Pick<Context, 'site' | 'user' | 'open'>): Promise<Item | undefined> {
  return agentsByLogin(await open(keys.reference(site.name, 'agent'))).get(normalizeLogin(user.login));
}
