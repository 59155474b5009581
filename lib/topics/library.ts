import type { Site } from '../access/sites.ts';
import type { Context } from '../context.ts';
import { Failure } from '../errors.ts';
import { idOf } from '../http/fields.ts';
import type { Call } from '../http/route.ts';
import type { Collection } from '../store/collection.ts';
import { keys, type Partition } from '../store/keys.ts';
import { type Topic, topicsOf } from './stored.ts';

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
  return { site, topics, articles, brands };
}

/** A route's `find`: returns the library if it has the topic in the path; else throws `not_found`. */
export async function findTopic({ context, params }: Pick<Call, 'context' | 'params'>): Promise<Library> {
  const id = idOf(params.topic_id);
  const library = await openLibrary(context);
  topicIn(library, id);
  return library;
}

/** The topic's current state in the collection; throws `not_found`. */
export function topicIn({ topics }: Pick<Library, 'topics'>, id: number): Topic {
  const topic = topicsOf(topics).get(id);
  if (topic === undefined) throw new Failure('not_found');
  return topic;
}
