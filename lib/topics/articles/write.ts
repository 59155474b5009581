import { isDeepStrictEqual } from 'node:util';
import { ownAgent } from '../../access/agents.ts';
import type { Context } from '../../context.ts';
import type { Faults } from '../../errors.ts';
import { checkRoom } from '../../http/fields.ts';
import type { Change, Collection } from '../../store/collection.ts';
import { members } from '../../store/keys.ts';
import { nextId } from '../../store/next-id.ts';
import type { Item, Write } from '../../store/table.ts';
import { chooseBrands } from '../brand.ts';
import type { Library } from '../library.ts';
import { topicsOf } from '../stored.ts';
import {
  type Article,
  articlesOf,
  inSupportCenter,
  positionsOf,
  publishedAt,
  type StoredTranslation,
  TEXT_CHANNELS,
  type TextChannel,
} from './article.ts';
import { automaticTexts } from './channels.ts';
import { type ArticleFields, channelSent, LARGEST_BESIDE, type TextFields } from './fields.ts';
import { channelSource, isTopicShown, type ShownIn } from './shown.ts';
import { type ArticleTexts, bytesBesideBody, describeTexts, NO_ARTICLE_TEXTS, textWrites } from './texts.ts';
import { chooseTopics } from './topic-links.ts';

/** The fields that a client sent, and the faults to which those of their values are added. */
export interface SentFields<F> {
  readonly fields: F;
  readonly faults: Faults;
}

/** What a write turns an article and its own texts into. */
export interface ArticleDraft {
  readonly article: Article;
  readonly texts: ArticleTexts;
}

/** Plans a new article; `topic` is that of the path, if it names one. Adds faults. */
export async function planNew(
  context: Context,
  shownIn: ShownIn,
  { fields, faults, topic }: SentFields<ArticleFields> & { readonly topic: number | undefined },
): Promise<ArticleDraft> {
  const { library } = shownIn;
  const { now, origin } = context;
  const { articles } = library;
  const topics = chooseTopics(
    [],
    fields,
    { known: topicsOf(library.topics), origin, path: topic, required: true },
    faults,
  );
  const brands = chooseBrands([], fields, library.brands, faults);
  checkRoom('articles', articlesOf(articles).size, faults);
  for (const name of ['created_at', 'updated_at'] as const)
    if ((fields[name] ?? 0) > now) faults.explain('invalid', [name], { message: `${name} is in the future.` });
  const { created_at = now, updated_at = created_at, in_support_center = null } = fields;
  const { publish_at = in_support_center === true ? now : null } = fields;
  const agent = (await ownAgent(context))?.id;
  const [first = 0] = topics;
  const article: Article = {
    id: nextId(articles),
    subject: fields.subject ?? '',
    own: [],
    topics,
    brands,
    keywords: fields.keywords ?? null,
    quickcode: fields.quickcode ?? null,
    position: fields.position ?? lastPositionIn(library, first) + 1,
    in_support_center,
    publish_at: publish_at === null ? null : seconds(publish_at),
    created_at,
    updated_at,
    translations: {},
    ...(typeof agent === 'number' && { created_by: agent, updated_by: agent }),
  };
  return withTexts(article, mergeTexts(shownIn, { article, texts: NO_ARTICLE_TEXTS }, { fields, faults }, true));
}

/** Plans an update; the result is `before` itself if nothing changes. Adds faults. */
export async function planArticleUpdate(
  context: Context,
  shownIn: ShownIn,
  before: ArticleDraft,
  { fields, faults }: SentFields<ArticleFields>,
): Promise<ArticleDraft> {
  const { library } = shownIn;
  const { article } = before;
  const topics = chooseTopics(
    article.topics,
    fields,
    { known: topicsOf(library.topics), origin: context.origin, path: undefined, required: false },
    faults,
  );
  const brands = chooseBrands(article.brands, fields, library.brands, faults);
  const texts = mergeTexts(shownIn, before, { fields, faults });
  const { subject, keywords, quickcode, in_support_center, position } = fields;
  const moved = topics[0] !== article.topics[0];
  const isShown = inSupportCenter(article, isTopicShown(library)) === true;
  const publishes = in_support_center === true && !isShown && publishedAt(article) === null;
  const { publish_at = publishes ? seconds(context.now) : undefined } = fields;
  const next: Article = {
    ...article,
    topics,
    brands,
    ...(subject !== undefined && { subject }),
    ...(keywords !== undefined && { keywords }),
    ...(quickcode !== undefined && { quickcode }),
    ...(in_support_center !== undefined && { in_support_center }),
    ...(publish_at !== undefined && { publish_at }),
    ...(position !== undefined
      ? { position }
      : moved && topics[0] !== undefined && { position: lastPositionIn(library, topics[0]) + 1 }),
  };
  const after = withTexts(next, texts);
  if (isSame(before, after)) return before;
  const agent = (await ownAgent(context))?.id;
  const isRenamed = next.subject !== article.subject || texts.body !== before.texts.body;
  const { updated_by: _, ...rest } = after.article;
  return {
    texts,
    article: {
      ...rest,
      ...(typeof agent === 'number' && { updated_by: agent }),
      updated_at: context.now,
      translations: isRenamed ? outdated(article.translations) : article.translations,
    },
  };
}

const seconds = (time: number): number => Math.floor(time / 1000) * 1000;

/** An article is published, told and described as before, and all its texts are the same. */
function isSame(before: ArticleDraft, after: ArticleDraft): boolean {
  const plain = ({ article }: ArticleDraft) => ({
    ...article,
    keywords: article.keywords ?? null,
    quickcode: article.quickcode ?? null,
    publish_at: publishedAt(article),
    ...describeTexts(NO_ARTICLE_TEXTS),
  });
  return isDeepStrictEqual(plain(before), plain(after)) && isSameTexts(before.texts, after.texts);
}

export const isSameTexts = (a: ArticleTexts, b: ArticleTexts): boolean =>
  a.body === b.body &&
  a.notes === b.notes &&
  TEXT_CHANNELS.every((channel) => a.channels[channel] === b.channels[channel]);

const outdated = (translations: Article['translations']): Article['translations'] =>
  Object.fromEntries(
    Object.entries(translations).map(([locale, one]): [string, StoredTranslation] => [
      locale,
      'deleted' in one ? one : { ...one, outdated: true },
    ]),
  );

/** The largest position of a topic's articles; 0 without any. */
function lastPositionIn({ articles }: Library, topic: number): number {
  const positions = positionsOf(articles);
  let last = 0;
  for (const { id, topics } of articlesOf(articles).values())
    if (topics.includes(topic)) last = Math.max(last, positions.get(id) ?? 0);
  return last;
}

/** The texts after a write. Adds faults. */
export function mergeTexts(
  shownIn: ShownIn,
  { article, texts }: ArticleDraft,
  { fields, faults }: SentFields<TextFields & Pick<ArticleFields, 'internal_notes'>>,
  isNew = false,
): ArticleTexts {
  const { body = texts.body, internal_notes: notes = texts.notes } = fields;
  const shown = automaticTexts(channelSource(shownIn, article, isNew ? body : texts.body));
  const channels: Partial<Record<TextChannel, string>> = {};
  for (const channel of TEXT_CHANNELS) {
    const own = ownText(texts.channels[channel], channelSent(fields, channel), () => shown(channel));
    if (own !== undefined) channels[channel] = own;
  }
  const after = { body, channels, notes };
  if (bytesBesideBody(after) > LARGEST_BESIDE) {
    const message = `The texts for channels and the notes have more than ${LARGEST_BESIDE} bytes together.`;
    faults.explain('too_long', ['base'], { message });
  }
  return after;
}

interface SentText {
  readonly text: string | null | undefined;
  readonly automatic: boolean | undefined;
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

const withTexts = (article: Article, texts: ArticleTexts): ArticleDraft => ({
  article: { ...article, ...describeTexts(texts) },
  texts,
});

export const articleItem = ({ pk }: Collection, article: Article): Item => ({
  pk,
  sk: members.item(article.id),
  deleted: false,
  ...article,
});

/** The change and the writes beside it that store an article with its own texts. */
export function articleChange(
  { library }: ShownIn,
  { article, texts }: ArticleDraft,
  before: ArticleTexts,
): { readonly change: Change; readonly writes: readonly Write[] } {
  const { site, articles } = library;
  return {
    change: { collection: articles, put: [articleItem(articles, article)] },
    writes: textWrites(site.name, { id: article.id }, before, texts),
  };
}

/** What stays of a deleted article: its subject, for meta and old reports. */
export const deletedArticle = (
  { pk }: Pick<Collection, 'pk'>,
  { id, subject }: Pick<Article, 'id' | 'subject'>,
  updated_at: number,
): Item => ({
  pk,
  sk: members.item(id),
  id,
  subject,
  deleted: true,
  body_hash: null,
  updated_at,
});
