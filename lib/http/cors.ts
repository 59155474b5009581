import type { Site } from '../access/sites.ts';
import { foreignOrigin, isAllowed } from './origins.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';

/** What pages on other hosts may do where a site names their origins (Fetch Standard, CORS protocol); nothing by default. */

const TAKEN = [
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

const SHOWN = [
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

const ASKED_AGAIN = '600'; // s after which a browser asks again

/** Whether a browser asks what a page on another host may do. */
export const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

/** What any reply of the site says to the page that asked; nothing where the site names no origins. */
export function corsHeaders(request: Request, site: Site): Record<string, string> {
  if (site.allowOrigins === undefined || site.allowOrigins.length === 0) return {};
  const origin = foreignOrigin(request);
  if (origin === undefined || !isAllowed(site, origin)) return { Vary: 'Origin' };
  return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': SHOWN };
}

/** The answer to a preflight: the same for every path, so that it tells nothing. Undefined where the origin may do nothing. */
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
      'Access-Control-Allow-Headers': TAKEN,
      'Access-Control-Max-Age': ASKED_AGAIN,
    },
  };
}
