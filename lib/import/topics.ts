import { isDeepStrictEqual } from 'node:util';
import { readSite } from '../access/sites.ts';
import type { TopicRecord, TopicTranslationRecord } from '../history/reference-record.ts';
import type { Change, Collection } from '../store/collection.ts';
import { type ImportTarget, isNews, raised, readHeads } from '../store/import-target.ts';
import { keys, members } from '../store/keys.ts';
import { replan } from '../store/replan.ts';
import type { Item } from '../store/table.ts';
import {
  type StoredTopic,
  type Topic,
  type Translation,
  topicsOf,
  topicToItem,
  translationToItem,
} from '../topics/stored.ts';
import { wordingOf } from '../topics/topic.ts';
import { toMillis } from './placed.ts';

/** What a new topic has where its record says nothing (contract.md, Topics). */
const USUAL = { allow_questions: true, in_support_center: false, brands: [] as readonly number[] };

/** Lets a topic join the site's own under its id; ids given out later are above it. Gives the reason of a refusal. */
export function importTopic(target: ImportTarget, record: TopicRecord): Promise<string | undefined> {
  return replan(async () => {
    const { site } = target;
    const locale = (await readSite(target.table, site))?.defaultLocale;
    if (locale === undefined) return `there is no site ${site}`;
    const open = await readHeads(target, [keys.topics(site), keys.ids(site)]);
    const topics = await open(keys.topics(site));
    const ids = await open(keys.ids(site));
    const stamp = record.updated_at === undefined ? target.now : toMillis(record.updated_at);
    const before = topicsOf(topics).get(record.id);
    if (stamp < lastChange(topics, record.id, before)) return undefined;
    const isDeleted = record.deleted ?? (before === undefined && topics.items.has(members.topic(record.id)));
    if (before === undefined && !isDeleted && record.name === undefined) return 'name is missing';
    const change = isDeleted
      ? removal(topics, record, stamp, before)
      : placement(topics, record, stamp, before, locale);
    if (change === undefined) return undefined;
    await target.collections.commit(target.table, [change, ...raised(ids, record.id)]);
    return undefined;
  });
}

/** Lets a translation join its topic. Gives the reason where the topic or the locale is not there. */
export function importTranslation(target: ImportTarget, record: TopicTranslationRecord): Promise<string | undefined> {
  return replan(async () => {
    const site = await readSite(target.table, target.site);
    if (site === undefined) return `there is no site ${target.site}`;
    const open = await readHeads(target, [keys.topics(target.site)]);
    const topics = await open(keys.topics(target.site));
    const { topic: id, locale } = record;
    const topic = topicsOf(topics).get(id);
    if (topic === undefined) return record.deleted ? undefined : `topic: ${id} is no topic of this site`;
    const before = topic.translations.get(locale);
    const stamp = record.updated_at === undefined ? target.now : toMillis(record.updated_at);
    if (before !== undefined && stamp < before.updated_at) return undefined;
    if (record.deleted) {
      if (before === undefined) return undefined;
      if (locale === wordingOf(topic, site.defaultLocale).locale) return `locale: ${locale} is the topic's own`;
      const remove = [members.translation(id, locale)];
      await target.collections.commit(target.table, [{ collection: topics, remove }]);
      return undefined;
    }
    if (!site.locales.includes(locale)) return `locale: ${locale} is not enabled for this site`;
    const after = worded(id, locale, record, before, stamp);
    if (!isNews(before, after, record)) return undefined;
    const isOwn = locale === site.defaultLocale;
    const put = [
      translationToItem(topics, after),
      ...(isOwn ? [topicToItem(topics, { ...topic, updated_at: Math.max(topic.updated_at, stamp) })] : []),
    ];
    await target.collections.commit(target.table, [{ collection: topics, put }]);
    return undefined;
  });
}

/** When a topic was last changed or deleted, epoch ms. */
function lastChange(topics: Collection, id: number, topic: Topic | undefined): number {
  if (topic !== undefined) return topic.updated_at;
  const gone = topics.items.get(members.topic(id))?.updated_at;
  return typeof gone === 'number' ? gone : Number.NEGATIVE_INFINITY;
}

/** A deleted topic leaves its time, so that an older record does not bring it back; without a place it is not shown. */
function removal(
  topics: Collection,
  { id, updated_at: dated }: TopicRecord,
  stamp: number,
  before: Topic | undefined,
): Change | undefined {
  const known = topics.items.get(members.topic(id));
  if (before === undefined && known !== undefined && (dated === undefined || known.updated_at === stamp))
    return undefined;
  const gone: Item = { pk: topics.pk, sk: members.topic(id), id, deleted: true, updated_at: stamp };
  const remove = [...(before?.translations.keys() ?? [])].map((locale) => members.translation(id, locale));
  return { collection: topics, put: [gone], remove, order: topics.order.filter((other) => other !== id) };
}

function placement(
  topics: Collection,
  record: TopicRecord,
  stamp: number,
  before: Topic | undefined,
  locale: string,
): Change | undefined {
  const { id } = record;
  const topic: StoredTopic = {
    id,
    allow_questions: cleared(record.allow_questions, before?.allow_questions, USUAL.allow_questions),
    in_support_center: cleared(record.in_support_center, before?.in_support_center, USUAL.in_support_center),
    brands: cleared(record.brands, before?.brands, USUAL.brands),
    created_at: record.created_at === undefined ? (before?.created_at ?? stamp) : toMillis(record.created_at),
    updated_at: stamp,
  };
  const own = before && wordingOf(before, locale);
  const wording = worded(id, locale, record, own, stamp);
  const order = placed(topics.order, id, record.position ?? undefined);
  const sameOrder = isDeepStrictEqual(order, topics.order);
  const known = before && stored(before);
  const news = [
    ...(isNews(known, topic, record) ? [topicToItem(topics, topic)] : []),
    ...(isNews(own, wording, record) ? [translationToItem(topics, wording)] : []),
  ];
  if (news.length === 0 && sameOrder) return undefined;
  return { collection: topics, put: news, ...(sameOrder ? {} : { order }) };
}

/** The order with a topic at its position, from 1; without one it stays, or becomes the last. */
export function placed(order: readonly number[], id: number, position: number | undefined): readonly number[] {
  if (position === undefined) return order.includes(id) ? order : [...order, id];
  const others = order.filter((other) => other !== id);
  return [...others.slice(0, position - 1), id, ...others.slice(position - 1)];
}

function worded(
  topic: number,
  locale: string,
  record: TopicRecord | TopicTranslationRecord,
  before: Translation | undefined,
  stamp: number,
): Translation {
  const { name = before?.name ?? '', description = before?.description ?? null, created_at } = record;
  const born = created_at === undefined ? (before?.created_at ?? stamp) : toMillis(created_at);
  return { topic, locale, name, description, created_at: born, updated_at: stamp };
}

function stored({ id, allow_questions, in_support_center, brands, created_at, updated_at }: Topic): StoredTopic {
  return { id, allow_questions, in_support_center, brands, created_at, updated_at };
}

function cleared<T>(given: T | null | undefined, before: T | undefined, usual: T): T {
  return given === undefined ? (before ?? usual) : (given ?? usual);
}
