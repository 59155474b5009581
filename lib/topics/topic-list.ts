import * as z from 'zod';
import { languageTag } from '../access/locales.ts';
import { directionField, flagField, wordField } from '../http/fields.ts';
import { wantedLocale } from '../http/language.ts';
import { listReply } from '../http/page.ts';
import type { Reply } from '../http/reply.ts';
import type { Call, Values } from '../http/route.ts';
import { byCodePoint } from '../text.ts';
import { keysOf } from '../typed-object.ts';
import { type ArticleCounts, countsByTopic } from './articles/article.ts';
import { countMatches } from './articles/search.ts';
import { brandsOf } from './brand.ts';
import { type Library, libraryReads, openLibrary } from './library.ts';
import { topicsOf } from './stored.ts';
import { showTopic, TOPICS_PATH, type Topic, updatedAt, type Wording, wordingIn, wordingOf } from './topic.ts';

/** A topic with its name and description in the language of the list. */
interface Entry {
  readonly topic: Topic;
  readonly wording: Wording;
  readonly changed: number; // epoch ms
  readonly articles: number; // number of its articles, or of those that match the search
}

const SORT_KEYS = {
  id: ({ topic }: Entry) => topic.id,
  position: ({ topic }: Entry) => topic.position,
  name: ({ wording }: Entry) => wording.name,
  created_at: ({ topic }: Entry) => topic.created_at,
  updated_at: ({ changed }: Entry) => changed,
} as const;

/** The query of the list besides `page` and `per_page` (docs/interface.md). */
export const topicListQuery = {
  in_support_center: flagField(),
  'article_search[text]': z.string(),
  brand_id: z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number)
    .meta({ type: 'integer' }),
  sort_field: wordField(keysOf(SORT_KEYS)),
  sort_direction: directionField(),
};

type Query = Values<typeof topicListQuery>;

/**
 * Answers the list of topics: filtered and named by `Accept-Language`, with article counts by `article_search[text]`.
 */
export async function listTopics(call: Call<unknown, typeof topicListQuery>): Promise<Reply> {
  const { context, query, headers } = call;
  const { site } = context;
  const wanted = wantedLocale(headers['accept-language'], site.locales);
  const locale = typeof wanted === 'object' ? wanted.locale : site.defaultLocale;
  return listReply(call, {
    path: TOPICS_PATH,
    seeds: [libraryReads(site.name).map(context.version), site.defaultLocale, wanted],
    headers: { 'Content-Language': languageTag(locale) },
    members: async () => {
      if (wanted === 'none') return [];
      const library = await openLibrary(context);
      const text = query['article_search[text]'];
      const counts =
        text === undefined
          ? countsByTopic(library.articles)
          : await countMatches(context, library.articles, text, locale === site.defaultLocale ? undefined : locale);
      return sorted(entries(library, counts, query, wanted === 'any' ? undefined : locale), query);
    },
    show: ({ topic, wording, articles }: Entry) => showTopic(topic, wording, site.defaultLocale, articles),
  });
}

/** The topics of the list, by position; with a locale only those that have a translation in it. */
function entries(
  { site, topics, brands }: Library,
  counts: ArticleCounts,
  query: Query,
  locale: string | undefined,
): Entry[] {
  const { in_support_center: shown, brand_id: brand } = query;
  if (brand !== undefined && !brandsOf(brands).has(brand)) return [];
  return [...topicsOf(topics).values()].flatMap((topic) => {
    if (shown !== undefined && topic.in_support_center !== (shown === 'true')) return [];
    if (brand !== undefined && !topic.brands.includes(brand)) return [];
    const wording =
      locale === undefined ? wordingOf(topic, site.defaultLocale) : wordingIn(topic, locale, site.defaultLocale);
    return wording === undefined
      ? []
      : [{ topic, wording, changed: updatedAt(topic, site.defaultLocale), articles: counts.get(topic.id) ?? 0 }];
  });
}

/** Sorts by the field, equal ones by position; `desc` is the exact reverse of `asc`. */
function sorted(all: Entry[], { sort_field = 'position', sort_direction }: Query): Entry[] {
  const key = SORT_KEYS[sort_field];
  all.sort((a, b) => compare(key(a), key(b)));
  return sort_direction === 'desc' ? all.reverse() : all;
}

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'string' || typeof b === 'string' ? byCodePoint(String(a), String(b)) : a - b;
