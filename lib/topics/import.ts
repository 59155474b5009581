import { fullReason } from '../store/bounds.ts';
import { changesMember, type ImportTarget } from '../store/import-target.ts';
import { members } from '../store/keys.ts';
import { replan } from '../store/replan.ts';
import { type ImportedTopic, type ImportedTranslation, mergeTopic, mergeTranslation } from './merge.ts';
import { deletedAt } from './stored.ts';
import { wordingOf } from './topic.ts';
import { draftTopics, type TopicDraft } from './topic-draft.ts';

/** The target of an import of topics. */
export interface TopicTarget extends ImportTarget {
  readonly defaultLocale: string; // the site's
}

/** Why each record is refused, in the order of the records; undefined for one that is taken. */
type Refusals = readonly (string | undefined)[];

/** Imports topics under their ids, in their order, and keeps newly assigned ids above them. */
export const importTopics = (target: TopicTarget, records: readonly ImportedTopic[]): Promise<Refusals> =>
  takeTogether(target, records, ({ id }) => id, takeTopic);

/** Imports translations of topics, in their order. */
export const importTranslations = (target: TopicTarget, records: readonly ImportedTranslation[]): Promise<Refusals> =>
  takeTogether(target, records, ({ topic }) => topic, takeTranslation);

const TOGETHER = 80; // items in a transaction: DynamoDB takes 100 writes, and heads and the order are written too

type Take<R> = (draft: TopicDraft, target: TopicTarget, record: R) => string | undefined;

/** Takes records into drafts, as many in each as fit a transaction. */
async function takeTogether<R>(
  target: TopicTarget,
  records: readonly R[],
  idOf: (record: R) => number,
  take: Take<R>,
): Promise<Refusals> {
  const refusals: (string | undefined)[] = [];
  let known: TopicDraft | undefined;
  while (refusals.length < records.length) {
    const some = await replan(async (attempt) => {
      const draft = known !== undefined && attempt === 1 ? known : await draftTopics(target);
      known = draft;
      const taken: (string | undefined)[] = [];
      for (const record of records.slice(refusals.length, refusals.length + TOGETHER)) {
        if (taken.length > 0 && draft.waiting(idOf(record)) > TOGETHER) break;
        taken.push(take(draft, target, record));
      }
      await draft.write();
      return taken;
    });
    refusals.push(...some);
  }
  return refusals;
}

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
