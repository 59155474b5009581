import { countsByTopic } from './article.ts';
import { type Library, topicIn } from './library.ts';
import { showTopic, wordingOf } from './topic.ts';

/** A topic as GET shows it, from what the library holds now; throws `not_found`. */
export function showTopicOf(library: Library, id: number) {
  const topic = topicIn(library, id);
  const articles = countsByTopic(library.articles).get(id) ?? 0;
  const { defaultLocale } = library.site;
  return showTopic(topic, wordingOf(topic, defaultLocale), defaultLocale, articles);
}
