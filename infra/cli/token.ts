import { randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import type * as z from 'zod';
import { changeAuthority } from '../../lib/access/authority.ts';
import { type OAuthKeyStore, someKeys } from '../../lib/access/oauth/oauth-keys.ts';
import { newOAuthKey, type OAuthKey, openSecrets, sealSecrets } from '../../lib/access/oauth/oauth-secrets.ts';
import { listSites } from '../../lib/access/sites.ts';
import { listTokens, secretsPlace, type Token } from '../../lib/access/tokens.ts';
import { normalizeLogin, readUser } from '../../lib/access/users.ts';
import { planToken, TOKEN_FIELDS } from '../../lib/account/new-token.ts';
import { showSiteToken, siteTokenShape } from '../../lib/account/site-routes.ts';
import { readSettings } from '../../lib/settings.ts';
import { chunks } from '../../lib/store/batches.ts';
import { Fault } from '../fault.ts';
import { openKeysOf } from '../local/oauth-keys.ts';
import type { Place } from '../local/table/place.ts';
import type { CommandEntry } from './audited.ts';
import { columns } from './columns.ts';
import { group, line, needed, type OptionsOf, type Outcome, tableCommand, toggle, value } from './command.ts';
import { createRouteCaller } from './route-caller.ts';
import { onSite, requireSite, SITE, type SitePlace } from './site.ts';
import { taken } from './taken.ts';
import { role } from './user.ts';

const SECRET = {
  secret: line('<name>', 'with --table: the secret of the deploy, its output OAuthSecretName (default: OAUTH_SECRET)'),
};
type Secret = OptionsOf<typeof SECRET>;
const REMOVE = {
  login: needed(line('<login>', 'user that the token belongs to')),
  name: needed(line('<name>', 'name of the token, unique for the user')),
};
const ADD = {
  ...SITE,
  ...REMOVE,
  name: { ...REMOVE.name, read: taken(TOKEN_FIELDS.name) },
  expires: value('<days>', 'days until it expires, such as 90d (default: never)', days),
  role: value('<role>', "role of the token, with no more rights than the user's own", role),
  oauth: toggle('a consumer key and a token with their secrets, with which a program signs (OAuth 1.0a)'),
  ...SECRET,
};
const LIST = { login: line('<login>', 'only tokens of this user') };

/** `token add`, `token list`, `token remove`: tokens, with which programs sign in instead of a password. */
export const tokenCommand = (): Command =>
  group(
    ['token', 'what programs sign in with', 'list --site acme'],
    tableCommand(
      ['add', 'make a token; it is shown once', '--site acme --login ann@acme.example --name nightly --expires 90d'],
      ADD,
      doAdd,
    ),
    onSite(['list', 'list the tokens of a site', '--site acme'], LIST, doList),
    onSite(['remove', 'end a token at once', '--site acme --login ann@acme.example --name nightly'], REMOVE, doRemove),
    tableCommand(['rekey', 'encrypt the secrets of all sites under a new key', ''], SECRET, doRekey),
  );

async function doAdd({ table, folder }: Place, options: OptionsOf<typeof ADD>): Promise<Outcome> {
  const store = options.oauth ? await keyStore(folder, options) : undefined; // before the site is read
  const site = await requireSite(table, options.site);
  const entry = entryOf('create', normalizeLogin(options.login), options.name);
  const made = await createRouteCaller(table, site).change(entry, async (context) => {
    const user = await readUser(table, site.name, options.login);
    if (user === undefined || user.deleted) throw new Fault(`The site ${site.name} has no user ${options.login}.`);
    const { text, token: bearer } = await planToken(context, user, { ...options, expires_in: options.expires });
    const secrets = store && (await newSecrets(store, secretsPlace(site.name, bearer)));
    const token = secrets === undefined ? bearer : { ...bearer, oauth: secrets.stored };
    await changeAuthority(context, { tokens: [{ before: undefined, after: token }] });
    return { text, shown: showSiteToken(token), secrets };
  });
  const { text, secrets } = made;
  if (secrets === undefined)
    return {
      text: `${text}\n\nIt is shown only now. Send it as: Authorization: Bearer <token>`,
      json: { ...shown(made.shown), token: text },
    };
  const { consumer_key, consumer_secret, token_secret } = secrets;
  const four = { consumer_key, consumer_secret, token: text, token_secret };
  const lines = Object.entries(four).map(([name, value]) => `${name} ${value}`);
  return { text: `${lines.join('\n')}\n\nThey are shown only now.`, json: { ...shown(made.shown), ...four } };
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
async function keyStore(folder: string | undefined, options: Secret): Promise<OAuthKeyStore> {
  const store = await openKeysOf({ folder, secret: options.secret ?? readSettings().OAUTH_SECRET });
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
async function doRekey({ table, folder }: Place, options: Secret) {
  const store = await keyStore(folder, options);
  const before = await store.read(true);
  const key = newOAuthKey();
  const oldKeys = [key, ...before];
  await store.write(oldKeys);
  let count = 0;
  for (const { site } of await listSites(table)) {
    const signing = (await listTokens(table, site.name)).filter(({ oauth }) => oauth !== undefined);
    for (const some of chunks(signing, AT_ONCE)) {
      const entry = { action: 'update', resource: 'tokens', fields: ['oauth'], count: some.length } as const;
      const hashes = some.map(({ hash }) => hash);
      count += await createRouteCaller(table, site).change(entry, async (context) => {
        const tokens = (await listTokens(table, site.name)).filter(({ hash }) => hashes.includes(hash)); // without ended ones
        await changeAuthority(context, { tokens: tokens.map((token) => sealedAnew(site.name, token, key, oldKeys)) });
        return tokens.length;
      });
    }
  }
  await store.write([key]);
  return { text: `Encrypted the secrets of ${count} tokens under a new key.`, json: { tokens: count } };
}

const AT_ONCE = 90; // tokens in a transaction, which takes 100 writes

/** A token with its secrets encrypted under `key`; one of `oldKeys` opens them. */
function sealedAnew(site: string, before: Token, key: OAuthKey, oldKeys: readonly OAuthKey[]) {
  if (before.oauth === undefined) return { before, after: before };
  const place = secretsPlace(site, before);
  const secrets = openSecrets(oldKeys, before.oauth.sealed, place);
  if (secrets === undefined)
    throw new Fault(`The secrets of the token ${before.name} of ${before.login} cannot be read.`);
  return { before, after: { ...before, oauth: { ...before.oauth, sealed: sealSecrets(key, secrets, place) } } };
}

async function doList({ caller }: SitePlace, options: OptionsOf<typeof LIST>): Promise<Outcome> {
  const all = await caller.entries('listSiteTokens', siteTokenShape());
  const login = options.login === undefined ? undefined : normalizeLogin(options.login);
  const tokens = all.filter((token) => login === undefined || token.login === login).map(shown);
  const rows = tokens.map((token) => [
    token.login,
    token.name,
    token.kind,
    token.role ?? '',
    token.created,
    token.expires ?? '',
    token.used ?? '',
  ]);
  const header = ['login', 'name', 'kind', 'role', 'made', 'expires', 'last used'];
  return { text: columns(header, rows) || 'There are no tokens.', json: tokens };
}

async function doRemove({ table, site, caller }: SitePlace, options: OptionsOf<typeof REMOVE>): Promise<Outcome> {
  const login = normalizeLogin(options.login);
  const token = await caller.change(entryOf('delete', login, options.name), async (context) => {
    const tokens = await listTokens(table, site.name, login);
    const before = tokens.findLast(({ name }) => name === options.name); // an earlier one of this name has expired
    if (before === undefined)
      throw new Fault(`${options.login} has no token ${options.name}: token list shows the tokens.`);
    await changeAuthority(context, { tokens: [{ before, after: undefined }] });
    return before;
  });
  return { text: `Removed the token ${options.name} of ${options.login}.`, json: shown(showSiteToken(token)) };
}

const entryOf = (action: CommandEntry['action'], login: string, name: string): CommandEntry => ({
  action,
  resource: `tokens/${login}/${name}`,
});

/** A token for output: what replies show of it. */
const shown = ({ login, name, kind, role, ...token }: z.infer<ReturnType<typeof siteTokenShape>>) => ({
  login,
  name,
  kind,
  role,
  created: token.created_at,
  expires: token.expires_at,
  used: token.last_used,
});

function days(text: string): number {
  const [, count] = /^(\d{1,5})d?$/.exec(text) ?? [];
  if (count !== undefined) return taken(TOKEN_FIELDS.expires_in)(Number(count));
  throw new InvalidArgumentError('It is not a number of days, such as 90d.');
}
