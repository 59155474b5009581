import { fullReason } from '../store/bounds.ts';
import { changesMember, type ImportTarget } from '../store/import-target.ts';
import { members } from '../store/keys.ts';
import { type Refusals, takeTogether } from '../store/together.ts';
import { type ImportedTopic, type ImportedTranslation, mergeTopic, mergeTranslation } from './merge.ts';
import { deletedAt } from './stored.ts';
import { wordingOf } from './topic.ts';
import { draftTopics, type OfTopic, type TopicDraft } from './topic-draft.ts';

/** The target of an import of topics. */
export interface TopicTarget extends ImportTarget {
  readonly defaultLocale: string; // the site's
}

/** Imports topics under their ids, in their order, and keeps newly assigned ids above them. */
export const importTopics = (target: TopicTarget, records: readonly ImportedTopic[]): Promise<Refusals> =>
  takeAll(
    target,
    records.map((record) => ({ topic: record.id, record })),
    takeTopic,
  );

/** Imports translations of topics, in their order. */
export const importTranslations = (target: TopicTarget, records: readonly ImportedTranslation[]): Promise<Refusals> =>
  takeAll(
    target,
    records.map((record) => ({ topic: record.topic, record })),
    takeTranslation,
  );

const takeAll = <R>(
  target: TopicTarget,
  records: readonly (OfTopic & { readonly record: R })[],
  take: (draft: TopicDraft, target: TopicTarget, record: R) => string | undefined,
): Promise<Refusals> =>
  takeTogether(records, {
    begin: () => draftTopics(target),
    take: (draft, { record }) => take(draft, target, record),
  });

function takeTopic(draft: TopicDraft, { now, defaultLocale }: TopicTarget, record: ImportedTopic): string | undefined {
  const { id, updated_at: at = now } = record;
  const before = draft.find(id);
  const sk = members.topic(id);
  const gone = deletedAt(draft, sk);
  if (at < (gone?.updated_at ?? 0)) return undefined;
  const full = before || record.deleted ? undefined : fullReason('topics', draft.count());
  if (full !== undefined) return full;
  if (!(record.deleted ?? gone !== undefined)) {
    placeTopic(draft, record, { locale: defaultLocale, at });
  } else if (before ? at >= before.stored.updated_at : draft.items.get(sk) === undefined) {
    draft.remove(id, at);
    draft.noteId(id);
  }
  return undefined;
}

/** Writes a topic and its wording in the default locale; either may be newer than the record and then stays. */
function placeTopic(
  draft: TopicDraft,
  record: ImportedTopic,
  { locale, at }: { readonly locale: string; readonly at: number },
): void {
  const { id } = record;
  const before = draft.find(id);
  const known = before?.stored;
  const topic = mergeTopic(known, record, at);
  const wording = before && wordingOf(before, locale);
  const translation = mergeTranslation(wording, { ...record, topic: id, locale }, at);
  const own = wording?.locale === locale ? wording : undefined;
  const isNewer = at >= (known?.updated_at ?? 0) && changesMember(known, topic, record);
  const isRenamed = at >= (wording?.updated_at ?? 0) && changesMember(own, translation, record);
  if (!isNewer && !isRenamed) return;
  const isMoved = known === undefined || topic.rank !== known.rank;
  if (isNewer) draft.place(topic, isMoved ? { rank: topic.rank } : undefined);
  if (isRenamed) draft.translate(translation);
  draft.noteId(id);
}

function takeTranslation(
  draft: TopicDraft,
  { now, defaultLocale }: TopicTarget,
  record: ImportedTranslation,
): string | undefined {
  const { topic: id, locale, updated_at: at = now } = record;
  if (deletedAt(draft, members.topic(id))) return undefined;
  const topic = draft.find(id);
  if (topic === undefined) return `topic: ${id} is not a topic of this site`;
  const before = topic.translations.get(locale);
  const gone = deletedAt(draft, members.translation(id, locale));
  if (at < (before ?? gone ?? { updated_at: 0 }).updated_at) return undefined;
  if (record.deleted ?? gone !== undefined) {
    if (before && before === wordingOf(topic, defaultLocale)) return `locale: ${locale} names the topic`;
    if (before || gone === undefined) draft.removeTranslation(id, locale, at);
    return undefined;
  }
  const after = mergeTranslation(before, record, at);
  if (changesMember(before, after, record)) draft.translate(after);
  return undefined;
}
