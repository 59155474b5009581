import * as z from 'zod';
import { memoize } from '../memo.ts';
import { keysOf } from '../typed-object.ts';
import { WEEK_DAYS } from '../vocabulary.ts';

/** The scales of satisfaction ratings: 0 and 1, or 1 to 4. */
export const RATINGS = ['yes_no', 'four_star'] as const;

/** What counts reports: a scan of the history, the warehouse, or what suits the report. */
const ENGINES = ['auto', 'scan', 'warehouse'] as const;

/** What a setting takes, and its bound; bodies, options and records are read by it. */
type Takes =
  | { readonly kind: 'line'; readonly most: number } // code points
  | { readonly kind: 'word'; readonly words: readonly [string, ...string[]] }
  | { readonly kind: 'zone' | 'locale' | 'locales' | 'case_url' | 'origin' | 'origins' | 'hosts' }
  | { readonly kind: 'count'; readonly most: number };

/** A setting of a site: everything that is said of it, once. */
export interface SiteSetting {
  readonly stored: z.ZodType; // optional where a site may have none
  readonly takes: Takes;
  readonly about: string; // for the command line and the OpenAPI document, without a full stop
  readonly label?: string; // in sentences about a change, if not its name in requests
  readonly usual?: unknown; // of a new site, and what a record brings back by null; absent: none, or the site's own name
  readonly api?: string; // its name in requests, replies and records; absent: operators alone see it
  readonly changedBy: 'administrators' | 'operators' | 'records'; // who at least: operators also change what administrators do
  readonly recorded?: true; // records of exports and imports have it
  readonly option?: string; // of `site add` and `site set`
}

/** The settings of a site under the names that the table of the store has for them, in the order of replies. */
const SITE_SETTINGS = {
  title: {
    stored: z.string(),
    takes: { kind: 'line', most: 100 },
    about: 'name that people see',
    api: 'name',
    changedBy: 'administrators',
    recorded: true,
    option: '--title <text>',
  },
  timeZone: {
    stored: z.string(),
    takes: { kind: 'zone' },
    about: 'zone of its reports, an IANA name such as Europe/Berlin',
    usual: 'UTC',
    api: 'time_zone',
    changedBy: 'administrators',
    recorded: true,
    option: '--time-zone <zone>',
  },
  weekStart: {
    stored: z.enum(WEEK_DAYS),
    takes: { kind: 'word', words: WEEK_DAYS },
    about: 'first day of its weeks',
    label: 'start of the week',
    usual: 'monday',
    api: 'week_start',
    changedBy: 'administrators',
    recorded: true,
    option: '--week-start <day>',
  },
  rating: {
    stored: z.enum(RATINGS),
    takes: { kind: 'word', words: RATINGS },
    label: 'rating scale',
    about: 'scale of satisfaction ratings; stored ones stay, and read as of the new scale',
    usual: 'four_star',
    api: 'rating',
    changedBy: 'administrators',
    recorded: true,
    option: '--rating <scale>',
  },
  locales: {
    stored: z.array(z.string()).readonly(),
    takes: { kind: 'locales' },
    about: 'enabled languages; of a new site the first is the default, which must stay',
    usual: ['en_us'],
    api: 'locales',
    changedBy: 'administrators',
    recorded: true,
    option: '--locales <list>',
  },
  defaultLocale: {
    stored: z.string(),
    takes: { kind: 'locale' },
    about: 'language of texts that name none',
    usual: 'en_us',
    api: 'default_locale',
    changedBy: 'records',
    recorded: true,
  },
  caseUrl: {
    stored: z.string().optional(),
    takes: { kind: 'case_url' },
    about: 'address of a case in the help desk, with {case} for its id',
    api: 'case_url',
    changedBy: 'administrators',
    option: '--case-url <url>',
  },
  engine: {
    stored: z.enum(ENGINES).optional(),
    takes: { kind: 'word', words: ENGINES },
    about: 'what counts its reports: a scan, the warehouse, or auto, the warehouse for large ones',
    usual: 'auto',
    api: 'engine',
    changedBy: 'administrators',
    option: '--engine <engine>',
  },
  hosts: {
    stored: z.array(z.string()).readonly(),
    takes: { kind: 'hosts' },
    about: 'a host of the site, beside <name>.localhost; may repeat',
    changedBy: 'operators',
    option: '--host <host>',
  },
  allowOrigins: {
    stored: z.array(z.string()).readonly().optional(),
    takes: { kind: 'origins' },
    about: 'origin whose pages may call the API; may repeat',
    changedBy: 'operators',
    option: '--allow-origin <origin>',
  },
  portalUrl: {
    stored: z.string().optional(),
    takes: { kind: 'origin' },
    about: 'where readers find articles, in their public_url',
    changedBy: 'operators',
    option: '--portal-url <url>',
  },
  rateLimit: {
    stored: z.int().positive().optional(),
    takes: { kind: 'count', most: 999_999 },
    about: 'requests a minute that each user may make',
    changedBy: 'operators',
    option: '--rate-limit <number>',
  },
  siteRateLimit: {
    stored: z.int().positive().optional(),
    takes: { kind: 'count', most: 999_999 },
    about: 'requests a minute that all users together may make',
    changedBy: 'operators',
    option: '--site-rate-limit <number>',
  },
  engineBytes: {
    stored: z.int().positive().optional(),
    takes: { kind: 'count', most: 200_000_000_000 },
    about: 'bytes that a report may read in the warehouse; usual are 50,000,000,000',
    changedBy: 'operators',
    option: '--engine-bytes <number>',
  },
} as const satisfies Readonly<Record<string, SiteSetting>>;

type Settings = typeof SITE_SETTINGS;
export type SettingName = keyof Settings;
type Of<Part extends object> = { [K in SettingName]: Settings[K] extends Part ? K : never }[SettingName];
type RecordedName = Of<{ readonly recorded: true }>;

/** The names of all settings, and of those that records have. */
export const SETTING_NAMES = keysOf<SettingName>(SITE_SETTINGS);
export const RECORDED_NAMES = SETTING_NAMES.filter((name): name is RecordedName => 'recorded' in SITE_SETTINGS[name]);

/** What is said of a setting. */
export const settingOf = (name: SettingName): SiteSetting => SITE_SETTINGS[name];

/** The schemas of some settings, as the table of the store has them. */
const storedShape = <K extends SettingName>(names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, settingOf(name).stored])) as { [N in K]: Settings[N]['stored'] };

/** The settings that records of imports have, too. */
export const siteSettings = z.object(storedShape(RECORDED_NAMES));

const siteSchema = z.object({
  name: z.string(), // the name in hosts, keys and the command line
  ...storedShape(SETTING_NAMES),
  added: z.number().optional(), // epoch ms; tells the site from a removed one of its name that may still be cached
  version: z.number().optional(), // raised by every write; absent in sites of earlier versions of the service
  updated_at: z.number().optional(), // epoch ms; of the last record of an import
});

/** A site's settings. */
export type Site = Readonly<z.infer<typeof siteSchema>>;

/** A stored site, checked once: a table that gives the same item again has read that its bytes are the same. */
export const parseSite = memoize((item: object): Site => siteSchema.parse(item), new WeakMap());

/** The settings of a new site, without its names and hosts. */
export const NEW_SITE = z
  .object(storedShape(RECORDED_NAMES))
  .omit({ title: true })
  .parse(Object.fromEntries(RECORDED_NAMES.map((name) => [name, settingOf(name).usual])));

/** A change of a site's settings: what is absent stays, null takes a setting away or brings back its usual value. */
export const changeShape = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, settingOf(name).stored.nullable().optional()]),
) as { [K in SettingName]: z.ZodOptional<z.ZodNullable<Settings[K]['stored']>> };
const siteChange = z.object(changeShape);
export type SiteChange = Readonly<z.infer<typeof siteChange>>;

/** A change by the names that requests and records have. */
export const changeBy = (fields: Readonly<Record<string, unknown>>): SiteChange =>
  siteChange.parse(
    Object.fromEntries(
      SETTING_NAMES.flatMap((name) => {
        const { api } = settingOf(name);
        return api !== undefined && fields[api] !== undefined ? [[name, fields[api]]] : [];
      }),
    ),
  );

/** The site after a change. */
export function changedSite(site: Site, change: SiteChange): Site {
  const after: Record<string, unknown> = { ...site };
  for (const name of SETTING_NAMES) {
    const value = change[name];
    if (value === undefined) continue;
    after[name] = value ?? settingOf(name).usual ?? (name === 'title' ? site.name : undefined);
    if (after[name] === undefined) delete after[name];
  }
  return parseSite(after);
}
