import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { Route } from './route.ts';

/** No general limit is enforced: constants that clients expect to see (contract.md, HTTP). */
const RATE_LIMIT = {
  'X-Rate-Limit-Limit': '300',
  'X-Rate-Limit-Remaining': '299',
  'X-Rate-Limit-Reset': '60',
} as const;

const SECURITY = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'",
} as const;

/** All headers of a reply: what every response bears, then what this one adds or changes. */
export function replyHeaders(
  reply: Reply,
  request: Request | undefined,
  route: Route | undefined,
): Record<string, string> {
  return {
    ...(reply.body === undefined ? {} : { 'Content-Type': 'application/json; charset=utf-8' }),
    'Cache-Control': route?.list ? 'no-cache, private' : 'max-age=0, private, must-revalidate',
    Vary: ['Accept-Encoding', ...(route?.vary ?? [])].join(', '),
    ...(request === undefined ? {} : { 'X-Request-Id': request.id }),
    ...RATE_LIMIT,
    ...SECURITY,
    ...(request?.secure ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
    ...reply.headers,
  };
}
