import { Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { commitWithAgent } from '../../lib/access/login-agent.ts';
import { hashPassword, passwordFault } from '../../lib/access/passwords.ts';
import { parseRole, ROLES, type Role } from '../../lib/access/roles.ts';
import { deleteTokensOf } from '../../lib/access/tokens.ts';
import {
  listUsers,
  loginFault,
  normalizeLogin,
  readUser,
  removed,
  type User,
  userWrite,
} from '../../lib/access/users.ts';
import { createCollections } from '../../lib/store/collection.ts';
import { ConditionFailed } from '../../lib/store/faults.ts';
import { replan } from '../../lib/store/replan.ts';
import { isDemoUser } from '../demo/users.ts';
import { Fault } from '../fault.ts';
import type { Place } from '../local/table/place.ts';
import { besideOf, type CommandEntry } from './audited.ts';
import { columns } from './columns.ts';
import { onTable, siteOption, withExample } from './command.ts';
import { readPassword } from './password.ts';
import { requireSite } from './site.ts';

const whose = { site: z.string(), login: z.string() };
const addShape = { ...whose, role: z.enum(ROLES), passwordStdin: z.boolean().optional() };
const setShape = { ...whose, role: z.enum(ROLES).optional(), passwordStdin: z.boolean().optional() };
const removeShape = { site: z.string(), login: z.string().optional(), demo: z.boolean().optional() };

/** `user add`, `user set`, `user remove`, `user list` (docs/interface.md). */
export function userCommand(): Command {
  const add = named('add', 'add somebody who may sign in to a site')
    .requiredOption('--role <role>', `one of: ${ROLES.join(', ')}`, role)
    .option('--password-stdin', 'the password is one line of standard input');
  onTable(
    withExample(add, 'user add --site acme --login ann@acme.example --role Administrator'),
    addShape,
    ({ table }, given) => doAdd(table, given),
  );

  const set = named('set', 'change the password of a user, or with --role the role')
    .option('--role <role>', `one of: ${ROLES.join(', ')}`, role)
    .option('--password-stdin', 'the new password is one line of standard input');
  onTable(
    withExample(set, 'user set --site acme --login ann@acme.example --role Agent'),
    setShape,
    ({ table }, given) => doSet(table, given),
  );

  const remove = siteOption(new Command('remove').description('remove a user, who then can no longer sign in'))
    .option('--login <login>', 'of the user', login)
    .option('--demo', 'all users of the demo site, whose password everybody knows');
  onTable(withExample(remove, 'user remove --site acme --login ann@acme.example'), removeShape, ({ table }, given) =>
    doRemove(table, given),
  );

  const list = siteOption(new Command('list').description('list the users of a site'));
  onTable(withExample(list, 'user list --site acme'), { site: z.string() }, ({ table }, { site }) =>
    doList(table, site),
  );
  return withExample(new Command('user').description('who may sign in to a site'), 'user list --site acme')
    .addCommand(add)
    .addCommand(set)
    .addCommand(remove)
    .addCommand(list);
}

const named = (name: string, description: string): Command =>
  siteOption(new Command(name).description(description)).requiredOption('--login <login>', 'login of the user', login);

type Table = Place['table'];

async function doAdd(table: Table, given: z.infer<z.ZodObject<typeof addShape>>) {
  const wrong = loginFault(given.login);
  if (wrong !== undefined) throw new Fault(wrong, 2);
  const site = await requireSite(table, given.site);
  const removedBefore = async (): Promise<User | undefined> => {
    const before = await readUser(table, site.name, given.login);
    if (!before || before.deleted) return before;
    throw new Fault(`The user ${given.login} exists already: change them with user set.`);
  };
  await removedBefore();
  const password = await newPassword(given);
  const user = await replan(async () => {
    const before = await removedBefore();
    const after: User = { ...before, login: given.login, role: given.role, deleted: false, password };
    await writeUser(table, site.name, { before, after }, entryOf('create', after, ['role', 'password']));
    return after;
  });
  return { text: `Added ${user.login} to ${site.name} as ${user.role}.`, json: shown(site.name, user) };
}

async function doSet(table: Table, given: z.infer<z.ZodObject<typeof setShape>>) {
  const { user: found } = await requireUser(table, given.site, given.login);
  const wantsPassword = given.passwordStdin || given.role === undefined;
  const password = wantsPassword ? await newPassword(given) : undefined;
  const fields = [...(given.role === undefined ? [] : ['role']), ...(password === undefined ? [] : ['password'])];
  const { site, after } = await replan(async () => {
    const { site: name, user: before } = await requireUser(table, given.site, found.login);
    const changed: User = {
      ...before,
      role: given.role ?? before.role,
      password: password ?? before.password,
    };
    await writeUser(table, name, { before, after: changed }, entryOf('update', changed, fields));
    return { site: name, after: changed };
  });
  return { text: `Changed ${after.login} of ${site}.`, json: shown(site, after) };
}

/** Writes a user, their agent record and the audit's entry in one transaction. */
async function writeUser(
  table: Table,
  site: string,
  { before, after }: { readonly before: User | undefined; readonly after: User },
  entry: CommandEntry,
): Promise<void> {
  const target = { site, table, collections: createCollections(), now: Date.now() };
  const beside = { ...besideOf(site, entry), writes: [userWrite(site, after, before === undefined)] };
  await commitWithAgent(target, after, beside);
}

/** The audit's entry about a user. */
const entryOf = (action: CommandEntry['action'], { login }: User, fields: readonly string[] = []): CommandEntry => ({
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

/** Does a write; throws a `Fault` if the user has changed since it was read. */
async function changing(login: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new Fault(
      `Somebody else has just changed ${login}; nothing has changed here. Look at user list and try again.`,
    );
  }
}

async function doRemove(table: Table, { site, login, demo }: z.infer<z.ZodObject<typeof removeShape>>) {
  if ((login === undefined) === (demo === undefined)) throw new Fault('Name the user by --login, or pass --demo.', 2);
  const { name } = await requireSite(table, site);
  const found =
    login === undefined
      ? (await listUsers(table, name)).filter(isDemoUser)
      : [(await requireUser(table, name, login)).user];
  const removals = found.map(removed);
  for (const user of removals) {
    await changing(user.login, () => writeUser(table, name, { before: user, after: user }, entryOf('delete', user)));
    await deleteTokensOf(table, name, user);
  }
  return {
    text:
      removals.length === 0
        ? 'There was no user to remove.'
        : removals.map((user) => `Removed ${user.login}.`).join('\n'),
    json: removals.map((user) => shown(name, user)),
  };
}

async function doList(table: Table, name: string) {
  const site = await requireSite(table, name);
  const users = await listUsers(table, site.name);
  const rows = users.map((user) => [
    user.login,
    user.role,
    user.deleted ? 'removed' : user.password ? 'may sign in' : 'has no password',
  ]);
  return {
    text: users.length === 0 ? `The site ${name} has no users yet.` : columns(['login', 'role', 'state'], rows),
    json: users.map((user) => shown(site.name, user)),
  };
}

async function requireUser(table: Table, name: string, login: string): Promise<{ site: string; user: User }> {
  const site = await requireSite(table, name);
  const user = await readUser(table, site.name, login);
  if (user && !user.deleted) return { site: site.name, user };
  throw new Fault(`The site ${site.name} has no user ${login}: user list shows the users.`);
}

/** A user for output, never with the password's hash. */
const shown = (site: string, { login, role, deleted, password }: User) => ({
  site,
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

/** Reads a login of the command line. */
function login(text: string): string {
  const trimmed = text.trim();
  if (trimmed !== '') return trimmed; // users of earlier versions may have any login
  throw new InvalidArgumentError('It is blank.');
}
