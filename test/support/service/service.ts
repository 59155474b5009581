import { randomUUID } from 'node:crypto';
import { ROLES, type Role } from '../../../lib/access/roles.ts';
import { NEW_SITE, type Site } from '../../../lib/access/site-fields.ts';
import { newSession, newTokenText, tokenHash } from '../../../lib/access/tokens.ts';
import type { User } from '../../../lib/access/users.ts';
import type { Route } from '../../../lib/http/route.ts';
import { type Handler, serve } from '../../../lib/http/serve.ts';
import type { Service } from '../../../lib/http/service.ts';
import { LIMITS } from '../../../lib/settings.ts';
import type { Table } from '../../../lib/store/table.ts';
import type { Ask, Received, TestService } from './asking.ts';
import { blackBox } from './black-box.ts';
import { PASSWORD_HASH } from './credentials.ts';
import { readDeployed } from './deployed.ts';
import { watchLog } from './discreet.ts';
import { type Incoming, type Outgoing, STAGE, throughEdge } from './edge.ts';
import { overHttp, overlayClock } from './http-ask.ts';
import { addSite, putUser } from './stored-access.ts';
import { deployedTable, freshTable, isUnderFault, serviceTable } from './table.ts';
import { addToken } from './tokens.ts';

export type { Ask, Received, Sent, TestService } from './asking.ts';

const login = (role: Role): string => `${role.toLowerCase().replaceAll(' ', '-')}@test.example`;

/** The deployed service under test; undefined if tests start it in this process. */
const deployed = readDeployed();

/**
 * Creates a site without users. In a deployment its name begins with the run's prefix, by which it is removed at the
 * end (`own-sites.ts`), and it is never the default one.
 */
export async function newSite(
  table: Table,
  site: Partial<Site> & { name: string },
  options = { default: true },
): Promise<Site> {
  const name = deployed === undefined ? site.name : `${deployed.run}-${site.name}`;
  const whole: Site = { ...NEW_SITE, title: name, hosts: [`${name}.localhost`], ...site, name };
  await addSite(table, whole, { default: options.default && deployed === undefined });
  return whole;
}

/** The tokens of the users: passwords would be slow, because each process of the service checks them again. */
const TOKENS = new Map(ROLES.map((role) => [role, newTokenText(login(role))]));

/** The token of the user of a role. */
export const tokenOf = (role: Role): string => TOKENS.get(role) ?? '';

/**
 * The day on which the tests' clock begins. Tokens are stored as used on it, so that their first use writes nothing.
 */
const FIRST_DAY = '2026-03-01';

/** The tokens of a session of each user, who then is a person and not a program. */
const SESSIONS = new Map(ROLES.map((role) => [role, newTokenText(login(role))]));

/** Has a request sent by a person of a role, as pages do. */
export const byPerson = (role: Role = 'Administrator') => ({
  as: null,
  headers: { Authorization: `Bearer ${SESSIONS.get(role)}` },
});

/** Adds a user of a role, with the password `PASSWORD`, the token that `ask` sends and the session of `byPerson`. */
export async function addUser(table: Table, site: string, role: Role): Promise<void> {
  const user: User = { login: login(role), role, deleted: false, password: PASSWORD_HASH };
  await putUser(table, site, user, true);
  const hash = tokenHash(tokenOf(role));
  await addToken(table, site, { hash, login: login(role), name: 'test', created: 0, used: FIRST_DAY });
  const { token } = newSession(user, { name: 'test session', keeps: true }, Date.now() + 10 * 365 * 24 * 3_600_000);
  await addToken(table, site, { ...token, hash: tokenHash(SESSIONS.get(role) ?? ''), created: 0, used: FIRST_DAY });
}

/** A test that reads the log or the caches of the process. Skipped over HTTP and under faults. */
export const itInProcess = deployed === undefined && !isUnderFault ? it : it.skip;

/** A test in which the service must use the tests' clock. Skipped over HTTP, where it has a clock of its own. */
export const itByItsClock = deployed === undefined ? it : it.skip;

/**
 * Starts a service with one site. It is called in process through the imitated gateway (`edge.ts`), or with `API_URL`
 * over HTTP in a deployment, where it gets a site of its own, or the site of an account (`black-box.ts`).
 */
export async function startService(
  routes: readonly Route[],
  options: { readonly site?: Partial<Site>; readonly roles?: readonly Role[]; readonly wiring?: Partial<Service> } = {},
): Promise<TestService> {
  if (deployed?.account) {
    const isUsual = options.wiring === undefined && Object.keys(options.site ?? {}).every((key) => key === 'name');
    return blackBox(deployed.url, deployed.account, { isUsual });
  }
  const table = options.wiring?.table ?? (deployed === undefined ? await freshTable() : await deployedTable());
  const usual = options.site?.name ?? 'test';
  const unique = deployed === undefined ? usual : `${usual}-${randomUUID().slice(0, 8)}`;
  const site = await newSite(table, { ...options.site, name: unique });
  for (const role of options.roles ?? ['Administrator']) await addUser(table, site.name, role);
  const now = { at: Date.parse(`${FIRST_DAY}T12:00:00Z`) };
  const host = `${site.name}.localhost`;
  const logged: Record<string, unknown>[] = [];
  if (deployed !== undefined) {
    const clock = overlayClock(now);
    const { protocol, pathname } = new URL(deployed.url);
    const forwarded = { 'X-Forwarded-Proto': protocol.slice(0, -1) }; // set by the real gateway, but not by emulators
    const call: Call = async (request) => {
      await clock.settle();
      const reply = await overHttp(deployed.url, { ...request, headers: { ...forwarded, ...request.headers } });
      return { ...reply, text: clock.translate(reply.text) };
    };
    const stage = pathname.replace(/\/$/, '').split('/').at(-1);
    const origin = `${protocol}//${host}${stage ? `/${stage}` : ''}`;
    const ask = askBy(call, host);
    return { table, site, origin, ask, again: () => ask, now, clock: Date.now, logged };
  }
  const served = await serviceTable(table);
  const askWith = (wiring: Partial<Service> = {}): Ask => {
    const handler = serve({
      routes,
      open: {},
      table: served,
      log: (level, message, details) => logged.push({ level, message, ...details }),
      clock: () => now.at,
      newId: randomUUID,
      ...LIMITS,
      ...options.wiring,
      ...wiring,
    });
    return askThrough(watchLog(handler, logged), host);
  };
  const origin = `https://${host}/${STAGE}`;
  return { table, site, origin, ask: askWith(), again: askWith, now, clock: () => now.at, logged };
}

/** Sends a request to a service and returns its reply. */
type Call = (request: Incoming) => Promise<Outgoing>;

/** Returns an `Ask` that calls a handler through the imitated gateway. */
export function askThrough(handler: Handler, host: string): Ask {
  return askBy((request) => throughEdge(handler, request), host);
}

function askBy(call: Call, usualHost: string): Ask {
  return async (method, target, { body, headers = {}, as = 'Administrator', host = usualHost } = {}) => {
    const authorization = as === null ? {} : { Authorization: `Bearer ${tokenOf(as)}` };
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const sent = { ...authorization, ...headers };
    const reply = await call({ method, target, headers: sent, body: Buffer.from(text), host });
    const isJson = reply.headers['content-type']?.startsWith('application/json') ?? true;
    return { ...reply, body: reply.text === '' || !isJson ? undefined : JSON.parse(reply.text) };
  };
}

/** The `WWW-Authenticate` header of a 401, which API Gateway renames. */
export const challengeOf = ({ headers }: Received): string | undefined =>
  headers['www-authenticate'] ?? headers['x-amzn-remapped-www-authenticate'];
