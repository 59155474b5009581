import { addTo } from '../group-by.ts';
import type { Collection, StoredItems } from '../store/collection.ts';
import { type ImportTarget, raiseIds, readHeads } from '../store/import-target.ts';
import { keys, members } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import { type RecordDraft, waitingItems } from '../store/together.ts';
import { placeByRank } from './merge.ts';
import {
  byLocale,
  deletedToItem,
  parseTopic,
  parseTranslation,
  type StoredTopic,
  type Translation,
  topicToItem,
  translationToItem,
} from './stored.ts';

/** A topic as records leave it. */
interface DraftedTopic {
  readonly stored: StoredTopic;
  readonly translations: ReadonlyMap<string, Translation>; // by locale, sorted
}

/**
 * A site's topics with changes that wait to be written together. Many records thus cost one write of the order of all
 * topics, and each is planned without a look at all others.
 */
export interface TopicDraft extends RecordDraft<OfTopic>, StoredItems {
  readonly find: (id: number) => DraftedTopic | undefined;
  readonly count: () => number; // topics
  /** Writes a topic; `at` undefined keeps its place, else it is placed by that rank. */
  readonly place: (topic: StoredTopic, at?: { readonly rank: number | undefined }) => void;
  readonly translate: (translation: Translation) => void;
  /** Deletes a topic with its translations, or notes that one that never was is deleted; `at` in epoch ms. */
  readonly remove: (id: number, at: number) => void;
  readonly removeTranslation: (topic: number, locale: string, at: number) => void;
  /** Keeps ids that are given out later above this one. */
  readonly noteId: (id: number) => void;
}

/** A record by the topic that it is of. */
export interface OfTopic {
  readonly topic: number;
}

const BESIDE = 5; // writes besides waiting items: two heads, the order, and a topic with its wording

/** Opens a draft of a site's topics. */
export async function draftTopics(target: ImportTarget): Promise<TopicDraft> {
  const { site, table, collections } = target;
  const open = await readHeads(target, [keys.topics(site), keys.ids(site)]);
  const collection = await open(keys.topics(site));
  const ids = await open(keys.ids(site));
  const languages = keysByTopic(collection);
  const order = [...collection.order];
  const { get, put, drop, ...waits } = waitingItems(collection);
  const live = (sk: string): Item | undefined => {
    const item = get(sk);
    return item?.deleted === true ? undefined : item;
  };
  const storedTopic = (id: number): StoredTopic | undefined => {
    const item = live(members.topic(id));
    return item && parseTopic(item);
  };
  const ranks = new Map(order.map((id) => [id, storedTopic(id)?.rank]));
  let isReordered = false;
  let last = 0; // the largest id that was noted

  function dropTranslations(id: number): void {
    for (const sk of languages.get(id) ?? []) drop(sk);
    languages.delete(id);
  }

  return {
    find: (id) => {
      const stored = storedTopic(id);
      const translations = (languages.get(id) ?? []).flatMap((sk) => live(sk) ?? []).map(parseTranslation);
      return stored && { stored, translations: byLocale(translations) };
    },
    count: () => order.length,
    items: { get },
    place: (stored, at) => {
      const { id } = stored;
      if (storedTopic(id) === undefined) dropTranslations(id); // a crash may have left those of a deleted topic
      put(topicToItem(collection, stored));
      ranks.set(id, stored.rank);
      if (at === undefined) return;
      isReordered = true;
      placeByRank(order, (other) => ranks.get(other), id, at.rank);
    },
    translate: (translation) => {
      const { topic: id } = translation;
      const item = translationToItem(collection, translation);
      put(item);
      if (!languages.get(id)?.includes(item.sk)) addTo(languages, id, item.sk);
    },
    remove: (id, at) => {
      const isThere = storedTopic(id) !== undefined;
      put(deletedToItem(collection, members.topic(id), at));
      if (!isThere) return;
      dropTranslations(id);
      order.splice(order.indexOf(id), 1);
      isReordered = true;
    },
    removeTranslation: (id, locale, at) => put(deletedToItem(collection, members.translation(id, locale), at)),
    noteId: (id) => {
      last = Math.max(last, id);
    },
    waiting: ({ topic }) => {
      const { items, bytes } = waits.waiting();
      return { items: items + BESIDE + (languages.get(topic)?.length ?? 0), bytes };
    },
    write: async () => {
      if (waits.waiting().items === 0) return;
      const ordered = isReordered ? { ...waits.change(), order } : waits.change();
      await collections.commit(table, [ordered, ...raiseIds(ids, last)]);
    },
  };
}

/** The sort keys of all translations by topic, also of topics that are deleted. */
function keysByTopic({ items }: Collection): Map<number, string[]> {
  const found = new Map<number, string[]>();
  const prefix = 'translation#';
  for (const sk of items.keys()) if (sk.startsWith(prefix)) addTo(found, Number(sk.split('#')[1]), sk);
  return found;
}
