import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { hashPassword } from '../../lib/access/passwords.ts';
import type { Role } from '../../lib/access/roles.ts';
import { addSite, NEW_SITE, type Site } from '../../lib/access/sites.ts';
import { putUser } from '../../lib/access/users.ts';
import type { Route } from '../../lib/http/route.ts';
import { type Handler, type Service, serve } from '../../lib/http/serve.ts';
import type { Table } from '../../lib/store/table.ts';
import { freshTable } from './table.ts';

export const PASSWORD = 'correct horse';
const hashed = hashPassword(PASSWORD); // once a test file: it is slow on purpose

export interface Sent {
  readonly body?: unknown; // an object is sent as JSON, a string as it is
  readonly headers?: Readonly<Record<string, string>>;
  readonly as?: Role | null; // null: without credentials; default Administrator
  readonly host?: string;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>; // names in lower case
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  readonly body: any;
  readonly text: string;
}

/** Asks the service something: `await ask('GET', '/api/v2/topics')`. */
export type Ask = (method: string, target: string, sent?: Sent) => Promise<Received>;

export interface TestService {
  readonly table: Table;
  readonly site: Site;
  readonly ask: Ask;
  readonly now: { at: number }; // epoch ms: the service's clock, set by tests
  readonly logged: Record<string, unknown>[];
}

const login = (role: Role): string => `${role.toLowerCase().replaceAll(' ', '-')}@test.example`;

/** A site with one user a role. */
export async function newSite(
  table: Table,
  site: Partial<Site> & { name: string },
  options = { default: true },
): Promise<Site> {
  const whole: Site = { ...NEW_SITE, title: site.name, hosts: [`${site.name}.localhost`], ...site };
  await addSite(table, whole, options);
  return whole;
}

export async function addUser(table: Table, site: string, role: Role): Promise<void> {
  await putUser(table, site, { login: login(role), role, deleted: false, password: await hashed }, true);
}

/** A service over a fresh table with one site, called in process as API Gateway would call it. */
export async function startService(
  routes: readonly Route[],
  options: { readonly site?: Partial<Site>; readonly roles?: readonly Role[]; readonly wiring?: Partial<Service> } = {},
): Promise<TestService> {
  const table = options.wiring?.table ?? (await freshTable());
  const site = await newSite(table, { name: 'test', ...options.site });
  for (const role of options.roles ?? ['Administrator']) await addUser(table, site.name, role);
  const now = { at: Date.parse('2026-03-01T12:00:00Z') };
  const logged: Record<string, unknown>[] = [];
  const handler = serve({
    routes,
    open: {},
    table,
    log: (level, message, details) => logged.push({ level, message, ...details }),
    clock: () => now.at,
    newId: randomUUID,
    answerWithin: 28_000,
    lease: 30_000,
    ...options.wiring,
  });
  return { table, site, ask: askThrough(handler), now, logged };
}

/** Asks a handler with events of the shape that API Gateway sends. */
export function askThrough(handler: Handler): Ask {
  return async (method, target, sent = {}) => {
    const result = await handler(toEvent(method, target, sent), {} as Context);
    const headers = Object.fromEntries(
      Object.entries(result.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
    );
    const body = result.body === '' ? undefined : JSON.parse(result.body);
    return { status: result.statusCode, headers, body, text: result.body };
  };
}

export function toEvent(
  method: string,
  target: string,
  { body, headers = {}, as = 'Administrator', host }: Sent,
): APIGatewayProxyEvent {
  const [path = '', search = ''] = target.split('?');
  const query: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(search)) (query[name] ??= []).push(value);
  const authorization = as === null ? {} : { Authorization: basic(login(as), PASSWORD) };
  const event = {
    httpMethod: method,
    path,
    headers: { Host: host ?? 'test.localhost', ...authorization, ...headers },
    multiValueQueryStringParameters: query,
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: { requestId: randomUUID(), domainName: host ?? 'test.localhost', path },
  };
  return event as unknown as APIGatewayProxyEvent;
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
