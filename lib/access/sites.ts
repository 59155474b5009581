import * as z from 'zod';
import type { Condition } from '../store/condition.ts';
import { keys } from '../store/keys.ts';
import type { Table, Write } from '../store/table.ts';
import { isTimeZone } from '../zone.ts';
import { parseSite, type Site } from './site-fields.ts';

const SITE_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether a text is a valid site name: one label of a host name. */
export const isSiteName = (text: string): boolean => SITE_NAME.test(text);

/** A field of a request that takes a time zone. */
export const timeZoneField = () =>
  z
    .string('invalid')
    .refine(isTimeZone, 'invalid')
    .meta({ description: 'An IANA name', examples: ['Europe/Berlin'] });

const HOST = /^(\[[\da-f:.]+\]|[^\s#%/:<>?@[\\\]^|]*)(:\d{0,5})?$/i;

/** Whether a text can be the host of a request (RFC 9110, 7.2); HTTP/1.0 has none. */
export const isHost = (host: string): boolean => HOST.test(host);

/** `Support.Example.com:3000` → `support.example.com`, the form in which hosts are stored and looked up. */
export function normalizeHost(host: string): string {
  return host.trim().toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
}

/** Whether a normalised host is this machine itself, or none, as programs may leave it out. */
export const isLocal = (host: string): boolean => /^(|(.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);

export async function readSite(table: Table, name: string): Promise<Site | undefined> {
  const item = await table.get(keys.site(name));
  return item && parseSite(item);
}

export async function listSites(table: Table): Promise<{ readonly site: Site; readonly default: boolean }[]> {
  const entries = await table.query(keys.deployment().pk);
  const chosen = entries.find((entry) => entry.sk === keys.defaultSite().sk)?.site;
  const names = entries.flatMap((entry) => (entry.sk.startsWith('site#') ? [entry.sk.slice('site#'.length)] : []));
  const items = await table.batchGet(names.map((name) => keys.site(name)));
  return items.flatMap((item) => (item ? [{ site: parseSite(item), default: item.name === chosen }] : []));
}

/** Whether the deployment has a site. */
export async function hasSites(table: Table): Promise<boolean> {
  const entries = await table.query(keys.deployment().pk, { prefix: keys.siteEntry('').sk, limit: 1 });
  return entries.length > 0;
}

/**
 * The writes of a new site, or of one that has not changed since `before` was read, with the hosts that it takes and
 * those that it no longer names. Of one that goes: requests find it no more, and its settings stay until all else of it
 * is gone (`removeSite`).
 */
export function siteWrites({ before, after, isDefault = false }: SiteWrite): readonly Write[] {
  if (after === undefined) return before === undefined ? [] : goneWrites(before, isDefault);
  const { name, hosts } = after;
  const [earlier, now] = [before?.hosts ?? [], new Set(hosts)];
  const isMoved = before === undefined || hosts.length !== earlier.length || earlier.some((host) => !now.has(host));
  return [
    {
      put: { ...keys.site(name), ...after, version: (before?.version ?? 0) + 1 },
      when: before === undefined ? { absent: true } : unchangedSite(before),
    },
    ...(before === undefined ? [{ put: { ...keys.siteEntry(name) } }] : []),
    ...(isMoved ? hosts.map((host) => hostWrite(name, host)) : []),
    ...earlier.filter((host) => !now.has(host)).map((host) => ({ delete: keys.host(host) })),
    ...(isDefault ? [defaultWrite(name)] : []),
  ];
}

interface SiteWrite {
  readonly before: Site | undefined; // undefined: it is new
  readonly after: Site | undefined; // undefined: it goes
  readonly isDefault?: boolean | undefined; // it answers, or answered, hosts that no site names
}

const goneWrites = (site: Site, isDefault: boolean): readonly Write[] => [
  { check: keys.site(site.name), when: unchangedSite(site) },
  { delete: keys.siteEntry(site.name) },
  ...site.hosts.map((host) => ({ delete: keys.host(host) })),
  ...(isDefault ? [{ delete: keys.defaultSite() }] : []),
];

/** The condition that a site has not changed since it was read. */
const unchangedSite = ({ version }: Site): Condition =>
  version === undefined ? { present: true } : { attribute: 'version', equals: version };

const defaultWrite = (site: string): Write => ({ put: { ...keys.defaultSite(), site } });

const hostWrite = (site: string, host: string): Write => ({
  put: { ...keys.host(host), site },
  when: { anyOf: [{ absent: true }, { attribute: 'site', equals: site }] },
});
