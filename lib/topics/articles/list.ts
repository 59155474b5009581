import * as z from 'zod';
import { languageTag, normalizeLocale } from '../../access/locales.ts';
import { directionField, flagField, idListField, wordField } from '../../http/fields.ts';
import { type WantedLocale, wantedLocale } from '../../http/language.ts';
import { listReply } from '../../http/page.ts';
import type { Reply } from '../../http/reply.ts';
import type { Call, Values } from '../../http/route.ts';
import { mapInSpells } from '../../spell.ts';
import { perVersion } from '../../store/collection.ts';
import { byCodePoint } from '../../text.ts';
import { type Library, openLibrary } from '../library.ts';
import { type Article, articlesOf, inSupportCenter, positionsOf, publishedAt, translationIn } from './article.ts';
import { type Scores, searchArticles } from './search.ts';
import { articleReads, countPublished, isTopicShown, openShownIn, portalOf, showArticle, textIn } from './shown.ts';
import { readTexts, type TextOf } from './texts.ts';

const SORT_FIELDS = ['id', 'created_at', 'updated_at', 'subject', 'position', 'rating', 'score', 'views'] as const;
type SortField = (typeof SORT_FIELDS)[number];

/** The query of the four lists besides `page` and `per_page`. */
export const articleQuery = {
  in_support_center: flagField(),
  topic_ids: idListField(),
  brand_ids: idListField(),
  text: z.string().meta({ description: 'Every word of it begins a word of subject, body or keywords' }),
  q: z.string().meta({ description: 'The same as `text`' }),
  sort_field: wordField(SORT_FIELDS),
  sort_direction: directionField(),
  locale: z.string().meta({ description: 'As `Accept-Language` with this language' }),
};
export const ARTICLE_LISTS = ['topic_ids', 'brand_ids'];

type Query = Values<typeof articleQuery>;

/** Which articles a path lists: those of a topic or brand, or all. */
export interface ArticleScope {
  readonly path: string;
  readonly topic?: number;
  readonly brand?: number;
}

type ListCall = Call<unknown, typeof articleQuery>;

/** Answers a list of articles. */
export function listArticles(call: ListCall, scope: ArticleScope): Promise<Reply> {
  const { context, query } = call;
  const { site, now } = context;
  const wanted = wantedIn(call);
  const locale = typeof wanted === 'object' ? wanted.locale : undefined;
  const portal = portalOf(context);
  return listReply(call, {
    path: scope.path,
    seeds: async () => {
      const published = query.in_support_center === undefined ? 0 : countPublished(await openLibrary(context), now);
      return [articleReads(site.name).map(context.version), site.defaultLocale, wanted, portal, published];
    },
    headers: { 'Content-Language': languageTag(locale ?? site.defaultLocale) },
    members: async () => {
      if (wanted === 'none') return [];
      const library = await openLibrary(context);
      const text = query.text || query.q || '';
      const scores =
        text.trim() === '' ? undefined : await searchArticles(context, library.articles, text, ownLocale(site, locale));
      const chosen = choose(library, query, { scope, locale: ownLocale(site, locale), scores, now });
      return sorted(library, chosen, query, { scope, locale, scores });
    },
    showAll: async (articles: readonly Article[]) => {
      const shownIn = await openShownIn(context);
      const bodies = articles.map((article) => textIn(shownIn, article, locale));
      const notes = bodies.flatMap(({ locale: other }, nth) => (other === undefined ? [] : [notesOf(articles[nth])]));
      const texts = await readTexts(context.table, site.name, [...bodies, ...notes.flatMap((one) => one ?? [])]);
      const noted = texts.slice(bodies.length).values();
      return mapInSpells(articles, (article, nth) => {
        const own = texts[nth] ?? { body: null, channels: {}, notes: null };
        const isOwn = bodies[nth]?.locale === undefined;
        return showArticle(
          shownIn,
          article,
          isOwn ? own : { ...own, notes: noted.next().value?.notes ?? null },
          locale,
        );
      });
    },
  });
}

/** An article's notes alone, which belong to all its languages. */
const notesOf = (article: Article | undefined): TextOf | undefined =>
  article && { id: article.id, of: { body_hash: null, own: [], has_notes: article.has_notes } };

/** The language of the list: of `locale`, else of `Accept-Language`. */
function wantedIn({ context, query, headers }: ListCall): WantedLocale {
  const { locales } = context.site;
  const named = query.locale?.trim();
  if (!named) return wantedLocale(headers['accept-language'], locales);
  return named !== '*' && normalizeLocale(named) === undefined ? 'none' : wantedLocale(named, locales);
}

/** Undefined for the locale of the articles' own texts. */
const ownLocale = ({ defaultLocale }: Library['site'], locale: string | undefined): string | undefined =>
  locale === defaultLocale ? undefined : locale;

interface ListFilter {
  readonly scope: ArticleScope;
  readonly locale: string | undefined; // only articles with a translation in it
  readonly scores: Scores | undefined; // only these articles
}

/** The articles of a list by id. */
function choose(
  library: Library,
  { in_support_center: shown, topic_ids, brand_ids }: Query,
  { scope, locale, scores, now }: ListFilter & { readonly now: number },
): Article[] {
  const isShown = isTopicShown(library);
  const isPublic = (article: Article): boolean => {
    const published = publishedAt(article);
    return inSupportCenter(article, isShown) === true && published !== null && published <= now;
  };
  const has = (ids: readonly number[], wanted: number | undefined): boolean =>
    wanted === undefined || ids.includes(wanted);
  const hasAny = (ids: readonly number[], wanted: ReadonlySet<number> | undefined): boolean =>
    wanted === undefined || ids.some((id) => wanted.has(id));
  return [...articlesOf(library.articles).values()].filter(
    (article) =>
      (scores === undefined || scores.has(article.id)) &&
      has(article.topics, scope.topic) &&
      has(article.brands, scope.brand) &&
      hasAny(article.topics, topic_ids) &&
      hasAny(article.brands, brand_ids) &&
      (locale === undefined || translationIn(article, locale) !== undefined) &&
      (shown === undefined || isPublic(article) === (shown === 'true')),
  );
}

type SortKey = string | number | null; // null comes last

/** Sorts by the field; equal ones by id, rising. */
function sorted(library: Library, articles: Article[], query: Query, { scope, locale, scores }: ListFilter): Article[] {
  const usual = scores ? 'score' : scope.topic === undefined ? 'id' : 'position';
  const { sort_field: field = usual } = query;
  const { sort_direction = field === 'score' ? 'desc' : 'asc' } = query;
  const sign = sort_direction === 'desc' ? -1 : 1;
  if (field === 'views') return articles;
  if (field === 'id') return sign === 1 ? articles : articles.reverse();
  const keyOf = sortKeys(library, field, locale, scores);
  const keyed = articles.map((article) => ({ article, key: keyOf(article) }));
  keyed.sort((a, b) => compare(a.key, b.key, sign) || a.article.id - b.article.id);
  return keyed.map(({ article }) => article);
}

function sortKeys(
  library: Library,
  field: Exclude<SortField, 'id' | 'views'>,
  locale: string | undefined,
  scores: Scores | undefined,
): (article: Article) => SortKey {
  switch (field) {
    case 'score':
      return ({ id }) => scores?.get(id) ?? 0;
    case 'position': {
      const positions = positionsOf(library.articles);
      return ({ id }) => positions.get(id) ?? 0;
    }
    case 'rating':
      return ({ rating_count, rating_score }) => Math.round((100 * (rating_score ?? 0)) / (rating_count || 1));
    case 'subject': {
      const folded = perVersion(library.articles, foldedSubjects);
      return (article) =>
        (locale === undefined ? undefined : translationIn(article, locale)?.subject.toLowerCase()) ??
        folded.get(article.id) ??
        '';
    }
    default:
      return (article) => seconds(article[field]);
  }
}

const seconds = (time: number | undefined): number | null => (time === undefined ? null : Math.floor(time / 1000));

const foldedSubjects = (articles: Library['articles']): ReadonlyMap<number, string> =>
  new Map([...articlesOf(articles).values()].map(({ id, subject }) => [id, subject.toLowerCase()]));

function compare(a: SortKey, b: SortKey, sign: 1 | -1): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : byCodePoint(String(a), String(b)));
}
