import * as z from 'zod';
import { R_READ, R_WRITE } from '../access/roles.ts';
import { notFound } from '../errors.ts';
import { idOf, nameField } from '../http/fields.ts';
import { listReply } from '../http/page.ts';
import { show } from '../http/reply.ts';
import { type RecordResource, readsOfResource, recordsOf, writesOfResource } from '../http/resource.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { linkShape, pageShape } from '../http/shapes.ts';
import { keys } from '../store/keys.ts';
import { countsByBrand } from './articles/article.ts';
import { type Brand, brandShape, brandsOf, parseBrand, showBrand } from './brand.ts';
import { findTopic, type Library, libraryReads, openLibrary, showTopicOf } from './library.ts';
import { topicsOf } from './stored.ts';
import { TOPICS_PATH, topicShape } from './topic.ts';

export const BRANDS_PATH = '/api/v2/brands';

const siteBrandShape = () => {
  const { _links, ...fields } = brandShape().shape;
  return z.object({ ...fields, _links: _links.extend({ topics: linkShape('topic') }) });
};

const usual = { roles: R_READ, extension: true, method: 'GET', reads: libraryReads } as const;

/** A route's `find`: returns the brand in the path; throws `not_found`. */
export async function findBrand({ context, params }: Pick<Call, 'context' | 'params'>) {
  const library = await openLibrary(context);
  const id = idOf(params.brand_id);
  const brand = brandsOf(library.brands).get(id);
  if (brand === undefined) throw notFound(`brand ${id}`);
  return { library, brand };
}

function showSiteBrand({ articles }: Library, brand: Brand) {
  const shown = showBrand(0, brand, countsByBrand(articles));
  const topics = { href: `${BRANDS_PATH}/${brand.id}/topics`, class: 'topic' };
  return {
    ...shown,
    _links: { ...shown._links, self: { href: `${BRANDS_PATH}/${brand.id}`, class: 'brand' }, topics },
  };
}

const SITE_BRANDS: RecordResource = {
  ...recordsOf('brand'),
  path: BRANDS_PATH,
  param: 'brand_id',
  reads: (site) => [keys.topics(site), keys.reference(site, 'article')],
  shape: siteBrandShape,
  show: async (item, _collection, context) => showSiteBrand(await openLibrary(context), parseBrand(item)),
};

/** Brands: read and written. A deleted one is no longer shown at topics and articles. */
export const brandRoutes: readonly Route[] = [
  ...readsOfResource(SITE_BRANDS),
  ...writesOfResource(SITE_BRANDS, {
    limit: 'brands',
    roles: R_WRITE,
    fields: { name: nameField() },
    required: ['name'],
    examples: [{ name: 'Acme Outdoor' }, { name: 'Acme Indoor' }],
    deletes: true,
    plan: ({ fields: { name } }) => (name === undefined ? {} : { name }),
  }),
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
