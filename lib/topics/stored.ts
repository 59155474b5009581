import * as z from 'zod';
import { type Change, type Collection, view } from '../store/collection.ts';
import { members } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import { byCodePoint } from '../text.ts';

/** `topic#I`. Its name and description are those of a translation and lie only there. Times in epoch ms. */
const topicItem = z.object({
  id: z.number(),
  allow_questions: z.boolean(),
  in_support_center: z.boolean(),
  brands: z.array(z.number()).readonly(), // ids, ascending
  rank: z.number().optional(), // the position that the last import named
  created_at: z.number(),
  updated_at: z.number(), // of the fields above and the brands; what is shown also minds the wording's
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

/** What stays of a deleted topic or translation, so that an older record of an import does not bring it back. */
const deletedItem = z.object({ deleted: z.literal(true), updated_at: z.number() });

export type StoredTopic = Readonly<z.infer<typeof topicItem>>;
export type Translation = Readonly<z.infer<typeof translationItem>>;
export type Deleted = Readonly<z.infer<typeof deletedItem>>;

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
    if (!sk.startsWith(TRANSLATIONS) || item.deleted === true) continue;
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

/** What lies where a topic or translation was; undefined where there never was one, or where one is. */
export function deletedAt({ items }: Collection, sk: string): Deleted | undefined {
  const item = items.get(sk);
  return item?.deleted === true ? deletedItem.parse(item) : undefined;
}

export const deletedToItem = ({ pk }: Collection, sk: string, updated_at: number): Item => ({
  pk,
  sk,
  deleted: true,
  updated_at,
});

/** A topic without what is worked out of its collection. */
export function storedOf({ position: _position, translations: _translations, ...stored }: Topic): StoredTopic {
  return stored;
}

export const topicToItem = ({ pk }: Collection, topic: StoredTopic): Item => ({
  pk,
  sk: members.topic(topic.id),
  ...topic,
});

export const translationToItem = ({ pk }: Collection, translation: Translation): Item => ({
  pk,
  sk: members.translation(translation.topic, translation.locale),
  ...translation,
});

/** The change that deletes a topic: it leaves the order, and its translations go. */
export function topicDeletion(collection: Collection, { id, translations }: Topic, now: number): Change {
  return {
    collection,
    put: [deletedToItem(collection, members.topic(id), now)],
    remove: [...translations.keys()].map((locale) => members.translation(id, locale)),
    order: collection.order.filter((other) => other !== id),
  };
}
