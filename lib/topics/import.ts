import { fullReason } from '../store/bounds.ts';
import type { Change, Collection } from '../store/collection.ts';
import { changesMember, type ImportTarget, raiseIds, readHeads } from '../store/import-target.ts';
import { keys, members } from '../store/keys.ts';
import { replan } from '../store/replan.ts';
import { type ImportedTopic, type ImportedTranslation, mergeTopic, mergeTranslation, placeByRank } from './merge.ts';
import {
  deletedAt,
  deletedToItem,
  storedOf,
  type Topic,
  topicDeletion,
  topicsOf,
  topicToItem,
  translationToItem,
} from './stored.ts';
import { wordingOf } from './topic.ts';

/** The target of an import of topics. */
export interface TopicTarget extends ImportTarget {
  readonly defaultLocale: string; // the site's
}

/**
 * Imports a topic under its id and keeps newly assigned ids above it. Returns the reason if it is refused, else
 * undefined.
 */
export function importTopic(target: TopicTarget, record: ImportedTopic): Promise<string | undefined> {
  const { site, now, defaultLocale } = target;
  const { id, updated_at = now } = record;
  return replan(async () => {
    const open = await readHeads(target, [keys.topics(site), keys.ids(site)]);
    const topics = await open(keys.topics(site));
    const ids = await open(keys.ids(site));
    const before = topicsOf(topics).get(id);
    const gone = deletedAt(topics, members.topic(id));
    if (updated_at < (gone?.updated_at ?? 0)) return undefined;
    const full = before || record.deleted ? undefined : fullReason('topics', topics.order.length);
    if (full !== undefined) return full;
    const change =
      (record.deleted ?? gone !== undefined)
        ? removing(topics, id, before, updated_at)
        : placing(topics, before, record, { locale: defaultLocale, at: updated_at });
    if (change) await target.collections.commit(target.table, [change, ...raiseIds(ids, id)]);
    return undefined;
  });
}

/** Imports a translation of a topic. Returns the reason if it is refused, else undefined. */
export function importTranslation(target: TopicTarget, record: ImportedTranslation): Promise<string | undefined> {
  const { site, now, defaultLocale } = target;
  const { topic: id, locale, updated_at = now } = record;
  return replan(async () => {
    const open = await readHeads(target, [keys.topics(site)]);
    const topics = await open(keys.topics(site));
    if (deletedAt(topics, members.topic(id))) return undefined;
    const topic = topicsOf(topics).get(id);
    if (topic === undefined) return `topic: ${id} is not a topic of this site`;
    const sk = members.translation(id, locale);
    const before = topic.translations.get(locale);
    const gone = deletedAt(topics, sk);
    if (updated_at < (before ?? gone ?? { updated_at: 0 }).updated_at) return undefined;
    if (record.deleted ?? gone !== undefined) {
      if (before && before === wordingOf(topic, defaultLocale)) return `locale: ${locale} names the topic`;
      if (before || gone === undefined) await put(target, topics, [deletedToItem(topics, sk, updated_at)]);
      return undefined;
    }
    const after = mergeTranslation(before, record, updated_at);
    if (changesMember(before, after, record)) await put(target, topics, [translationToItem(topics, after)]);
    return undefined;
  });
}

const put = ({ collections, table }: TopicTarget, collection: Collection, items: Change['put'] = []): Promise<void> =>
  collections.commit(table, [{ collection, put: items }]);

function removing(topics: Collection, id: number, before: Topic | undefined, at: number): Change | undefined {
  if (before) return at < before.updated_at ? undefined : topicDeletion(topics, before, at);
  const sk = members.topic(id);
  return topics.items.has(sk) ? undefined : { collection: topics, put: [deletedToItem(topics, sk, at)] };
}

/**
 * The change that writes a topic and its wording in the default locale; either may be newer than the record and then
 * stays.
 */
function placing(
  topics: Collection,
  before: Topic | undefined,
  record: ImportedTopic,
  { locale, at }: { readonly locale: string; readonly at: number },
): Change | undefined {
  const { id } = record;
  const known = before && storedOf(before);
  const topic = mergeTopic(known, record, at);
  const wording = before && wordingOf(before, locale);
  const translation = mergeTranslation(wording, { ...record, topic: id, locale }, at);
  const own = wording?.locale === locale ? wording : undefined;
  const isNewer = at >= (known?.updated_at ?? 0) && changesMember(known, topic, record);
  const isRenamed = at >= (wording?.updated_at ?? 0) && changesMember(own, translation, record);
  if (!isNewer && !isRenamed) return undefined;
  const moved = isNewer && (before === undefined || topic.rank !== before.rank);
  return {
    collection: topics,
    put: [
      ...(isNewer ? [topicToItem(topics, topic)] : []),
      ...(isRenamed ? [translationToItem(topics, translation)] : []),
    ],
    remove: before ? [] : leftovers(topics, id).filter((sk) => sk !== members.translation(id, locale)),
    ...(moved ? { order: placeByRank(topicsOf(topics).values(), id, topic.rank) } : {}),
  };
}

/** Translations of a deleted topic that a crash left behind: they must not come back with the topic. */
const leftovers = ({ items }: Collection, id: number): string[] =>
  [...items.keys()].filter((sk) => sk.startsWith(members.translation(id, '')));
