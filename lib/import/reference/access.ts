import * as z from 'zod';
import { type ChangeEntry, type Door, doorOf } from '../../access/authority.ts';
import type { Principal } from '../../access/principal.ts';
import { ROLES } from '../../access/roles.ts';
import { RECORDED_NAMES, type Site, type SiteSetting, settingOf, siteSettings } from '../../access/site-fields.ts';
import { normalizeLogin, readUser, type User } from '../../access/users.ts';
import type { SiteTable } from '../../store/site-table.ts';
import type { Item } from '../../store/table.ts';
import type { MemberRecord } from './member.ts';
import { toMillis } from './record-line.ts';

const standing = z.object({
  login: z.string().nullable(),
  role: z.enum(ROLES).nullable(),
  deleted: z.boolean(),
});

/** What a record changes of who may do what, or of a site's settings. */
export const accessChangeShape = z.object({
  text: z.string(), // for people; it names the change, as it has what was and what becomes of it
  resource: z.string(), // as the audit names it
  fields: z.array(z.string()).readonly(),
  agent: z
    .object({
      id: z.int(),
      before: standing,
      after: standing,
      user: z.enum(ROLES).nullable(), // role that the user of the later login had before; null: there was none
    })
    .optional(),
  site: z.object({ before: siteSettings, after: siteSettings }).optional(),
});
export type AccessChange = Readonly<z.infer<typeof accessChangeShape>>;
/** A change of one agent. */
export type AgentAccess = NonNullable<AccessChange['agent']>;

/** Decides about changes of who may do what, and in whose name they are made. */
export interface AccessGuard {
  /** Why a change is not wanted, as a sentence; undefined: it is, and who makes it must be allowed to. */
  readonly decide: (change: AccessChange) => Promise<string | undefined>;
  readonly actorOf: (change: Pick<AccessChange, 'text'>) => Principal;
  /** Every change is wanted: users follow all records of their agents. */
  readonly isFree: boolean;
  readonly clock: () => number; // epoch ms
  readonly newId: () => string;
}

/** The guard of imports that the operator starts, and of the queue: every change is wanted that the rules let through. */
export const freeGuard = (
  actor: 'operator' | 'service',
  { clock, newId }: Pick<AccessGuard, 'clock' | 'newId'>,
): AccessGuard => ({ decide: async () => undefined, actorOf: () => actor, isFree: true, clock, newId });

/** The target of an import of reference records, with the guard of its site. */
export interface ReferenceTarget extends SiteTable {
  readonly access: AccessGuard;
}

/** The door by which a change comes in. */
export function doorOfChange(
  { access, ...target }: ReferenceTarget,
  { text, ...what }: Pick<AccessChange, 'text'> & Pick<ChangeEntry, 'resource' | 'fields'> & Partial<ChangeEntry>,
): Door {
  const { resource, fields, action = 'update' } = what;
  return doorOf(target, access.actorOf({ text }), { id: access.newId(), at: access.clock(), action, resource, fields });
}

/** The fields of an agent's item that its user has too. */
export const agentItem = z.object({
  id: z.int(),
  name: z.string().nullish(),
  login: z.string().nullish(),
  role: z.enum(ROLES).nullish(),
  deleted: z.boolean().default(false),
});

/** Whether a record may be one that changes somebody's role, login or removal. */
export const mayChangeAccess = (record: MemberRecord): boolean =>
  record.type === 'agent' && (record.role != null || record.login !== undefined || record.deleted === true);

/**
 * What a record changes of an agent's role, login or removal; undefined if nothing, as for an agent's first login, of
 * which no user is made. `before`: the agent's item.
 */
export async function agentAccess(
  { table, site }: Pick<SiteTable, 'table' | 'site'>,
  before: Item | undefined,
  record: MemberRecord,
): Promise<AccessChange | undefined> {
  if (record.type !== 'agent' || isOlder(before, record)) return undefined;
  const known = agentItem.parse(before ?? { id: record.id });
  const login = record.login === undefined ? (known.login ?? null) : record.login;
  const user = login === null ? undefined : await readUser(table, site, login);
  const earlier = standingOf(known, user);
  const after = {
    login,
    role: record.role == null ? earlier.role : z.enum(ROLES).parse(record.role),
    deleted: record.deleted ?? known.deleted,
  };
  const isMoved = earlier.login !== null && !sameLogin(earlier.login, after.login);
  const isRemoved = after.deleted && !earlier.deleted && (earlier.login ?? after.login) !== null;
  const fields = [
    ...(after.role === earlier.role ? [] : ['role']),
    ...(isMoved ? ['login'] : []),
    ...(isRemoved ? ['deleted'] : []),
  ];
  if (fields.length === 0) return undefined;
  const named = after.login ?? earlier.login;
  const name = record.name ?? known.name;
  return {
    text: `Agent ${record.id}${name ? ` (${name})` : ''}: ${wordsOf(earlier, after)}.`,
    resource: `users/${named === null ? record.id : normalizeLogin(named)}`,
    fields,
    agent: { id: record.id, before: earlier, after, user: heldBy(user) },
  };
}

/** Whether a change takes an Administrator from the site, of whom one must stay. */
export const losesAdministrator = ({ agent }: AccessChange): boolean =>
  agent !== undefined &&
  [agent.before.role, agent.user].includes('Administrator') &&
  (agent.after.role !== 'Administrator' || agent.after.deleted || agent.before.login !== agent.after.login);

function isOlder(before: Item | undefined, { updated_at }: MemberRecord): boolean {
  const last = before?.updated_at;
  return typeof last === 'number' && updated_at !== undefined && toMillis(updated_at) < last;
}

/** How an agent stands: what the item says, and the role of the user, if there is one. */
export const standingOf = ({ login, role, deleted }: z.infer<typeof agentItem>, user: User | undefined): Standing => ({
  login: login ?? null,
  role: heldBy(user) ?? role ?? null,
  deleted,
});

const heldBy = (user: User | undefined): User['role'] | null => (user === undefined || user.deleted ? null : user.role);

/** An agent's login, role and removal. */
export type Standing = AgentAccess['before'];

function wordsOf(before: Standing, after: Standing): string {
  const becomes = (what: string, from: string | null, to: string | null) =>
    from === to ? [] : [`${what} ${from ?? 'none'} becomes ${to ?? 'none'}`];
  const parts = [...becomes('role', before.role, after.role), ...becomes('login', before.login, after.login)];
  return [...parts, ...(after.deleted && !before.deleted ? ['is removed'] : [])].join(', ');
}

export function sameLogin(a: string, b: string | null | undefined): boolean {
  return b != null && normalizeLogin(a) === normalizeLogin(b);
}

/** What a record changes of a site's settings; undefined if nothing. */
export function siteAccess(before: Site, after: Site): AccessChange | undefined {
  const [from, to] = [siteSettings.parse(before), siteSettings.parse(after)];
  const fields = RECORDED_NAMES.filter((key) => JSON.stringify(from[key]) !== JSON.stringify(to[key]));
  if (fields.length === 0) return undefined;
  const words = fields.map((key) => `${labelOf(settingOf(key))} ${shown(from[key])} becomes ${shown(to[key])}`);
  return { text: `The site: ${words.join(', ')}.`, resource: 'site', fields, site: { before: from, after: to } };
}

const labelOf = ({ label, api = '' }: SiteSetting): string => label ?? api.replaceAll('_', ' ');

const shown = (value: string | readonly string[]): string => (typeof value === 'string' ? value : value.join('+'));
