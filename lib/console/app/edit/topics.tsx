import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { text } from '../../model/text/text.ts';
import { topicText } from '../../model/text/topic-text.ts';
import { useApp } from '../context.tsx';
import { go, href } from '../location.ts';
import { ThingContent } from '../thing.tsx';
import { Trouble } from '../trouble.tsx';
import { Reorder } from '../ui/reorder.tsx';
import { Empty, Skeleton } from '../ui/ui.tsx';
import { NewThing } from './new-thing.tsx';
import { useOrder } from './order.ts';
import { allOf, type Page, useResource } from './resource.ts';
import type { Topic, Translation } from './topic-shape.ts';

const PATH = '/api/v2/topics';
const MOST_READ = 60; // topics whose translations are read for the list, one request for each

/** The page with the topics by position, and the languages that each has and lacks. */
export function TopicsList(): JSX.Element {
  const list = useResource<Page<Topic>>(allOf(PATH));
  const { entries: topics, move, error } = useOrder(PATH, list);
  const locales = useLocales(topics);
  const { definitions } = useApp();
  const known = definitions?.site.locales ?? [...new Set(Object.values(locales).flat())].sort();
  return (
    <div class="page">
      <header class="page-head">
        <h1>{text.topics.title}</h1>
        <NewThing path={PATH} title={topicText.new} onMade={({ id }) => go(href(`/topics/${id}`))} />
      </header>
      <Trouble error={error} onAgain={list.reload} />
      {topics === undefined && error === undefined && <Skeleton tall />}
      {topics?.length === 0 && <Empty title={topicText.empty} hint={topicText.emptyHint} />}
      <Reorder entries={topics ?? []} keyOf={(each) => each.id} nameOf={(each) => each.name} onMove={move}>
        {(each, index) => <TopicItem topic={each} position={index + 1} own={locales[each.id]} known={known} />}
      </Reorder>
    </div>
  );
}

interface TopicItemProps {
  readonly topic: Topic;
  readonly position: number;
  readonly own: readonly string[] | undefined;
  readonly known: readonly string[];
}

function TopicItem({ topic, position, own, known }: TopicItemProps): JSX.Element {
  const { id, name, description, in_support_center, _links } = topic;
  return (
    <ThingContent
      mark={position}
      about={topicText.position}
      target={href(`/topics/${id}`)}
      name={name}
      description={description}
    >
      <p class="tags">
        <span>{topicText.articles(_links.articles.count)}</span>
        <span>{in_support_center ? topicText.shown : topicText.hidden}</span>
        {own && known.map((locale) => <LocaleTag key={locale} locale={locale} there={own.includes(locale)} />)}
      </p>
    </ThingContent>
  );
}

const LocaleTag = ({ locale, there }: { readonly locale: string; readonly there: boolean }): JSX.Element => (
  <span class={there ? 'tag' : 'tag missing'}>
    {locale}
    {!there && ` ${topicText.missing}`}
  </span>
);

/** The locales of the translations by the topic's id, for the topics that were read so far. */
function useLocales(topics: readonly Topic[] | undefined): Readonly<Record<number, readonly string[]>> {
  const { api } = useApp();
  const [locales, setLocales] = useState<Record<number, readonly string[]>>({});
  useEffect(() => {
    if (topics === undefined) return undefined;
    const ending = new AbortController();
    const look = async (): Promise<void> => {
      const found: Record<number, readonly string[]> = {};
      for (const { id } of topics.slice(0, MOST_READ)) {
        const { data } = await api.ask<Page<Translation>>(allOf(`/api/v2/topics/${id}/translations`), {
          signal: ending.signal,
        });
        found[id] = data._embedded.entries.map(({ locale }) => locale);
      }
      setLocales(found);
    };
    look().catch(() => undefined); // without the locales the list is still correct
    return () => ending.abort();
  }, [topics, api]);
  return locales;
}
