import type { Site } from '../access/site-fields.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { idOf } from '../http/fields.ts';
import type { Call } from '../http/route.ts';
import type { Collection } from '../store/collection.ts';
import { keys, type Partition } from '../store/keys.ts';
import { countsByTopic, prepareArticles } from './articles/article.ts';
import { topicsOf } from './stored.ts';
import { showTopic, type Topic, type UnplacedTopic, wordingOf } from './topic.ts';

/** The collections needed to show and write topics, opened together. */
export interface Library {
  readonly site: Site;
  readonly topics: Collection;
  readonly articles: Collection;
  readonly brands: Collection;
}

/** The collections that a route of this group may read. */
export const libraryReads = (site: string): readonly Partition[] => [
  keys.topics(site),
  keys.reference(site, 'article'),
  keys.reference(site, 'brand'),
];

export async function openLibrary(context: Context): Promise<Library> {
  const { site } = context;
  const [topics, articles, brands] = await Promise.all([
    context.open(keys.topics(site.name)),
    context.open(keys.reference(site.name, 'article')),
    context.open(keys.reference(site.name, 'brand')),
  ]);
  await prepareArticles(articles);
  return { site, topics, articles, brands };
}

/** A topic in the path of a request. */
export interface LibraryTopic {
  readonly library: Library;
  readonly topic: Topic;
}

/** A route's `find`: returns the topic in the path; throws `not_found`. */
export async function findTopic({ context, params }: Pick<Call, 'context' | 'params'>): Promise<LibraryTopic> {
  const id = idOf(params.topic_id);
  const library = await openLibrary(context);
  return { library, topic: topicIn(library, id) };
}

/** The topic's current state in the collection; throws `not_found`. */
export function topicIn({ topics }: Pick<Library, 'topics'>, id: number): Topic {
  const topic = topicsOf(topics).get(id);
  if (topic === undefined) throw notFound(`topic ${id}`);
  return topic;
}

/** A topic as GET shows it, from the library's current state; throws `not_found`. */
export const showTopicOf = (library: Library, id: number) => shown(library, topicIn(library, id));

/** A new topic as GET will show it once it is written as the last one. */
export const showNewTopic = (library: Library, topic: UnplacedTopic) =>
  shown(library, { ...topic, position: topicsOf(library.topics).size + 1 });

function shown(library: Library, topic: Topic) {
  const articles = countsByTopic(library.articles).get(topic.id) ?? 0;
  const { defaultLocale } = library.site;
  return showTopic(topic, wordingOf(topic, defaultLocale), defaultLocale, articles);
}
