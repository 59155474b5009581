import { randomBytes } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { type OAuthKeyStore, someKeys } from '../../lib/access/oauth-keys.ts';
import { newOAuthKey, openSecrets, sealSecrets } from '../../lib/access/oauth-secrets.ts';
import { ROLES } from '../../lib/access/roles.ts';
import { listSites } from '../../lib/access/sites.ts';
import { listTokens, newToken, secretsPlace, type Token, tokenKind, tokenWrite } from '../../lib/access/tokens.ts';
import { normalizeLogin, readUser } from '../../lib/access/users.ts';
import { TOKEN_FIELDS, tokenEnd, tokenFaults } from '../../lib/account/new-token.ts';
import { readSettings } from '../../lib/settings.ts';
import { keys } from '../../lib/store/keys.ts';
import { timestamp } from '../../lib/text.ts';
import { Fault } from '../fault.ts';
import { openKeysOf } from '../local/oauth-keys.ts';
import type { Place } from '../local/table/place.ts';
import { type CommandEntry, writeAudited } from './audited.ts';
import { columns } from './columns.ts';
import { onTable, siteOption, withExample } from './command.ts';
import { requireSite } from './site.ts';
import { taken } from './taken.ts';
import { role } from './user.ts';

const named = { site: z.string(), login: z.string(), name: z.string() };
const secretShape = { secret: z.string().optional() };
type Secret = z.infer<z.ZodObject<typeof secretShape>>;
const addShape = {
  ...named,
  expires: z.number().optional(),
  role: z.enum(ROLES).optional(),
  oauth: z.boolean().optional(),
  ...secretShape,
};
const listShape = { site: z.string(), login: z.string().optional() };

type Table = Place['table'];
type TokenPlace = Pick<Place, 'table' | 'folder'>;

/** `token add`, `token list`, `token remove`: tokens, with which programs sign in instead of a password. */
export function tokenCommand(): Command {
  const add = tokenOptions(new Command('add').description('make a token; it is shown once'), taken(TOKEN_FIELDS.name))
    .option('--expires <days>', 'days until it expires, such as 90d (default: never)', days)
    .option('--role <role>', "role of the token, with no more rights than the user's own", role);
  secretOption(
    add.option('--oauth', 'a consumer key and a token with their secrets, with which a program signs (OAuth 1.0a)'),
  );
  const rekey = secretOption(new Command('rekey').description('encrypt the secrets of all sites under a new key'));
  const list = siteOption(new Command('list').description('list the tokens of a site'));
  list.option('--login <login>', 'only tokens of this user');
  const remove = tokenOptions(new Command('remove').description('end a token at once'));
  const example = 'token add --site acme --login ann@acme.example --name nightly --expires 90d';
  onTable(withExample(add, example), addShape, doAdd);
  onTable(withExample(list, 'token list --site acme'), listShape, ({ table }, given) => doList(table, given));
  onTable(
    withExample(remove, 'token remove --site acme --login ann@acme.example --name nightly'),
    named,
    ({ table }, given) => doRemove(table, given),
  );
  onTable(withExample(rekey, 'token rekey'), secretShape, doRekey);
  return withExample(new Command('token').description('what programs sign in with'), 'token list --site acme')
    .addCommand(add)
    .addCommand(list)
    .addCommand(remove)
    .addCommand(rekey);
}

const tokenOptions = (command: Command, readName = (text: string): string => text): Command =>
  siteOption(command)
    .requiredOption('--login <login>', 'user that the token belongs to')
    .requiredOption('--name <name>', 'name of the token, unique for the user', readName);

/** The option that names where a deployed table has its keys. */
const secretOption = (command: Command): Command =>
  command.option(
    '--secret <name>',
    'with --table: the secret of the deploy, its output OAuthSecretName (default: OAUTH_SECRET)',
  );

async function doAdd({ table, folder }: TokenPlace, given: z.infer<z.ZodObject<typeof addShape>>) {
  const store = given.oauth ? await keyStore(folder, given) : undefined;
  const site = await requireSite(table, given.site);
  const user = await readUser(table, site.name, given.login);
  if (user === undefined || user.deleted) throw new Fault(`The site ${site.name} has no user ${given.login}.`);
  const now = Date.now();
  const others = await listTokens(table, site.name, normalizeLogin(user.login));
  const [fault] = tokenFaults(user, given, others, now);
  if (fault !== undefined) throw new Fault(fault.message);
  const expires = tokenEnd(given.expires, now);
  const { text, token } = newToken(user, { name: given.name, role: given.role, expires }, now);
  const oauth = store && (await newSecrets(store, secretsPlace(site.name, token)));
  const stored = oauth === undefined ? token : { ...token, oauth: oauth.stored };
  await writeAudited(table, site.name, [tokenWrite(site.name, stored)], entryOf('create', token));
  if (oauth !== undefined) {
    const { consumer_key, consumer_secret, token_secret } = oauth;
    const four = { consumer_key, consumer_secret, token: text, token_secret };
    const lines = Object.entries(four).map(([name, value]) => `${name} ${value}`);
    return { text: `${lines.join('\n')}\n\nThey are shown only now.`, json: { ...shown(stored), ...four } };
  }
  return {
    text: `${text}\n\nIt is shown only now. Send it as: Authorization: Bearer <token>`,
    json: { ...shown(token), token: text },
  };
}

/** A consumer key and two secrets, and what is stored of them. */
async function newSecrets(store: OAuthKeyStore, place: string) {
  const [key] = await someKeys(store);
  if (key === undefined) throw new Error('a store of keys without a key');
  const [consumer_key, consumer_secret, token_secret] = [newSecret(), newSecret(), newSecret()];
  const sealed = sealSecrets(key, { consumer: consumer_secret, token: token_secret }, place);
  return { consumer_key, consumer_secret, token_secret, stored: { consumer: consumer_key, sealed } };
}

const newSecret = (): string => randomBytes(32).toString('base64url');

/** The keys beside the table. Throws a `Fault` if a deployed table's secret is not named. */
async function keyStore(folder: string | undefined, given: Secret): Promise<OAuthKeyStore> {
  const store = await openKeysOf({ folder, secret: given.secret ?? readSettings().OAUTH_SECRET });
  if (store !== undefined) return store;
  throw new Fault(
    'A deployed table has the key of OAuth in a secret: add --secret with the output OAuthSecretName of the deploy.',
    2,
  );
}

/**
 * Encrypts all secrets under a new key. The old keys stay until all are written, so that it can be run again after a
 * crash.
 */
async function doRekey({ table, folder }: TokenPlace, given: Secret) {
  const store = await keyStore(folder, given);
  const before = await store.read(true);
  const key = newOAuthKey();
  const known = [key, ...before];
  await store.write(known);
  let count = 0;
  for (const { site } of await listSites(table)) {
    for (const token of await listTokens(table, site.name)) {
      if (token.oauth === undefined) continue;
      const place = secretsPlace(site.name, token);
      const secrets = openSecrets(known, token.oauth.sealed, place);
      if (secrets === undefined)
        throw new Fault(`The secrets of the token ${token.name} of ${token.login} cannot be read.`);
      const oauth = { ...token.oauth, sealed: sealSecrets(key, secrets, place) };
      await table.put({ ...keys.token(site.name, token.hash), ...token, oauth }, { present: true });
      count += 1;
    }
  }
  await store.write([key]);
  return { text: `Encrypted the secrets of ${count} tokens under a new key.`, json: { tokens: count } };
}

async function doList(table: Table, given: z.infer<z.ZodObject<typeof listShape>>) {
  const site = await requireSite(table, given.site);
  const login = given.login === undefined ? undefined : normalizeLogin(given.login);
  const tokens = (await listTokens(table, site.name, login)).map(shown);
  const rows = tokens.map((one) => [
    one.login,
    one.name,
    one.kind,
    one.role ?? '',
    one.created,
    one.expires ?? '',
    one.used ?? '',
  ]);
  const header = ['login', 'name', 'kind', 'role', 'made', 'expires', 'last used'];
  return { text: tokens.length === 0 ? 'There are no tokens.' : columns(header, rows), json: tokens };
}

async function doRemove(table: Table, given: z.infer<z.ZodObject<typeof named>>) {
  const site = await requireSite(table, given.site);
  const tokens = await listTokens(table, site.name, normalizeLogin(given.login));
  const token = tokens.findLast(({ name }) => name === given.name); // an earlier one of this name has expired
  if (token === undefined) throw new Fault(`${given.login} has no token ${given.name}: token list shows the tokens.`);
  await writeAudited(table, site.name, [{ delete: keys.token(site.name, token.hash) }], entryOf('delete', token));
  return { text: `Removed the token ${given.name} of ${given.login}.`, json: shown(token) };
}

const entryOf = (action: CommandEntry['action'], { login, name }: Token): CommandEntry => ({
  action,
  resource: `tokens/${login}/${name}`,
});

/** A token for output, without the token itself and its hash. */
const shown = (token: Token) => {
  const { login, name, role: own, created, expires, used } = token;
  return {
    login,
    name,
    kind: tokenKind(token),
    role: own ?? null,
    created: timestamp(created),
    expires: expires === undefined ? null : timestamp(expires),
    used: used ?? null,
  };
};

function days(text: string): number {
  const [, count] = /^(\d{1,5})d?$/.exec(text) ?? [];
  if (count !== undefined) return taken(TOKEN_FIELDS.expires_in)(Number(count));
  throw new InvalidArgumentError('It is not a number of days, such as 90d.');
}
