import { isDeepStrictEqual } from 'node:util';
import type { Change, Collection } from '../store/collection.ts';
import { members } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import { ownItem } from './agents.ts';
import { memberId } from './member-id.ts';
import { keptTraces, marked } from './records.ts';
import { normalizeLogin, type User } from './users.ts';

/** The change that writes an agent record. */
export const agentChange = (agents: Collection, item: Item): Change => ({
  collection: agents,
  ...keptTraces(agents, [marked(item, agents.items.get(item.sk), false)], MOST_GONE),
});

const MOST_GONE = 50; // deleted ones that go with a change

/**
 * A user's agent record as it must become; undefined if it is so. It is made for a login that has none, keeps role and
 * name in step, and is deleted with its user; old reports go on to name it. `now` in epoch ms.
 */
export function agentOf(agents: Collection, user: User, now: number, name?: string): Item | undefined {
  const { login, role } = user;
  const agent = ownItem(agents, user);
  if (user.deleted) return agent && { ...agent, deleted: true, updated_at: now };
  const own = { role, ...(name !== undefined && { name }) };
  if (agent)
    return isDeepStrictEqual({ ...agent, ...own }, { ...agent }) ? undefined : { ...agent, ...own, updated_at: now };
  const id = idOfLogin(login);
  const sk = members.item(id);
  return {
    name: login,
    created_at: now,
    ...agents.items.get(sk),
    pk: agents.pk,
    sk,
    id,
    login,
    deleted: false,
    updated_at: now,
    ...own,
  };
}

/** The id of a record made for a login; imported ids lie below, so that none is taken for it. */
const idOfLogin = (login: string): number => memberId('agent', normalizeLogin(login));

/** The record that was made for a login, which gives way to the agent `id` that a record names with this login. */
export function givingWay({ items }: Collection, login: string, id: number): Item | undefined {
  const made = idOfLogin(login);
  const item = made === id ? undefined : items.get(members.item(made));
  if (item === undefined || item.deleted === true || item.login == null) return undefined;
  const { login: _, ...rest } = item;
  return { ...rest, pk: item.pk, sk: item.sk, deleted: true };
}
