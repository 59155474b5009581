import { type Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { knownLocale } from '../../lib/access/locales.ts';
import { normalizeHost, RATINGS, type Site } from '../../lib/access/sites.ts';
import { changedSite, SITE_FIELDS } from '../../lib/account/site-settings.ts';
import { caseUrlFault } from '../../lib/case-url.ts';
import { WEEK_DAYS } from '../../lib/vocabulary.ts';
import { isTimeZone } from '../../lib/zone.ts';
import { taken } from './taken.ts';

/** The settings of `site add` and `site set`, as commander gives them. */
export const settingsShape = {
  title: z.string().optional(),
  host: z.array(z.string()).optional(),
  locales: z.array(z.string()).optional(),
  timeZone: z.string().optional(),
  rating: z.enum(RATINGS).optional(),
  weekStart: z.enum(WEEK_DAYS).optional(),
  default: z.boolean().optional(),
  rateLimit: z.int().optional(),
  siteRateLimit: z.int().optional(),
  allowOrigin: z.array(z.string()).optional(),
  portalUrl: z.string().optional(),
  caseUrl: z.string().optional(),
};

export type GivenSettings = z.infer<z.ZodObject<typeof settingsShape>>;

/** Adds the options of a site's settings to a command. */
export function withSettings(command: Command): Command {
  return command
    .option('--title <text>', 'name that people see', taken(SITE_FIELDS.name))
    .option('--host <host>', 'a host of the site, beside <name>.localhost; may repeat', hosts)
    .option('--locales <list>', 'enabled languages; of a new site the first is the default', locales)
    .option('--time-zone <zone>', 'zone of its reports, an IANA name such as Europe/Berlin', timeZone)
    .addOption(new Option('--rating <scale>', 'scale of satisfaction ratings').choices(RATINGS))
    .addOption(new Option('--week-start <day>', 'first day of its weeks').choices(WEEK_DAYS))
    .option('--rate-limit <number>', 'requests a minute that each user may make; 0: no limit', rateLimit)
    .option('--site-rate-limit <number>', 'requests a minute that all users together may make; 0: no limit', rateLimit)
    .option('--allow-origin <origin>', 'origin whose pages may call the API; may repeat; none: no origin', origins)
    .option('--portal-url <url>', 'where readers find articles, in their public_url; none: the service', portalUrl)
    .option('--case-url <url>', 'address of a case in the help desk, with {case} for its id; none: no address', caseUrl)
    .option('--default', 'answer hosts that belong to no site');
}

/** A site's settings, overridden by the given options. */
export function mergeSettings(site: Site, given: GivenSettings): Site {
  const { title, locales, timeZone, rating, weekStart, host = site.hosts } = given;
  const caseUrl = given.caseUrl === '' ? null : given.caseUrl;
  const portal = given.portalUrl ?? site.portalUrl ?? '';
  const after = changedSite(withLimits(site, given), { title, locales, timeZone, rating, weekStart, caseUrl });
  return {
    ...after,
    portalUrl: portal === '' ? undefined : portal,
    hosts: [...new Set([`${site.name}.localhost`, ...host])],
    defaultLocale: after.locales.includes(site.defaultLocale) ? site.defaultLocale : (after.locales[0] ?? ''),
  };
}

/** The same for the limits on callers: 0 removes a rate limit, an empty list the origins. */
function withLimits(site: Site, given: GivenSettings): Site {
  const [ofUser, ofSite] = [given.rateLimit ?? site.rateLimit, given.siteRateLimit ?? site.siteRateLimit];
  const origins = given.allowOrigin ?? site.allowOrigins ?? [];
  return {
    ...site,
    rateLimit: ofUser === 0 ? undefined : ofUser,
    siteRateLimit: ofSite === 0 ? undefined : ofSite,
    allowOrigins: origins.length === 0 ? undefined : origins,
  };
}

const LOCAL: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

function hosts(text: string, before: readonly string[] = []): string[] {
  const host = normalizeHost(text);
  if (LOCAL.includes(host)) throw new InvalidArgumentError('It always names the default site: use --default.');
  if (!/^[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9])?$/.test(host)) throw new InvalidArgumentError('It is not a host name.');
  return [...before, host];
}

function locales(text: string): string[] {
  const known = text.split(',').map((part) => {
    const locale = knownLocale(part);
    if (locale === undefined) throw new InvalidArgumentError(`"${part}" is not a language code such as en_us or de.`);
    return locale;
  });
  return [...new Set(known)];
}

function rateLimit(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is not a number from 0 to 999999.');
}

function origins(text: string, before: readonly string[] = []): string[] {
  if (text === 'none') return [];
  const isOrigin = URL.canParse(text) && new URL(text).origin === text.toLowerCase();
  if (isOrigin && /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1)(:|$))/i.test(text))
    return [...new Set([...before, text.toLowerCase()])];
  throw new InvalidArgumentError('It is neither an origin such as https://help.example.com nor none.');
}

function portalUrl(text: string): string {
  if (text === 'none') return '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.origin === text.toLowerCase().replace(/\/$/, '')) return url.origin;
  throw new InvalidArgumentError('It is neither an origin such as https://help.example.com nor none.');
}

function caseUrl(text: string): string {
  if (text === 'none') return '';
  const fault = caseUrlFault(text);
  if (fault === undefined) return text;
  throw new InvalidArgumentError(fault);
}

function timeZone(text: string): string {
  if (isTimeZone(text)) return text;
  throw new InvalidArgumentError('It is not a zone of the IANA list, such as America/New_York.');
}
