import * as z from 'zod';
import { ownAgent } from '../access/agents.ts';
import { rankOf, recordIn, recordName } from '../access/records.ts';
import { R_READ, ROLES, type Role } from '../access/roles.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { idOf } from '../http/fields.ts';
import { listReply } from '../http/page.ts';
import { noContent } from '../http/reply.ts';
import { listThings, type RecordResource, readsOfResource, recordsOf, sortQuery } from '../http/resource.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { idShape, linkShape, pageShape, timestampShape } from '../http/shapes.ts';
import { listMacros, macroShape, showMacro } from '../macros/macro.ts';
import { keys } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import { timestamp } from '../text.ts';

export const USERS_PATH = '/api/v2/users';
const GROUPS_PATH = '/api/v2/groups';

const agentItem = z.object({
  public_name: z.string().nullish(),
  login: z.string().nullish(),
  role: z.enum(ROLES).nullish(),
  groups: z.array(z.int()).nullish(),
  created_at: z.number().nullish(),
  updated_at: z.number().nullish(),
});

export const USER_SHAPE = {
  name: z.string(),
  public_name: z.string(),
  email: z.string().nullable(),
  level: z.string().meta({ description: 'The role in the words of the original' }),
  avatar: z.null(),
  created_at: timestampShape().nullable(),
  updated_at: timestampShape().nullable(),
  current_login_at: z.null(),
  last_login_at: z.null(),
  login: z.string().nullable(),
  role: z.enum(ROLES).nullable(),
  groups: z.array(z.int()),
  _links: z.object({
    self: linkShape('user'),
    groups: linkShape('group'),
    macros: linkShape('macro'),
  }),
};

const LEVELS: Partial<Record<Role, string>> = {
  'Billing Administrator': 'siteadmin_billing',
  Administrator: 'siteadmin',
};

const at = (time: number | null | undefined): string | null => (time == null || time <= 0 ? null : timestamp(time));

/** A user as replies show it; `own` replaces login and role by those of a sign-in. */
export function showUserOf(id: number | null, item: Item | undefined, own: { login?: string; role?: Role } = {}) {
  const { public_name, groups, created_at, updated_at, ...record } = agentItem.parse(item ?? {});
  const { login = record.login ?? null, role = record.role ?? null } = own;
  const name = item === undefined ? (login ?? '') : recordName(item);
  const path = `${USERS_PATH}/${id ?? 'me'}`;
  return {
    id,
    name,
    public_name: public_name ?? name,
    email: login,
    level: LEVELS[role ?? 'Agent'] ?? (role ?? 'Agent').toLowerCase().replaceAll(' ', '_'),
    avatar: null, // no third party is asked
    created_at: at(created_at),
    updated_at: at(updated_at),
    current_login_at: null,
    last_login_at: null,
    login,
    role,
    groups: groups ?? [],
    _links: {
      self: { href: path, class: 'user' },
      groups: { href: `${path}/groups`, class: 'group' },
      macros: { href: `${path}/macros`, class: 'macro' },
    },
  };
}

const groupsOf = (item: Item): readonly number[] => agentItem.parse(item).groups ?? [];

const USERS: RecordResource = {
  ...recordsOf('agent'),
  path: USERS_PATH,
  param: 'user_id',
  shape: () => z.object({ id: idShape(), ...USER_SHAPE }),
  show: (item) => showUserOf(Number(item.id), item),
};

const GROUPS: RecordResource = {
  ...recordsOf('group'),
  path: GROUPS_PATH,
  param: 'group_id',
  shape: () =>
    z.object({
      id: idShape(),
      name: z.string(),
      position: z.int().positive(),
      _links: z.object({ self: linkShape('group'), users: linkShape('user') }),
    }),
  show: (item, collection) => {
    const path = `${GROUPS_PATH}/${item.id}`;
    return {
      id: item.id,
      name: recordName(item),
      position: rankOf(collection, item.id),
      _links: { self: { href: path, class: 'group' }, users: { href: `${path}/users`, class: 'user' } },
    };
  },
};

/** The user of a path; `me` and `current` stand for the caller. Throws `not_found`. */
async function namedUser({ context, params }: Pick<Call, 'context' | 'params'>): Promise<Item> {
  const { user_id: sent } = params;
  if (sent !== 'me' && sent !== 'current')
    return recordIn(await context.open(keys.reference(context.site.name, 'agent')), 'agent', idOf(sent));
  const own = await ownAgent(context);
  if (own === undefined) throw notFound(`user ${sent}`);
  return own;
}

const usual = { method: 'GET', roles: R_READ, list: true, extension: true } as const;
/** The collection of the agents, who are the users of the API. */
export const agents = (site: string) => keys.reference(site, 'agent');
const groups = (site: string) => keys.reference(site, 'group');

/** The enabled macros of a site by position: a user has all of them. */
const enabledMacros = async ({ site, open }: Pick<Context, 'site' | 'open'>) =>
  listMacros(await open(keys.macros(site.name)), 'position').filter(({ enabled }) => enabled);

const logout = (name: 'me' | 'current'): Route =>
  route({
    name: name === 'me' ? 'logOut' : 'logOutCurrent',
    summary: 'Answer a program that signs out; ends nothing, as others may use its token',
    method: 'POST',
    path: `${USERS_PATH}/${name}/logout`,
    roles: R_READ,
    extension: true,
    success: 204,
    example: {},
    reads: () => [],
    handle: () => noContent,
  });

/** Users and groups as all may read them. */
export const userRoutes: readonly Route[] = [
  ...readsOfResource(USERS),
  ...readsOfResource(GROUPS),
  route({
    ...usual,
    name: 'listUserGroups',
    summary: 'List the groups of a user',
    path: `${USERS_PATH}/{user_id}/groups`,
    reads: (site) => [agents(site), groups(site)],
    query: sortQuery,
    reply: () => pageShape(GROUPS.shape()),
    find: namedUser,
    handle: (call) => {
      const own = groupsOf(call.resource);
      const path = `${USERS_PATH}/${call.resource.id}/groups`;
      return listThings(call, GROUPS, path, (records) => records.filter(({ id }) => own.includes(Number(id))));
    },
  }),
  route({
    ...usual,
    name: 'listGroupUsers',
    summary: 'List the users of a group',
    path: `${GROUPS_PATH}/{group_id}/users`,
    reads: (site) => [agents(site), groups(site)],
    query: sortQuery,
    reply: () => pageShape(USERS.shape()),
    find: async ({ context, params }) =>
      recordIn(await context.open(groups(context.site.name)), 'group', idOf(params.group_id)),
    handle: (call) => {
      const { id } = call.resource;
      const path = `${GROUPS_PATH}/${id}/users`;
      return listThings(call, USERS, path, (records) => records.filter((item) => groupsOf(item).includes(Number(id))));
    },
  }),
  route({
    ...usual,
    name: 'listUserMacros',
    summary: 'List the enabled macros, which every user has, by position',
    path: `${USERS_PATH}/{user_id}/macros`,
    reads: (site) => [agents(site), keys.macros(site)],
    reply: () => pageShape(macroShape()),
    find: namedUser,
    handle: (call) =>
      listReply(call, {
        path: `${USERS_PATH}/${call.resource.id}/macros`,
        seeds: [call.context.version(keys.macros(call.context.site.name))],
        members: () => enabledMacros(call.context),
        show: showMacro,
      }),
  }),
  logout('me'),
  logout('current'),
];
