import * as z from 'zod';
import { knownLocale } from '../access/locales.ts';
import { RATINGS, type Site, timeZoneField } from '../access/sites.ts';
import { lineField, wordField } from '../http/fields.ts';
import { WEEK_DAYS } from '../vocabulary.ts';

const LONGEST_TITLE = 100; // code points
const MOST_LOCALES = 200;

/** The settings that an Administrator and the command line change. */
export const SITE_FIELDS = {
  name: lineField(LONGEST_TITLE),
  time_zone: timeZoneField(),
  week_start: wordField(WEEK_DAYS),
  rating: wordField(RATINGS).meta({ description: 'Ratings that are stored stay, and read as of the new scale' }),
  locales: z
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
    .meta({ description: 'Enabled languages; the default one must stay' }),
  case_url: z
    .string('invalid')
    .nullable()
    .meta({ description: 'An http address with {case} in place of the id; null for none' }),
};

/** A change of a site's settings: undefined keeps one, null removes the address of a case. */
export interface SiteChange {
  readonly title: string | undefined;
  readonly timeZone: string | undefined;
  readonly weekStart: Site['weekStart'] | undefined;
  readonly rating: Site['rating'] | undefined;
  readonly locales: readonly string[] | undefined;
  readonly caseUrl: string | null | undefined;
}

/** The settings after a change. */
export function changedSite(site: Site, change: SiteChange): Site {
  const { caseUrl: urlBefore, ...rest } = site;
  const url = change.caseUrl === undefined ? urlBefore : (change.caseUrl ?? undefined);
  return {
    ...rest,
    title: change.title ?? site.title,
    timeZone: change.timeZone ?? site.timeZone,
    weekStart: change.weekStart ?? site.weekStart,
    rating: change.rating ?? site.rating,
    locales: change.locales === undefined ? site.locales : [...new Set(change.locales)],
    ...(url === undefined ? {} : { caseUrl: url }),
  };
}

/** Why a site cannot have these languages, as a sentence; undefined if it can. */
export const localesFault = ({ defaultLocale }: Site, locales: readonly string[]): string | undefined =>
  locales.includes(defaultLocale)
    ? undefined
    : `locales leaves out ${defaultLocale}, the site's default: it must stay.`;
