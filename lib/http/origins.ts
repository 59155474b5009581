import type { Site } from '../access/sites.ts';
import { Failure } from '../errors.ts';
import type { Request } from './request.ts';

const READS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** The `Origin` header of a page on another host; undefined for programs and for the service's own pages. */
export function foreignOrigin({ headers, host }: Request): string | undefined {
  const { origin } = headers;
  if (origin === undefined) return undefined;
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase() ? undefined : origin;
}

/** Whether a page of this origin may call the site. */
export const isAllowed = ({ allowOrigins = [] }: Site, origin: string): boolean => allowOrigins.includes(origin);

/** Throws `forbidden` for a write from a page on another host, unless the site allows its origin. */
export function refuseForeignWrites(request: Request, site: Site): void {
  if (READS.includes(request.method)) return;
  const origin = foreignOrigin(request);
  const isForeign = origin === undefined ? request.headers['sec-fetch-site'] === 'cross-site' : true;
  if (isForeign && (origin === undefined || !isAllowed(site, origin))) throw new Failure('forbidden');
}
