import type { Edits } from '../resource/change.ts';
import { importRecords, namingEdits, type Refusals } from '../resource/records.ts';
import { isOlder, recordTime } from '../resource/write-time.ts';
import { fullReason } from '../store/bounds.ts';
import type { Collection } from '../store/collection.ts';
import { keys, members } from '../store/keys.ts';
import { readHeads, type SiteTable } from '../store/site-table.ts';
import {
  TOPIC_STORING,
  type TopicWrite,
  type TranslationWrite,
  topicAfter,
  topicEdits,
  topicRemoval,
  translationAfter,
  translationRemoval,
  withTranslation,
} from './change.ts';
import { deletedAt, topicsOf } from './stored.ts';
import { type Translation, wordingOf } from './topic.ts';

/** A record of a topic or a translation; the newest one wins (docs/import.md). */
interface Recorded {
  readonly deleted?: boolean;
  readonly updated_at?: number; // epoch ms
}

export type TopicRecord = Recorded & TopicWrite & { readonly id: number };
export type TranslationRecord = Recorded & TranslationWrite & Pick<Translation, 'topic' | 'locale'>;

/** Where records of topics go. */
export interface TopicTarget extends SiteTable {
  readonly defaultLocale: string; // the site's
}

/** Writes records of topics under their ids, in their order, and keeps newly assigned ids above them. */
export const takeTopicRecords = (target: TopicTarget, records: readonly TopicRecord[]): Promise<Refusals> =>
  importRecords(target, records, {
    nameOf: ({ id }) => id,
    begin: async () => {
      const { open, topics } = await openTopics(target);
      let count = topics.order.length;
      return {
        open,
        take: (record) => takeTopic(record) ?? namingEdits(topics, TOPIC_STORING, members.topic(record.id)),
      };
      function takeTopic(record: TopicRecord): Edits | string | undefined {
        const { id } = record;
        const time = recordTime(record, target.now);
        const before = topicsOf(topics).get(id);
        const gone = deletedAt(topics, members.topic(id));
        if (isOlder(time, gone)) return undefined;
        const full = before || record.deleted ? undefined : fullReason('topics', count);
        if (full !== undefined) return full;
        if (record.deleted ?? gone !== undefined) {
          if (before ? isOlder(time, before) : gone !== undefined) return undefined;
          if (before) count -= 1;
          return topicRemoval(topics, id, time.at);
        }
        const after = topicAfter({ id, locale: target.defaultLocale }, before, record, time);
        if (before === undefined) count += 1;
        return after === before ? undefined : topicEdits(topics, before, after);
      }
    },
  });

/** Writes records of translations of topics, in their order. */
export const takeTranslationRecords = (target: TopicTarget, records: readonly TranslationRecord[]): Promise<Refusals> =>
  importRecords(target, records, {
    nameOf: ({ topic, locale }) => `${topic} ${locale}`,
    begin: async () => {
      const { open, topics } = await openTopics(target);
      return {
        open,
        take: (record) =>
          takeTranslation(topics, target, record) ??
          namingEdits(topics, TOPIC_STORING, members.translation(record.topic, record.locale)),
      };
    },
  });

async function openTopics(target: TopicTarget) {
  const partition = keys.topics(target.site);
  const open = await readHeads(target, [partition, keys.ids(target.site)]);
  return { open, topics: await open(partition) };
}

function takeTranslation(
  topics: Collection,
  { now, defaultLocale }: TopicTarget,
  record: TranslationRecord,
): Edits | string | undefined {
  const { topic: id, locale } = record;
  const time = recordTime(record, now);
  if (deletedAt(topics, members.topic(id))) return undefined;
  const topic = topicsOf(topics).get(id);
  if (topic === undefined) return `topic: ${id} is not a topic of this site`;
  const before = topic.translations.get(locale);
  const gone = deletedAt(topics, members.translation(id, locale));
  if (isOlder(time, before ?? gone)) return undefined;
  if (record.deleted ?? gone !== undefined) {
    if (before && before === wordingOf(topic, defaultLocale)) return `locale: ${locale} names the topic`;
    return before || gone === undefined ? translationRemoval(topics, id, locale, time.at) : undefined;
  }
  return topicEdits(
    topics,
    topic,
    withTranslation(topic, translationAfter({ topic: id, locale }, before, record, time)),
  );
}
