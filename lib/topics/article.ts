import * as z from 'zod';
import { type Collection, perVersion } from '../store/collection.ts';

const ids = z
  .array(z.number())
  .nullish()
  .transform((given): readonly number[] => [...new Set(given)]); // without duplicates

const times = { created_at: z.number().optional(), updated_at: z.number().optional() }; // epoch ms
const articleItem = z.object({ id: z.number(), subject: z.string().default(''), topics: ids, brands: ids, ...times });

/** An article that is not deleted; its body is stored in another partition. */
export type Article = Readonly<z.infer<typeof articleItem>>;

/** The number of articles of a topic or brand, by id; a missing id has none. */
export type ArticleCounts = ReadonlyMap<number, number>;

/** A site's articles, without deleted ones. */
export const articlesOf = (collection: Collection): readonly Article[] => perVersion(collection, readArticles);

function readArticles({ items }: Collection): Article[] {
  return [...items.values()].filter(({ deleted }) => deleted !== true).map((item) => articleItem.parse(item));
}

export const countsByTopic = (collection: Collection): ArticleCounts => perVersion(collection, countTopics);
export const countsByBrand = (collection: Collection): ArticleCounts => perVersion(collection, countBrands);

const countTopics = (collection: Collection): ArticleCounts =>
  countOf(articlesOf(collection).map(({ topics }) => topics));
const countBrands = (collection: Collection): ArticleCounts =>
  countOf(articlesOf(collection).map(({ brands }) => brands));

/** The number of lists that contain each id; no list contains an id twice. */
export function countOf(lists: readonly (readonly number[])[]): ArticleCounts {
  const counts = new Map<number, number>();
  for (const ids of lists) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
