import type { Site } from '../../access/sites.ts';
import { Failure } from '../../errors.ts';
import type { Request } from '../request.ts';
import type { Route } from '../route.ts';

const READS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * The `Origin` header of a page of another origin: another scheme, host or port. Undefined for programs and for the
 * service's own pages.
 */
export function foreignOrigin({ headers, host, secure }: Request): string | undefined {
  const { origin } = headers;
  if (origin === undefined) return undefined;
  const own = `${secure ? 'https' : 'http'}://${host}`;
  const isOwn = URL.canParse(origin) && URL.canParse(own) && new URL(origin).origin === new URL(own).origin;
  return isOwn ? undefined : origin;
}

/** Whether a page of this origin may call the site. */
export const isAllowed = ({ allowOrigins = [] }: Site, origin: string): boolean => allowOrigins.includes(origin);

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
  if (isForeign && (origin === undefined || !isAllowed(site, origin))) throw new Failure('forbidden');
}
