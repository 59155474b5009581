import * as z from 'zod';
import { changeAuthority, type UserChange } from '../access/authority.ts';
import { agentChange, agentOf } from '../access/login-agent.ts';
import { hashPassword, newPassword } from '../access/passwords/passwords.ts';
import { recordIn } from '../access/records.ts';
import { R_SETTINGS, ROLES } from '../access/roles.ts';
import { deleteTokensOf } from '../access/tokens.ts';
import { listUsers, loginFault, normalizeLogin, readUser, removed, type User } from '../access/users.ts';
import type { Context } from '../context.ts';
import { type Faults, notFound, oneFault } from '../errors.ts';
import { checkRoom, idOf, lineField, wordField } from '../http/fields.ts';
import { created, noContent, show } from '../http/reply.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { idShape } from '../http/shapes.ts';
import type { Item } from '../store/table.ts';
import { agents, showUser, USERS_PATH, userShape } from './user-routes.ts';

const usual = { roles: R_SETTINGS, extension: true, reads: (site: string) => [agents(site)] } as const;
const ONE = `${USERS_PATH}/{user_id}`;

const shape = () => userShape(idShape());
const secretShape = () =>
  shape().extend({
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

const shownOf = (agent: Item) => showUser(Number(agent.id), agent);

/** What writes a user: a request, or the command line. */
type UserWriter = Pick<Context, 'site' | 'table' | 'actor' | 'now' | 'open' | 'commit'>;

/** The changes of a user's agent record, which a write of the user takes with it. */
async function changesOf({ site, open, now }: UserWriter, user: User, name?: string) {
  const collection = await open(agents(site.name));
  const agent = agentOf(collection, user, now, name);
  return { agent, changes: agent === undefined ? [] : [agentChange(collection, agent)] };
}

/** Who had a login before somebody gets it, and was removed. Adds a fault if nobody can get it. */
export async function formerUser({ site, table }: Pick<UserWriter, 'site' | 'table'>, login: string, faults: Faults) {
  const wrong = loginFault(login);
  if (wrong !== undefined) faults.explain('invalid', ['login'], { message: wrong });
  const before = wrong === undefined ? await readUser(table, site.name, login) : undefined;
  const isNew = wrong === undefined && before === undefined;
  const users = isNew ? await listUsers(table, site.name) : [];
  checkRoom('users', users.length, faults, users.filter(({ deleted }) => deleted).length);
  if (before?.deleted === false) faults.explain('taken', ['login'], { message: `The user ${login} exists already.` });
  return before;
}

/** Writes a user with their agent record. Throws the `Failure` of a rule, and `ConditionFailed`. */
export async function writeUser(context: UserWriter, change: UserChange, mayLeaveNone = false): Promise<void> {
  const { changes } = await changesOf(context, change.after);
  await changeAuthority(context, { users: [change], mayLeaveNone }, { changes });
}

/** A user who gets a login; the gate gives them a generation of their own. */
export const newUser = (before: User | undefined, own: Required<Pick<User, 'login' | 'role' | 'password'>>): User => ({
  ...before,
  ...own,
  deleted: false,
});

/** Removes a user with their agent record, then their tokens. Throws a `Failure` for the last Administrator. */
export async function removeUser(context: UserWriter, before: User, mayLeaveNone = false): Promise<void> {
  await writeUser(context, { before, after: removed(before) }, mayLeaveNone);
  await deleteTokensOf(context.table, context.site.name, before);
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
    handle: async ({ context, fields, faults }) => {
      const login = fields.login?.trim() ?? '';
      const before = fields.login === undefined ? undefined : await formerUser(context, login, faults);
      faults.check();
      const password = newPassword();
      const own = { login, role: fields.role ?? 'Agent', password: await hashPassword(password) };
      const user = newUser(before, own);
      const { agent, changes } = await changesOf(context, user, fields.name);
      if (agent === undefined) throw new Error(`no record of ${login}`);
      const reply = created(context.origin, `${USERS_PATH}/${agent.id}`, { ...shownOf(agent), password });
      await changeAuthority(context, { users: [{ before, after: user }] }, { changes, answer: reply });
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
    handle: async ({ context, resource: { user, agent }, fields, faults }) => {
      const after: User = { ...user, role: fields.role ?? user.role };
      faults.check();
      const { agent: changed, changes } = await changesOf(context, after, fields.name);
      if (changed === undefined && after.role === user.role) return show(shownOf(agent));
      await changeAuthority(context, { users: [{ before: user, after }] }, { changes });
      return show(shownOf(changed ?? agent));
    },
  }),
  route({
    ...usual,
    name: 'deleteUser',
    summary:
      'Remove a user, who can no longer sign in; tokens and sessions end. Old reports go on to name the user. Needs a password or a session',
    method: 'DELETE',
    path: ONE,
    find: memberOf,
    current: ({ resource }) => shownOf(resource.agent),
    handle: async ({ context, resource: { user } }) => {
      await removeUser(context, user);
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
    handle: async ({ context, resource: { user, agent } }) => {
      if (normalizeLogin(user.login) === normalizeLogin(context.user.login))
        throw oneFault(
          'invalid',
          ['base'],
          'Your own password is changed with the old one, by PATCH /api/v2/users/me.',
        );
      const password = newPassword();
      const after: User = { ...user, password: await hashPassword(password) };
      await changeAuthority(context, { users: [{ before: user, after }] });
      return show({ ...shownOf(agent), password });
    },
  }),
];
