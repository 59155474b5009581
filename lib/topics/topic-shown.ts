import { newMadeOnce } from '../made-once.ts';
import type { Item } from '../store/table.ts';
import { countsByTopic } from './article.ts';
import { type Library, topicIn } from './library.ts';
import { type Topic, topicsOf } from './stored.ts';
import { showTopic, wordingOf } from './topic.ts';

/** A topic as GET shows it, from the library's current state; throws `not_found`. */
export const showTopicOf = (library: Library, id: number) => shown(library, topicIn(library, id));

/** A new topic as GET will show it once its items are written and it is last in the order. */
export function showNewTopic(library: Library, id: number, items: readonly Item[]) {
  const { topics } = library;
  const alone = { ...topics, order: [id], items: new Map(items.map((item) => [item.sk, item])), views: newMadeOnce() };
  return shown(library, { ...topicIn({ topics: alone }, id), position: topicsOf(topics).size + 1 });
}

function shown(library: Library, topic: Topic) {
  const articles = countsByTopic(library.articles).get(topic.id) ?? 0;
  const { defaultLocale } = library.site;
  return showTopic(topic, wordingOf(topic, defaultLocale), defaultLocale, articles);
}
