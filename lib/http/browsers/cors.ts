import type { Site } from '../../access/sites.ts';
import type { Reply } from '../reply.ts';
import type { Request } from '../request.ts';
import { foreignOrigin, isAllowed } from './origins.ts';

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
