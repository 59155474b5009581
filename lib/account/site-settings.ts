import * as z from 'zod';
import { knownLocale } from '../access/locales.ts';
import { SETTING_NAMES, type Site, type SiteSetting, settingOf } from '../access/site-fields.ts';
import { timeZoneField } from '../access/sites.ts';
import { lineField, wordField } from '../http/fields.ts';

const MOST_LOCALES = 200;

const localesField = () =>
  z
    .array(
      z
        .string('invalid')
        .meta({ examples: ['en_us'] })
        .transform((text, context) => {
          const locale = knownLocale(text);
          if (locale === undefined) context.addIssue('invalid');
          return locale ?? text;
        }),
      'invalid',
    )
    .max(MOST_LOCALES, 'too_long')
    .transform((locales) => [...new Set(locales)]);

/** What a request sends for a setting; options take the same. */
export function bodyOf({ takes }: SiteSetting): z.ZodType {
  switch (takes.kind) {
    case 'line':
      return lineField(takes.most);
    case 'word':
      return wordField(takes.words);
    case 'zone':
      return timeZoneField();
    case 'locales':
      return localesField();
    case 'case_url':
      return z.string('invalid').nullable();
    default:
      throw new Error(`requests have no setting of the kind ${takes.kind}`);
  }
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const inReplies = SETTING_NAMES.flatMap((name) => {
  const setting = settingOf(name);
  return setting.api === undefined ? [] : [{ name, api: setting.api, setting, about: capitalised(setting.about) }];
});

/** The settings that an Administrator changes, by their names in requests. */
export const SITE_BODY: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  inReplies
    .filter(({ setting }) => setting.changedBy === 'administrators')
    .map(({ api, setting, about }) => [api, bodyOf(setting).meta({ description: about })]),
);

/** What replies have for what is stored: null for what a site has not, and a list that is not marked as read-only. */
function shapeOf({ stored, usual }: SiteSetting): z.ZodType {
  if (stored instanceof z.ZodOptional) {
    const shown = z.nullable(stored.unwrap());
    return usual === undefined ? shown : z.nonoptional(shown);
  }
  return stored instanceof z.ZodReadonly ? z.array(z.string()) : stored;
}

/** The settings as replies show them: null for one that a site has not. */
export const siteShape = (): Readonly<Record<string, z.ZodType>> =>
  Object.fromEntries(inReplies.map(({ api, setting, about }) => [api, shapeOf(setting).meta({ description: about })]));

export const shownSettings = (site: Site): Readonly<Record<string, unknown>> =>
  Object.fromEntries(inReplies.map(({ name, api }) => [api, site[name] ?? settingOf(name).usual ?? null]));

/** Why a site cannot have these languages, as a sentence; undefined if it can. */
export const localesFault = ({ defaultLocale }: Site, locales: readonly string[]): string | undefined =>
  locales.includes(defaultLocale)
    ? undefined
    : `locales leaves out ${defaultLocale}, the site's default: it must stay.`;

/** Why a site cannot have its reports counted by the warehouse. */
export const NO_ENGINE =
  'engine cannot be warehouse: there is none to count reports. Deploy with -c warehouse=on, or set ATHENA_WORKGROUP, ATHENA_DATABASE and WAREHOUSE_BUCKET for a server.';
