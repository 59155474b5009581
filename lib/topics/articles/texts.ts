import { hash } from 'node:crypto';
import * as z from 'zod';
import type { RecordFieldsOf } from '../../resource/field.ts';
import { type WriteTime, written } from '../../resource/write-time.ts';
import { type Key, keys, members } from '../../store/keys.ts';
import type { BatchedWrite, Item, Table } from '../../store/table.ts';
import type { Article, ArticleTranslation } from './article.ts';
import { type ARTICLE, TEXT_CHANNELS, type TEXTS, type TextChannel } from './fields.ts';

/** The texts of an article or of one of its translations. */
export interface ArticleTexts {
  readonly body: string | null;
  readonly channels: Readonly<Partial<Record<TextChannel, string>>>; // only those of its own
  readonly notes: string | null; // of articles alone
}

const NO_CHANNELS = { channels: {}, notes: null };
export const NO_ARTICLE_TEXTS: ArticleTexts = { body: null, ...NO_CHANNELS };

/** An article's own text (no locale) or one of its translations, by what the collection says of it. */
export interface TextOf {
  readonly id: number;
  readonly locale?: string | undefined;
  readonly of: Pick<Article, 'body_hash' | 'own' | 'has_notes'> | Pick<ArticleTranslation, 'body_hash' | 'own'>;
}

export type TextPlace = Pick<TextOf, 'id' | 'locale'>;

const bodyKey = (site: string, { id, locale }: TextPlace): Key => ({
  ...keys.articleText(site),
  sk: locale === undefined ? members.articleText(id) : members.translatedText(id, locale),
});
const channelsKey = (site: string, { id, locale }: TextPlace): Key => ({
  ...keys.articleText(site),
  sk: members.channelTexts(id, locale),
});

const bodyItem = z.object({ body: z.string().nullish() });
const channelsItem = z.object({
  texts: z.partialRecord(z.enum(TEXT_CHANNELS), z.string()),
  notes: z.string().nullable(),
});

const hasChannels = ({ of }: TextOf): boolean => of.own.length > 0 || ('has_notes' in of && of.has_notes === true);

/** Reads texts in one read; missing ones are null. */
export async function readTexts(table: Table, site: string, wanted: readonly TextOf[]): Promise<ArticleTexts[]> {
  const asked = wanted.flatMap((one) => [
    ...(one.of.body_hash === null ? [] : [bodyKey(site, one)]),
    ...(hasChannels(one) ? [channelsKey(site, one)] : []),
  ]);
  const items = (asked.length === 0 ? [] : await table.batchGet(asked)).values();
  return wanted.map((one) => {
    const body = one.of.body_hash === null ? null : bodyOf(items.next().value);
    return { body, ...(hasChannels(one) ? channelsOf(items.next().value) : NO_CHANNELS) };
  });
}

/** Reads the bodies alone, in one read. */
export async function readBodies(table: Table, site: string, wanted: readonly TextPlace[]): Promise<string[]> {
  return (await table.batchGet(wanted.map((one) => bodyKey(site, one)))).map((item) => bodyOf(item) ?? '');
}

const bodyOf = (item: Item | undefined): string | null =>
  item === undefined ? null : (bodyItem.parse(item).body ?? null);

function channelsOf(item: Item | undefined): Pick<ArticleTexts, 'channels' | 'notes'> {
  if (item === undefined) return NO_CHANNELS;
  const { texts, notes } = channelsItem.parse(item);
  return { channels: texts, notes };
}

/** What a collection says of texts. */
export function describeTexts({ body, channels, notes }: ArticleTexts) {
  const own = TEXT_CHANNELS.filter((channel) => channels[channel] !== undefined);
  return { body_hash: body === null ? null : hash('sha256', body, 'hex'), own, has_notes: notes !== null };
}

/** What a write says of a translation: an absent field changes nothing. */
interface TranslationWrite {
  readonly subject?: string | undefined;
  readonly outdated?: boolean | null | undefined;
  readonly publish_at?: number | null | undefined; // epoch ms
  readonly created_at?: number | undefined; // epoch ms
}

/** A translation after a write; `before` itself if nothing but perhaps its texts changes. */
export function articleTranslationAfter(
  before: ArticleTranslation | undefined,
  { subject, outdated = before?.outdated, publish_at = before?.publish_at, created_at }: TranslationWrite,
  texts: ArticleTexts,
  time: WriteTime,
): ArticleTranslation {
  const { body_hash, own } = describeTexts(texts);
  const after: ArticleTranslation = {
    subject: subject ?? before?.subject ?? '',
    outdated: outdated ?? false,
    body_hash,
    own,
    ...(publish_at !== undefined && { publish_at }),
    created_at: created_at ?? before?.created_at ?? time.at,
  };
  return written(before, after, time);
}

/** What a write says of texts: an absent one stays, null removes it. */
export type TextsWrite = Pick<RecordFieldsOf<typeof ARTICLE.fields>, keyof typeof TEXTS | 'internal_notes'>;

/** The texts after a write; `shown` is what a channel shows now that has no text of its own. */
export function textsAfter(
  before: ArticleTexts,
  write: TextsWrite,
  shown: (channel: TextChannel) => string | null,
): ArticleTexts {
  const { body = before.body, internal_notes: notes = before.notes } = write;
  const channels: Partial<Record<TextChannel, string>> = {};
  for (const channel of TEXT_CHANNELS) {
    const own = ownText(
      before.channels[channel],
      { text: write[`body_${channel}`], automatic: write[`body_${channel}_auto`] },
      () => shown(channel),
    );
    if (own !== undefined) channels[channel] = own;
  }
  return { body, channels, notes };
}

interface SentText {
  readonly text: string | null | undefined;
  readonly automatic: boolean | null | undefined;
}

/** A channel's own text after a write; undefined if it shows the automatic one. */
function ownText(
  before: string | undefined,
  { text, automatic }: SentText,
  shown: () => string | null,
): string | undefined {
  if (automatic === true || text === null) return undefined;
  if (text !== undefined) return text;
  return automatic === false ? (before ?? shown() ?? undefined) : before;
}

export const isSameTexts = (a: ArticleTexts, b: ArticleTexts): boolean =>
  a.body === b.body &&
  a.notes === b.notes &&
  TEXT_CHANNELS.every((channel) => a.channels[channel] === b.channels[channel]);

/** The bytes that channels and notes take; they share one item. */
export const bytesBesideBody = ({ channels, notes }: ArticleTexts): number =>
  [...Object.values(channels), notes ?? ''].reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** The writes that turn the texts before into those after. */
export function textWrites(site: string, place: TextPlace, before: ArticleTexts, after: ArticleTexts): BatchedWrite[] {
  const { channels, notes } = after;
  const isSame = notes === before.notes && TEXT_CHANNELS.every((one) => channels[one] === before.channels[one]);
  const isEmpty = notes === null && Object.keys(channels).length === 0;
  const key = channelsKey(site, place);
  return [
    ...(after.body === before.body ? [] : [bodyWrite(bodyKey(site, place), after.body)]),
    ...(isSame ? [] : [isEmpty ? { delete: key } : { put: { ...key, texts: channels, notes } }]),
  ];
}

const bodyWrite = (key: Key, body: string | null): BatchedWrite =>
  body === null ? { delete: key } : { put: { ...key, body } };

/** Deletes the texts of a deleted article or translation. Nobody can see them any more: a crash before leaves no trace. */
export async function sweepTexts(table: Table, site: string, places: readonly TextPlace[]): Promise<void> {
  const gone = places.flatMap((place) => [bodyKey(site, place), channelsKey(site, place)]);
  await table.batchWrite(gone.map((key) => ({ delete: key })));
}

/** Deletes all texts of a deleted article, also those of translations that its item no longer names. */
export async function sweepArticle(table: Table, site: string, id: number): Promise<void> {
  const { pk } = keys.articleText(site);
  const prefixes = [members.translatedText(id, ''), members.channelTexts(id, '')];
  const texts = await Promise.all(prefixes.map((prefix) => table.query(pk, { prefix, attributes: [] })));
  const own = [bodyKey(site, { id }), channelsKey(site, { id })];
  await table.batchWrite([...own, ...texts.flat().map(({ sk }) => ({ pk, sk }))].map((key) => ({ delete: key })));
}
