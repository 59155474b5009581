import * as z from 'zod';
import { idsField, nameField, textField, wordField } from '../http/fields.ts';
import { idShape, linkShape } from '../http/shapes.ts';
import { between, memberSet, name as readName, text as readText } from '../json-readers.ts';
import { flag, freeText, nameText, times } from '../resource/field.ts';
import { formOf } from '../resource/resource.ts';

export const TOPICS_PATH = '/api/v2/topics';
export const topicPath = (id: number): string => `${TOPICS_PATH}/${id}`;

/** `topic#I`. Name and description are only in its translations. */
export const TOPIC = formOf({
  id: { stored: z.number() },
  name: { body: nameField(), required: true, record: readName, shown: () => z.string() },
  description: { body: textField(), record: readText(), shown: () => z.string().nullable() },
  position: { record: between(1, Number.MAX_SAFE_INTEGER), shown: () => z.int().positive() },
  allow_questions: flag({}),
  in_support_center: flag({}),
  brands: { stored: z.array(z.number()).readonly(), record: memberSet }, // ids, ascending
  brand_ids: { body: idsField() },
  brand_action: { update: wordField(['append', 'replace']) },
  rank: { stored: z.number().optional() }, // the position in the last import
  ...times(), // of the fields above and the brands; replies show the later of this and the wording's
});

/** `translation#I#L`. A topic's first translation is written in the topic's own transaction. */
export const TRANSLATION = formOf({
  topic: { stored: z.number() },
  name: nameText({ required: true }),
  description: freeText(),
  locale: { stored: z.string(), body: nameField(), required: true, shown: () => z.string() }, // normalised
  ...times(),
});

export type StoredTopic = ReturnType<typeof TOPIC.parse>;
export type Translation = ReturnType<typeof TRANSLATION.parse>;

/** A topic with its translations, wherever it stands in the order. */
export interface UnplacedTopic extends StoredTopic {
  readonly translations: ReadonlyMap<string, Translation>; // at least one; by locale, sorted
}

export interface Topic extends UnplacedTopic {
  readonly position: number; // from 1
}

/** A topic as replies show it. */
export const topicShape = () =>
  z.object({
    id: idShape(),
    ...TOPIC.shapes(),
    _links: z.object({
      self: linkShape('topic'),
      articles: linkShape('article').extend({ count: z.int().nonnegative() }),
      translations: linkShape('topic_translation'),
    }),
  });

/** A topic's name and description in one locale. */
export type Wording = Pick<Translation, 'name' | 'description'>;

/**
 * The topic's own name and description: its translation in the site's default locale, or the first one if the site's
 * default has changed since.
 */
export function wordingOf({ translations }: Pick<Topic, 'translations'>, defaultLocale: string): Translation {
  const [first] = translations.values();
  const own = translations.get(defaultLocale) ?? first;
  if (own === undefined) throw new Error('a topic without any translation');
  return own;
}

/**
 * The topic's wording in a locale, with the topic's own description if the translation has none; undefined without a
 * translation.
 */
export function wordingIn(topic: Topic, locale: string, defaultLocale: string): Wording | undefined {
  const { name, description } = topic.translations.get(locale) ?? {};
  if (name === undefined) return undefined;
  return { name, description: description ?? wordingOf(topic, defaultLocale).description };
}

/** When the topic or its own name or description last changed; epoch ms. */
export const updatedAt = (topic: Topic, defaultLocale: string): number =>
  Math.max(topic.updated_at, wordingOf(topic, defaultLocale).updated_at);

/**
 * A topic with the given name and description; `articles` is the number of its articles, or of those that match a
 * search.
 */
export function showTopic(topic: Topic, { name, description }: Wording, defaultLocale: string, articles: number) {
  const path = topicPath(topic.id);
  return {
    id: topic.id,
    ...TOPIC.shown({ ...topic, name, description, updated_at: updatedAt(topic, defaultLocale) }),
    _links: {
      self: { href: path, class: 'topic' },
      articles: { href: `${path}/articles`, class: 'article', count: articles },
      translations: { href: `${path}/translations`, class: 'topic_translation' },
    },
  };
}
