import { changeAuthority, doorOf, type UserChange } from '../../access/authority.ts';
import type { Principal } from '../../access/principal.ts';
import { RECORDED_NAMES } from '../../access/site-fields.ts';
import { readSite } from '../../access/sites.ts';
import { readUser, removed, type User } from '../../access/users.ts';
import { keys, members } from '../../store/keys.ts';
import { replan } from '../../store/replan.ts';
import { openCollection, type SiteTable } from '../../store/site-table.ts';
import { type AccessChange, type AgentAccess, agentItem, type Standing, sameLogin, standingOf } from './access.ts';
import { reasonIfRefused } from './user.ts';

/** What is needed to take changes back. */
export interface TakeBack extends SiteTable {
  readonly actor: Principal; // who takes them back
  readonly newId: () => string;
}

/**
 * Takes back changes of users and settings, the last one first. Returns a sentence for each that stays, because it was
 * changed again since, and for what cannot come back.
 */
export async function takeBackAccess(target: TakeBack, changes: readonly AccessChange[]): Promise<readonly string[]> {
  const told: string[] = [];
  for (const change of [...changes].reverse()) {
    const { agent, site } = change;
    if (agent !== undefined) told.push(...(await replan(() => agentBack(target, change, agent))));
    if (site !== undefined) told.push(...(await replan(() => siteBack(target, change, site))));
  }
  return told;
}

const stays = ({ text }: AccessChange): string => `This was changed again since, and stays: ${text}`;

/** The door by which a change is taken back. */
const doorBack = (target: TakeBack, { resource, fields }: AccessChange) =>
  doorOf(target, target.actor, { id: target.newId(), at: target.now, action: 'update', resource, fields });

/** What is told where taking a change back is refused. */
const refused = ({ text }: AccessChange, reason: string | undefined): readonly string[] =>
  reason === undefined ? [] : [`This stays: ${text} ${reason}`];

async function agentBack(target: TakeBack, change: AccessChange, agent: AgentAccess): Promise<readonly string[]> {
  const { site, table } = target;
  const { id, before, after } = agent;
  const agents = await openCollection(target, keys.reference(site, 'agent'));
  const item = agents.items.get(members.item(id));
  const user = after.login === null ? undefined : await readUser(table, site, after.login);
  if (item === undefined || isAlike(standingOf(agentItem.parse(item), user), before)) return []; // is as it was
  if (!isAlike(standingOf(agentItem.parse(item), user), after)) return [stays(change)];
  const { login: _, role: __, ...rest } = item;
  const put = {
    ...rest,
    pk: item.pk,
    sk: item.sk,
    deleted: before.deleted,
    updated_at: target.now,
    ...(before.login !== null && { login: before.login }),
    ...(before.role !== null && { role: before.role }),
  };
  const users = user?.agent === id ? await usersBack(target, agent, user) : [];
  const reason = await reasonIfRefused(() =>
    changeAuthority(doorBack(target, change), { users }, { changes: [{ collection: agents, put: [put] }] }),
  );
  if (reason !== undefined) return refused(change, reason);
  return users
    .filter(({ before: now, after: then }) => now?.deleted && !then.deleted && then.password === undefined)
    .map(({ after: then }) => withoutPassword(then));
}

/** The user of an agent as before the change; one whose login the change moved gets it back, with the password. */
async function usersBack(
  { table, site }: TakeBack,
  { id, before: { login, role }, after, user: held }: AgentAccess,
  user: User,
): Promise<readonly UserChange[]> {
  const back = { before: user, after: held === null ? removed(user) : { ...user, role: held, deleted: false } };
  if (login === null || role === null || sameLogin(login, after.login)) return [back];
  const former = await readUser(table, site, login);
  if (former?.agent !== id || !former.deleted) return [back];
  const { password } = held === null ? user : former; // a user who had the later login before keeps their own
  return [back, { before: former, after: { ...former, role, deleted: false, ...(password && { password }) } }];
}

/** Whether two standings are the same; of who is removed the role does not count. */
const isAlike = (one: Standing, other: Standing): boolean =>
  (one.login === null ? other.login === null : sameLogin(one.login, other.login)) &&
  one.deleted === other.deleted &&
  (one.deleted || one.role === other.role);

const withoutPassword = ({ login }: User): string =>
  `${login} is a user again, without a password and tokens, which were deleted: support user set gives a password.`;

async function siteBack(
  target: TakeBack,
  change: AccessChange,
  { before, after }: NonNullable<AccessChange['site']>,
): Promise<readonly string[]> {
  const site = await readSite(target.table, target.site);
  if (site === undefined) return [];
  const same = (key: keyof typeof after, as: typeof after): boolean =>
    JSON.stringify(site[key]) === JSON.stringify(as[key]);
  const fields = RECORDED_NAMES.filter((key) => change.fields.includes(key));
  const back = fields.filter((key) => same(key, after));
  const left = fields.filter((key) => !same(key, after) && !same(key, before));
  const again = left.length > 0 ? [stays(change)] : [];
  if (back.length === 0) return again;
  const restored = { ...site, ...Object.fromEntries(back.map((key) => [key, before[key]])), updated_at: target.now };
  const reason = await reasonIfRefused(() =>
    changeAuthority(doorBack(target, change), { site: { before: site, after: restored } }),
  );
  return [...again, ...refused(change, reason)];
}
