import { Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { changeAuthority } from '../../lib/access/authority.ts';
import { hashPassword, passwordFault } from '../../lib/access/passwords/passwords.ts';
import { parseRole, ROLES, type Role } from '../../lib/access/roles.ts';
import type { Site } from '../../lib/access/site-fields.ts';
import { listUsers, loginFault, normalizeLogin, readUser, removed, type User } from '../../lib/access/users.ts';
import { changesOf, formerUser, newUser, removeUser } from '../../lib/account/user-write-routes.ts';
import { Faults } from '../../lib/errors.ts';
import type { Table } from '../../lib/store/table.ts';
import { isDemoUser } from '../demo/users.ts';
import { Fault } from '../fault.ts';
import type { Place } from '../local/table/place.ts';
import type { CommandEntry } from './audited.ts';
import { columns } from './columns.ts';
import { type Outcome, onTable, siteOption, withExample } from './command.ts';
import { readPassword } from './password.ts';
import { createRouteCaller } from './route-caller.ts';
import { requireSite } from './site.ts';

const whose = { site: z.string(), login: z.string() };
const addShape = { ...whose, role: z.enum(ROLES), passwordStdin: z.boolean().optional() };
const setShape = { ...whose, role: z.enum(ROLES).optional(), passwordStdin: z.boolean().optional() };
const removeShape = { site: z.string(), login: z.string().optional(), demo: z.boolean().optional() };

/** `user add`, `user set`, `user remove`, `user list` (docs/interface.md). */
export function userCommand(): Command {
  const add = named('add', 'add somebody who may sign in to a site', newLogin)
    .requiredOption('--role <role>', `one of: ${ROLES.join(', ')}`, role)
    .option('--password-stdin', 'the password is one line of standard input');
  onTable(withExample(add, 'user add --site acme --login ann@acme.example --role Administrator'), addShape, doAdd);

  const set = named('set', 'change the password of a user, or with --role the role')
    .option('--role <role>', `one of: ${ROLES.join(', ')}`, role)
    .option('--password-stdin', 'the new password is one line of standard input');
  onTable(withExample(set, 'user set --site acme --login ann@acme.example --role Agent'), setShape, doSet);

  const remove = siteOption(new Command('remove').description('remove a user, who then can no longer sign in'))
    .option('--login <login>', 'of the user', login)
    .option('--demo', 'all users of the demo site, whose password everybody knows');
  onTable(withExample(remove, 'user remove --site acme --login ann@acme.example'), removeShape, doRemove);

  const list = siteOption(new Command('list').description('list the users of a site'));
  onTable(withExample(list, 'user list --site acme'), { site: z.string() }, doList);
  return withExample(new Command('user').description('who may sign in to a site'), 'user list --site acme')
    .addCommand(add)
    .addCommand(set)
    .addCommand(remove)
    .addCommand(list);
}

const named = (name: string, description: string, read: (text: string) => string = login): Command =>
  siteOption(new Command(name).description(description)).requiredOption('--login <login>', 'login of the user', read);

async function doAdd({ table }: Place, options: z.infer<z.ZodObject<typeof addShape>>): Promise<Outcome> {
  const { login, role } = options;
  const site = await requireSite(table, options.site);
  const freeLogin = async (): Promise<User | undefined> => {
    const faults = new Faults();
    const before = await formerUser({ site, table }, login, faults);
    faults.check();
    return before;
  };
  await freeLogin();
  const password = await newPassword(options);
  const entry = entryOf('create', login, ['role', 'password']);
  const user = await createRouteCaller(table, site).change(entry, async (context) => {
    const before = await freeLogin();
    const after = newUser(before, { login, role, password });
    await changeAuthority(context, { users: [{ before, after }] }, await changesOf(context, after));
    return after;
  });
  return { text: `Added ${user.login} to ${site.name} as ${user.role}.`, json: shown(site, user) };
}

async function doSet({ table }: Place, options: z.infer<z.ZodObject<typeof setShape>>): Promise<Outcome> {
  const { login, role } = options;
  const site = await requireSite(table, options.site);
  await requireUser(table, site, login);
  const wantsPassword = options.passwordStdin || role === undefined;
  const password = wantsPassword ? await newPassword(options) : undefined;
  const change = { ...(role && { role }), ...(password && { password }) };
  const entry = entryOf('update', login, Object.keys(change));
  const user = await createRouteCaller(table, site).change(entry, async (context) => {
    const before = await requireUser(table, site, login);
    const after: User = { ...before, ...change };
    await changeAuthority(context, { users: [{ before, after }] }, await changesOf(context, after));
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

async function doRemove({ table }: Place, options: z.infer<z.ZodObject<typeof removeShape>>): Promise<Outcome> {
  const { login, demo = false } = options;
  if ((login === undefined) !== demo) throw new Fault('Name the user by --login, or pass --demo.', 2);
  const site = await requireSite(table, options.site);
  const named = login === undefined ? [] : [await requireUser(table, site, login)];
  const users = demo ? (await listUsers(table, site.name)).filter(isDemoUser) : named;
  const caller = createRouteCaller(table, site);
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

async function doList({ table }: Place, options: { readonly site: string }): Promise<Outcome> {
  const site = await requireSite(table, options.site);
  const users = await listUsers(table, site.name);
  const rows = users.map(({ login, role, deleted, password }) => [
    login,
    role,
    deleted ? 'removed' : password ? 'may sign in' : 'has no password',
  ]);
  return {
    text: rows.length === 0 ? `The site ${site.name} has no users yet.` : columns(['login', 'role', 'state'], rows),
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
  const known = parseRole(text);
  if (known) return known;
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
