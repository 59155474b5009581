import { R_READ, R_WRITE } from '../access/roles.ts';
import { movedBefore, moveFields } from '../http/fields.ts';
import { listReply } from '../http/page.ts';
import { created, noContent, show } from '../http/reply.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { pageShape } from '../http/shapes.ts';
import { change } from '../resource/change.ts';
import { checkRoomIn } from '../resource/storing.ts';
import { timeOfRequest } from '../resource/write-time.ts';
import { keys } from '../store/keys.ts';
import { countsByBrand } from './articles/article.ts';
import { articleRoutes } from './articles/routes.ts';
import { type Brand, brandShape, brandsOf, chooseBrands, showBrand } from './brand.ts';
import { brandRoutes } from './brand-routes.ts';
import { TOPIC_STORING, topicAfter, topicEdits, topicRemoval } from './change.ts';
import { findTopic, type LibraryTopic, libraryReads, openLibrary, showNewTopic, showTopicOf } from './library.ts';
import { TOPIC, TOPICS_PATH, topicPath, topicShape } from './topic.ts';
import { listTopics, topicListQuery } from './topic-list.ts';
import { translationRoutes } from './translation-routes.ts';

const current = ({ resource: { library, topic } }: Pick<Call<LibraryTopic>, 'resource'>) =>
  showTopicOf(library, topic.id);

const existing = { path: `${TOPICS_PATH}/{topic_id}`, reads: libraryReads, find: findTopic } as const;

/** Topics with their translations, brands and articles. */
export const topicRoutes: readonly Route[] = [
  route({
    name: 'listTopics',
    summary: 'List topics by position, with the number of their articles',
    method: 'GET',
    path: TOPICS_PATH,
    roles: R_READ,
    list: true,
    reads: libraryReads,
    query: topicListQuery,
    vary: ['Accept-Language'],
    requestHeaders: { 'Accept-Language': 'Only topics in the best matching language, named and described in it' },
    reply: () => pageShape(topicShape()),
    handle: listTopics,
  }),

  route({
    ...existing,
    name: 'showTopic',
    summary: 'Show a topic',
    method: 'GET',
    roles: R_READ,
    reply: topicShape,
    handle: (call) => show(current(call)),
  }),

  route({
    name: 'createTopic',
    summary: 'Create a topic as the last one',
    method: 'POST',
    path: TOPICS_PATH,
    roles: R_WRITE,
    reads: (site) => [...libraryReads(site), keys.ids(site)],
    body: TOPIC.body,
    required: TOPIC.required,
    reply: topicShape,
    example: { name: 'Billing', description: 'Invoices and payments', in_support_center: true },
    handle: async ({ context, fields, faults }) => {
      const { site, now, origin } = context;
      const library = await openLibrary(context);
      const ids = await context.open(keys.ids(site.name));
      const brands = chooseBrands([], fields, library.brands, faults);
      const { topics } = library;
      checkRoomIn('topics', TOPIC_STORING, topics, faults);
      faults.check();
      const id = ids.version + 1;
      const own = { id, locale: site.defaultLocale };
      const topic = topicAfter(own, undefined, { ...fields, brands }, timeOfRequest(now));
      const reply = created(origin, topicPath(id), showNewTopic(library, topic));
      await change(context, [topicEdits(topics, undefined, topic)], { answer: reply });
      return reply;
    },
  }),

  route({
    ...existing,
    name: 'updateTopic',
    summary: 'Update the given fields of a topic',
    method: 'PATCH',
    roles: R_WRITE,
    body: TOPIC.update,
    reply: topicShape,
    example: { name: 'Billing and payments', brand_action: 'replace', brand_ids: [] },
    current,
    handle: async ({ context, resource: { library, topic }, fields, faults }) => {
      const { site, now } = context;
      const { topics } = library;
      const brands = chooseBrands(topic.brands, fields, library.brands, faults);
      faults.check();
      const own = { id: topic.id, locale: site.defaultLocale };
      const after = topicAfter(own, topic, { ...fields, brands }, timeOfRequest(now));
      await change(context, [topicEdits(topics, topic, after)]);
      return show(showTopicOf(library, topic.id));
    },
  }),

  route({
    ...existing,
    name: 'moveTopic',
    summary: 'Move a topic before another one, or to the end',
    method: 'POST',
    path: `${existing.path}/move`,
    success: 200,
    roles: R_WRITE,
    extension: true,
    body: moveFields,
    required: ['before'],
    reply: topicShape,
    example: { before: null },
    handle: async ({ context, resource: { library, topic }, fields: { before = null }, faults }) => {
      const { topics } = library;
      const order = movedBefore(topics.order, topic.id, before);
      if (order === undefined) faults.add('not_found', 'before');
      faults.check();
      if (order !== undefined && order.join() !== topics.order.join())
        await context.commit([{ collection: topics, order }]);
      return show(showTopicOf(library, topic.id));
    },
  }),

  route({
    ...existing,
    name: 'deleteTopic',
    summary: 'Delete a topic with its translations and brand links',
    method: 'DELETE',
    roles: R_WRITE,
    current,
    handle: async ({ context, resource: { library, topic } }) => {
      await change(context, [topicRemoval(library.topics, topic.id, context.now)]);
      return noContent;
    },
  }),

  route({
    ...existing,
    name: 'listTopicBrands',
    summary: 'List the brands of a topic by id',
    method: 'GET',
    path: `${existing.path}/brands`,
    roles: R_READ,
    list: true,
    reply: () => pageShape(brandShape()),
    handle: (call) => {
      const { context, resource } = call;
      const { library } = resource;
      const { id, brands } = resource.topic;
      const counts = countsByBrand(library.articles);
      const siteBrands = brandsOf(library.brands);
      return listReply(call, {
        path: `${topicPath(id)}/brands`,
        seeds: libraryReads(context.site.name).map(context.version),
        members: () => brands.flatMap((brand) => siteBrands.get(brand) ?? []),
        show: (brand: Brand) => showBrand(id, brand, counts),
      });
    },
  }),

  ...translationRoutes,
  ...articleRoutes,
  ...brandRoutes,
];
