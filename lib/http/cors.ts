import type { Site } from '../access/site-fields.ts';
import { asSent, refusal } from '../errors.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { Route } from './route.ts';

/** CORS (Fetch Standard): what pages on other hosts may do with a site that names their origins; nothing by default. */

const ALLOWED_HEADERS = [
  'Accept',
  'Accept-Language',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-HTTP-Method-Override',
  'X-Requested-With',
].join(', ');

const EXPOSED_HEADERS = [
  'Allow',
  'Content-Language',
  'ETag',
  'Idempotent-Replayed',
  'Location',
  'Retry-After',
  'X-Ignored-Fields',
  'X-Rate-Limit-Limit',
  'X-Rate-Limit-Remaining',
  'X-Rate-Limit-Reset',
  'X-Request-Id',
].join(', ');

const MAX_AGE = '600'; // s for which a browser keeps the answer

/** Whether a request is a preflight: a browser asks what a page on another host may do. */
export const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

/** The CORS headers of any reply of the site; none if the site names no origins. */
export function corsHeaders(request: Request, site: Site): Record<string, string> {
  if (site.allowOrigins === undefined || site.allowOrigins.length === 0) return {};
  const origin = foreignOrigin(request);
  if (origin === undefined || !isAllowed(site, origin)) return { Vary: 'Origin' };
  return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED_HEADERS };
}

/**
 * The answer to a preflight, the same for every path, so that it does not reveal which paths exist. Undefined if the
 * origin is not allowed.
 */
export function answerPreflight(request: Request, site: Site | undefined): Reply | undefined {
  const allowed = site && corsHeaders(request, site);
  if (allowed?.['Access-Control-Allow-Origin'] === undefined) return undefined;
  const { 'Access-Control-Expose-Headers': _, ...headers } = allowed;
  return {
    status: 204,
    headers: {
      ...headers,
      Vary: 'Accept-Encoding, Origin',
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PATCH, DELETE',
      'Access-Control-Allow-Headers': ALLOWED_HEADERS,
      'Access-Control-Max-Age': MAX_AGE,
    },
  };
}

const READS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * The `Origin` header of a page of another origin: another scheme, host or port. Undefined for programs and for the
 * service's own pages.
 */
function foreignOrigin({ headers, host, secure }: Request): string | undefined {
  const { origin } = headers;
  if (origin === undefined) return undefined;
  const own = `${secure ? 'https' : 'http'}://${host}`;
  const isOwn = URL.canParse(origin) && URL.canParse(own) && new URL(origin).origin === new URL(own).origin;
  return isOwn ? undefined : origin;
}

/** Whether a page of this origin may call the site. */
const isAllowed = ({ allowOrigins = [] }: Site, origin: string): boolean => allowOrigins.includes(origin);

const FOREIGN: readonly string[] = ['cross-site', 'same-site'];

/**
 * Throws `forbidden` for a write from a page of another origin, unless the site allows it. A report by a token is none:
 * it changes nothing, and no browser adds a token by itself.
 */
export function refuseForeignWrites(request: Request, site: Site, route: Route | undefined): void {
  const isReport = route?.exclusive === true && /^bearer /i.test(request.headers.authorization ?? '');
  if (isReport || READS.includes(request.method)) return;
  const origin = foreignOrigin(request);
  const isForeign = origin === undefined ? FOREIGN.includes(request.headers['sec-fetch-site'] ?? '') : true;
  if (!isForeign || (origin !== undefined && isAllowed(site, origin))) return;
  const who = origin === undefined ? 'a page of another origin' : `pages of ${asSent(origin)}`;
  throw refusal('forbidden', `The site takes no writes of ${who}: support site set --allow-origin names origins.`);
}
