import { R_READ, R_WRITE } from '../access/roles.ts';
import { notFound } from '../errors.ts';
import { idOf } from '../http/fields.ts';
import { listReply } from '../http/page.ts';
import { show } from '../http/reply.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { pageShape } from '../http/shapes.ts';
import { nameText, times } from '../resource/field.ts';
import { below, resource } from '../resource/resource.ts';
import { routesOf } from '../resource/routes.ts';
import { recordsOf } from '../resource/storing.ts';
import { keys } from '../store/keys.ts';
import { countsByBrand } from './articles/article.ts';
import { articlesLink, articlesLinkShape, brandShape, brandsOf, showBrand } from './brand.ts';
import { findTopic, libraryReads, openLibrary, showTopicOf } from './library.ts';
import { topicsOf } from './stored.ts';
import { TOPICS_PATH, topicShape } from './topic.ts';

export const BRANDS_PATH = '/api/v2/brands';

const usual = { roles: R_READ, extension: true, method: 'GET', reads: libraryReads } as const;

/** A route's `find`: returns the brand in the path; throws `not_found`. */
export async function findBrand({ context, params }: Pick<Call, 'context' | 'params'>) {
  const library = await openLibrary(context);
  const id = idOf(params.brand_id);
  const brand = brandsOf(library.brands).get(id);
  if (brand === undefined) throw notFound(`brand ${id}`);
  return { library, brand };
}

/** Brands: read and written. A deleted one is no longer shown at topics and articles. */
const BRANDS = resource({
  one: 'brand',
  path: BRANDS_PATH,
  storing: recordsOf('brand'),
  roles: R_READ,
  reads: (site) => [keys.topics(site), keys.reference(site, 'article')],
  fields: { name: nameText({ required: true }), ...times() },
  links: {
    articles: {
      shape: articlesLinkShape,
      show: async ({ id, context }) => articlesLink(id, countsByBrand((await openLibrary(context)).articles)),
    },
    topics: below('topics', 'topic'),
  },
  writes: {
    limit: 'brands',
    roles: R_WRITE,
    deletes: true,
    examples: [{ name: 'Acme Outdoor' }, { name: 'Acme Indoor' }],
  },
});

/** Brands, and those of a topic. */
export const brandRoutes: readonly Route[] = [
  ...routesOf(BRANDS),
  route({
    ...usual,
    name: 'listBrandTopics',
    summary: 'List the topics of a brand by position',
    path: `${BRANDS_PATH}/{brand_id}/topics`,
    list: true,
    reply: () => pageShape(topicShape()),
    find: findBrand,
    handle: (call) => {
      const { library, brand } = call.resource;
      return listReply(call, {
        path: `${BRANDS_PATH}/${brand.id}/topics`,
        seeds: [libraryReads(call.context.site.name).map(call.context.version), library.site.defaultLocale],
        members: () => [...topicsOf(library.topics).values()].filter(({ brands }) => brands.includes(brand.id)),
        show: ({ id }: { readonly id: number }) => showTopicOf(library, id),
      });
    },
  }),
  route({
    ...usual,
    name: 'showTopicBrand',
    summary: 'Show a brand of a topic',
    path: `${TOPICS_PATH}/{topic_id}/brands/{brand_id}`,
    reply: brandShape,
    find: async ({ context, params }) => {
      const { library, topic } = await findTopic({ context, params });
      const id = idOf(params.brand_id);
      const brand = topic.brands.includes(id) ? brandsOf(library.brands).get(id) : undefined;
      if (brand === undefined) throw notFound(`brand ${id} of topic ${topic.id}`);
      return showBrand(topic.id, brand, countsByBrand(library.articles));
    },
    handle: ({ resource }) => show(resource),
  }),
];
