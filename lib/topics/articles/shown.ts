import * as z from 'zod';
import type { Context } from '../../context.ts';
import { idShape, linkShape } from '../../http/shapes.ts';
import { LINKED, type Linked, linkedShape, linksTo, linkTo } from '../../resource/link.ts';
import { type Collection, perVersion } from '../../store/collection.ts';
import { keys, type Partition } from '../../store/keys.ts';
import { type Library, libraryReads, openLibrary } from '../library.ts';
import { topicsOf } from '../stored.ts';
import { TOPICS_PATH } from '../topic.ts';
import { type Article, articlesOf, inSupportCenter, positionsOf, publishedAt, translationIn } from './article.ts';
import { automaticTexts } from './channels.ts';
import { ARTICLE, ARTICLE_TRANSLATION, TEXT_CHANNELS } from './fields.ts';
import type { ArticleTexts, TextOf } from './texts.ts';

export const ARTICLES_PATH = '/api/v2/articles';
export const articlePath = (id: number): string => `${ARTICLES_PATH}/${id}`;
export const articleTranslationPath = (id: number, locale: string): string =>
  `${articlePath(id)}/translations/${locale}`;

/** An article as replies show it. */
export const articleShape = () =>
  z.object({
    id: idShape(),
    ...ARTICLE.shapes(),
    _links: z.object({
      self: linkShape('article'),
      topic: linkedShape('topic').meta({ description: 'The first of its topics' }),
      translations: linkShape('article_translation'),
      attachments: linkShape('attachment').extend({ count: z.int().nonnegative() }),
      created_by: linkedShape('user'),
      updated_by: linkedShape('user'),
      topics: z.array(linkShape('topic')),
      brands: z.array(linkShape('brand')),
    }),
  });

/** A translation of an article as replies show it. */
export const articleTranslationShape = () =>
  z.object({ ...ARTICLE_TRANSLATION.shapes(), _links: z.object({ self: linkShape('article_translation') }) });

/** What an article is shown in: its site's collections, and where readers find the support center. */
export interface ShownIn {
  readonly library: Library;
  readonly agents: Collection; // who wrote articles
  readonly portal: string; // an origin
}

/** The collections that articles are shown with. */
export const articleReads = (site: string): readonly Partition[] => [
  ...libraryReads(site),
  keys.reference(site, 'agent'),
];

/** Opens what articles are shown in. */
export async function openShownIn(context: Context): Promise<ShownIn> {
  const agents = await context.open(keys.reference(context.site.name, 'agent'));
  return { library: await openLibrary(context), agents, portal: portalOf(context) };
}

const TOPICS: Linked = {
  one: 'topic',
  path: TOPICS_PATH,
  storing: { partition: keys.topics, find: (topics, id) => topicsOf(topics).get(id) },
};

/** The origin of the support center: the site's own, else that of the request. */
export const portalOf = ({ site, origin }: Pick<Context, 'site' | 'origin'>): string => site.portalUrl ?? origin;

/** Where readers find an article, also a draft. A mark at the end of the subject stays as `-`. */
function publicUrl({ portal }: ShownIn, { id, subject }: Pick<Article, 'id' | 'subject'>): string {
  const slug = subject
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return `${portal}/customer/portal/articles/${id}-${slug}`;
}

/** Whether the support center shows a topic. */
export const isTopicShown =
  ({ topics }: Pick<Library, 'topics'>) =>
  (id: number): boolean =>
    topicsOf(topics).get(id)?.in_support_center === true;

/** What an article's texts for channels are made from. */
export function channelSource(shownIn: ShownIn, article: Article, body: string | null) {
  const isShown = inSupportCenter(article, isTopicShown(shownIn.library)) === true;
  return { body, url: isShown ? publicUrl(shownIn, article) : null };
}

function channelFields({ channels }: ArticleTexts, automatic: ReturnType<typeof automaticTexts>) {
  const fields: Record<string, string | boolean | null> = {};
  for (const channel of TEXT_CHANNELS) {
    const own = channels[channel];
    fields[`body_${channel}`] = own ?? automatic(channel);
    fields[`body_${channel}_auto`] = own === undefined;
  }
  return fields;
}

/** An article with the texts of its own, or of its translation in `locale`. */
export function showArticle(shownIn: ShownIn, article: Article, texts: ArticleTexts, locale?: string) {
  const { library, agents } = shownIn;
  const { id, topics, brands, rating_count, rating_score } = article;
  const translation = locale === undefined ? undefined : translationIn(article, locale);
  const automatic = automaticTexts(channelSource(shownIn, article, texts.body));
  const [ratings, score] = [rating_count ?? 0, rating_score ?? 0];
  const path = articlePath(id);
  const topicLinks = linksTo(TOPICS, topics, library.topics);
  return {
    id,
    ...ARTICLE.shown({
      keywords: null,
      quickcode: null,
      ...article,
      locale: translation && locale !== undefined ? locale : library.site.defaultLocale,
      subject: (translation ?? article).subject,
      body: texts.body,
      ...channelFields(texts, automatic),
      rating: ratings === 0 ? 0 : Math.round((100 * score) / ratings),
      rating_count: ratings,
      rating_score: score,
      position: article.position ?? positionsOf(library.articles).get(id) ?? 1,
      publish_at: publishedAt(article),
      in_support_center: inSupportCenter(article, isTopicShown(library)),
      internal_notes: texts.notes,
      public_url: publicUrl(shownIn, article),
      body_text: automatic('text'),
    }),
    _links: {
      self: { href: path, class: 'article' },
      topic: topicLinks[0] ?? null,
      translations: { href: `${path}/translations`, class: 'article_translation' },
      attachments: { href: `${path}/attachments`, class: 'attachment', count: 0 },
      created_by: linkTo(LINKED.agent, article.created_by, agents),
      updated_by: linkTo(LINKED.agent, article.updated_by, agents),
      topics: topicLinks,
      brands: linksTo(LINKED.brand, brands, library.brands),
    },
  };
}

/** A translation with its texts; that in the default locale is the article's own text. */
export function showArticleTranslation(shownIn: ShownIn, article: Article, locale: string, texts: ArticleTexts) {
  const own = translationIn(article, locale);
  const isDefault = locale === shownIn.library.site.defaultLocale || own === undefined;
  const wording = isDefault ? article : own;
  return {
    ...ARTICLE_TRANSLATION.shown({
      ...wording,
      locale,
      body: texts.body,
      ...channelFields(texts, automaticTexts(channelSource(shownIn, article, texts.body))),
      outdated: !isDefault && own.outdated,
      publish_at: isDefault || own.publish_at === undefined ? publishedAt(article) : own.publish_at,
    }),
    _links: { self: { href: articleTranslationPath(article.id, locale), class: 'article_translation' } },
  };
}

/** The texts of an article in a locale: its own in the default one, and where it has no translation. */
export function textIn({ library }: Pick<ShownIn, 'library'>, article: Article, locale: string | undefined): TextOf {
  const of = locale === undefined || locale === library.site.defaultLocale ? undefined : translationIn(article, locale);
  return of === undefined ? { id: article.id, of: article } : { id: article.id, locale, of };
}

/** How many articles are published at a time; a list of published articles changes when it rises. */
export function countPublished({ articles }: Pick<Library, 'articles'>, now: number): number {
  return perVersion(articles, publishTimes).filter((time) => time <= now).length;
}

const publishTimes = (articles: Library['articles']): number[] =>
  [...articlesOf(articles).values()].flatMap((article) => publishedAt(article) ?? []);
