import * as z from 'zod';
import type { Condition } from '../store/condition.ts';
import { keys } from '../store/keys.ts';
import { type Beside, transactOnce } from '../store/once.ts';
import type { Item, Table, Write } from '../store/table.ts';
import { WEEK_DAYS } from '../vocabulary.ts';

const schema = z.object({
  name: z.string(), // as hosts, keys and the command line name it
  title: z.string(), // as people call it
  locales: z.array(z.string()).readonly(), // enabled ones, normalised, the default among them
  defaultLocale: z.string(),
  timeZone: z.string(), // IANA name
  weekStart: z.enum(WEEK_DAYS),
  rating: z.enum(['yes_no', 'four_star']),
  hosts: z.array(z.string()).readonly(),
  allowOrigins: z.array(z.string()).readonly().optional(), // of pages on other hosts that may call the API
  rateLimit: z.int().positive().optional(), // requests a minute and user; absent: no limit
  added: z.number().optional(), // epoch ms: tells a site from an earlier one of its name, whose data may still be remembered
  version: z.number().optional(), // raised by every write; sites of earlier versions of the service have none
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

/** Whether a text can name a site: one label of a host name. */
export const isSiteName = (text: string): boolean => SITE_NAME.test(text);

export const parseSite = (item: Item): Site => schema.parse(item);

/** Whether an IANA name is a time zone this runtime knows. */
export function isTimeZone(name: string): boolean {
  if (zones.has(name)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return false;
  }
  if (!/^[A-Za-z]/.test(name)) return false;
  if (zones.size >= ZONES) zones.clear(); // upper and lower case do not matter: there are many ways to write one
  zones.add(name);
  return true;
}

const ZONES = 1000;
const zones = new Set<string>(); // names that were found to be zones: to look one up takes half a millisecond

/** `Support.Example.com:3000` → `support.example.com`: what a host is looked up by. */
export function normalizeHost(host: string): string {
  return host.trim().toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
}

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

/** What a write of a site does beside. */
export interface SiteOptions {
  readonly default?: boolean; // makes it the site of hosts that no site has
  readonly beside?: Beside;
}

/**
 * Writes a new site with its hosts (`<name>.localhost` among them) in one transaction. Throws `ConditionFailed` when the
 * site is there or a host belongs to another.
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
 * Replaces a site's settings; hosts it no longer names are free again. Throws `ConditionFailed` where somebody else has
 * changed them since `before` was read, or a host belongs to another site.
 */
export async function setSite(table: Table, before: Site, after: Site, options: SiteOptions = {}): Promise<void> {
  const gone = before.hosts.filter((host) => !after.hosts.includes(host));
  const writes: Write[] = [
    { put: { ...keys.site(after.name), ...after, version: (before.version ?? 0) + 1 }, when: unchangedSite(before) },
    ...after.hosts.map((host) => hostWrite(after.name, host)),
    ...gone.map((host) => ({ delete: keys.host(host) })),
    ...(options.default ? [defaultWrite(after.name)] : []),
  ];
  await transactOnce(table, writes, options.beside);
}

/** That a site is as it was read. */
export const unchangedSite = ({ version }: Site): Condition =>
  version === undefined ? { present: true } : { attribute: 'version', equals: version };

const defaultWrite = (site: string): Write => ({ put: { ...keys.defaultSite(), site } });

const hostWrite = (site: string, host: string): Write => ({
  put: { ...keys.host(host), site },
  when: { anyOf: [{ absent: true }, { attribute: 'site', equals: site }] },
});
