import * as z from 'zod';
import {
  booleanField,
  idsField,
  nameField,
  shortTextField,
  TEXT_SIZE,
  textField,
  timeField,
  wordField,
} from '../../http/fields.ts';
import type { Values } from '../../http/route.ts';
import type { TextChannel } from './article.ts';

const BODY_SIZE = 262_144; // bytes of UTF-8
const LONGEST_KEYWORDS = 1000; // code points
export const MOST_LINKS = 100; // topics or brands of an article

type Text = ReturnType<typeof textField>;
type Auto = ReturnType<typeof booleanField>;
type ChannelFields = { readonly [C in TextChannel as `body_${C}`]: Text } & {
  readonly [C in TextChannel as `body_${C}_auto`]: Auto;
};

const channelFields: ChannelFields = {
  body_email: textField(),
  body_email_auto: booleanField(),
  body_chat: textField(),
  body_chat_auto: booleanField(),
  body_web_callback: textField(),
  body_web_callback_auto: booleanField(),
  body_twitter: textField(),
  body_twitter_auto: booleanField(),
  body_qna: textField(),
  body_qna_auto: booleanField(),
  body_phone: textField(),
  body_phone_auto: booleanField(),
  body_facebook: textField(),
  body_facebook_auto: booleanField(),
};

/** The texts that articles and translations share. */
const textFields = {
  subject: nameField(),
  body: textField(BODY_SIZE).meta({ description: 'HTML, kept byte for byte' }),
  ...channelFields,
};

/** The fields of an article that a client may set. */
export const articleFields = {
  ...textFields,
  keywords: shortTextField(LONGEST_KEYWORDS),
  position: z.int('invalid').min(1, 'invalid'),
  quickcode: shortTextField(),
  publish_at: timeField().nullable(),
  in_support_center: booleanField().nullable(),
  internal_notes: textField(),
  _links: z
    .unknown()
    .meta({ type: 'object', properties: { topic: { type: 'object', properties: { href: { type: 'string' } } } } }),
  topic_ids: idsField().meta({ description: 'The first one is the topic', minItems: 1, maxItems: MOST_LINKS }),
  brand_ids: idsField(MOST_LINKS),
  brand_action: wordField(['append', 'replace']),
};

/** Those that it may set when it creates the article. */
export const newArticleFields = { ...articleFields, updated_at: timeField(), created_at: timeField() };

export type ArticleFields = Values<typeof newArticleFields>;

/** The fields of a translation of an article that a client may set. */
export const articleTranslationFields = {
  locale: nameField(),
  ...textFields,
  outdated: booleanField(),
  publish_at: timeField().nullable(),
};

export type ArticleTranslationFields = Values<typeof articleTranslationFields>;

export const LARGEST_BESIDE = 4 * TEXT_SIZE; // bytes of the texts for channels and the notes together
