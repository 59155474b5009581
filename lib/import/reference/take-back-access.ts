import { type AuditEntry, audited } from '../../access/audit.ts';
import { auditedTable } from '../../access/audited-table.ts';
import { parseSite, siteSettings, unchangedSite } from '../../access/sites.ts';
import { putUser, readUser, removed, type User } from '../../access/users.ts';
import { type ImportTarget, openCollection } from '../../store/import-target.ts';
import { keys, members } from '../../store/keys.ts';
import { transactOnce } from '../../store/once.ts';
import { replan } from '../../store/replan.ts';
import type { Table } from '../../store/table.ts';
import { type AccessChange, type AgentAccess, agentItem, type Standing, sameLogin, standingOf } from './access.ts';

/** What is needed to take changes back. */
export interface TakeBack extends ImportTarget {
  /** The audit's entry of a change that is taken back. */
  readonly entryOf: (change: AccessChange) => AuditEntry;
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

async function agentBack(target: TakeBack, change: AccessChange, agent: AgentAccess): Promise<readonly string[]> {
  const { site, table } = target;
  const { id, before, after, user: held } = agent;
  const agents = await openCollection(target, keys.reference(site, 'agent'));
  const item = agents.items.get(members.item(id));
  const user = after.login === null ? undefined : await readUser(table, site, after.login);
  if (item === undefined || isAlike(standingOf(agentItem.parse(item), user), before)) return []; // is as it was
  if (!isAlike(standingOf(agentItem.parse(item), user), after)) return [stays(change)];
  const over = auditedTable(table, site, target.entryOf(change)).table;
  const { login: _, role: __, ...rest } = item;
  const put = {
    ...{ ...rest, pk: item.pk, sk: item.sk, deleted: before.deleted, updated_at: target.now },
    ...(before.login !== null && { login: before.login }),
    ...(before.role !== null && { role: before.role }),
  };
  await target.collections.commit(over, [{ collection: agents, put: [put] }]);
  if (user === undefined || user.agent !== id) return [];
  await putUser(over, site, held === null ? removed(user) : { ...user, role: held, deleted: false }, false);
  const former = await formerBack(over, site, agent, user);
  const isBack = after.deleted && !before.deleted && held !== null;
  return [...(isBack ? [user] : []), ...former].filter(({ password }) => password === undefined).map(withoutPassword);
}

/** Gives a user the login back that a change moved, with the password. */
async function formerBack(
  table: Table,
  site: string,
  { id, before: { login, role }, after, user: held }: AgentAccess,
  user: User,
): Promise<readonly User[]> {
  if (login === null || role === null || sameLogin(login, after.login)) return [];
  const former = await readUser(table, site, login);
  if (former?.agent !== id || !former.deleted) return [];
  const { password } = held === null ? user : former; // a user who had the later login before keeps their own
  const back = { ...former, role, deleted: false, ...(password === undefined ? {} : { password }) };
  await putUser(table, site, back, false);
  return [back];
}

/** Whether two standings are the same; of who is removed the role does not count. */
const isAlike = (one: Standing, other: Standing): boolean =>
  (one.login === null ? other.login === null : sameLogin(one.login, other.login)) &&
  one.deleted === other.deleted &&
  (one.deleted || one.role === other.role);

const withoutPassword = ({ login }: User): string =>
  `${login} is a user again, without a password and tokens, which were deleted: support user set gives a password.`;

async function siteBack(
  { table, site, entryOf, now }: TakeBack,
  change: AccessChange,
  { before, after }: NonNullable<AccessChange['site']>,
): Promise<readonly string[]> {
  const item = await table.get(keys.site(site));
  if (item === undefined) return [];
  const known = parseSite(item);
  const same = (key: keyof typeof after, as: typeof after): boolean =>
    JSON.stringify(known[key]) === JSON.stringify(as[key]);
  const fields = siteSettings.keyof().options.filter((key) => change.fields.includes(key));
  const back = fields.filter((key) => same(key, after));
  const left = fields.filter((key) => !same(key, after) && !same(key, before));
  if (back.length > 0) {
    const restored = Object.fromEntries(back.map((key) => [key, before[key]]));
    const put = { ...item, ...restored, version: (known.version ?? 0) + 1, updated_at: now };
    await transactOnce(table, [{ put, when: unchangedSite(known) }], audited(site, entryOf(change)));
  }
  return left.length > 0 ? [stays(change)] : [];
}
