import type { Site } from '../access/site-fields.ts';
import { isLocal, normalizeHost } from '../access/sites.ts';

/** What links in a site's mails begin with: the service's own address, with the site's host where it has one of its own. */
export function linkOriginOf(publicUrl: string): (site: Pick<Site, 'hosts'>) => string {
  const base = new URL(publicUrl);
  const path = base.pathname.replace(/\/$/, '');
  return ({ hosts }) => {
    const own = hosts.map(normalizeHost).filter((host) => !isLocal(host));
    const isOwn = own.length === 0 || own.includes(base.hostname);
    const host = isOwn ? base.host : `${own[0]}${base.port === '' ? '' : `:${base.port}`}`;
    return `${base.protocol}//${host}${isOwn ? path : ''}`;
  };
}
