import * as z from 'zod';
import { ownAgent } from '../access/agents.ts';
import { recordIn } from '../access/records.ts';
import { R_READ, ROLES, type Role } from '../access/roles.ts';
import { idOf } from '../http/fields.ts';
import { noContent } from '../http/reply.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { idShape, linkShape, pageShape, timestampShape } from '../http/shapes.ts';
import { MACROS } from '../macros/macro.ts';
import { nameText, place, type StoredFields } from '../resource/field.ts';
import { below, formOf, resource } from '../resource/resource.ts';
import { listThings, routesOf, sortQuery } from '../resource/routes.ts';
import { recordsOf } from '../resource/storing.ts';
import { keys } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import { timestamp } from '../text.ts';

export const USERS_PATH = '/api/v2/users';
const GROUPS_PATH = '/api/v2/groups';

const LEVELS: Partial<Record<Role, string>> = {
  'Billing Administrator': 'siteadmin_billing',
  Administrator: 'siteadmin',
};

const at = (time: number | null | undefined): string | null => (time == null || time <= 0 ? null : timestamp(time));

const string = () => z.string();
const stringOrNull = () => z.string().nullable();
const time = { stored: z.number().nullable(), usual: null, shown: () => timestampShape().nullable(), show: at };
const never = { shown: () => z.null(), show: () => null };

/** A user, as the agent record says. */
const USER = formOf({
  name: nameText({}),
  public_name: { stored: z.string(), usual: ({ id, name }: Item) => name ?? String(id), shown: string },
  email: { shown: stringOrNull },
  level: { shown: () => string().meta({ description: 'The role in the words of the original' }) },
  avatar: never, // no third party is asked
  created_at: time,
  updated_at: time,
  current_login_at: never,
  last_login_at: never,
  login: { stored: z.string().nullable(), usual: null, shown: stringOrNull },
  role: { stored: z.enum(ROLES).nullable(), usual: null, shown: () => z.enum(ROLES).nullable() },
  groups: { stored: z.array(z.int()), usual: () => [], shown: () => z.array(z.int()) },
});

/** A user as replies show it. */
export const userShape = <I extends z.ZodType>(id: I) =>
  z.object({
    id,
    ...USER.shapes(),
    _links: z.object({ self: linkShape('user'), groups: linkShape('group'), macros: linkShape('macro') }),
  });

/** A user by an agent record, or by what stands for one; `id` null: the caller, who has no record. */
export function showUser(id: number | null, record: StoredFields) {
  const user = USER.parse(record);
  const { login: email, role } = user;
  const level = LEVELS[role ?? 'Agent'] ?? (role ?? 'Agent').toLowerCase().replaceAll(' ', '_');
  const path = `${USERS_PATH}/${id ?? 'me'}`;
  return {
    id,
    ...USER.shown({ ...user, email, level }),
    _links: {
      self: { href: path, class: 'user' },
      groups: { href: `${path}/groups`, class: 'group' },
      macros: { href: `${path}/macros`, class: 'macro' },
    },
  };
}

const groupsOf = (item: Item): readonly number[] => USER.parse(item).groups;

const USERS = {
  ...resource({ one: 'user', path: USERS_PATH, storing: recordsOf('agent'), roles: R_READ, fields: USER.fields }),
  shape: () => userShape(idShape()),
  show: async (item: Item) => showUser(Number(item.id), item),
};

const GROUPS = resource({
  one: 'group',
  path: GROUPS_PATH,
  storing: recordsOf('group'),
  roles: R_READ,
  fields: { name: nameText({}), position: place() },
  links: { users: below('users', 'user') },
});

/** The path and the groups of the user in a path; `me` and `current` stand for the caller. Throws `not_found`. */
async function namedUser({ context, params: { user_id: sent } }: Pick<Call, 'context' | 'params'>) {
  const isCaller = sent === 'me' || sent === 'current';
  const item = isCaller
    ? await ownAgent(context)
    : recordIn(await context.open(agents(context.site.name)), 'agent', idOf(sent));
  const path = `${USERS_PATH}/${item?.id ?? 'me'}`; // a caller may have no record
  return { path, groups: item === undefined ? [] : groupsOf(item) };
}

const usual = { method: 'GET', roles: R_READ, list: true, extension: true } as const;
/** The collection of the agents, who are the users of the API. */
export const agents = (site: string) => keys.reference(site, 'agent');
const groups = (site: string) => keys.reference(site, 'group');

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
  ...routesOf(USERS),
  ...routesOf(GROUPS),
  route({
    ...usual,
    name: 'listUserGroups',
    summary: 'List the groups of a user',
    path: `${USERS_PATH}/{user_id}/groups`,
    reads: (site) => [agents(site), groups(site)],
    query: sortQuery,
    lists: ['ids'],
    reply: () => pageShape(GROUPS.shape()),
    find: namedUser,
    handle: (call) => {
      const { path, groups: own } = call.resource;
      const isOwn = ({ id }: Item) => own.includes(Number(id));
      return listThings(call, GROUPS, `${path}/groups`, (records) => records.filter(isOwn));
    },
  }),
  route({
    ...usual,
    name: 'listGroupUsers',
    summary: 'List the users of a group',
    path: `${GROUPS_PATH}/{group_id}/users`,
    reads: (site) => [agents(site), groups(site)],
    query: sortQuery,
    lists: ['ids'],
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
    reply: () => pageShape(MACROS.shape()),
    find: namedUser,
    handle: (call) =>
      listThings(call, MACROS, `${call.resource.path}/macros`, (macros) =>
        macros.filter((item) => MACROS.parse(item).enabled),
      ),
  }),
  logout('me'),
  logout('current'),
];
