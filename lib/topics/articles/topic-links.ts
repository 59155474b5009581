import * as z from 'zod';
import type { Faults } from '../../errors.ts';
import { TOPICS_PATH } from '../topic.ts';
import { type ArticleFields, MOST_LINKS } from './fields.ts';

interface TopicLinkContext {
  readonly topics: ReadonlyMap<number, unknown>; // the site's topics
  readonly origin: string; // of the request, with its stage
  readonly path: number | undefined; // the topic of the path
  readonly required: boolean;
}

/** The topics of an article after a write, the first one first. Adds faults. */
export function chooseTopics(
  before: readonly number[],
  { _links, topic_ids: ids }: Pick<ArticleFields, '_links' | 'topic_ids'>,
  { topics, origin, path, required }: TopicLinkContext,
  faults: Faults,
): readonly number[] {
  const present = before.filter((id) => topics.has(id));
  const linked = linkedTopic(_links, { topics, origin }, faults);
  const others = namedTopics(ids, topics, faults);
  if (linked === 'absent' && path === undefined && others === undefined) {
    if (required && !faults.has('topic_ids')) faults.explain('blank', ['_links', 'topic'], { message: EXAMPLE });
    return before;
  }
  if (linked === 'faulty') return before;
  const first = linked === 'absent' ? (others === undefined ? path : undefined) : linked;
  const rest = others ?? present.slice(1);
  return [...new Set(first === undefined ? rest : [first, ...rest])];
}

const EXAMPLE = `An article has a topic: "_links": {"topic": {"href": "${TOPICS_PATH}/5"}}.`;

function namedTopics(ids: readonly number[] | undefined, topics: TopicLinkContext['topics'], faults: Faults) {
  if (ids === undefined) return undefined;
  if (ids.length === 0) faults.add('blank', 'topic_ids');
  if (ids.length > MOST_LINKS) faults.add('too_long', 'topic_ids');
  const missing = ids.findIndex((id) => !topics.has(id));
  if (missing >= 0) {
    const message = `There is no topic ${ids[missing]}.`;
    faults.explain('not_found', ['topic_ids'], { field: `topic_ids.${missing}`, message });
  }
  return ids;
}

const linksShape = z.looseObject({ topic: z.unknown() });
const linkShape = z.looseObject({ href: z.string() });

/** The topic that a body's `_links` name. */
function linkedTopic(
  sent: unknown,
  { topics, origin }: Pick<TopicLinkContext, 'topics' | 'origin'>,
  faults: Faults,
): number | 'absent' | 'faulty' {
  const links = linksShape.safeParse(sent);
  if (!links.success || !('topic' in links.data)) return 'absent';
  const { topic } = links.data;
  const fault = (code: 'blank' | 'invalid' | 'not_found', message: string) => {
    faults.explain(code, ['_links', 'topic'], { message });
    return 'faulty' as const;
  };
  if (topic === null) return fault('blank', EXAMPLE);
  const link = linkShape.safeParse(topic);
  if (!link.success) return fault('invalid', EXAMPLE);
  const id = topicOf(link.data.href, origin);
  if (id === undefined) return fault('invalid', `${link.data.href} is no topic. ${EXAMPLE}`);
  return topics.has(id) ? id : fault('not_found', `There is no topic ${id}.`);
}

const TOPIC = new RegExp(`^${TOPICS_PATH}/([1-9]\\d{0,14})/?$`);

/** The id in a topic's path or URL on this host, with or without the stage. */
function topicOf(href: string, origin: string): number | undefined {
  const { host, pathname: stage } = new URL(origin);
  const [, named, path = href] = /^https?:\/\/([^/]+)(\/.*)$/i.exec(href) ?? [];
  if (named !== undefined && named.toLowerCase() !== host) return undefined;
  const [, id] = TOPIC.exec(path) ?? TOPIC.exec(path.startsWith(`${stage}/`) ? path.slice(stage.length) : '') ?? [];
  return id === undefined ? undefined : Number(id);
}
