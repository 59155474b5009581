import * as z from 'zod';
import type { Context } from '../context.ts';
import { type Collection, perVersion } from '../store/collection.ts';
import { keys } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import { findRecord } from './records.ts';
import { normalizeLogin, type User } from './users.ts';

const withLogin = z.object({ login: z.string().nullish() });

/** The agent records that are not deleted, by login in the form in which logins are compared. */
const agentsByLogin = (agents: Collection): ReadonlyMap<string, Item> => perVersion(agents, readByLogin);

function readByLogin({ items }: Collection): Map<string, Item> {
  const byLogin = new Map<string, Item>();
  for (const item of items.values()) {
    const { login } = withLogin.parse(item);
    const key = normalizeLogin(login ?? '');
    if (key !== '' && item.deleted !== true && !byLogin.has(key)) byLogin.set(key, item);
  }
  return byLogin;
}

/** The agent record of a user that is not deleted: the one that made the user, else the first with the login. */
export function ownItem(agents: Collection, { login, agent }: Pick<User, 'login' | 'agent'>): Item | undefined {
  const byId = agent === undefined ? undefined : findRecord(agents, agent);
  return byId ?? agentsByLogin(agents).get(normalizeLogin(login));
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
  return ownItem(await open(keys.reference(site.name, 'agent')), user);
}
