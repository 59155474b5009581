import * as z from 'zod';
import { ROLES } from '../../access/roles.ts';
import { normalizeLogin, putUser, readUser, removed } from '../../access/users.ts';
import type { ImportTarget } from '../../store/import-target.ts';
import type { Item } from '../../store/table.ts';

/** A member's item before and after a record that was not outdated. */
export interface Followed {
  readonly line: number;
  readonly before: Item | undefined;
  readonly after: Item;
  readonly changed: boolean;
}

/** What an agent's item says of the user that it is. */
const agentItem = z.object({
  id: z.int(),
  login: z.string().optional(),
  role: z.enum(ROLES).optional(),
  deleted: z.boolean().default(false),
});

/**
 * Lets the user follow its agent's record: made where the agent has a login, renamed, given a role, deleted. It never
 * sets a password, but a renamed user keeps its own. A user who was removed stays so, whatever records say: only the
 * command line lets somebody in again. Returns the reason if the login belongs to another agent.
 */
export async function followAgent(target: ImportTarget, followed: Followed): Promise<string | undefined> {
  const { table, site } = target;
  const { before, after, changed } = followed;
  const { id, login, role, deleted } = agentItem.parse(after);
  const earlier = before && agentItem.parse(before).login;
  const moved = earlier !== undefined && !sameLogin(earlier, login) ? await readUser(table, site, earlier) : undefined;
  const known = login === undefined ? undefined : await readUser(table, site, login);
  if (known?.agent !== undefined && known.agent !== id && !known.deleted) {
    return `login: ${JSON.stringify(login)} is the login of agent ${known.agent}`;
  }
  const own = moved?.agent === id && !moved.deleted ? moved : undefined;
  if (login !== undefined && (changed || known === undefined)) {
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

function sameLogin(a: string, b: string | undefined): boolean {
  return b !== undefined && normalizeLogin(a) === normalizeLogin(b);
}
