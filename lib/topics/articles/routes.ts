import * as z from 'zod';
import { R_READ, R_WRITE } from '../../access/roles.ts';
import { listReply } from '../../http/page.ts';
import { created, noContent, show } from '../../http/reply.ts';
import { type Call, type Route, route } from '../../http/route.ts';
import { linkShape, pageShape } from '../../http/shapes.ts';
import { change } from '../../resource/change.ts';
import { BRANDS_PATH, findBrand } from '../brand-routes.ts';
import { findTopic } from '../library.ts';
import { TOPICS_PATH, topicPath } from '../topic.ts';
import { articleRemoval } from './change.ts';
import { ARTICLE as FORM, newArticleFields } from './fields.ts';
import { findArticle, findWhole, type WholeArticle } from './found.ts';
import { ARTICLE_LISTS, articleQuery, listArticles } from './list.ts';
import { ARTICLES_PATH, articlePath, articleReads, articleShape, openShownIn, showArticle } from './shown.ts';
import { sweepTexts } from './texts.ts';
import { articleTranslationRoutes } from './translation-routes.ts';
import { commitArticle, planArticleUpdate, planNew } from './write.ts';

const ARTICLE = `${ARTICLES_PATH}/{article_id}`;
const TOPIC_ARTICLES = `${TOPICS_PATH}/{topic_id}/articles`;

const read = { roles: R_READ, extension: true, method: 'GET', reads: articleReads } as const;
const list = {
  ...read,
  list: true,
  query: articleQuery,
  lists: ARTICLE_LISTS,
  vary: ['Accept-Language'],
  requestHeaders: { 'Accept-Language': 'Only articles in the best matching language, shown in it' },
  reply: () => pageShape(articleShape()),
} as const;
const write = { roles: R_WRITE, extension: true, reads: articleReads } as const;

const showFound = ({ shownIn, article, texts }: WholeArticle) => showArticle(shownIn, article, texts);

const creating = {
  ...write,
  method: 'POST',
  body: newArticleFields,
  required: FORM.required,
  reply: articleShape,
} as const;

async function createArticle(
  { context, fields, faults }: Call<unknown, Record<never, never>, typeof newArticleFields>,
  topic: number | undefined,
) {
  const shownIn = await openShownIn(context);
  const draft = await planNew(context, shownIn, { fields, faults, topic });
  faults.check();
  const reply = created(
    context.origin,
    articlePath(draft.article.id),
    showArticle(shownIn, draft.article, draft.texts),
  );
  await commitArticle(context, shownIn, draft, reply);
  return reply;
}

/** Articles with their translations. */
export const articleRoutes: readonly Route[] = [
  route({
    ...list,
    name: 'listArticles',
    summary: 'List articles',
    path: ARTICLES_PATH,
    handle: (call) => listArticles(call, { path: ARTICLES_PATH }),
  }),
  route({
    ...list,
    name: 'searchArticles',
    summary: 'List articles, those first that have the words of a text in their subject',
    path: `${ARTICLES_PATH}/search`,
    handle: (call) => listArticles(call, { path: `${ARTICLES_PATH}/search` }),
  }),
  route({
    ...list,
    name: 'listTopicArticles',
    summary: 'List the articles of a topic by position',
    path: TOPIC_ARTICLES,
    find: findTopic,
    handle: (call) => {
      const { id } = call.resource.topic;
      return listArticles(call, { path: `${topicPath(id)}/articles`, topic: id });
    },
  }),
  route({
    ...list,
    name: 'listBrandArticles',
    summary: 'List the articles of a brand',
    path: `${BRANDS_PATH}/{brand_id}/articles`,
    find: findBrand,
    handle: (call) => {
      const { id } = call.resource.brand;
      return listArticles(call, { path: `${BRANDS_PATH}/${id}/articles`, brand: id });
    },
  }),
  route({
    ...read,
    name: 'showArticle',
    summary: 'Show an article',
    path: ARTICLE,
    reply: articleShape,
    find: findWhole,
    handle: (call) => show(showFound(call.resource)),
  }),
  route({
    ...read,
    name: 'listArticleAttachments',
    summary: 'List the attachments of an article: there are none',
    path: `${ARTICLE}/attachments`,
    list: true,
    reply: () => pageShape(z.object({ _links: z.object({ self: linkShape('attachment') }) })),
    find: findArticle,
    handle: (call) =>
      listReply(call, {
        path: `${articlePath(call.resource.article.id)}/attachments`,
        seeds: [],
        members: () => [],
        show: () => undefined,
      }),
  }),
  route({
    ...creating,
    name: 'createArticle',
    summary: 'Create an article as the last one of its topic',
    path: ARTICLES_PATH,
    example: {
      subject: 'How to read an invoice',
      body: '<p>It has three parts.</p>',
      _links: { topic: { href: '/api/v2/topics/1' } },
    },
    handle: (call) => createArticle(call, undefined),
  }),
  route({
    ...creating,
    name: 'createTopicArticle',
    summary: 'Create an article in a topic',
    path: TOPIC_ARTICLES,
    example: { subject: 'How to read an invoice', in_support_center: true },
    find: findTopic,
    handle: (call) => createArticle(call, call.resource.topic.id),
  }),
  route({
    ...write,
    name: 'updateArticle',
    summary: 'Update the given fields of an article',
    method: 'PATCH',
    path: ARTICLE,
    body: FORM.update,
    reply: articleShape,
    example: { body: '<p>It has four parts.</p>', in_support_center: true },
    find: findWhole,
    current: ({ resource }) => showFound(resource),
    handle: async ({ context, resource, fields, faults }) => {
      const { shownIn, article, texts } = resource;
      const before = { article, texts };
      const after = await planArticleUpdate(context, shownIn, before, { fields, faults });
      faults.check();
      if (after === before) return show(showFound(resource));
      await commitArticle(context, shownIn, { ...after, before: texts });
      return show(showArticle(shownIn, after.article, after.texts));
    },
  }),
  route({
    ...write,
    name: 'deleteArticle',
    summary: 'Delete an article with its translations',
    method: 'DELETE',
    path: ARTICLE,
    find: findArticle,
    current: async ({ context, params }) => showFound(await findWhole({ context, params })),
    handle: async ({ context, resource: { shownIn, article } }) => {
      const { site, articles } = shownIn.library;
      const { id, translations } = article;
      await change(context, [articleRemoval(articles, article, context.now)]);
      const places = [{ id }, ...Object.keys(translations).map((locale) => ({ id, locale }))];
      await sweepTexts(context.table, site.name, places);
      return noContent;
    },
  }),
  ...articleTranslationRoutes,
];
