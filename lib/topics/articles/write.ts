import { isDeepStrictEqual } from 'node:util';
import { ownAgent } from '../../access/agents.ts';
import type { Answer, Context } from '../../context.ts';
import type { Faults } from '../../errors.ts';
import { change } from '../../resource/change.ts';
import { checkRoomIn } from '../../resource/storing.ts';
import { nextId } from '../../store/next-id.ts';
import { brandsOf, chooseBrands } from '../brand.ts';
import type { Library } from '../library.ts';
import { topicsOf } from '../stored.ts';
import {
  type Article,
  articlesOf,
  inSupportCenter,
  positionsOf,
  publishedAt,
  type StoredTranslation,
} from './article.ts';
import { ARTICLE_STORING, articleEdits } from './change.ts';
import { automaticTexts } from './channels.ts';
import { type ArticleFields, LARGEST_BESIDE } from './fields.ts';
import { channelSource, isTopicShown, type ShownIn } from './shown.ts';
import {
  type ArticleTexts,
  bytesBesideBody,
  describeTexts,
  isSameTexts,
  NO_ARTICLE_TEXTS,
  type TextsWrite,
  textsAfter,
  textWrites,
} from './texts.ts';
import { chooseTopics } from './topic-links.ts';

/** The fields that a client sent, and the faults to which those of their values are added. */
export interface SentFields<F> {
  readonly fields: F;
  readonly faults: Faults;
}

/** What a write turns an article and its own texts into. */
export interface ArticleState {
  readonly article: Article;
  readonly texts: ArticleTexts;
}

/** Plans a new article; `topic` is that of the path, if it names one. Adds faults. */
export async function planNew(
  context: Context,
  shownIn: ShownIn,
  { fields, faults, topic }: SentFields<ArticleFields> & { readonly topic: number | undefined },
): Promise<ArticleState> {
  const { library } = shownIn;
  const { now, origin } = context;
  const { articles } = library;
  const topics = chooseTopics(
    [],
    fields,
    { topics: topicsOf(library.topics), origin, path: topic, required: true },
    faults,
  );
  const brands = chooseBrands([], fields, library.brands, faults);
  checkRoomIn('articles', ARTICLE_STORING, articles, faults);
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
  before: ArticleState,
  { fields, faults }: SentFields<ArticleFields>,
): Promise<ArticleState> {
  const { library } = shownIn;
  const { article } = before;
  const topics = chooseTopics(
    article.topics,
    fields,
    { topics: topicsOf(library.topics), origin: context.origin, path: undefined, required: false },
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
  if (isSame(library, before, after)) return before;
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

/** An article is shown as before, and all its texts are the same. */
function isSame(library: Library, before: ArticleState, after: ArticleState): boolean {
  const [topics, brands] = [topicsOf(library.topics), brandsOf(library.brands)];
  const plain = ({ article }: ArticleState) => ({
    ...article,
    topics: article.topics.filter((id) => topics.has(id)),
    brands: article.brands.filter((id) => brands.has(id)).sort((a, b) => a - b),
    position: article.position ?? positionsOf(library.articles).get(article.id),
    in_support_center: inSupportCenter(article, isTopicShown(library)),
    keywords: article.keywords ?? null,
    quickcode: article.quickcode ?? null,
    publish_at: publishedAt(article),
    ...describeTexts(NO_ARTICLE_TEXTS),
  });
  return isDeepStrictEqual(plain(before), plain(after)) && isSameTexts(before.texts, after.texts);
}

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
  { article, texts }: ArticleState,
  { fields, faults }: SentFields<TextsWrite>,
  isNew = false,
): ArticleTexts {
  const { body = texts.body } = fields;
  const after = textsAfter(texts, fields, automaticTexts(channelSource(shownIn, article, isNew ? body : texts.body)));
  if (bytesBesideBody(after) > LARGEST_BESIDE) {
    const message = `The texts for channels and the notes have more than ${LARGEST_BESIDE} bytes together.`;
    faults.explain('too_long', ['base'], { message });
  }
  return after;
}

const withTexts = (article: Article, texts: ArticleTexts): ArticleState => ({
  article: { ...article, ...describeTexts(texts) },
  texts,
});

/** Stores an article with its own texts; `before`: those that are stored. */
export async function commitArticle(
  context: Context,
  { library }: ShownIn,
  { article, texts, before = NO_ARTICLE_TEXTS }: ArticleState & { readonly before?: ArticleTexts },
  reply?: Answer,
): Promise<void> {
  const writes = textWrites(library.site.name, { id: article.id }, before, texts);
  await change(context, [articleEdits(library.articles, article)], { answer: reply, writes });
}
