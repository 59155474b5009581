import * as z from 'zod';
import { type Collection, view } from '../store/collection.ts';
import { members } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import { byCodePoint } from '../text.ts';

/** `topic#I`. Its name and description are those of a translation and lie only there. Times in epoch ms. */
const topicItem = z.object({
  id: z.number(),
  allow_questions: z.boolean(),
  in_support_center: z.boolean(),
  brands: z.array(z.number()).readonly(), // ids, ascending
  created_at: z.number(),
  updated_at: z.number(),
});

/** `translation#I#L`. A topic's first one is written in the same transaction as the topic. */
const translationItem = z.object({
  topic: z.number(),
  locale: z.string(), // normalised
  name: z.string(),
  description: z.string().nullable(),
  created_at: z.number(),
  updated_at: z.number(),
});

export type StoredTopic = Readonly<z.infer<typeof topicItem>>;
export type Translation = Readonly<z.infer<typeof translationItem>>;

export interface Topic extends StoredTopic {
  readonly position: number; // from 1
  readonly translations: ReadonlyMap<string, Translation>; // at least one; by locale, in the order of locales
}

const TRANSLATIONS = 'translation#'; // what their sort keys begin with

/** A site's topics by id, in the order of their positions. */
export const topicsOf = (collection: Collection): ReadonlyMap<number, Topic> => view(collection, readTopics);

function readTopics({ items, order }: Collection): Map<number, Topic> {
  const translations = readTranslations(items);
  const topics = new Map<number, Topic>();
  for (const id of order) {
    const item = items.get(members.topic(id));
    const own = translations.get(id);
    if (item === undefined || own === undefined) continue;
    topics.set(id, { ...topicItem.parse(item), position: topics.size + 1, translations: byLocale(own) });
  }
  return topics;
}

/** Translations by topic. A deleted topic's may still wait to be swept. */
function readTranslations(items: ReadonlyMap<string, Item>): Map<number, Translation[]> {
  const found = new Map<number, Translation[]>();
  for (const [sk, item] of items) {
    if (!sk.startsWith(TRANSLATIONS)) continue;
    const translation = translationItem.parse(item);
    const siblings = found.get(translation.topic);
    if (siblings) siblings.push(translation);
    else found.set(translation.topic, [translation]);
  }
  return found;
}

/** Translations by locale, in the order of locales. */
export function byLocale(translations: Iterable<Translation>): ReadonlyMap<string, Translation> {
  const sorted = [...translations].sort((a, b) => byCodePoint(a.locale, b.locale));
  return new Map(sorted.map((translation) => [translation.locale, translation]));
}

export const topicToItem = ({ pk }: Collection, topic: StoredTopic): Item => {
  const { id, allow_questions, in_support_center, brands, created_at, updated_at } = topic;
  return { pk, sk: members.topic(id), id, allow_questions, in_support_center, brands, created_at, updated_at };
};

export const translationToItem = ({ pk }: Collection, translation: Translation): Item => ({
  pk,
  sk: members.translation(translation.topic, translation.locale),
  ...translation,
});
