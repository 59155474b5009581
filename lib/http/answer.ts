import { hash } from 'node:crypto';
import { auditItem, serviceEntry } from '../access/audit.ts';
import { createRates, type Rate } from '../access/rates.ts';
import type { Site } from '../access/site-fields.ts';
import { isHost } from '../access/sites.ts';
import { asSent, badRequest, notFound, refusal, tooManyRequests, wrongMethod } from '../errors.ts';
import { newShared } from '../memo.ts';
import { createCollections } from '../store/collection.ts';
import { fairTurns } from '../store/fair-turns.ts';
import { type Key, keys } from '../store/keys.ts';
import { withLease } from '../store/lease.ts';
import type { Item, Table } from '../store/table.ts';
import { createTurns } from '../store/turns.ts';
import { asksForPage, redirectToConsole } from './accept.ts';
import { type Caller, createIdentify, type RequestReads, siteOfHost } from './caller.ts';
import { answerPreflight, corsHeaders, isPreflight, refuseForeignWrites } from './cors.ts';
import { dispatch } from './dispatch.ts';
import type { Exchange } from './exchange.ts';
import { createInFlight, repeatKey } from './repeats.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import { type Route, takesBody } from './route.ts';
import { allowed, createRouter, effectiveMethod, type RouteMatch, withoutSlash } from './router.ts';
import type { Service } from './service.ts';
import { createSignIns } from './sign-ins.ts';
import { doApart } from './task.ts';

const NOTHING = Buffer.alloc(0);
const HANDSHAKE = '/oauth/request_token'; // of OAuth clients; a 401 would have them try again for ever
const EVERYBODY = ''; // no user's login: under it all requests of a site are counted

/** Answers requests; checks in this order: site, caller, path, method, role, lock, and what `dispatch` checks. */
export function createAnswer(service: Service): (exchange: Exchange) => Promise<Reply> {
  const { table, log, clock, newId } = service;
  const findPath = createRouter(service.routes);
  const identify = createIdentify(service, createSignIns(log, noteRefused(service)));
  const collections = createCollections();
  const turns = createTurns();
  const limits = createLimits(newId);
  const oneByOne = createInFlight();
  const shared = newShared();

  return async (exchange) => {
    const { request, started, ending } = exchange;
    const metered = table.metered(exchange.usage);
    if (!isHost(request.host)) throw badRequest(`${asSent(request.host)} is no name of a host.`);
    const openPath = service.open[withoutSlash(request.path)];
    if (openPath) return answerOpen(request, openPath);
    const { match, route, params } = matched(findPath(request.path), request);
    if (match === undefined) {
      const page = await service.pages?.(request);
      if (page) return page;
      if (withoutSlash(request.path) === HANDSHAKE) throw notFound(`path ${HANDSHAKE}: a fixed access token signs in`);
      if (asksForPage(request)) return redirectToConsole(request);
    }
    if (route) exchange.route = route;

    if (isPreflight(request)) {
      const allowed = answerPreflight(request, await siteOfHost(metered, request.host));
      if (allowed) return allowed;
    }
    const reads = (site: string, login: string): RequestReads => ({
      partitions: route && !(route.exclusive && service.apart) ? route.reads(site, params) : [],
      lock: route?.exclusive ? keys.lock(site) : undefined,
      repeat: route && repeatKey(route, request.headers, site, login),
      ...limits.wanted(site, login, started),
    });
    const onSite = (site: Site): void => void Object.assign(exchange.headers, corsHeaders(request, site));
    const caller = await identify(metered, { request, reads, now: started, ending, onSite });
    const { site, user, actor, login, itemOf: items, checkPassword } = caller;
    const { lock, repeat } = caller.reads;
    exchange.site = site.name;
    exchange.user = user.login;
    await limits.check(metered, exchange, caller);
    refuseForeignWrites(request, site, route);
    const checked = authorize(route, match, { request, role: user.role });

    const ofService = { collections, shared, clock, newId, log, hasEngine: service.hasEngine === true };
    const deadline = started + service.answerWithin;
    const settled = { site, user, actor, now: started, deadline, origin: request.origin };
    const context = { ...ofService, ...settled, checkPassword, table: metered };
    // The body is read after the caller's rights are checked, and before the lock, which must not be held while it
    // arrives.
    const body = takesBody(checked) && !checked.streams ? await request.readBody({ site: site.name, login }) : NOTHING;
    const routed = { route: checked, request, params, body, repeat };
    const { apart } = service;
    const work = (): Promise<Reply> =>
      apart && checked.exclusive ? doApart(apart, routed, settled, exchange.usage) : dispatch(routed, context, items);
    if (lock)
      return underLock(service, { table: metered, key: lock, seen: items(lock), who: clientOf(exchange) }, work);
    if (checked.method === 'GET') return work();
    if (checked.streams || !checked.inTurn) return oneByOne(repeat, work); // other writes do not wait for its body or work
    return oneByOne(repeat, () => turns.take(site.name, work));
  };
}

/** The path a request names and its route; each undefined if there is none. */
function matched(match: RouteMatch | undefined, { method, headers }: Request) {
  const acting = effectiveMethod(method, headers['x-http-method-override']);
  const route = acting === undefined ? undefined : match?.methods.get(acting);
  return { match, route, params: match?.params ?? {} };
}

/** Does the work under the site's insights lock. Throws `too_many_requests` with the seconds to wait if it is held. */
async function underLock(
  { clock, newId, lease }: Service,
  { table, key, seen, who }: { table: Table; key: Key; seen: Item | undefined; who: string },
  work: () => Promise<Reply>,
): Promise<Reply> {
  const lock = { table, key, owner: newId(), now: clock, length: lease };
  const outcome = await withLease(lock, fairTurns(who), work, seen);
  if ('done' in outcome) return outcome.done;
  throw tooManyRequests('Another report of the site is being computed.', outcome.wait);
}

/** The client as the lock remembers it: requests of one user from one address take turns as one. */
const clientOf = ({ user, request }: Exchange): string =>
  hash('sha256', `${user}\n${request.address}`, 'hex').slice(0, 16);

/** Writes an entry of the audit: how many sign-ins were refused. */
const noteRefused =
  ({ table, clock, newId }: Service) =>
  async (site: string, count: number): Promise<void> => {
    const what = { action: 'refuse', resource: 'sign-ins', via: 'service', count } as const;
    await table.put(auditItem(site, serviceEntry(what, { id: newId(), at: clock() })));
  };

/** The limits of sites on requests: of each user, and of all users of the site together. */
function createLimits(newId: Service['newId']) {
  const [ofUsers, ofSites] = [createRates(newId), createRates(newId)];
  return {
    /** The counters to read together with a caller. */
    wanted: (site: string, login: string, now: number) => ({
      userRate: ofUsers.wanted(site, login, now),
      siteRate: ofSites.wanted(site, EVERYBODY, now),
    }),
    /** Counts a request, and sets its reply's headers. Throws `too_many_requests` past a limit. */
    async check(table: Table, exchange: Exchange, { site, login, reads, itemOf }: Caller): Promise<void> {
      for (const { rates, who, limit, key } of [
        { rates: ofUsers, who: login, limit: site.rateLimit, key: reads.userRate },
        { rates: ofSites, who: EVERYBODY, limit: site.siteRateLimit, key: reads.siteRate },
      ]) {
        if (limit === undefined) continue;
        const read = key && { item: itemOf(key) };
        checkRate(
          exchange,
          await rates.enter(table, { site: site.name, login: who, limit, read, now: exchange.started }),
        );
      }
    },
  };
}

/** Has the reply's headers tell of the limit that leaves the fewest requests; throws `too_many_requests` past a limit. */
function checkRate({ headers }: Exchange, { passes, limit, remaining, reset }: Rate): void {
  const fewest = headers['X-Rate-Limit-Remaining'];
  if (passes && fewest !== undefined && Number(fewest) <= remaining) return;
  headers['X-Rate-Limit-Limit'] = String(limit);
  headers['X-Rate-Limit-Remaining'] = String(remaining);
  headers['X-Rate-Limit-Reset'] = String(reset);
  if (!passes) throw tooManyRequests(`The limit of ${limit} requests a minute is reached.`, reset);
}

/** Checks path, method and role, once the caller is known. */
function authorize(
  route: Route | undefined,
  match: RouteMatch | undefined,
  { request: { method, path }, role }: { readonly request: Request; readonly role: Route['roles'][number] },
): Route {
  if (match === undefined) throw notFound(`path ${asSent(path)}`);
  if (route === undefined) throw wrongMethod(method, path, allowed(match));
  if (!route.roles.includes(role))
    throw refusal('forbidden', `${method} ${asSent(path)} is for ${oneOf(route.roles)}; this user is ${role}.`);
  return route;
}

/** The roles of a route, as a sentence names them. */
const oneOf = (roles: readonly string[]): string => new Intl.ListFormat('en', { type: 'disjunction' }).format(roles);

async function answerOpen(request: Request, reply: (request: Request) => Promise<Reply>): Promise<Reply> {
  const { method, path } = request;
  if (method === 'GET' || method === 'HEAD') return reply(request);
  throw wrongMethod(method, path, 'GET, HEAD');
}
