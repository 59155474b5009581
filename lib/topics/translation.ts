import * as z from 'zod';
import { linkShape } from '../http/shapes.ts';
import { TRANSLATION, type Translation, topicPath } from './topic.ts';

export const translationsPath = (topic: number): string => `${topicPath(topic)}/translations`;
export const translationPath = (topic: number, locale: string): string => `${translationsPath(topic)}/${locale}`;

/** A translation as replies show it. */
export const translationShape = () =>
  z.object({ ...TRANSLATION.shapes(), _links: z.object({ self: linkShape('topic_translation') }) });

export const showTranslation = (translation: Translation) => ({
  ...TRANSLATION.shown(translation),
  _links: { self: { href: translationPath(translation.topic, translation.locale), class: 'topic_translation' } },
});
