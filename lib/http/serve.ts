import { hash } from 'node:crypto';
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context as LambdaContext } from 'aws-lambda';
import { createPasswordCheck } from '../access/passwords.ts';
import { Failure } from '../errors.ts';
import { describeError, type Log } from '../log.ts';
import { createCollections } from '../store/collection.ts';
import { withTurn } from '../store/fair-lock.ts';
import { keys } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import { createTurns } from '../store/turns.ts';
import { newUsage, type Usage } from '../store/usage.ts';
import { asksForPage, leadToConsole } from './browsers.ts';
import { type Caller, createIdentify } from './caller.ts';
import { ifNoneMatch } from './conditional.ts';
import { dispatch } from './dispatch.ts';
import { replyHeaders } from './headers.ts';
import { inTime } from './in-time.ts';
import { failed, type Reply } from './reply.ts';
import { type Request, toRequest } from './request.ts';
import type { Route } from './route.ts';
import { allowed, createRouter, effectiveMethod, type Match, withoutSlash } from './router.ts';

/** What the wiring brings: time, ids, the table and what this process serves. */
export interface Service {
  readonly routes: readonly Route[];
  readonly open: Readonly<Record<string, (request: Request) => Promise<Reply>>>; // paths that GET answers without a site or credentials
  readonly pages?: (request: Request) => Promise<Reply | undefined>; // what a browser is shown, likewise
  readonly table: Table;
  readonly log: Log;
  readonly clock: () => number; // epoch ms
  readonly newId: () => string;
  readonly answerWithin: number; // ms a request may take
  readonly lease: number; // ms the insights lock holds at most; longer than answerWithin
}

export type Handler = (event: APIGatewayProxyEvent, context: LambdaContext) => Promise<APIGatewayProxyResult>;

/** What is known of a request by the time it is answered and logged. */
interface Trail {
  readonly request: Request;
  readonly usage: Usage;
  readonly started: number;
  route?: Route;
  site?: string;
  user?: string;
}

/** The handler of a group of routes: the same for API Gateway and for the local server. */
export function serve(service: Service): Handler {
  const { table, log, clock, newId } = service;
  const findPath = createRouter(service.routes);
  const identify = createIdentify(createPasswordCheck());
  const collections = createCollections();
  const turns = createTurns();
  const shared = createShared();
  const trails = new WeakMap<APIGatewayProxyEvent, Trail>();

  async function answer(trail: Trail): Promise<Reply> {
    const { request, started } = trail;
    const openPath = service.open[withoutSlash(request.path)];
    if (openPath) return answerOpen(request, openPath);
    const page = await service.pages?.(request);
    if (page) return page;

    const found = findPath(request.path);
    if (found === undefined && asksForPage(request)) return leadToConsole(request);
    const method = effectiveMethod(request.method, request.headers['x-http-method-override']);
    const route = method === undefined ? undefined : found?.methods.get(method);
    if (route) trail.route = route;
    const metered = table.metered(trail.usage);
    const params = found?.params ?? {};

    const along = (site: string) => ({ partitions: route?.reads(site, params) ?? [], lock: route?.exclusive ?? false });
    const caller = await identify(metered, request, along, started);
    trail.site = caller.site.name;
    trail.user = caller.user.login;
    const checked = authorize(route, found, caller.user.role);

    const { site, user, heads } = caller;
    const deadline = started + service.answerWithin;
    const { origin } = request;
    const context = {
      site,
      user,
      table: metered,
      collections,
      shared,
      now: started,
      deadline,
      clock,
      newId,
      log,
      origin,
    };
    const work = () => dispatch(checked, request, params, context, heads);
    if (checked.exclusive) return exclusively(trail, metered, caller, work);
    return checked.method === 'GET' ? work() : turns.take(site.name, work);
  }

  /** Does the work under the site's insights lock; who is refused hears at once when to come again. */
  async function exclusively(
    { request }: Trail,
    metered: Table,
    { site, user, lock }: Caller,
    work: () => Promise<Reply>,
  ): Promise<Reply> {
    const who = hash('sha256', `${user.login}\n${request.address}`, 'hex').slice(0, 16);
    const turn = { key: keys.lock(site.name), owner: newId(), who, now: clock, length: service.lease };
    const outcome = await withTurn(metered, turn, lock, work);
    if ('done' in outcome) return outcome.done;
    const wait = String(outcome.wait);
    throw new Failure('too_many_requests', {
      headers: { 'X-Rate-Limit-Remaining': '0', 'X-Rate-Limit-Reset': wait, 'Retry-After': wait },
    });
  }

  /** Turns a reply into what the gateway takes, and writes the request's log line. */
  function finish(trail: Trail | undefined, reply: Reply): APIGatewayProxyResult {
    const headers = replyHeaders(reply, trail?.request, trail?.route);
    const current = reply.status === 200 && trail !== undefined && isCurrent(trail.request, headers.ETag);
    const status = current ? 304 : reply.status;
    if (current) delete headers['Content-Type'];
    if (trail) log('info', 'request', logLine(trail, status, clock()));
    return { statusCode: status, headers, body: current ? '' : (reply.body ?? '') };
  }

  function fail(trail: Trail | undefined, error: unknown): APIGatewayProxyResult {
    const failure = error instanceof Failure ? error : new Failure('internal');
    const id = trail?.request.id;
    if (failure !== error) log('error', 'request failed', { request: id, ...describeError(error) });
    else if (failure.kind === 'unavailable') log('warn', 'unavailable', { request: id, ...describeError(error) });
    return finish(trail, failed(failure));
  }

  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>({ timeoutEarlyInMillis: 0 })
    .use({
      before: ({ event }) => {
        trails.set(event, { request: toRequest(event), usage: newUsage(), started: clock() });
      },
      onError: (request) => {
        request.response = fail(trails.get(request.event), request.error);
      },
    })
    .handler(async (event) => {
      const trail = trails.get(event);
      if (trail === undefined) throw new Error('a request without its trail');
      return finish(trail, await inTime(service.answerWithin, answer(trail)));
    }) as Handler;
}

/** Makes each thing once, under the function that makes it. */
function createShared(): <T>(make: () => T) => T {
  const made = new Map<unknown, unknown>();
  return <T>(make: () => T): T => {
    if (!made.has(make)) made.set(make, make());
    return made.get(make) as T;
  };
}

/** The rest of the order of checks once the caller is known: path, method, role. */
function authorize(route: Route | undefined, found: Match | undefined, role: Route['roles'][number]): Route {
  if (found === undefined) throw new Failure('not_found');
  if (route === undefined) throw new Failure('method_not_allowed', { headers: { Allow: allowed(found) } });
  if (!route.roles.includes(role)) throw new Failure('forbidden');
  return route;
}

async function answerOpen(request: Request, reply: (request: Request) => Promise<Reply>): Promise<Reply> {
  const { method } = request;
  if (method === 'GET' || method === 'HEAD') return reply(request);
  throw new Failure('method_not_allowed', { headers: { Allow: 'GET, HEAD' } });
}

const isCurrent = ({ method, headers }: Request, etag: string | undefined): boolean =>
  etag !== undefined && (method === 'GET' || method === 'HEAD') && ifNoneMatch(headers['if-none-match'], etag);

function logLine({ request, usage, started, route, site, user }: Trail, status: number, now: number) {
  const { id, method } = request;
  const { trips, readUnits, writeUnits } = usage;
  return {
    request: id,
    site,
    user,
    method,
    route: route?.name,
    status,
    ms: now - started,
    trips,
    readUnits,
    writeUnits,
  };
}
