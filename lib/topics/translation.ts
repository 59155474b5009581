import * as z from 'zod';
import { nameField, textField } from '../http/fields.ts';
import { linkShape, timestampShape } from '../http/shapes.ts';
import { timestamp } from '../text.ts';
import type { Translation } from './stored.ts';
import { topicPath } from './topic.ts';

export const translationsPath = (topic: number): string => `${topicPath(topic)}/translations`;
export const translationPath = (topic: number, locale: string): string => `${translationsPath(topic)}/${locale}`;

/** The fields that a client may set in a translation. */
export const translationFields = { name: nameField(), description: textField(), locale: nameField() };

/** A translation as replies show it. */
export const translationShape = () =>
  z.object({
    name: z.string(),
    description: z.string().nullable(),
    locale: z.string(),
    created_at: timestampShape(),
    updated_at: timestampShape(),
    _links: z.object({ self: linkShape('topic_translation') }),
  });

export function showTranslation({ topic, name, description, locale, created_at, updated_at }: Translation) {
  return {
    name,
    description,
    locale,
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
    _links: { self: { href: translationPath(topic, locale), class: 'topic_translation' } },
  };
}
