import { randomUUID } from 'node:crypto';
import { it } from '@jest/globals';
import { ROLES, type Role } from '../../../lib/access/roles.ts';
import { addSite, NEW_SITE, type Site } from '../../../lib/access/sites.ts';
import { newTokenText, tokenHash } from '../../../lib/access/tokens.ts';
import { putUser } from '../../../lib/access/users.ts';
import type { Route } from '../../../lib/http/route.ts';
import { type Handler, serve } from '../../../lib/http/serve.ts';
import type { Service } from '../../../lib/http/service.ts';
import { createSteadyReplies } from '../../../lib/http/steady-replies.ts';
import { LIMITS } from '../../../lib/settings.ts';
import type { Table } from '../../../lib/store/table.ts';
import { PASSWORD_HASH } from './credentials.ts';
import { watchLog } from './discreet.ts';
import { type Incoming, type Outgoing, STAGE, throughEdge } from './edge.ts';
import { overHttp, overlayClock } from './http-ask.ts';
import { deployedTable, freshTable, isUnderFault, serviceTable } from './table.ts';
import { addToken } from './tokens.ts';

export interface Sent {
  readonly body?: unknown; // an object is sent as JSON, a string as it is
  readonly headers?: Readonly<Record<string, string>>;
  readonly as?: Role | null; // sends the token of the role's user; null for no credentials; default Administrator
  readonly host?: string;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>; // names in lower case
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  readonly body: any; // undefined if there is no body or it is not JSON
  readonly text: string;
}

/** Sends a request to the service: `await ask('GET', '/api/v2/topics')`. */
export type Ask = (method: string, target: string, sent?: Sent) => Promise<Received>;

export interface TestService {
  readonly table: Table;
  readonly site: Site;
  readonly ask: Ask;
  /** Starts the same service again, as another process would, with other wiring; only in process. */
  readonly again: (wiring: Partial<Service>) => Ask;
  readonly origin: string; // the start of every Location header
  readonly now: { at: number }; // epoch ms, the time in the service's replies; tests set it
  readonly clock: () => number; // epoch ms, the time by which the service measures leases
  readonly logged: Record<string, unknown>[]; // only in process (`itInProcess`)
}

const login = (role: Role): string => `${role.toLowerCase().replaceAll(' ', '-')}@test.example`;

/** Creates a site with one user of each role. */
export async function newSite(
  table: Table,
  site: Partial<Site> & { name: string },
  options = { default: true },
): Promise<Site> {
  const whole: Site = { ...NEW_SITE, title: site.name, hosts: [`${site.name}.localhost`], ...site };
  await addSite(table, whole, options);
  return whole;
}

/** The tokens of the users: passwords would be slow, because each process of the service checks them again. */
const TOKENS = new Map(ROLES.map((role) => [role, newTokenText(login(role))]));

/**
 * The day on which the tests' clock begins. Tokens are stored as used on it, so that their first use writes nothing.
 */
const FIRST_DAY = '2026-03-01';

/** Adds a user of a role, with the password `PASSWORD` and the token that `ask` sends. */
export async function addUser(table: Table, site: string, role: Role): Promise<void> {
  await putUser(table, site, { login: login(role), role, deleted: false, password: PASSWORD_HASH }, true);
  const hash = tokenHash(TOKENS.get(role) ?? '');
  await addToken(table, site, { hash, login: login(role), name: 'test', created: 0, used: FIRST_DAY });
}

/** The URL of a deployed service for the acceptance tests (`TABLE_NAME` is its table); undefined in process. */
const deployed = process.env.API_URL;

/** A test that reads the log or the caches of the process. Skipped over HTTP and under faults. */
export const itInProcess = deployed === undefined && !isUnderFault ? it : it.skip;

/** A test in which the service must use the tests' clock. Skipped over HTTP, where it has a clock of its own. */
export const itByItsClock = deployed === undefined ? it : it.skip;

/**
 * Starts a service with one site. It is called in process through the imitated gateway (`edge.ts`), or with `API_URL`
 * over HTTP in a deployment, where it gets a site of its own.
 */
export async function startService(
  routes: readonly Route[],
  options: { readonly site?: Partial<Site>; readonly roles?: readonly Role[]; readonly wiring?: Partial<Service> } = {},
): Promise<TestService> {
  const table = options.wiring?.table ?? (deployed === undefined ? await freshTable() : await deployedTable());
  const usual = options.site?.name ?? 'test';
  const name = deployed === undefined ? usual : `${usual}-${randomUUID().slice(0, 8)}`;
  const site = await newSite(table, { ...options.site, name });
  for (const role of options.roles ?? ['Administrator']) await addUser(table, site.name, role);
  const now = { at: Date.parse(`${FIRST_DAY}T12:00:00Z`) };
  const host = `${name}.localhost`;
  const logged: Record<string, unknown>[] = [];
  if (deployed !== undefined) {
    const clock = overlayClock(now);
    const { protocol, pathname } = new URL(deployed);
    const forwarded = { 'X-Forwarded-Proto': protocol.slice(0, -1) }; // set by the real gateway, but not by emulators
    const call: Call = async (request) => {
      await clock.settle();
      const reply = await overHttp(deployed, { ...request, headers: { ...forwarded, ...request.headers } });
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
      replies: createSteadyReplies(),
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
    const authorization = as === null ? {} : { Authorization: `Bearer ${TOKENS.get(as)}` };
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
