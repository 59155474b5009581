import * as z from 'zod';
import type { Condition } from '../store/condition.ts';
import { keys } from '../store/keys.ts';
import { type ExtraWrites, transactOnce } from '../store/once.ts';
import type { Item, Table, Write } from '../store/table.ts';
import { WEEK_DAYS } from '../vocabulary.ts';
import { isTimeZone } from '../zone.ts';

/** The scales of satisfaction ratings: 0 and 1, or 1 to 4. */
export const RATINGS = ['yes_no', 'four_star'] as const;

/** The settings that records of imports have, too. */
export const siteSettings = z.object({
  title: z.string(), // the name for people
  locales: z.array(z.string()).readonly(), // enabled locales, normalised; includes the default
  defaultLocale: z.string(),
  timeZone: z.string(), // IANA name
  weekStart: z.enum(WEEK_DAYS),
  rating: z.enum(RATINGS),
});

const schema = z.object({
  name: z.string(), // the name in hosts, keys and the command line
  ...siteSettings.shape,
  hosts: z.array(z.string()).readonly(),
  allowOrigins: z.array(z.string()).readonly().optional(), // origins of pages on other hosts that may call the API
  portalUrl: z.string().optional(), // where readers find the support center; absent: at the service itself
  caseUrl: z.string().optional(), // the address of a case in the help desk, with `{case}` for its id; absent: none
  rateLimit: z.int().positive().optional(), // requests a minute and user; absent: no limit
  siteRateLimit: z.int().positive().optional(), // requests a minute of all users together; absent: no limit
  added: z.number().optional(), // epoch ms; tells the site from a removed one of its name that may still be cached
  version: z.number().optional(), // raised by every write; absent in sites of earlier versions of the service
});

/** A site's settings. */
export type Site = Readonly<z.infer<typeof schema>>;

export const NEW_SITE: Omit<Site, 'name' | 'title' | 'hosts'> = {
  locales: ['en_us'],
  defaultLocale: 'en_us',
  timeZone: 'UTC',
  weekStart: 'monday',
  rating: 'four_star',
};

const SITE_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether a text is a valid site name: one label of a host name. */
export const isSiteName = (text: string): boolean => SITE_NAME.test(text);

export const parseSite = (item: Item): Site => schema.parse(item);

/** A field of a request that takes a time zone. */
export const timeZoneField = () =>
  z
    .string('invalid')
    .refine(isTimeZone, 'invalid')
    .meta({ description: 'An IANA name', examples: ['Europe/Berlin'] });

/** Whether a text can be the host of a request (RFC 9110, 7.2); HTTP/1.0 has none. */
export const isHost = (host: string): boolean =>
  host === '' || (!/[\s/?#@\\]/.test(host) && URL.canParse(`http://${host}`));

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
  const found = await table.query(keys.deployment().pk, { prefix: keys.siteEntry('').sk, limit: 1 });
  return found.length > 0;
}

/** Options of a write of a site. */
export interface SiteOptions {
  readonly default?: boolean; // makes it the default site, for hosts that no site names
  readonly beside?: ExtraWrites;
}

/**
 * Writes a new site with its hosts (`<name>.localhost` included) in one transaction. Throws `ConditionFailed` if the
 * site exists or a host belongs to another site.
 */
export async function addSite(table: Table, site: Site, options: SiteOptions = {}): Promise<void> {
  const writes: Write[] = [
    { put: { ...keys.site(site.name), ...site, version: 1 }, when: { absent: true } },
    { put: { ...keys.siteEntry(site.name) } },
    ...site.hosts.map((host) => hostWrite(site.name, host)),
    ...(options.default ? [defaultWrite(site.name)] : []),
  ];
  await transactOnce(table, writes, options.beside);
}

/**
 * Replaces a site's settings and releases the hosts it no longer names. Throws `ConditionFailed` if the site has
 * changed since `before` was read, or a host belongs to another site.
 */
export async function setSite(table: Table, before: Site, after: Site, options: SiteOptions = {}): Promise<void> {
  const released = before.hosts.filter((host) => !after.hosts.includes(host));
  const writes: Write[] = [
    siteWrite(before, after),
    ...after.hosts.map((host) => hostWrite(after.name, host)),
    ...released.map((host) => ({ delete: keys.host(host) })),
    ...(options.default ? [defaultWrite(after.name)] : []),
  ];
  await transactOnce(table, writes, options.beside);
}

/** The write of a site's settings that leaves its hosts, if the site has not changed since `before` was read. */
export const siteWrite = (before: Site, after: Site): Write => ({
  put: { ...keys.site(after.name), ...after, version: (before.version ?? 0) + 1 },
  when: unchangedSite(before),
});

/** The condition that a site has not changed since it was read. */
export const unchangedSite = ({ version }: Site): Condition =>
  version === undefined ? { present: true } : { attribute: 'version', equals: version };

const defaultWrite = (site: string): Write => ({ put: { ...keys.defaultSite(), site } });

const hostWrite = (site: string, host: string): Write => ({
  put: { ...keys.host(host), site },
  when: { anyOf: [{ absent: true }, { attribute: 'site', equals: site }] },
});
