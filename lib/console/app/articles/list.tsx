import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Article, visibilityOf } from '../../model/article.ts';
import { articleText } from '../../model/text/article-text.ts';
import { text } from '../../model/text/text.ts';
import { useApp, useSiteClock } from '../context.tsx';
import { NewThing } from '../edit/new-thing.tsx';
import { allOf, type Page, useLast, useResource } from '../edit/resource.ts';
import type { Topic } from '../edit/topic-shape.ts';
import { go, href } from '../location.ts';
import { Thing } from '../thing.tsx';
import { Trouble } from '../trouble.tsx';
import { Check, Choice, TextField } from '../ui/fields.tsx';
import { Button, Empty, Skeleton } from '../ui/ui.tsx';

const PAGE = 50; // articles

/** The articles of all topics or of one, all or those that a reader would find. All that is chosen is in the address. */
export function ArticlesList({ query }: { readonly query: URLSearchParams }): JSX.Element {
  const topics = useResource<Page<Topic>>(allOf('/api/v2/topics')).data?._embedded.entries ?? [];
  const list = useResource<Page<Article>>(pathOf(query));
  const last = useLast(list.data);
  const data = list.error === undefined ? last : undefined;
  const articles = data?._embedded.entries;
  const page = Number(query.get('page') ?? 1);
  const choose = (name: string, value: string): void => {
    const next = new URLSearchParams(query);
    next.delete('page');
    if (value === '') next.delete(name);
    else next.set(name, value);
    go(href('/articles', next));
  };
  const toPage = (number: number): void => {
    const next = new URLSearchParams(query);
    next.set('page', String(number));
    go(href('/articles', next));
  };
  return (
    <div class="page">
      <header class="page-head">
        <h1>{text.articles.title}</h1>
        <NewArticle topics={topics} topic={query.get('topic') ?? ''} />
      </header>
      <Filters query={query} topics={topics} onChoose={choose} />
      <Trouble error={list.error} onAgain={list.reload} />
      {articles === undefined && list.error === undefined && <Skeleton tall />}
      {articles?.length === 0 && <Empty title={articleText.empty} hint={articleText.emptyHint} />}
      <ol class={list.data ? 'things' : 'things stale'}>
        {articles?.map((article) => (
          <ArticleItem key={article.id} article={article} />
        ))}
      </ol>
      {data && data.total_entries > PAGE && (
        <p class="row">
          <Button disabled={page <= 1} onClick={() => toPage(page - 1)}>
            {articleText.previous}
          </Button>
          <span class="quiet">{articleText.place(page, Math.ceil(data.total_entries / PAGE))}</span>
          <Button disabled={page * PAGE >= data.total_entries} onClick={() => toPage(page + 1)}>
            {articleText.next}
          </Button>
        </p>
      )}
    </div>
  );
}

/** The list that the API is asked for. A topic's own list is in the order that readers see. */
function pathOf(query: URLSearchParams): string {
  const topic = query.get('topic');
  const path = topic === null ? '/api/v2/articles' : `/api/v2/topics/${encodeURIComponent(topic)}/articles`;
  const asked = new URLSearchParams({ per_page: String(PAGE), page: query.get('page') ?? '1' });
  const words = query.get('text');
  if (words !== null) asked.set('text', words);
  if (query.has('reader')) asked.set('in_support_center', 'true');
  return `${path}?${asked}`;
}

interface FiltersProps {
  readonly query: URLSearchParams;
  readonly topics: readonly Topic[];
  readonly onChoose: (name: string, value: string) => void;
}

function Filters({ query, topics, onChoose }: FiltersProps): JSX.Element {
  const [typed, setTyped] = useState<string>(); // it stays while a list comes
  return (
    <search class="options">
      <TextField
        label={articleText.find}
        value={typed ?? query.get('text')}
        onInput={setTyped}
        input={{
          type: 'search',
          onChange: ({ currentTarget }) => {
            setTyped(undefined);
            onChoose('text', currentTarget.value.trim());
          },
        }}
      />
      <Choice
        label={articleText.topic}
        options={[['', articleText.allTopics], ...topicChoices(topics)]}
        value={query.get('topic') ?? ''}
        onChange={(topic) => onChoose('topic', topic)}
      />
      <Check
        label={articleText.asReader}
        checked={query.has('reader')}
        onChange={(checked) => onChoose('reader', checked ? '1' : '')}
      />
    </search>
  );
}

const topicChoices = (topics: readonly Topic[]) => topics.map(({ id, name }) => [String(id), name] as const);

function ArticleItem({ article }: { readonly article: Article }): JSX.Element {
  const { format } = useApp();
  const clock = useSiteClock();
  const visibility = visibilityOf(article, Date.now());
  return (
    <Thing
      mark={article.position}
      about={articleText.position}
      target={href(`/articles/${article.id}`)}
      name={article.subject}
      description={article.keywords}
    >
      <p class="tags">
        <span class={visibility === 'shown' ? 'tag' : 'tag missing'}>{articleText.visibility[visibility]}</span>
        {visibility === 'scheduled' && article.publish_at && <span>{format.moment(clock(article.publish_at))}</span>}
        <span>{articleText.changed(format.date(clock(article.updated_at)))}</span>
      </p>
    </Thing>
  );
}

interface NewArticleProps {
  readonly topics: readonly Topic[];
  readonly topic: string; // the chosen one; empty for none
}

/** A button and a dialog to begin an article: its subject and topic. It begins as a draft. */
function NewArticle({ topics, topic }: NewArticleProps): JSX.Element {
  const { mayWrite } = useApp();
  return (
    <NewThing
      path="/api/v2/articles"
      title={articleText.new}
      isAllowed={mayWrite && topics.length > 0}
      named={{ field: 'subject', label: articleText.subject }}
      read={(form) => ({ topic_ids: [Number(form.get('topic'))] })}
      onMade={({ id }) => go(href(`/articles/${id}`))}
    >
      <Choice
        label={articleText.topic}
        name="topic"
        options={topicChoices(topics)}
        value={topic === '' ? String(topics[0]?.id) : topic}
      />
    </NewThing>
  );
}
