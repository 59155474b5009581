import * as z from 'zod';
import { addTo } from '../group-by.ts';
import { memoize } from '../memo.ts';
import { type Collection, perVersion, type StoredItems } from '../store/collection.ts';
import { members } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import { byCodePoint } from '../text.ts';

/** `topic#I`. Name and description are only in its translations. Times in epoch ms. */
const topicItem = z.object({
  id: z.number(),
  allow_questions: z.boolean(),
  in_support_center: z.boolean(),
  brands: z.array(z.number()).readonly(), // ids, ascending
  rank: z.number().optional(), // the position in the last import
  created_at: z.number(),
  updated_at: z.number(), // of the fields above and the brands; replies show the later of this and the wording's
});

/** `translation#I#L`. A topic's first translation is written in the topic's own transaction. */
const translationItem = z.object({
  topic: z.number(),
  locale: z.string(), // normalised
  name: z.string(),
  description: z.string().nullable(),
  created_at: z.number(),
  updated_at: z.number(),
});

/** Kept in place of a deleted topic or translation, so that an older record of an import does not bring it back. */
const deletedItem = z.object({ deleted: z.literal(true), updated_at: z.number() });

export type StoredTopic = Readonly<z.infer<typeof topicItem>>;
export type Translation = Readonly<z.infer<typeof translationItem>>;
export type Deleted = Readonly<z.infer<typeof deletedItem>>;

export interface Topic extends StoredTopic {
  readonly position: number; // from 1
  readonly translations: ReadonlyMap<string, Translation>; // at least one; by locale, sorted
}

/** Items, each checked once: a write changes few, and the others need not be checked again. */
const parseTopic = memoize((item: Item): StoredTopic => topicItem.parse(item), new WeakMap());
const parseTranslation = memoize((item: Item): Translation => translationItem.parse(item), new WeakMap());

const TRANSLATIONS = 'translation#'; // prefix of their sort keys

/** A site's topics by id, in the order of their positions. */
export const topicsOf = (collection: Collection): ReadonlyMap<number, Topic> => perVersion(collection, readTopics);

function readTopics({ items, order }: Collection): Map<number, Topic> {
  const translations = readTranslations(items);
  const topics = new Map<number, Topic>();
  for (const id of order) {
    const item = items.get(members.topic(id));
    const own = translations.get(id);
    if (item === undefined || own === undefined) continue;
    topics.set(id, { ...parseTopic(item), position: topics.size + 1, translations: byLocale(own) });
  }
  return topics;
}

/** Translations by topic. Those of a deleted topic may not be removed yet. */
function readTranslations(items: ReadonlyMap<string, Item>): Map<number, Translation[]> {
  const found = new Map<number, Translation[]>();
  for (const [sk, item] of items) {
    if (!sk.startsWith(TRANSLATIONS) || item.deleted === true) continue;
    const translation = parseTranslation(item);
    addTo(found, translation.topic, translation);
  }
  return found;
}

/** Translations by locale, in the order of locales. */
export function byLocale(translations: Iterable<Translation>): ReadonlyMap<string, Translation> {
  const sorted = [...translations].sort((a, b) => byCodePoint(a.locale, b.locale));
  return new Map(sorted.map((translation) => [translation.locale, translation]));
}

/** The item kept for a deleted topic or translation; undefined if it never existed or still does. */
export function deletedAt({ items }: StoredItems, sk: string): Deleted | undefined {
  const item = items.get(sk);
  return item?.deleted === true ? deletedItem.parse(item) : undefined;
}

export const deletedToItem = ({ pk }: Pick<Collection, 'pk'>, sk: string, updated_at: number): Item => ({
  pk,
  sk,
  deleted: true,
  updated_at,
});

/** A topic with its translations, wherever it stands in the order. */
export type UnplacedTopic = Omit<Topic, 'position'>;

/** A topic without the properties computed from its collection. */
export function storedOf(topic: UnplacedTopic | Topic): StoredTopic {
  const { position: _position, translations: _translations, ...stored } = { position: 0, ...topic };
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
