import * as z from 'zod';
import { R_READ } from '../access/roles.ts';
import { Failure } from '../errors.ts';
import { flagField, idOf } from '../http/fields.ts';
import { type Listing, listReply } from '../http/page.ts';
import { type Reply, show } from '../http/reply.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { idShape, linkShape, pageShape, timestampShape } from '../http/shapes.ts';
import { keys, members } from '../store/keys.ts';
import { timestamp } from '../text.ts';
import { type Article, articlesOf, countsByBrand } from './article.ts';
import { matchArticles } from './article-search.ts';
import { type Brand, brandShape, brandsOf, showBrand } from './brand.ts';
import { type Library, libraryReads, openLibrary, topicIn } from './library.ts';
import { topicsOf } from './stored.ts';
import { TOPICS_PATH, topicPath, topicShape } from './topic.ts';
import { showTopicOf } from './topic-shown.ts';

const ARTICLES = '/api/v2/articles';
const BRANDS = '/api/v2/brands';

const articleShape = () =>
  z.object({
    id: idShape(),
    subject: z.string(),
    body: z.string().nullable(),
    created_at: timestampShape().nullable(),
    updated_at: timestampShape().nullable(),
    _links: z.object({
      self: linkShape('article'),
      topic: linkShape('topic').nullable().meta({ description: 'The first of its topics' }),
      topics: z.array(linkShape('topic')),
      brands: z.array(linkShape('brand')),
    }),
  });

const siteBrandShape = () => {
  const { _links, ...fields } = brandShape().shape;
  return z.object({ ...fields, _links: _links.extend({ topics: linkShape('topic') }) });
};

type InSite = Pick<Call, 'context'>;
const article = { roles: R_READ, extension: true, method: 'GET', reads: libraryReads } as const;

const text = z.object({ body: z.string().nullish() });

/** An article with its body, which is stored in another partition. */
async function showArticle({ context }: InSite, { id, subject, topics, brands, created_at, updated_at }: Article) {
  const item = await context.table.get({ ...keys.articleText(context.site.name), sk: members.articleText(id) });
  const links = (ids: readonly number[], path: string, name: string) =>
    ids.map((one) => ({ href: `${path}/${one}`, class: name }));
  const at = (time: number | undefined): string | null => (time === undefined ? null : timestamp(time));
  return {
    id,
    subject,
    body: (item && text.parse(item).body) ?? null,
    created_at: at(created_at),
    updated_at: at(updated_at),
    _links: {
      self: { href: `${ARTICLES}/${id}`, class: 'article' },
      topic: links(topics, TOPICS_PATH, 'topic')[0] ?? null,
      topics: links(topics, TOPICS_PATH, 'topic'),
      brands: links(brands, BRANDS, 'brand'),
    },
  };
}

/** Lists the articles that `pick` returns. */
function listArticles(call: Call, path: string, pick: Listing<Article>['members']): Promise<Reply> {
  return listReply(call, {
    path,
    seeds: libraryReads(call.context.site.name).map(call.context.version),
    members: pick,
    show: (one) => showArticle(call, one),
  });
}

const all = async ({ context }: InSite): Promise<readonly Article[]> =>
  articlesOf((await openLibrary(context)).articles);

async function findBrand({ context, params }: Pick<Call, 'context' | 'params'>) {
  const library = await openLibrary(context);
  const brand = brandsOf(library.brands).get(idOf(params.brand_id));
  if (brand === undefined) throw new Failure('not_found');
  return { library, brand };
}

async function findTopic({ context, params }: Pick<Call, 'context' | 'params'>) {
  const library = await openLibrary(context);
  return { library, topic: topicIn(library, idOf(params.topic_id)) };
}

function showSiteBrand({ articles }: Library, brand: Brand) {
  const shown = showBrand(0, brand, countsByBrand(articles));
  const topics = { href: `${BRANDS}/${brand.id}/topics`, class: 'topic' };
  return { ...shown, _links: { ...shown._links, self: { href: `${BRANDS}/${brand.id}`, class: 'brand' }, topics } };
}

const IDS = /^\d{1,15}(,\d{1,15})*$/;

/** The articles and brands that links lead to; read only. */
export const articleRoutes: readonly Route[] = [
  route({
    ...article,
    name: 'listArticles',
    summary: 'List articles',
    path: ARTICLES,
    list: true,
    reply: () => pageShape(articleShape()),
    handle: (call) => listArticles(call, ARTICLES, () => all(call)),
  }),
  route({
    ...article,
    name: 'searchArticles',
    summary: 'List the articles in which every word of a text begins a word',
    path: `${ARTICLES}/search`,
    list: true,
    query: {
      text: z.string('blank').refine((value) => value.trim() !== '', 'blank'),
      in_support_center: flagField(),
      topic_ids: z.string().regex(IDS).meta({ description: 'Ids of topics, separated by commas' }),
    },
    reply: () => pageShape(articleShape()),
    handle: (call) => {
      const { text: wanted, in_support_center: shown, topic_ids: ids } = call.query;
      if (wanted === undefined && !call.parameters.has('text')) call.faults.add('blank', 'text');
      const named = ids === undefined ? undefined : new Set(ids.split(',').map(Number));
      return listArticles(call, `${ARTICLES}/search`, async () => {
        const { articles, topics } = await openLibrary(call.context);
        const known = topicsOf(topics);
        const isShown = (id: number) => known.get(id)?.in_support_center === true;
        const found = await matchArticles(call.context, articles, wanted ?? '');
        return found.filter(
          (one) =>
            (shown === undefined || one.topics.some(isShown) === (shown === 'true')) &&
            (named === undefined || one.topics.some((id) => named.has(id))),
        );
      });
    },
  }),
  route({
    ...article,
    name: 'showArticle',
    summary: 'Show an article',
    path: `${ARTICLES}/{article_id}`,
    reply: articleShape,
    find: async ({ context, params }) => {
      const id = idOf(params.article_id);
      const found = (await all({ context })).find((one) => one.id === id);
      if (found === undefined) throw new Failure('not_found');
      return found;
    },
    handle: async (call) => show(await showArticle(call, call.resource)),
  }),
  route({
    ...article,
    name: 'listTopicArticles',
    summary: 'List the articles of a topic',
    path: `${TOPICS_PATH}/{topic_id}/articles`,
    list: true,
    reply: () => pageShape(articleShape()),
    find: findTopic,
    handle: (call) => {
      const { library, topic } = call.resource;
      return listArticles(call, `${topicPath(topic.id)}/articles`, () =>
        articlesOf(library.articles).filter(({ topics }) => topics.includes(topic.id)),
      );
    },
  }),
  route({
    ...article,
    name: 'listBrandArticles',
    summary: 'List the articles of a brand',
    path: `${BRANDS}/{brand_id}/articles`,
    list: true,
    reply: () => pageShape(articleShape()),
    find: findBrand,
    handle: (call) => {
      const { library, brand } = call.resource;
      return listArticles(call, `${BRANDS}/${brand.id}/articles`, () =>
        articlesOf(library.articles).filter(({ brands }) => brands.includes(brand.id)),
      );
    },
  }),
  route({
    ...article,
    name: 'listBrands',
    summary: 'List brands by id',
    path: BRANDS,
    list: true,
    reply: () => pageShape(siteBrandShape()),
    handle: async (call) => {
      const library = await openLibrary(call.context);
      return listReply(call, {
        path: BRANDS,
        seeds: libraryReads(call.context.site.name).map(call.context.version),
        members: () => [...brandsOf(library.brands).values()].sort((a, b) => a.id - b.id),
        show: (brand: Brand) => showSiteBrand(library, brand),
      });
    },
  }),
  route({
    ...article,
    name: 'showBrand',
    summary: 'Show a brand',
    path: `${BRANDS}/{brand_id}`,
    reply: siteBrandShape,
    find: findBrand,
    handle: ({ resource }) => show(showSiteBrand(resource.library, resource.brand)),
  }),
  route({
    ...article,
    name: 'listBrandTopics',
    summary: 'List the topics of a brand by position',
    path: `${BRANDS}/{brand_id}/topics`,
    list: true,
    reply: () => pageShape(topicShape()),
    find: findBrand,
    handle: (call) => {
      const { library, brand } = call.resource;
      return listReply(call, {
        path: `${BRANDS}/${brand.id}/topics`,
        seeds: [libraryReads(call.context.site.name).map(call.context.version), library.site.defaultLocale],
        members: () => [...topicsOf(library.topics).values()].filter(({ brands }) => brands.includes(brand.id)),
        show: ({ id }: { readonly id: number }) => showTopicOf(library, id),
      });
    },
  }),
  route({
    ...article,
    name: 'showTopicBrand',
    summary: 'Show a brand of a topic',
    path: `${TOPICS_PATH}/{topic_id}/brands/{brand_id}`,
    reply: brandShape,
    find: async ({ context, params }) => {
      const { library, topic } = await findTopic({ context, params });
      const id = idOf(params.brand_id);
      const brand = topic.brands.includes(id) ? brandsOf(library.brands).get(id) : undefined;
      if (brand === undefined) throw new Failure('not_found');
      return showBrand(topic.id, brand, countsByBrand(library.articles));
    },
    handle: ({ resource }) => show(resource),
  }),
];
