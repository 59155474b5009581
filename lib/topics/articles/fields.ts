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
import { timestampShape } from '../../http/shapes.ts';
import { between, bool, member, memberSet, name as readName, text as readText } from '../../json-readers.ts';
import { formOf } from '../../resource/resource.ts';
import { timestampOrNull } from '../../text.ts';

const BODY_SIZE = 262_144; // bytes of UTF-8: a body must fit into one item of the table
const LONGEST_KEYWORDS = 1000; // code points
export const LARGEST_BESIDE = 4 * TEXT_SIZE; // bytes of the texts for channels and the notes together
export const MOST_LINKS = 100; // topics or brands of an article

/** The channels for which an article can have a text of its own, in the order of its fields. */
export const TEXT_CHANNELS = ['email', 'chat', 'web_callback', 'twitter', 'qna', 'phone', 'facebook'] as const;
export type TextChannel = (typeof TEXT_CHANNELS)[number];

const string = () => z.string();
const stringOrNull = () => z.string().nullable();
const text = () => ({ body: textField(), record: readText(), shown: stringOrNull });
const automatic = () => ({ body: booleanField(), record: bool, shown: () => z.boolean() });
const count = () => z.int().nonnegative();
const rating = () => ({ stored: z.number().nullish(), record: between(0, Number.MAX_SAFE_INTEGER), shown: count });
const time = { stored: z.number().optional(), shown: () => timestampShape().nullable(), show: timestampOrNull }; // epoch ms
const links = {
  stored: z
    .array(z.number())
    .nullish()
    .transform((ids): readonly number[] => [...new Set(ids)]), // without duplicates
  record: memberSet,
};
const agent = { stored: z.number().nullish(), record: member };

/** The texts of an article or a translation. Each is an item of its own (`texts.ts`). */
export const TEXTS = {
  body: {
    ...text(),
    body: textField(BODY_SIZE).meta({ description: 'HTML, kept byte for byte' }),
    record: readText(BODY_SIZE),
  },
  body_email: text(),
  body_email_auto: automatic(),
  body_chat: text(),
  body_chat_auto: automatic(),
  body_web_callback: text(),
  body_web_callback_auto: automatic(),
  body_twitter: text(),
  body_twitter_auto: automatic(),
  body_qna: text(),
  body_qna_auto: automatic(),
  body_phone: text(),
  body_phone_auto: automatic(),
  body_facebook: text(),
  body_facebook_auto: automatic(),
};

const SUBJECT = {
  stored: z.string().default(''),
  body: nameField(),
  required: true,
  record: readName,
  shown: string,
} as const;
const PUBLISH_AT = { ...time, stored: z.number().nullable().optional(), body: timeField().nullable() }; // null: a draft

/** What tells which texts there are. */
const TEXT_MARKS = {
  body_hash: { stored: z.string().nullish() }, // of the body; null: none; absent in imports of earlier versions
  own: { stored: z.array(z.enum(TEXT_CHANNELS)).readonly().default([]) }, // channels with a text of their own
};

export const ARTICLE_TRANSLATION = formOf({
  locale: { body: nameField(), required: true, shown: string },
  subject: SUBJECT,
  ...TEXTS,
  internal_notes: { record: readText() },
  outdated: { ...automatic(), stored: z.boolean().default(false) },
  publish_at: PUBLISH_AT,
  created_at: time,
  updated_at: time,
  ...TEXT_MARKS,
});

/** Kept in place of a deleted translation, so that an older record of an import does not bring it back. */
const deletedTranslation = z.object({ deleted: z.literal(true), updated_at: z.number() });

export const ARTICLE = formOf({
  id: { stored: z.number() },
  locale: { shown: string },
  subject: SUBJECT,
  ...TEXTS,
  rating: { shown: () => count().meta({ description: 'Percent of ratings that found it helpful' }) },
  rating_count: rating(),
  rating_score: rating(),
  keywords: {
    stored: z.string().nullish(),
    body: shortTextField(LONGEST_KEYWORDS),
    record: readText(4 * LONGEST_KEYWORDS),
    shown: stringOrNull,
  },
  position: {
    stored: z.number().nullish(), // absent: behind those of its first topic
    body: z.int('invalid').min(1, 'invalid'),
    record: between(1, Number.MAX_SAFE_INTEGER),
    shown: () => z.int().positive(),
  },
  quickcode: { stored: z.string().nullish(), body: shortTextField(), record: readName, shown: stringOrNull },
  publish_at: PUBLISH_AT,
  updated_at: time,
  created_at: time,
  in_support_center: {
    stored: z.boolean().nullable().optional(), // absent: an import has never told
    body: booleanField().nullable(),
    record: bool,
    shown: () => z.boolean().nullable(),
  },
  internal_notes: text(),
  public_url: { shown: string },
  body_text: { shown: stringOrNull },
  _links: {
    body: z
      .unknown()
      .meta({ type: 'object', properties: { topic: { type: 'object', properties: { href: { type: 'string' } } } } }),
  },
  topic_ids: {
    body: idsField().meta({ description: 'The first one is the topic', minItems: 1, maxItems: MOST_LINKS }),
  },
  brand_ids: { body: idsField(MOST_LINKS) },
  brand_action: { body: wordField(['append', 'replace']) },
  topics: links,
  brands: links,
  created_by: agent,
  updated_by: agent,
  has_notes: { stored: z.boolean().nullish() },
  ...TEXT_MARKS,
  translations: {
    stored: z // by normalised locale
      .record(
        z.string(),
        z
          .record(z.string(), z.unknown())
          .transform((item) => ('deleted' in item ? deletedTranslation : ARTICLE_TRANSLATION).parse(item)),
      )
      .default({}),
  },
});

/** The fields that a client may set when it creates an article. */
export const newArticleFields = { ...ARTICLE.body, updated_at: timeField(), created_at: timeField() };

export type ArticleFields = Values<typeof newArticleFields>;
export type ArticleTranslationFields = Values<typeof ARTICLE_TRANSLATION.body>;
