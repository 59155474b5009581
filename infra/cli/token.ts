import { Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { isWithin, ROLES } from '../../lib/access/roles.ts';
import { listTokens, newTokenText, type Token, tokenHash, tokenWrite } from '../../lib/access/tokens.ts';
import { normalizeLogin, readUser } from '../../lib/access/users.ts';
import { keys } from '../../lib/store/keys.ts';
import { timestamp } from '../../lib/text.ts';
import { Fault } from '../fault.ts';
import type { Place } from '../local/table/place.ts';
import { type CommandEntry, writeAudited } from './audited.ts';
import { columns } from './columns.ts';
import { onTable, withExample } from './command.ts';
import { requireSite } from './site.ts';
import { role } from './user.ts';

const named = { site: z.string(), login: z.string(), name: z.string() };
const addShape = { ...named, expires: z.number().optional(), role: z.enum(ROLES).optional() };
const listShape = { site: z.string(), login: z.string().optional() };

type Table = Place['table'];
const DAY = 86_400_000; // ms

/** `token add`, `token list`, `token remove`: tokens, with which programs sign in instead of a password. */
export function tokenCommand(): Command {
  const add = tokenOptions(new Command('add').description('make a token; it is shown once'))
    .option('--expires <days>', 'days until it expires, such as 90d (default: never)', days)
    .option('--role <role>', "role of the token, with no more rights than the user's own", role);
  const list = new Command('list')
    .description('list the tokens of a site')
    .requiredOption('--site <name>', 'name of the site')
    .option('--login <login>', 'only tokens of this user');
  const remove = tokenOptions(new Command('remove').description('end a token at once'));
  const example = 'token add --site acme --login ann@acme.example --name nightly --expires 90d';
  onTable(withExample(add, example), addShape, ({ table }, given) => doAdd(table, given));
  onTable(withExample(list, 'token list --site acme'), listShape, ({ table }, given) => doList(table, given));
  onTable(
    withExample(remove, 'token remove --site acme --login ann@acme.example --name nightly'),
    named,
    ({ table }, given) => doRemove(table, given),
  );
  return withExample(new Command('token').description('what programs sign in with'), 'token list --site acme')
    .addCommand(add)
    .addCommand(list)
    .addCommand(remove);
}

const tokenOptions = (command: Command): Command =>
  command
    .requiredOption('--site <name>', 'name of the site')
    .requiredOption('--login <login>', 'user that the token belongs to')
    .requiredOption('--name <name>', 'name of the token, unique for the user');

async function doAdd(table: Table, given: z.infer<z.ZodObject<typeof addShape>>) {
  const site = await requireSite(table, given.site);
  const user = await readUser(table, site.name, given.login);
  if (user === undefined || user.deleted) throw new Fault(`The site ${site.name} has no user ${given.login}.`);
  if (given.role !== undefined && !isWithin(given.role, user.role))
    throw new Fault(`${given.login} is ${user.role}: a token cannot be ${given.role}.`);
  const login = normalizeLogin(user.login);
  if ((await listTokens(table, site.name, login)).some(({ name }) => name === given.name))
    throw new Fault(`${given.login} has a token ${given.name} already: choose another name, or remove it first.`);
  const text = newTokenText(login);
  const now = Date.now();
  const token: Token = {
    hash: tokenHash(text),
    login,
    name: given.name,
    created: now,
    ...(given.role === undefined ? {} : { role: given.role }),
    ...(given.expires === undefined ? {} : { expires: now + given.expires * DAY }),
  };
  await writeAudited(table, site.name, [tokenWrite(site.name, token)], entryOf('create', token));
  return {
    text: `${text}\n\nIt is shown only now. Send it as: Authorization: Bearer <token>`,
    json: { ...shown(token), token: text },
  };
}

async function doList(table: Table, given: z.infer<z.ZodObject<typeof listShape>>) {
  const site = await requireSite(table, given.site);
  const login = given.login === undefined ? undefined : normalizeLogin(given.login);
  const tokens = (await listTokens(table, site.name, login)).map(shown);
  const rows = tokens.map((one) => [
    one.login,
    one.name,
    one.role ?? '',
    one.created,
    one.expires ?? '',
    one.used ?? '',
  ]);
  const header = ['login', 'name', 'role', 'made', 'expires', 'last used'];
  return { text: tokens.length === 0 ? 'There are no tokens.' : columns(header, rows), json: tokens };
}

async function doRemove(table: Table, given: z.infer<z.ZodObject<typeof named>>) {
  const site = await requireSite(table, given.site);
  const token = (await listTokens(table, site.name, normalizeLogin(given.login))).find(
    ({ name }) => name === given.name,
  );
  if (token === undefined) throw new Fault(`${given.login} has no token ${given.name}: token list shows the tokens.`);
  await writeAudited(table, site.name, [{ delete: keys.token(site.name, token.hash) }], entryOf('delete', token));
  return { text: `Removed the token ${given.name} of ${given.login}.`, json: shown(token) };
}

const entryOf = (action: CommandEntry['action'], { login, name }: Token): CommandEntry => ({
  action,
  resource: `tokens/${login}/${name}`,
});

/** A token for output, without the token itself and its hash. */
const shown = ({ login, name, role: own, created, expires, used }: Token) => ({
  login,
  name,
  role: own ?? null,
  created: timestamp(created),
  expires: expires === undefined ? null : timestamp(expires),
  used: used ?? null,
});

function days(text: string): number {
  const [, count] = /^(\d{1,5})d?$/.exec(text) ?? [];
  if (count !== undefined && Number(count) > 0) return Number(count);
  throw new InvalidArgumentError('It is not a number of days, such as 90d.');
}
