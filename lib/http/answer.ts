import { hash } from 'node:crypto';
import { auditItem, serviceEntry } from '../access/audit.ts';
import { createRates, type Rate } from '../access/rates.ts';
import type { Site } from '../access/sites.ts';
import { Failure } from '../errors.ts';
import { newMadeOnce } from '../made-once.ts';
import { createCollections } from '../store/collection.ts';
import { withTurn } from '../store/fair-lock.ts';
import { keys } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import { createTurns } from '../store/turns.ts';
import { asksForPage, redirectToConsole } from './browsers.ts';
import { type Caller, createIdentify, type ExtraReads, siteOfHost, type TableRead } from './caller.ts';
import { answerPreflight, corsHeaders, isPreflight } from './cors.ts';
import { dispatch } from './dispatch.ts';
import { refuseForeignWrites } from './origins.ts';
import { createInFlight, repeatKey } from './repeats.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { Route } from './route.ts';
import { allowed, createRouter, effectiveMethod, type Match, withoutSlash } from './router.ts';
import type { Service } from './service.ts';
import { createSignIns } from './sign-ins.ts';
import type { Trail } from './trail.ts';

const NOTHING = Buffer.alloc(0);

/** Answers requests; checks in this order: site, caller, path, method, role, lock, and what `dispatch` checks. */
export function createAnswer(service: Service): (trail: Trail) => Promise<Reply> {
  const { table, log, clock, newId } = service;
  const findPath = createRouter(service.routes);
  const identify = createIdentify(service.isGuarded ?? (() => false), createSignIns(log, noteRefused(service)));
  const collections = createCollections();
  const turns = createTurns();
  const rates = createRates(newId);
  const oneByOne = createInFlight();
  const shared = createShared();

  /** Answers a request in all steps. `before` is the read that showed that a remembered reply no longer holds. */
  async function inFull(trail: Trail, metered: Table, before: TableRead | undefined): Promise<Reply> {
    const { request, started, ending } = trail;
    const openPath = service.open[withoutSlash(request.path)];
    if (openPath) return answerOpen(request, openPath);
    const page = await service.pages?.(request);
    if (page) return page;

    const { found, route, params } = matched(findPath(request.path), request);
    if (found === undefined && asksForPage(request)) return redirectToConsole(request);
    if (route) trail.route = route;

    if (isPreflight(request)) {
      const allowed = answerPreflight(request, await siteOfHost(metered, request.host));
      if (allowed) return allowed;
    }
    const reads = (site: string, login: string): ExtraReads => {
      const repeat = route && repeatKey(route, request.headers, site, login);
      const others = { repeat, rate: rates.wanted(site, login, started) };
      return { partitions: route?.reads(site, params) ?? [], lock: route?.exclusive ?? false, others };
    };
    const onSite = (site: Site): void => void Object.assign(trail.headers, corsHeaders(request, site));
    const caller = await identify(metered, { request, reads, before, now: started, ending, onSite });
    const { site, user, heads, login, checkPassword } = caller;
    trail.site = site.name;
    trail.user = user.login;
    const { repeat, rate: read } = caller.others;
    const { rateLimit: limit } = site;
    if (limit !== undefined)
      checkRate(trail, await rates.enter(metered, { site: site.name, login, limit, read, now: started }));
    refuseForeignWrites(request, site);
    const checked = authorize(route, found, user.role);

    const deadline = started + service.answerWithin;
    const { origin } = request;
    const process = { collections, shared, clock, newId, log, checkPassword };
    const context = { ...process, site, user, table: metered, now: started, deadline, origin };
    // The body is read after the caller's rights are checked, and before the lock, which must not be held while it
    // arrives.
    const body = checked.streams ? NOTHING : await request.readBody();
    const work = () => dispatch({ route: checked, request, params, body, ...(repeat && { repeat }) }, context, heads);
    if (checked.exclusive || checked.method === 'GET') {
      const reply = await underLock(service, trail, { ...caller, table: metered }, work);
      service.replies?.keep(trail, caller, reply);
      return reply;
    }
    if (checked.streams) return oneByOne(repeat?.key, work); // other writes do not wait while its body arrives
    return oneByOne(repeat?.key, () => turns.take(site.name, work));
  }

  return async (trail) => {
    const metered = table.metered(trail.usage);
    const { kept, read } = (await service.replies?.again(metered, trail)) ?? {};
    if (!kept) return inFull(trail, metered, read);
    return underLock(service, trail, { ...kept.caller, table: metered }, async () => kept.reply);
  };
}

/** The path a request names and its route; each undefined if there is none. */
function matched(found: Match | undefined, { method, headers }: Request) {
  const acting = effectiveMethod(method, headers['x-http-method-override']);
  const route = acting === undefined ? undefined : found?.methods.get(acting);
  return { found, route, params: found?.params ?? {} };
}

/**
 * Does the work, under the site's insights lock if the route takes it. Throws `too_many_requests` with the seconds to
 * wait if the lock is held.
 */
async function underLock(
  { clock, newId, lease }: Service,
  { request, route }: Trail,
  { site, user, lock, table }: Pick<Caller, 'site' | 'user' | 'lock'> & { readonly table: Table },
  work: () => Promise<Reply>,
): Promise<Reply> {
  if (!route?.exclusive) return work();
  const who = hash('sha256', `${user.login}\n${request.address}`, 'hex').slice(0, 16);
  const turn = { key: keys.lock(site.name), owner: newId(), who, now: clock, length: lease };
  const outcome = await withTurn(table, turn, lock, work);
  if ('done' in outcome) return outcome.done;
  throw tooManyRequests(outcome.wait);
}

/** Writes an entry of the audit: how many sign-ins were refused. */
const noteRefused =
  ({ table, clock, newId }: Service) =>
  async (site: string, count: number): Promise<void> => {
    const what = { action: 'refuse', resource: 'sign-ins', via: 'service', count } as const;
    await table.put(auditItem(site, serviceEntry(what, { id: newId(), at: clock() })));
  };

/** Sets the reply's rate limit headers; throws `too_many_requests` if the user's limit is used up. */
function checkRate({ headers }: Trail, { passes, limit, remaining, reset }: Rate): void {
  headers['X-Rate-Limit-Limit'] = String(limit);
  headers['X-Rate-Limit-Remaining'] = String(remaining);
  headers['X-Rate-Limit-Reset'] = String(reset);
  if (!passes) throw tooManyRequests(reset);
}

/** The 429 that says how many seconds to wait. */
function tooManyRequests(seconds: number): Failure {
  const wait = String(seconds);
  return new Failure('too_many_requests', {
    headers: { 'X-Rate-Limit-Remaining': '0', 'X-Rate-Limit-Reset': wait, 'Retry-After': wait },
  });
}

/** Calls each `make` once and returns its result from then on. */
export function createShared(): <T>(make: () => T) => T {
  const once = newMadeOnce();
  return (make) => once(make, make);
}

/** Checks path, method and role, once the caller is known. */
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
