import { isDeepStrictEqual } from 'node:util';
import { changeAuthority, type UserChange } from '../../access/authority.ts';
import { normalizeLogin, readUser, removed, type User } from '../../access/users.ts';
import { Failure } from '../../errors.ts';
import type { SiteTable } from '../../store/site-table.ts';
import type { Item } from '../../store/table.ts';
import { agentItem, doorOfChange, type ReferenceTarget, sameLogin } from './access.ts';

/** A member's item before and after a record was applied. */
export interface AgentChange {
  readonly line: number;
  readonly before: Item | undefined;
  readonly after: Item;
  readonly changed: boolean;
}

/**
 * The changes of users after an agent's record: one is made if the agent has a login, changes login and role, or goes.
 * None gets a password; a user with a new login keeps the old password. A deleted user stays deleted, whatever records
 * say: only the command line brings a user back. A reason if the login belongs to another agent.
 */
export async function usersOfAgent(
  { table, site }: Pick<SiteTable, 'table' | 'site'>,
  { before, after, changed }: Omit<AgentChange, 'line'>,
): Promise<readonly UserChange[] | string> {
  const { id, login, role, deleted } = agentItem.parse(after);
  const earlier = before && agentItem.parse(before).login;
  const moved = earlier != null && !sameLogin(earlier, login) ? await readUser(table, site, earlier) : undefined;
  const user = login == null ? undefined : await readUser(table, site, login);
  if (user?.agent !== undefined && user.agent !== id && !user.deleted)
    return `login: ${JSON.stringify(login)} is the login of agent ${user.agent}`;
  const own = moved?.agent === id && !moved.deleted ? moved : undefined;
  const changes: UserChange[] = own ? [{ before: own, after: removed(own) }] : [];
  if (login != null && (changed || user === undefined)) {
    const { role: usual = 'Agent', ...rest } = user ?? { ...own, version: undefined };
    const next: User = {
      ...rest,
      login,
      role: role ?? usual,
      agent: id,
      deleted: deleted || (user ?? own)?.deleted === true,
    };
    if (!isDeepStrictEqual({ ...next }, { ...user }))
      changes.push({ before: user, after: next.deleted ? removed(next) : next });
  }
  return changes;
}

/** Makes the users of an agent whose record is written follow it. Returns the reason if that is refused. */
export async function updateAgentUser(target: ReferenceTarget, agent: AgentChange): Promise<string | undefined> {
  const users = await usersOfAgent(target, agent);
  if (typeof users === 'string') return users;
  const last = users.at(-1);
  if (last === undefined) return undefined;
  const { before, after } = last;
  const fields = (['login', 'role', 'deleted'] as const).filter((field) => before?.[field] !== after[field]);
  const action = before === undefined ? 'create' : after.deleted ? 'delete' : 'update';
  const entry = { text: '', action, resource: `users/${normalizeLogin(after.login)}`, fields } as const;
  return reasonIfRefused(() => changeAuthority(doorOfChange(target, entry), { users }));
}

/** Makes a change; the sentence if it is refused. */
export async function reasonIfRefused(change: () => Promise<void>): Promise<string | undefined> {
  try {
    await change();
    return undefined;
  } catch (error) {
    const isRefusal = error instanceof Failure && ['invalid', 'forbidden', 'unauthorized'].includes(error.kind);
    if (!isRefusal) throw error;
    return error.details?.[0]?.message ?? error.message;
  }
}
