import { normalizeLocale } from '../../access/locales.ts';
import { R_READ, R_WRITE } from '../../access/roles.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { listReply } from '../../http/page.ts';
import { created, noContent, show } from '../../http/reply.ts';
import { type Call, type Route, route } from '../../http/route.ts';
import { pageShape } from '../../http/shapes.ts';
import { change } from '../../resource/change.ts';
import { timeOfRequest } from '../../resource/write-time.ts';
import { chooseLocale } from '../choose-locale.ts';
import { libraryReads } from '../library.ts';
import { type Article, type ArticleTranslation, translationIn, translationsOf } from './article.ts';
import { articleEdits } from './change.ts';
import { ARTICLE_TRANSLATION } from './fields.ts';
import { findArticle, writeOwn } from './found.ts';
import {
  ARTICLES_PATH,
  articlePath,
  articleReads,
  articleTranslationPath,
  articleTranslationShape,
  type ShownIn,
  showArticleTranslation,
  textIn,
} from './shown.ts';
import {
  type ArticleTexts,
  articleTranslationAfter,
  isSameTexts,
  NO_ARTICLE_TEXTS,
  readTexts,
  textWrites,
} from './texts.ts';
import { mergeTexts } from './write.ts';

const TRANSLATIONS = `${ARTICLES_PATH}/{article_id}/translations`;
const TRANSLATION = `${TRANSLATIONS}/{locale}`;

const usual = { extension: true, reads: articleReads } as const;
const writing = { ...usual, roles: R_WRITE } as const;

interface FoundTranslation {
  readonly shownIn: ShownIn;
  readonly article: Article;
  readonly locale: string;
  readonly translation: ArticleTranslation | undefined; // undefined: the article's own text
  readonly texts: ArticleTexts;
}

/** A route's `find`: returns the translation in the path with its texts; throws `not_found`. */
async function findTranslation({ context, params }: Pick<Call, 'context' | 'params'>): Promise<FoundTranslation> {
  const { shownIn, article } = await findArticle({ context, params });
  const { defaultLocale, name } = context.site;
  const locale = normalizeLocale(params.locale ?? '') ?? '';
  const translation = locale === defaultLocale ? undefined : translationIn(article, locale);
  if (translation === undefined && locale !== defaultLocale)
    throw notFound(`translation ${params.locale} of article ${article.id}`);
  const [texts = NO_ARTICLE_TEXTS] = await readTexts(context.table, name, [textIn(shownIn, article, locale)]);
  return { shownIn, article, locale, translation, texts };
}

const showFound = ({ shownIn, article, locale, texts }: FoundTranslation) =>
  showArticleTranslation(shownIn, article, locale, texts);

const isTakenIn =
  (article: Article, { defaultLocale }: Context['site']) =>
  (locale: string): boolean =>
    locale === defaultLocale || translationIn(article, locale) !== undefined;

/** Writes a translation with its texts, under its new locale if it moves. */
async function store(
  context: Context,
  {
    shownIn,
    article,
    locale: before,
    texts: old,
  }: Pick<FoundTranslation, 'shownIn' | 'article' | 'texts'> & { locale?: string },
  {
    locale,
    translation,
    texts,
  }: Pick<FoundTranslation, 'locale' | 'texts'> & { readonly translation: ArticleTranslation },
  reply?: Parameters<Context['commit']>[1],
): Promise<Article> {
  const { site, articles } = shownIn.library;
  const isMoved = before !== undefined && before !== locale;
  const gone = isMoved ? { [before]: { deleted: true as const, updated_at: context.now } } : {};
  const after = { ...article, translations: { ...article.translations, ...gone, [locale]: translation } };
  const { id } = article;
  const writes = [
    ...(isMoved ? textWrites(site.name, { id, locale: before }, old, NO_ARTICLE_TEXTS) : []),
    ...textWrites(site.name, { id, locale }, isMoved ? NO_ARTICLE_TEXTS : old, texts),
  ];
  await change(context, [articleEdits(articles, after)], { answer: reply, writes });
  return after;
}

/** The endpoints of articles' translations. */
export const articleTranslationRoutes: readonly Route[] = [
  route({
    ...usual,
    name: 'listArticleTranslations',
    summary: 'List the translations of an article by locale',
    method: 'GET',
    path: TRANSLATIONS,
    roles: R_READ,
    list: true,
    reply: () => pageShape(articleTranslationShape()),
    find: findArticle,
    handle: (call) => {
      const { context, resource } = call;
      const { shownIn, article } = resource;
      const { name, defaultLocale } = context.site;
      return listReply(call, {
        path: `${articlePath(article.id)}/translations`,
        seeds: [libraryReads(name).map(context.version), defaultLocale, shownIn.portal],
        members: () => [defaultLocale, ...translationsOf(article, defaultLocale).map(([locale]) => locale)].sort(),
        showAll: async (locales: readonly string[]) => {
          const wanted = locales.map((locale) => textIn(shownIn, article, locale));
          const texts = await readTexts(context.table, name, wanted);
          return locales.map((locale, nth) =>
            showArticleTranslation(shownIn, article, locale, texts[nth] ?? NO_ARTICLE_TEXTS),
          );
        },
      });
    },
  }),
  route({
    ...usual,
    name: 'showArticleTranslation',
    summary: 'Show a translation of an article',
    method: 'GET',
    path: TRANSLATION,
    roles: R_READ,
    reply: articleTranslationShape,
    find: findTranslation,
    handle: ({ resource }) => show(showFound(resource)),
  }),
  route({
    ...writing,
    name: 'createArticleTranslation',
    summary: 'Create a translation of an article',
    method: 'POST',
    path: TRANSLATIONS,
    body: ARTICLE_TRANSLATION.body,
    required: ARTICLE_TRANSLATION.required,
    reply: articleTranslationShape,
    example: { locale: 'de', subject: 'Eine Rechnung lesen', body: '<p>Sie hat drei Teile.</p>' },
    find: findArticle,
    handle: async ({ context, resource: { shownIn, article }, fields, faults }) => {
      const { locale: sent } = fields;
      const { site, now } = context;
      const free = { site, before: undefined, isTaken: isTakenIn(article, site) };
      const locale = sent === undefined ? '' : chooseLocale(sent, free, faults);
      const texts = mergeTexts(shownIn, { article, texts: NO_ARTICLE_TEXTS }, { fields, faults }, true);
      faults.check();
      const translation = articleTranslationAfter(undefined, fields, texts, timeOfRequest(now));
      const after = { ...article, translations: { ...article.translations, [locale]: translation } };
      const path = articleTranslationPath(article.id, locale);
      const reply = created(context.origin, path, showArticleTranslation(shownIn, after, locale, texts));
      await store(context, { shownIn, article, texts: NO_ARTICLE_TEXTS }, { locale, translation, texts }, reply);
      return reply;
    },
  }),
  route({
    ...writing,
    name: 'updateArticleTranslation',
    summary: 'Update the given fields of a translation of an article',
    method: 'PATCH',
    path: TRANSLATION,
    body: ARTICLE_TRANSLATION.update,
    reply: articleTranslationShape,
    example: { subject: 'Rechnungen lesen', outdated: false },
    find: findTranslation,
    current: ({ resource }) => showFound(resource),
    handle: async ({ context, resource, fields, faults }) => {
      const { shownIn, article, locale: before, translation, texts: old } = resource;
      const { site, now } = context;
      const free = { site, before, isTaken: isTakenIn(article, site) };
      const locale = fields.locale === undefined ? before : chooseLocale(fields.locale, free, faults);
      if (translation === undefined) return writeOwn(context, resource, fields, faults);
      const texts = mergeTexts(shownIn, { article, texts: old }, { fields, faults });
      faults.check();
      const isRewritten =
        texts.body !== old.body || (fields.subject !== undefined && fields.subject !== translation.subject);
      const { outdated = isRewritten ? false : undefined } = fields; // its new texts make it current
      const after = articleTranslationAfter(translation, { ...fields, outdated }, texts, timeOfRequest(now));
      if (after === translation && isSameTexts(old, texts) && locale === before) return show(showFound(resource));
      const stored = await store(
        context,
        { shownIn, article, locale: before, texts: old },
        { locale, translation: { ...after, updated_at: now }, texts },
      );
      return show(showArticleTranslation(shownIn, stored, locale, texts));
    },
  }),
  route({
    ...writing,
    name: 'deleteArticleTranslation',
    summary: 'Delete a translation of an article, unless it is in the default locale',
    method: 'DELETE',
    path: TRANSLATION,
    find: findTranslation,
    current: ({ resource }) => showFound(resource),
    handle: async ({ context, resource, faults }) => {
      const { shownIn, article, locale, translation, texts } = resource;
      if (translation === undefined)
        faults.explain('invalid', ['locale'], { message: 'The text in the default locale cannot be deleted alone.' });
      faults.check();
      const { site, articles } = shownIn.library;
      const gone = { deleted: true, updated_at: context.now } as const;
      const after = { ...article, translations: { ...article.translations, [locale]: gone } };
      const writes = textWrites(site.name, { id: article.id, locale }, texts, NO_ARTICLE_TEXTS);
      await change(context, [articleEdits(articles, after)], { writes });
      return noContent;
    },
  }),
];
