import * as z from 'zod';
import { ownAgent } from '../access/agents.ts';
import { changeAuthority } from '../access/authority.ts';
import { hashPassword, passwordFault, verifyPassword } from '../access/passwords/passwords.ts';
import { R_READ } from '../access/roles.ts';
import { readUser, type User } from '../access/users.ts';
import type { Context } from '../context.ts';
import { Failure, oneFault } from '../errors.ts';
import { nullIsBlank } from '../http/fields.ts';
import { show } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { idShape } from '../http/shapes.ts';
import { agents, showUser, USERS_PATH, userShape } from './user-routes.ts';

const LONGEST_PASSWORD = 1024; // code units

const passwordField = () =>
  z
    .string(nullIsBlank)
    .min(1, 'blank')
    .max(LONGEST_PASSWORD, 'too_long')
    .meta({ minLength: 1, maxLength: LONGEST_PASSWORD });

const usual = {
  roles: R_READ,
  extension: true,
  reads: (site: string) => [agents(site)],
  reply: () =>
    userShape(idShape().nullable().meta({ description: 'Of the agent with this login; null where there is none' })),
};

/** The caller: login and role of the sign-in, and the agent record with this login. */
async function shownMe(context: Context) {
  const { login, role } = context.user;
  const own = await ownAgent(context);
  return showUser(typeof own?.id === 'number' ? own.id : null, { ...(own ?? { name: login }), login, role });
}

const wrongPassword = (): Failure =>
  oneFault('invalid', ['current_password'], 'current_password is not your password.');

/**
 * Whether a password that was right for a user as it was read first is right for the user now. Of several requests that
 * change a password at once, only the first has the current one.
 */
const isStillPassword = async (password: string, before: User, now: User): Promise<boolean> =>
  now.password?.hash === before.password?.hash || verifyPassword(password, now.password);

/** The endpoints of a path that stands for the caller. */
const routesOf = (name: 'Me' | 'Current'): Route[] => [
  route({
    ...usual,
    path: `${USERS_PATH}/${name.toLowerCase()}`,
    name: `show${name}`,
    summary: 'Show who is calling',
    method: 'GET',
    handle: async ({ context }) => show(await shownMe(context)),
  }),
  route({
    ...usual,
    path: `${USERS_PATH}/${name.toLowerCase()}`,
    name: `update${name}`,
    summary: 'Change the password of who is calling',
    method: 'PATCH',
    inTurn: false, // checking a password takes long; the write has a condition on the user
    body: { password: passwordField(), current_password: passwordField() },
    required: ['password', 'current_password'],
    example: { password: 'a new password', current_password: 'the old password' },
    handle: async ({ context, fields, faults }) => {
      const { site, table } = context;
      const { password = '', current_password: current = '' } = fields;
      const why = fields.password === undefined ? undefined : passwordFault(password, context.user.login);
      if (why !== undefined) faults.explain('invalid', ['password'], { message: why });
      faults.check();
      if (!(await context.checkPassword(current))) throw wrongPassword();
      const user = await readUser(table, site.name, context.user.login); // with the user's own role, not a token's
      if (user === undefined || user.deleted) throw new Failure('unauthorized');
      if (!(await isStillPassword(current, context.user, user))) throw wrongPassword();
      const after = { ...user, password: await hashPassword(password) };
      await changeAuthority(context, { users: [{ before: user, after }] });
      return show(await shownMe(context));
    },
  }),
];

/** Shows the caller's own user and changes its password; `current` is the same as `me`. */
export const meRoutes: readonly Route[] = [...routesOf('Me'), ...routesOf('Current')];
