import { isDeepStrictEqual } from 'node:util';
import { addTo } from '../group-by.ts';
import { type Edits, editsTo } from '../resource/change.ts';
import type { RecordFieldsOf } from '../resource/field.ts';
import { listedIn } from '../resource/storing.ts';
import { isOlder, merged, type WriteTime, written } from '../resource/write-time.ts';
import { type Collection, perVersion } from '../store/collection.ts';
import { members } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import { deletedToItem, storedOf, topicToItem, translationToItem } from './stored.ts';
import { type TOPIC, type TRANSLATION, type Translation, type UnplacedTopic, wordingOf } from './topic.ts';

/** How topics lie in their collection, beside their translations. */
export const TOPIC_STORING = listedIn(members.topic, {
  all: ({ order, items }) => order.flatMap((id) => items.get(members.topic(id)) ?? []),
  deleted: (topic, updated_at) => ({ ...deletedToItem(topic, topic.sk, updated_at), id: topic.id }),
  isIn: ({ sk, deleted }) => sk.startsWith('topic#') && deleted !== true,
  rank: ({ rank }) => rank,
  place: placeByRank,
});

/** Turns a topic into what it becomes, with its translations; `before` undefined: it is created. */
export function topicEdits(topics: Collection, before: UnplacedTopic | undefined, after: UnplacedTopic): Edits {
  const stored = storedOf(after);
  const isSame = before !== undefined && isDeepStrictEqual(storedOf(before), stored);
  const put = isSame ? [] : [topicToItem(topics, stored)];
  for (const [locale, translation] of after.translations)
    if (before?.translations.get(locale) !== translation) put.push(translationToItem(topics, translation));
  const remove = before === undefined ? keysOf(topics, after.id) : []; // a crash may have left those of a deleted topic
  return editsTo(topics, TOPIC_STORING, { put, remove });
}

/** Deletes a topic with its translations, or notes that one that never was is deleted; `at` in epoch ms. */
export function topicRemoval(topics: Collection, id: number, at: number): Edits {
  const put = [{ ...deletedToItem(topics, members.topic(id), at), id }];
  return editsTo(topics, TOPIC_STORING, { put, remove: keysOf(topics, id) });
}

/** Deletes a translation; `at` in epoch ms. */
export const translationRemoval = (topics: Collection, id: number, locale: string, at: number): Edits =>
  editsTo(topics, TOPIC_STORING, { put: [deletedToItem(topics, members.translation(id, locale), at)] });

/** The sort keys of a topic's translations, also of a deleted topic. */
const keysOf = (topics: Collection, id: number): readonly string[] => perVersion(topics, translationKeys).get(id) ?? [];

function translationKeys({ items }: Collection): ReadonlyMap<number, readonly string[]> {
  const byTopic = new Map<number, string[]>();
  for (const sk of items.keys()) if (sk.startsWith('translation#')) addTo(byTopic, Number(sk.split('#')[1]), sk);
  return byTopic;
}

/**
 * The place of a topic by its rank: before the first imported topic of a higher rank, and before a topic created on the
 * site that has that position; else last.
 */
function placeByRank(order: readonly number[], { rank }: Item, items: ReadonlyMap<number, Item>): number {
  const place = order.findIndex((other, index) => {
    if (typeof rank !== 'number') return false;
    const theirs = items.get(other)?.rank;
    return typeof theirs === 'number' ? theirs > rank : index + 1 >= rank;
  });
  return place < 0 ? order.length : place;
}

/** What a write says: an absent field changes nothing, null clears. */
interface Written {
  readonly created_at?: number; // epoch ms
}
export type TranslationWrite = RecordFieldsOf<typeof TRANSLATION.fields> & Written;
export type TopicWrite = RecordFieldsOf<typeof TOPIC.fields> & Written;

/** A translation after a write; if no name is known, its topic's id is the name. */
export const translationAfter = (
  { topic, locale }: Pick<Translation, 'topic' | 'locale'>,
  before: Translation | undefined,
  { name, description, created_at }: TranslationWrite,
  time: WriteTime,
): Translation =>
  written(
    before,
    {
      topic,
      locale,
      name: name ?? before?.name ?? String(topic),
      description: merged(before?.description, description, null),
      created_at: created_at ?? before?.created_at ?? time.at,
      updated_at: time.at,
    },
    time,
  );

/**
 * A topic after a write, with its name and description in the site's default locale; `before` itself if nothing
 * changes. Either part may be newer than a record and then stays.
 */
export function topicAfter(
  { id, locale }: { readonly id: number; readonly locale: string },
  before: UnplacedTopic | undefined,
  write: TopicWrite,
  time: WriteTime,
): UnplacedTopic {
  const rank = write.position ?? before?.rank;
  const own = before && storedOf(before);
  const stored = written(
    own,
    {
      id,
      allow_questions: merged(own?.allow_questions, write.allow_questions, true),
      in_support_center: merged(own?.in_support_center, write.in_support_center, false),
      brands: [...new Set(merged(own?.brands, write.brands, []))].sort((a, b) => a - b),
      ...(rank !== undefined && { rank }),
      created_at: write.created_at ?? own?.created_at ?? time.at,
      updated_at: time.at,
    },
    time,
  );
  const translations = before?.translations ?? new Map<string, Translation>();
  const translation = ownWording(before, { topic: id, locale }, write, time);
  const isSame = translation === undefined || translation === translations.get(locale);
  if (isSame && before && stored === own) return before;
  return { ...stored, translations: isSame ? translations : new Map(translations).set(locale, translation) };
}

/** A topic's wording after a write; if that is in another locale, as the site's default has changed, a new one if it differs. */
function ownWording(
  before: UnplacedTopic | undefined,
  place: Pick<Translation, 'topic' | 'locale'>,
  write: TopicWrite,
  time: WriteTime,
): Translation | undefined {
  const wording = before && wordingOf(before, place.locale);
  if (wording === undefined || wording.locale === place.locale) return translationAfter(place, wording, write, time);
  if (isOlder(time, wording)) return undefined;
  const name = write.name ?? wording.name;
  const description = merged(wording.description, write.description, null);
  const isSame = name === wording.name && description === wording.description;
  return isSame ? undefined : translationAfter(place, undefined, { ...write, name, description }, time);
}

/** A topic with a translation added or changed. */
export const withTranslation = (topic: UnplacedTopic, translation: Translation): UnplacedTopic => ({
  ...topic,
  translations: new Map(topic.translations).set(translation.locale, translation),
});
