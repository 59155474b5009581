import { giveTurn, mapInSpells } from '../../spell.ts';
import { type Collection, perVersion } from '../../store/collection.ts';
import { byCodePoint } from '../../text.ts';
import { ARTICLE, type ARTICLE_TRANSLATION } from './fields.ts';

/** An article that is not deleted, as its collection has it; the text in the default locale is its own. */
export type Article = ReturnType<typeof ARTICLE.parse>;

export type ArticleTranslation = ReturnType<typeof ARTICLE_TRANSLATION.parse>;
export type StoredTranslation = Article['translations'][string];

/** The number of articles of a topic or brand, by id; a missing id has none. */
export type ArticleCounts = ReadonlyMap<number, number>;

/** A site's articles by id, without deleted ones, in the order of their ids. */
export const articlesOf = (collection: Collection): ReadonlyMap<number, Article> =>
  perVersion(collection, readArticles);

function readArticles({ items }: Collection): ReadonlyMap<number, Article> {
  const articles: Article[] = [];
  for (const item of items.values()) if (item.deleted !== true) articles.push(ARTICLE.parse(item));
  return new Map(articles.sort((a, b) => a.id - b.id).map((article) => [article.id, article]));
}

/** Checks the items of a version once, a few at a time, and sorts them, so that no list does so for thousands in one go. */
export async function prepareArticles(collection: Collection): Promise<void> {
  const prepared = perVersion(collection, notPrepared);
  if (prepared.isDone) return;
  await mapInSpells([...collection.items.values()], (item) => item.deleted === true || ARTICLE.parse(item));
  await giveTurn();
  articlesOf(collection);
  await giveTurn();
  prepared.isDone = true;
}

const notPrepared = () => ({ isDone: false });

/** The translations of an article besides its own text, by locale; those in the default locale are its own text. */
export function translationsOf({ translations }: Article, defaultLocale: string): [string, ArticleTranslation][] {
  return Object.entries(translations)
    .flatMap(([locale, one]): [string, ArticleTranslation][] =>
      'deleted' in one || locale === defaultLocale ? [] : [[locale, one]],
    )
    .sort(([a], [b]) => byCodePoint(a, b));
}

export function translationIn({ translations }: Article, locale: string): ArticleTranslation | undefined {
  const one = Object.hasOwn(translations, locale) ? translations[locale] : undefined;
  return one === undefined || 'deleted' in one ? undefined : one;
}

/**
 * The positions of articles by id, from 1. An article without one, from an import, stands behind those of its first
 * topic that have smaller ids.
 */
export const positionsOf = (collection: Collection): ReadonlyMap<number, number> =>
  perVersion(collection, readPositions);

function readPositions(collection: Collection): ReadonlyMap<number, number> {
  const lasts = new Map<number, number>(); // by first topic
  const positions = new Map<number, number>();
  for (const { id, position, topics } of articlesOf(collection).values()) {
    const [first = 0] = topics;
    const last = lasts.get(first) ?? 0;
    const own = position ?? last + 1;
    positions.set(id, own);
    lasts.set(first, Math.max(last, own));
  }
  return positions;
}

/**
 * When the article was or will be published, in epoch ms; null for a draft. Imports that name no time count as
 * published. In whole seconds, as replies show it: a client that sends it back changes nothing.
 */
export function publishedAt({ publish_at, created_at, updated_at }: Article): number | null {
  const at = publish_at === undefined ? (created_at ?? updated_at ?? 0) : publish_at;
  return at === null ? null : Math.floor(at / 1000) * 1000;
}

/** Whether readers of the support center see the article; `isShown` tells it of a topic. */
export function inSupportCenter(
  { in_support_center, topics }: Article,
  isShown: (topic: number) => boolean,
): boolean | null {
  return in_support_center === undefined ? topics.some(isShown) : in_support_center;
}

export const countsByTopic = (collection: Collection): ArticleCounts => perVersion(collection, countTopics);
export const countsByBrand = (collection: Collection): ArticleCounts => perVersion(collection, countBrands);

const countTopics = (collection: Collection): ArticleCounts =>
  countOf([...articlesOf(collection).values()].map(({ topics }) => topics));
const countBrands = (collection: Collection): ArticleCounts =>
  countOf([...articlesOf(collection).values()].map(({ brands }) => brands));

/** The number of lists that contain each id; no list contains an id twice. */
export function countOf(lists: readonly (readonly number[])[]): ArticleCounts {
  const counts = new Map<number, number>();
  for (const ids of lists) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
