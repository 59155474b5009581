import { type Command, InvalidArgumentError } from 'commander';
import { hashPassword, passwordFault } from '../../lib/access/passwords/passwords.ts';
import { parseRole, ROLES, type Role } from '../../lib/access/roles.ts';
import type { Site } from '../../lib/access/site-fields.ts';
import { listUsers, loginFault, normalizeLogin, readUser, removed, type User } from '../../lib/access/users.ts';
import { formerUser, newUser, removeUser, writeUser } from '../../lib/account/user-write-routes.ts';
import { Faults } from '../../lib/errors.ts';
import type { Table } from '../../lib/store/table.ts';
import { isDemoUser } from '../demo/users.ts';
import { Fault } from '../fault.ts';
import type { CommandEntry } from './audited.ts';
import { columns } from './columns.ts';
import { group, needed, type OptionsOf, type Outcome, toggle, value } from './command.ts';
import { readPassword } from './password.ts';
import { onSite, type SitePlace } from './site.ts';

const LOGIN = value('<login>', 'login of the user', login);
const ROLE = value('<role>', `one of: ${ROLES.join(', ')}`, role);
const ADD = {
  login: needed(value('<login>', LOGIN.about, newLogin)),
  role: needed(ROLE),
  passwordStdin: toggle('the password is one line of standard input'),
};
const SET = {
  login: needed(LOGIN),
  role: ROLE,
  passwordStdin: toggle('the new password is one line of standard input'),
};
const REMOVE = {
  login: { ...LOGIN, about: 'of the user' },
  demo: toggle('all users of the demo site, whose password everybody knows'),
};

/** `user add`, `user set`, `user remove`, `user list` (docs/interface.md). */
export const userCommand = (): Command =>
  group(
    ['user', 'who may sign in to a site', 'list --site acme'],
    onSite(
      ['add', 'add somebody who may sign in to a site', '--site acme --login ann@acme.example --role Administrator'],
      ADD,
      doAdd,
    ),
    onSite(
      [
        'set',
        'change the password of a user, or with --role the role',
        '--site acme --login ann@acme.example --role Agent',
      ],
      SET,
      doSet,
    ),
    onSite(
      ['remove', 'remove a user, who then can no longer sign in', '--site acme --login ann@acme.example'],
      REMOVE,
      doRemove,
    ),
    onSite(['list', 'list the users of a site', '--site acme'], {}, doList),
  );

async function doAdd({ table, site, caller }: SitePlace, options: OptionsOf<typeof ADD>): Promise<Outcome> {
  const { login, role } = options;
  const freeLogin = async (): Promise<User | undefined> => {
    const faults = new Faults();
    const before = await formerUser({ site, table }, login, faults);
    faults.check();
    return before;
  };
  await freeLogin();
  const password = await newPassword(options);
  const entry = entryOf('create', login, ['role', 'password']);
  const user = await caller.change(entry, async (context) => {
    const before = await freeLogin();
    const after = newUser(before, { login, role, password });
    await writeUser(context, { before, after });
    return after;
  });
  return { text: `Added ${user.login} to ${site.name} as ${user.role}.`, json: shown(site, user) };
}

async function doSet({ table, site, caller }: SitePlace, options: OptionsOf<typeof SET>): Promise<Outcome> {
  const { login, role } = options;
  await requireUser(table, site, login);
  const wantsPassword = options.passwordStdin || role === undefined;
  const password = wantsPassword ? await newPassword(options) : undefined;
  const change = { ...(role && { role }), ...(password && { password }) };
  const entry = entryOf('update', login, Object.keys(change));
  const user = await caller.change(entry, async (context) => {
    const before = await requireUser(table, site, login);
    const after: User = { ...before, ...change };
    await writeUser(context, { before, after });
    return after;
  });
  return { text: `Changed ${user.login} of ${site.name}.`, json: shown(site, user) };
}

/** The audit's entry about a user. */
const entryOf = (action: CommandEntry['action'], login: string, fields: readonly string[] = []): CommandEntry => ({
  action,
  resource: `users/${normalizeLogin(login)}`,
  fields,
});

/** Reads and hashes a new password; throws a `Fault` for one that is too easily guessed. */
async function newPassword({ login, passwordStdin = false }: { login: string; passwordStdin?: boolean | undefined }) {
  const password = await readPassword(passwordStdin);
  const fault = passwordFault(password, login);
  if (fault !== undefined) throw new Fault(`${fault} Nothing has changed.`);
  return hashPassword(password);
}

async function doRemove({ table, site, caller }: SitePlace, options: OptionsOf<typeof REMOVE>): Promise<Outcome> {
  const { login, demo = false } = options;
  if ((login === undefined) !== demo) throw new Fault('Name the user by --login, or pass --demo.', 2);
  const named = login === undefined ? [] : [await requireUser(table, site, login)];
  const users = demo ? (await listUsers(table, site.name)).filter(isDemoUser) : named;
  for (const user of users)
    await caller.change(entryOf('delete', user.login), async (context) => {
      const before = await requireUser(table, site, user.login);
      await removeUser(context, before, demo); // everybody knows the passwords of the demo's
    });
  const lines = users.map((user) => `Removed ${user.login}.`);
  return {
    text: lines.length === 0 ? 'There was no user to remove.' : lines.join('\n'),
    json: users.map((user) => shown(site, removed(user))),
  };
}

async function doList({ table, site }: SitePlace): Promise<Outcome> {
  const users = await listUsers(table, site.name);
  const rows = users.map(({ login, role, deleted, password }) => [
    login,
    role,
    deleted ? 'removed' : password ? 'may sign in' : 'has no password',
  ]);
  return {
    text: columns(['login', 'role', 'state'], rows) || `The site ${site.name} has no users yet.`,
    json: users.map((user) => shown(site, user)),
  };
}

async function requireUser(table: Table, site: Site, login: string): Promise<User> {
  const user = await readUser(table, site.name, login);
  if (user && !user.deleted) return user;
  throw new Fault(`The site ${site.name} has no user ${login}: user list shows the users.`);
}

/** A user for output, never with the password's hash. */
const shown = (site: Site, { login, role, deleted, password }: User) => ({
  site: site.name,
  login,
  role,
  deleted,
  password: password !== undefined,
});

/** Reads a role of the command line. */
export function role(text: string): Role {
  const named = parseRole(text);
  if (named) return named;
  throw new InvalidArgumentError(`It is none of: ${ROLES.join(', ')}.`);
}

/** Reads the login of somebody new. */
function newLogin(text: string): string {
  const fault = loginFault(text.trim());
  if (fault === undefined) return text.trim();
  throw new InvalidArgumentError(fault);
}

/** Reads a login of the command line. */
function login(text: string): string {
  const trimmed = text.trim();
  if (trimmed !== '') return trimmed; // users of earlier versions may have any login
  throw new InvalidArgumentError('It is blank.');
}
