import * as z from 'zod';
import { ROLES } from '../../access/roles.ts';
import { normalizeLogin, readUser, type User } from '../../access/users.ts';
import type { ImportTarget } from '../../store/import-target.ts';
import { keys } from '../../store/keys.ts';
import type { Followed } from './members.ts';

/** What an agent's item says of the user that it is. */
const agentItem = z.object({
  id: z.int(),
  login: z.string().optional(),
  role: z.enum(ROLES).optional(),
  deleted: z.boolean().default(false),
});

/**
 * Lets the user follow its agent's record: made where the agent has a login, renamed, given a role, deleted. It never
 * sets a password, but a renamed user keeps its own. Gives the reason where the login belongs to another agent.
 */
export async function followAgent(
  { table, site }: ImportTarget,
  { before, after, changed }: Followed,
): Promise<string | undefined> {
  const { id, login, role, deleted } = agentItem.parse(after);
  const earlier = before && agentItem.parse(before).login;
  const moved = earlier !== undefined && !sameLogin(earlier, login) ? await readUser(table, site, earlier) : undefined;
  const known = login === undefined ? undefined : await readUser(table, site, login);
  if (known?.agent !== undefined && known.agent !== id && !known.deleted) {
    return `login: ${JSON.stringify(login)} is the login of agent ${known.agent}`;
  }
  if (login !== undefined && (changed || known === undefined)) {
    const password = known?.password ?? (moved?.agent === id ? moved.password : undefined);
    const user: User = {
      login,
      role: role ?? known?.role ?? moved?.role ?? 'Agent',
      deleted,
      agent: id,
      ...(password === undefined ? {} : { password }),
    };
    await table.put({ ...keys.user(site, normalizeLogin(login)), ...user });
  }
  if (moved?.agent === id) {
    const { password: _password, ...rest } = moved;
    await table.put({ ...keys.user(site, normalizeLogin(moved.login)), ...rest, deleted: true });
  }
  return undefined;
}

function sameLogin(a: string, b: string | undefined): boolean {
  return b !== undefined && normalizeLogin(a) === normalizeLogin(b);
}
