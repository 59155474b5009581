import * as z from 'zod';
import { type Collection, view } from '../store/collection.ts';

const ids = z
  .array(z.number())
  .nullish()
  .transform((given): readonly number[] => [...new Set(given)]); // without repeats

const times = { created_at: z.number().optional(), updated_at: z.number().optional() }; // epoch ms
const articleItem = z.object({ id: z.number(), subject: z.string().default(''), topics: ids, brands: ids, ...times });

/** An article that is there; its body lies apart. */
export type Article = Readonly<z.infer<typeof articleItem>>;

/** How many articles an id (of a topic, of a brand) has; none: 0. */
export type ArticleCounts = ReadonlyMap<number, number>;

/** A site's articles, without deleted ones. */
export const articlesOf = (collection: Collection): readonly Article[] => view(collection, readArticles);

function readArticles({ items }: Collection): Article[] {
  return [...items.values()].filter(({ deleted }) => deleted !== true).map((item) => articleItem.parse(item));
}

export const countsByTopic = (collection: Collection): ArticleCounts => view(collection, countTopics);
export const countsByBrand = (collection: Collection): ArticleCounts => view(collection, countBrands);

const countTopics = (collection: Collection): ArticleCounts =>
  countOf(articlesOf(collection).map(({ topics }) => topics));
const countBrands = (collection: Collection): ArticleCounts =>
  countOf(articlesOf(collection).map(({ brands }) => brands));

/** How many of the lists name each id; none names one twice. */
export function countOf(lists: readonly (readonly number[])[]): ArticleCounts {
  const counts = new Map<number, number>();
  for (const ids of lists) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
