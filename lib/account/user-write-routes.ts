import * as z from 'zod';
import { keepAdministrator } from '../access/last-administrator.ts';
import { agentChange, agentOf } from '../access/login-agent.ts';
import { hashPassword, newPassword } from '../access/passwords.ts';
import { recordIn } from '../access/records.ts';
import { R_SETTINGS, ROLES } from '../access/roles.ts';
import { deleteTokensOf } from '../access/tokens.ts';
import { loginFault, normalizeLogin, readUser, removed, type User, userWrite } from '../access/users.ts';
import type { Context } from '../context.ts';
import { type Faults, notFound, oneFault } from '../errors.ts';
import { idOf, lineField, wordField } from '../http/fields.ts';
import { created, noContent, show } from '../http/reply.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { idShape } from '../http/shapes.ts';
import type { Item, Write } from '../store/table.ts';
import { requirePerson } from './presented-token.ts';
import { agents, showUserOf, USER_SHAPE, USERS_PATH } from './user-routes.ts';

const usual = { roles: R_SETTINGS, extension: true, reads: (site: string) => [agents(site)] } as const;
const ONE = `${USERS_PATH}/{user_id}`;

const shape = () => z.object({ id: idShape(), ...USER_SHAPE });
const secretShape = () =>
  z.object({
    ...shape().shape,
    password: z.string().meta({ description: 'Shown once; its user changes it by PATCH /api/v2/users/me' }),
  });

/** Somebody who may sign in, with the agent record of the path. */
interface Member {
  readonly user: User;
  readonly agent: Item;
}

/** The user of a path. Throws `not_found` for an agent without a login, and for somebody who was removed. */
async function memberOf({ context, params }: Pick<Call, 'context' | 'params'>): Promise<Member> {
  const { site, table } = context;
  const id = idOf(params.user_id);
  const agent = recordIn(await context.open(agents(site.name)), 'agent', id);
  const user = typeof agent.login === 'string' ? await readUser(table, site.name, agent.login) : undefined;
  if (user === undefined || user.deleted) throw notFound(`user ${id} who signs in`);
  return { user, agent };
}

const shownOf = (agent: Item) => showUserOf(Number(agent.id), agent);

/** The changes of a user and of the agent record that belongs to it. */
async function changesOf({ site, open, now }: Context, user: User, name?: string) {
  const collection = await open(agents(site.name));
  const agent = agentOf(collection, user, now, name);
  return { agent, changes: agent === undefined ? [] : [agentChange(collection, agent)] };
}

/** What keeps the last Administrator; adds a fault to `field` if there is no other one. */
async function keeping(
  { site, table }: Context,
  change: { readonly before: User; readonly after: User },
  faults: Faults,
  field: 'role' | 'base',
): Promise<readonly Write[]> {
  const checks = await keepAdministrator(table, site.name, change);
  if (checks !== 'last') return checks;
  const message = `${change.before.login} is the last Administrator who can sign in: make somebody else one first.`;
  faults.explain('invalid', [field], { message });
  return [];
}

/** Who signs in to a site: made, changed and removed by an Administrator. */
export const userWriteRoutes: readonly Route[] = [
  route({
    ...usual,
    name: 'createUser',
    summary: 'Add a user with a first password, which is shown once. Needs a password or a session',
    method: 'POST',
    path: USERS_PATH,
    inTurn: false, // hashing a password takes long; the write has conditions
    secret: true,
    body: {
      login: z.string('invalid').meta({ description: 'An e-mail address, usually', maxLength: 255, minLength: 1 }),
      role: wordField(ROLES),
      name: lineField().meta({ description: 'As reports show it; without it the login' }),
    },
    required: ['login', 'role'],
    example: { login: 'ann@acme.example', role: 'Workflow Manager', name: 'Ann' },
    reply: secretShape,
    handle: async (call) => {
      const { context, fields, faults } = call;
      const { site, table, origin } = context;
      await requirePerson(call);
      const login = fields.login?.trim() ?? '';
      const wrong = fields.login === undefined ? undefined : loginFault(login);
      if (wrong !== undefined) faults.explain('invalid', ['login'], { message: wrong });
      const before = wrong === undefined && login !== '' ? await readUser(table, site.name, login) : undefined;
      if (before !== undefined && !before.deleted) faults.add('taken', 'login');
      faults.check();
      const password = newPassword();
      const hash = await hashPassword(password);
      const user: User = { ...before, login, role: fields.role ?? 'Agent', deleted: false, password: hash };
      const { agent, changes } = await changesOf(context, user, fields.name);
      if (agent === undefined) throw new Error(`no record of ${login}`);
      const reply = created(origin, `${USERS_PATH}/${agent.id}`, { ...shownOf(agent), password });
      await context.commit(changes, reply, [userWrite(site.name, user, before === undefined)]);
      return reply;
    },
  }),
  route({
    ...usual,
    name: 'updateUser',
    summary: 'Change role or name of a user; the role counts at once, also in sessions. Needs a password or a session',
    method: 'PATCH',
    path: ONE,
    body: { role: wordField(ROLES), name: lineField() },
    example: { role: 'Agent' },
    reply: shape,
    find: memberOf,
    current: ({ resource }) => shownOf(resource.agent),
    handle: async (call) => {
      const { context, resource, fields, faults } = call;
      const { user, agent } = resource;
      await requirePerson(call);
      const after: User = { ...user, role: fields.role ?? user.role };
      const checks = await keeping(context, { before: user, after }, faults, 'role');
      faults.check();
      const { agent: changed, changes } = await changesOf(context, after, fields.name);
      if (changed === undefined && after.role === user.role) return show(shownOf(agent));
      await context.commit(changes, undefined, [userWrite(context.site.name, after, false), ...checks]);
      return show(shownOf(changed ?? agent));
    },
  }),
  route({
    ...usual,
    name: 'deleteUser',
    summary: 'Remove a user, who can no longer sign in; tokens and sessions end. Old reports go on to name the user',
    method: 'DELETE',
    path: ONE,
    find: memberOf,
    current: ({ resource }) => shownOf(resource.agent),
    handle: async ({ context, resource: { user }, faults }) => {
      const { site, table } = context;
      const after = removed(user);
      const checks = await keeping(context, { before: user, after }, faults, 'base');
      faults.check();
      const { changes } = await changesOf(context, after);
      await context.commit(changes, undefined, [userWrite(site.name, after, false), ...checks]);
      await deleteTokensOf(table, site.name, user);
      return noContent;
    },
  }),
  route({
    ...usual,
    name: 'resetUserPassword',
    summary: 'Give a user a new password, which is shown once; their sessions end. Needs a password or a session',
    method: 'POST',
    path: `${ONE}/password`,
    inTurn: false,
    secret: true,
    success: 200,
    example: {},
    reply: secretShape,
    find: memberOf,
    handle: async (call) => {
      const { context, resource } = call;
      const { user, agent } = resource;
      await requirePerson(call);
      if (normalizeLogin(user.login) === normalizeLogin(context.user.login))
        throw oneFault(
          'invalid',
          ['base'],
          'Your own password is changed with the old one, by PATCH /api/v2/users/me.',
        );
      const password = newPassword();
      const after: User = { ...user, password: await hashPassword(password) };
      await context.commit([], undefined, [userWrite(context.site.name, after, false)]);
      return show({ ...shownOf(agent), password });
    },
  }),
];
