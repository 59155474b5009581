import type { Route } from '../../../lib/http/route.ts';
import type { Received } from './asking.ts';
import { basic } from './credentials.ts';
import type { Account } from './deployed.ts';
import { overHttp } from './http-ask.ts';

/** Lists that tests do not add to: what was done, one's own credentials, and what follows from other lists. */
const ASIDE: ReadonlySet<string> = new Set(['listAudit', 'listTokens', 'listLogins', 'listDeliveries']);

/** A list of a site, and whether what is in it can be deleted. */
interface Collection {
  readonly name: string; // of its route
  readonly path: string;
  readonly isDeleted: boolean;
}

/** The lists of a site that tests can add to. */
export function collectionsOf(routes: readonly Pick<Route, 'name' | 'method' | 'path'>[]): readonly Collection[] {
  const deleted = new Set(
    routes.filter(({ method }) => method === 'DELETE').map(({ path }) => path.replace(/\/\{\w+\}$/, '')),
  );
  return routes
    .filter(({ method, name, path }) => method === 'GET' && /^list/.test(name) && !path.includes('{'))
    .filter(({ name }) => !ASIDE.has(name))
    .map(({ name, path }) => ({ name, path, isDeleted: deleted.has(path) }));
}

/** Loaded only where there is a deployment: the routes take a second. */
const collections = async () => collectionsOf((await import('../../../lib/routes.ts')).routes);

/** An entry of a list: users and tokens have a login, sources a name and no id. */
interface Entry {
  readonly id?: number | string;
  readonly name?: string;
  readonly login?: string;
}

async function entriesOf(send: Send, path: string, login: string): Promise<readonly Entry[]> {
  const { status, body } = await send('GET', `${path}?per_page=1000`);
  if (status === 404) return []; // a list that this deployment does not have, as connections in the cloud
  if (status !== 200) throw new Error(`GET ${path} as ${login}: ${status}`);
  const entries: readonly Entry[] = body?._embedded?.entries ?? [];
  return entries.filter((entry) => entry.login !== login); // the user, and its tokens
}

const EVER = { min: '1970-01-01T00:00:00Z', max: '2100-01-01T00:00:00Z', window_size: 'none' };

/** Throws if the site of a login has anything that tests can make, beside that user. It changes nothing. */
export async function refuseFullSite(send: Send, login: string): Promise<void> {
  const full = (what: string) =>
    new Error(`The site has entries at ${what}: give these tests a new site of their own.`);
  for (const { path } of await collections()) {
    const { length } = await entriesOf(send, path, login);
    if (length > 0) throw full(path);
  }
  const text = JSON.stringify({ fields: ['case_creates'], time: EVER });
  const { status, body } = await send('POST', '/api/v2/insights3/reports', { text });
  if (status !== 200) throw new Error(`POST /api/v2/insights3/reports as ${login}: ${status}`);
  if (body.data.some((row: unknown[]) => Number(row.at(-1)) > 0)) throw full('/api/v2/insights3/reports');
}

/** Sends a request as the user of an account. */
export type Send = (
  method: string,
  target: string,
  options?: {
    readonly text?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly isSignedIn?: boolean;
  },
) => Promise<Received>;

/** Sends requests as an account does, by the service's own host. */
export function sender(url: string, { login, password }: Account): Send {
  const { host, protocol } = new URL(url);
  const credentials = { Authorization: basic(login, password) };
  const forwarded = { 'X-Forwarded-Proto': protocol.slice(0, -1) }; // set by the real gateway, but not by emulators
  return async (method, target, { text = '', headers = {}, isSignedIn = true } = {}) => {
    const sent = { ...forwarded, ...(isSignedIn ? credentials : {}), ...headers };
    const reply = await overHttp(url, { method, target, headers: sent, body: Buffer.from(text), host });
    const isJson = reply.headers['content-type']?.startsWith('application/json') ?? true;
    return { ...reply, body: reply.text === '' || !isJson ? undefined : JSON.parse(reply.text) };
  };
}

/** Deletes all entries of a site that can be deleted, but the user of the login. What refers to others comes first or again. */
export async function empty(send: Send, login: string): Promise<void> {
  const deletable = (await collections()).filter(({ isDeleted }) => isDeleted);
  for (let round = 0, deleted = 1; round < 3 && deleted > 0; round += 1) {
    deleted = 0;
    for (const { path } of deletable)
      for (const { id, name = '' } of await entriesOf(send, path, login)) {
        await send('DELETE', `${path}/${id ?? encodeURIComponent(name)}`);
        deleted += 1;
      }
  }
}
