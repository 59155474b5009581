import * as z from 'zod';
import { memoize } from '../../memo.ts';
import { giveTurn, mapInSpells } from '../../spell.ts';
import { type Collection, perVersion } from '../../store/collection.ts';
import type { Item } from '../../store/table.ts';
import { byCodePoint } from '../../text.ts';

/** The channels for which an article can have a text of its own, in the order of its fields. */
export const TEXT_CHANNELS = ['email', 'chat', 'web_callback', 'twitter', 'qna', 'phone', 'facebook'] as const;
export type TextChannel = (typeof TEXT_CHANNELS)[number];

const ids = z
  .array(z.number())
  .nullish()
  .transform((given): readonly number[] => [...new Set(given)]); // without duplicates
const time = z.number().optional(); // epoch ms

/** What tells which texts there are: each is an item of its own (`texts.ts`). */
const wording = {
  subject: z.string().default(''),
  body_hash: z.string().nullish(), // of the body; null: none; absent in imports of earlier versions
  own: z.array(z.enum(TEXT_CHANNELS)).readonly().default([]), // channels with a text of their own
  publish_at: z.number().nullable().optional(), // epoch ms; null: a draft
  created_at: time,
  updated_at: time,
};

const translation = z.object({ ...wording, outdated: z.boolean().default(false) });

/** Kept in place of a deleted translation, so that an older record of an import does not bring it back. */
const deletedTranslation = z.object({ deleted: z.literal(true), updated_at: z.number() });

const articleItem = z.object({
  id: z.number(),
  ...wording,
  topics: ids,
  brands: ids,
  keywords: z.string().nullish(),
  quickcode: z.string().nullish(),
  position: z.number().nullish(), // absent: behind those of its first topic
  in_support_center: z.boolean().nullable().optional(), // absent: an import has never told
  has_notes: z.boolean().nullish(),
  rating_count: z.number().nullish(),
  rating_score: z.number().nullish(),
  created_by: z.number().nullish(), // id of an agent
  updated_by: z.number().nullish(),
  translations: z.record(z.string(), z.union([deletedTranslation, translation])).default({}), // by normalised locale
});

/** An article that is not deleted, as its collection has it; the text in the default locale is its own. */
export type Article = Readonly<z.infer<typeof articleItem>>;

export type ArticleTranslation = Readonly<z.infer<typeof translation>>;
export type StoredTranslation = Article['translations'][string];

/** The number of articles of a topic or brand, by id; a missing id has none. */
export type ArticleCounts = ReadonlyMap<number, number>;

/** A site's articles by id, without deleted ones, in the order of their ids. */
export const articlesOf = (collection: Collection): ReadonlyMap<number, Article> =>
  perVersion(collection, readArticles);

function readArticles({ items }: Collection): ReadonlyMap<number, Article> {
  const found: Article[] = [];
  for (const item of items.values()) if (item.deleted !== true) found.push(parseArticle(item));
  return new Map(found.sort((a, b) => a.id - b.id).map((article) => [article.id, article]));
}

/** Checks the items of a version once, a few at a time, and sorts them, so that no list does so for thousands in one go. */
export async function prepareArticles(collection: Collection): Promise<void> {
  const prepared = perVersion(collection, notPrepared);
  if (prepared.isDone) return;
  await mapInSpells([...collection.items.values()], (item) => item.deleted === true || parseArticle(item));
  await giveTurn();
  articlesOf(collection);
  await giveTurn();
  prepared.isDone = true;
}

const notPrepared = () => ({ isDone: false });

/** An article's item, checked once: a write changes one item, and the others need not be checked again. */
export const parseArticle = memoize((item: Item): Article => articleItem.parse(item), new WeakMap());

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
