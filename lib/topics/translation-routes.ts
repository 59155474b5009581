import { normalizeLocale } from '../access/locales.ts';
import { R_READ, R_WRITE } from '../access/roles.ts';
import { notFound } from '../errors.ts';
import { idOf } from '../http/fields.ts';
import { listReply } from '../http/page.ts';
import { created, noContent, show } from '../http/reply.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { pageShape } from '../http/shapes.ts';
import { change } from '../resource/change.ts';
import { timeOfRequest } from '../resource/write-time.ts';
import type { Collection } from '../store/collection.ts';
import { keys } from '../store/keys.ts';
import { topicEdits, translationAfter, translationRemoval, withTranslation } from './change.ts';
import { chooseLocale } from './choose-locale.ts';
import { topicIn } from './library.ts';
import { TOPICS_PATH, type Topic, TRANSLATION, type Translation, wordingOf } from './topic.ts';
import { showTranslation, translationPath, translationShape, translationsPath } from './translation.ts';

const ALL = `${TOPICS_PATH}/{topic_id}/translations`;

type Finding = Pick<Call, 'context' | 'params'>;

const reads = (site: string) => [keys.topics(site)];

interface TopicInPath {
  readonly topics: Collection;
  readonly topic: Topic;
}

/** A route's `find`: returns the topic in the path; throws `not_found`. */
async function findTranslated({ context, params }: Finding): Promise<TopicInPath> {
  const id = idOf(params.topic_id);
  const topics = await context.open(keys.topics(context.site.name));
  return { topics, topic: topicIn({ topics }, id) };
}

interface TranslationInPath extends TopicInPath {
  readonly translation: Translation;
}

/** A route's `find`: returns the translation in the path; throws `not_found`. */
async function findTranslation({ context, params }: Finding): Promise<TranslationInPath> {
  const { topics, topic } = await findTranslated({ context, params });
  const translation = topic.translations.get(normalizeLocale(params.locale ?? '') ?? '');
  if (translation === undefined) throw notFound(`translation ${params.locale} of topic ${topic.id}`);
  return { topics, topic, translation };
}

const current = ({ resource }: { readonly resource: TranslationInPath }) => showTranslation(resource.translation);

const isTakenIn =
  ({ translations }: Topic) =>
  (locale: string): boolean =>
    translations.has(locale);

const existing = { path: `${ALL}/{locale}`, reads, find: findTranslation } as const;

/** The endpoints of translations. */
export const translationRoutes: readonly Route[] = [
  route({
    name: 'listTopicTranslations',
    summary: 'List the translations of a topic by locale',
    method: 'GET',
    path: ALL,
    roles: R_READ,
    list: true,
    reads,
    reply: () => pageShape(translationShape()),
    find: findTranslated,
    handle: (call) => {
      const { context, resource } = call;
      const { id, translations } = resource.topic;
      return listReply(call, {
        path: translationsPath(id),
        seeds: reads(context.site.name).map(context.version),
        members: () => [...translations.values()],
        show: showTranslation,
      });
    },
  }),

  route({
    ...existing,
    name: 'showTopicTranslation',
    summary: 'Show a translation of a topic',
    method: 'GET',
    roles: R_READ,
    reply: translationShape,
    handle: (call) => show(current(call)),
  }),

  route({
    name: 'createTopicTranslation',
    summary: 'Create a translation of a topic',
    method: 'POST',
    path: ALL,
    roles: R_WRITE,
    reads,
    body: TRANSLATION.body,
    required: TRANSLATION.required,
    reply: translationShape,
    example: { name: 'Abrechnung', locale: 'de' },
    find: findTranslated,
    handle: async ({ context, resource: { topics, topic }, fields, faults }) => {
      const { site, now, origin } = context;
      const locale =
        fields.locale === undefined
          ? ''
          : chooseLocale(fields.locale, { site, before: undefined, isTaken: isTakenIn(topic) }, faults);
      faults.check();
      const after = translationAfter({ topic: topic.id, locale }, undefined, fields, timeOfRequest(now));
      const reply = created(origin, translationPath(topic.id, locale), showTranslation(after));
      await change(context, [topicEdits(topics, topic, withTranslation(topic, after))], { answer: reply });
      return reply;
    },
  }),

  route({
    ...existing,
    name: 'updateTopicTranslation',
    summary: 'Update the given fields of a translation',
    method: 'PATCH',
    roles: R_WRITE,
    body: TRANSLATION.update,
    reply: translationShape,
    example: { name: 'Rechnungen' },
    current,
    handle: async ({ context, resource, fields, faults }) => {
      const { site, now } = context;
      const { topics, topic, translation: before } = resource;
      const locale =
        fields.locale === undefined
          ? before.locale
          : chooseLocale(fields.locale, { site, before: before.locale, isTaken: isTakenIn(topic) }, faults);
      faults.check();
      const after = translationAfter({ topic: topic.id, locale }, before, fields, timeOfRequest(now));
      if (after === before) return show(showTranslation(before));
      const edits = topicEdits(topics, topic, withTranslation(topic, after));
      const isMoved = locale !== before.locale;
      await change(context, isMoved ? [edits, translationRemoval(topics, topic.id, before.locale, now)] : [edits]);
      return show(showTranslation(after));
    },
  }),

  route({
    ...existing,
    name: 'deleteTopicTranslation',
    summary: 'Delete a translation of a topic, unless it is in the default locale',
    method: 'DELETE',
    roles: R_WRITE,
    current,
    handle: async ({ context, resource: { topics, topic, translation }, faults }) => {
      if (translation === wordingOf(topic, context.site.defaultLocale)) {
        faults.explain('invalid', ['locale'], {
          message: 'The translation in the default locale cannot be deleted alone.',
        });
      }
      faults.check();
      await change(context, [translationRemoval(topics, topic.id, translation.locale, context.now)]);
      return noContent;
    },
  }),
];
