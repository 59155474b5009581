import * as z from 'zod';
import { booleanField, idsField, nameField, textField, wordField } from '../http/fields.ts';
import { idShape, linkShape, timestampShape } from '../http/shapes.ts';
import { timestamp } from '../text.ts';
import type { Topic, Translation } from './stored.ts';

export const TOPICS_PATH = '/api/v2/topics';
export const topicPath = (id: number): string => `${TOPICS_PATH}/${id}`;

/** The fields that a client may set when it creates a topic. */
export const newTopicFields = {
  name: nameField(),
  description: textField(),
  allow_questions: booleanField(),
  in_support_center: booleanField(),
  brand_ids: idsField(),
};

export const topicFields = { ...newTopicFields, brand_action: wordField(['append', 'replace']) };

/** A topic as replies show it. */
export const topicShape = () =>
  z.object({
    id: idShape(),
    name: z.string(),
    description: z.string().nullable(),
    position: z.int().positive(),
    allow_questions: z.boolean(),
    in_support_center: z.boolean(),
    created_at: timestampShape(),
    updated_at: timestampShape(),
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
  const { id, position, allow_questions, in_support_center, created_at } = topic;
  const path = topicPath(id);
  return {
    id,
    name,
    description,
    position,
    allow_questions,
    in_support_center,
    created_at: timestamp(created_at),
    updated_at: timestamp(updatedAt(topic, defaultLocale)),
    _links: {
      self: { href: path, class: 'topic' },
      articles: { href: `${path}/articles`, class: 'article', count: articles },
      translations: { href: `${path}/translations`, class: 'topic_translation' },
    },
  };
}
