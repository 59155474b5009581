import { putUser, readUser, removed } from '../../access/users.ts';
import type { ImportTarget } from '../../store/import-target.ts';
import type { Item } from '../../store/table.ts';
import { agentItem, sameLogin } from './access.ts';

/** A member's item before and after a record was applied. */
export interface AgentChange {
  readonly line: number;
  readonly before: Item | undefined;
  readonly after: Item;
  readonly changed: boolean;
}

/**
 * Updates the user of an agent after the agent's record: creates it if the agent has a login, changes login and role,
 * or deletes it. Never sets a password; a user with a new login keeps the old password. A deleted user stays deleted,
 * whatever records say: only the command line brings a user back. Returns the reason if the login belongs to another
 * agent.
 */
export async function updateAgentUser(target: ImportTarget, followed: AgentChange): Promise<string | undefined> {
  const { table, site } = target;
  const { before, after, changed } = followed;
  const { id, login, role, deleted } = agentItem.parse(after);
  const earlier = before && agentItem.parse(before).login;
  const moved = earlier != null && !sameLogin(earlier, login) ? await readUser(table, site, earlier) : undefined;
  const known = login == null ? undefined : await readUser(table, site, login);
  if (known?.agent !== undefined && known.agent !== id && !known.deleted) {
    return `login: ${JSON.stringify(login)} is the login of agent ${known.agent}`;
  }
  const own = moved?.agent === id && !moved.deleted ? moved : undefined;
  if (login != null && (changed || known === undefined)) {
    const { role: usual = 'Agent', ...rest } = known ?? { ...own, version: undefined };
    const user = {
      ...rest,
      login,
      role: role ?? usual,
      agent: id,
      deleted: deleted || (known ?? own)?.deleted === true,
    };
    await putUser(table, site, user.deleted ? removed(user) : user, known === undefined);
  }
  if (own) await putUser(table, site, removed(own), false);
  return undefined;
}
