import type { Site } from '../access/sites.ts';
import { Failure } from '../errors.ts';
import type { Request } from './request.ts';

const READS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** The origin of a page on another host, as the browser names it; undefined for requests of programs and own pages. */
export function foreignOrigin({ headers, host }: Request): string | undefined {
  const { origin } = headers;
  if (origin === undefined) return undefined;
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase() ? undefined : origin;
}

/** Whether a page on that host may call the site. */
export const isAllowed = ({ allowOrigins = [] }: Site, origin: string): boolean => allowOrigins.includes(origin);

/** Throws `forbidden` for a write that a page on another host makes, unless the site allows it. */
export function refuseForeignWrites(request: Request, site: Site): void {
  if (READS.includes(request.method)) return;
  const origin = foreignOrigin(request);
  const isForeign = origin === undefined ? request.headers['sec-fetch-site'] === 'cross-site' : true;
  if (isForeign && (origin === undefined || !isAllowed(site, origin))) throw new Failure('forbidden');
}
