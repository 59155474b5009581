import * as z from 'zod';
import { addTo } from '../group-by.ts';
import { type Collection, perVersion, type StoredItems } from '../store/collection.ts';
import { members } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import { byCodePoint } from '../text.ts';
import { type StoredTopic, TOPIC, type Topic, TRANSLATION, type Translation, type UnplacedTopic } from './topic.ts';

/** Kept in place of a deleted topic or translation, so that an older record of an import does not bring it back. */
const deletedItem = z.object({ deleted: z.literal(true), updated_at: z.number() });

type Deleted = Readonly<z.infer<typeof deletedItem>>;

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
    topics.set(id, { ...TOPIC.parse(item), position: topics.size + 1, translations: byLocale(own) });
  }
  return topics;
}

/** Translations by topic. Those of a deleted topic may not be removed yet. */
function readTranslations(items: ReadonlyMap<string, Item>): Map<number, Translation[]> {
  const byTopic = new Map<number, Translation[]>();
  for (const [sk, item] of items) {
    if (!sk.startsWith(TRANSLATIONS) || item.deleted === true) continue;
    const translation = TRANSLATION.parse(item);
    addTo(byTopic, translation.topic, translation);
  }
  return byTopic;
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
