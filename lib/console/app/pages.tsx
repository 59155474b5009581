import type { ComponentType, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { percentDecoded } from '../../text.ts';
import { text } from '../model/text.ts';
import { useApp } from './context.tsx';
import { later } from './later.tsx';
import { href, type Place } from './location.ts';
import { Overview } from './overview.tsx';
import { Empty, Notice } from './ui.tsx';

/** What a page is shown for: the parts of the path after its name, and the query. */
interface Asked {
  readonly id: string | undefined; // 7 in `/topics/7`
  readonly more: string | undefined; // 7 in `/settings/promises/7`
  readonly query: URLSearchParams;
}

interface Page {
  readonly path: string;
  readonly title: string;
  readonly list: ComponentType<Asked>;
  readonly one?: ComponentType<Asked & { readonly id: string }>; // shown for an id; without it `list` shows that too
}

/** The pages for roles with reports. */
const OF_REPORTS: readonly Page[] = [
  { path: '', title: text.overview.title, list: Overview },
  {
    path: '/boards',
    title: text.boards.title,
    list: later(async () => (await import('./boards/list.tsx')).BoardsPage),
    one: later(async () => (await import('./boards/board.tsx')).BoardPage),
  },
  {
    path: '/cases',
    title: text.cases.title,
    list: later(async () => (await import('./cases/list.tsx')).CasesPage),
    one: later(async () => (await import('./cases/story.tsx')).StoryPage),
  },
  {
    path: '/saved',
    title: text.saved.title,
    list: later(async () => (await import('./saved.tsx')).SavedPage),
    one: later(async () => (await import('./saved.tsx')).OpenSaved),
  },
  {
    path: '/mails',
    title: text.mails.title,
    list: later(async () => (await import('./mails/subscription.tsx')).Subscriptions),
  },
  {
    path: '/alerts',
    title: text.alerts.title,
    list: later(async () => (await import('./mails/alert.tsx')).Alerts),
  },
  {
    path: '/glossary',
    title: text.glossary.title,
    list: later(async () => (await import('./glossary/pages.tsx')).Glossary),
  },
  {
    path: '/report',
    title: text.report.title,
    list: later(async () => (await import('./report/page.tsx')).ReportPage),
  },
];

const OF_ALL: readonly Page[] = [
  {
    path: '/import',
    title: text.importing.title,
    list: later(async () => (await import('./import/page.tsx')).ImportsPage),
    one: later(async () => (await import('./import/file.tsx')).FilePage),
  },
  {
    path: '/articles',
    title: text.articles.title,
    list: later(async () => (await import('./articles/list.tsx')).ArticlesList),
    one: later(async () => (await import('./articles/article.tsx')).ArticlePage),
  },
  {
    path: '/topics',
    title: text.topics.title,
    list: later(async () => (await import('./edit/topics.tsx')).TopicsList),
    one: later(async () => (await import('./edit/topic.tsx')).TopicPage),
  },
  {
    path: '/macros',
    title: text.macros.title,
    list: later(async () => (await import('./edit/macros.tsx')).MacrosList),
    one: later(async () => (await import('./edit/macro.tsx')).MacroPage),
  },
  {
    path: '/settings',
    title: text.settings.title,
    list: later(async () => (await import('./settings/pages.tsx')).Settings),
  },
];

/** The page at a place. */
export function Pages({ place }: { readonly place: Place }): JSX.Element {
  const { definitions, role } = useApp();
  const [, name = '', ...parts] = place.path.split('/');
  const path = name === '' ? '' : `/${name}`;
  const page = [...OF_REPORTS, ...OF_ALL].find((each) => each.path === path);
  useEffect(() => {
    document.title = page ? `${page.title} · ${text.product}` : text.product;
  }, [page]);
  if (page === undefined) {
    return (
      <Empty title={text.error.notFound} hint={place.path}>
        <a href={href('')}>{text.nav.overview}</a>
      </Empty>
    );
  }
  if (OF_REPORTS.includes(page) && definitions === undefined) {
    return (
      <div class="page">
        <h1>{page.title}</h1>
        <Notice>
          <p>{text.overview.noInsights(role)}</p>
          <p class="row">
            {text.overview.stillYours}
            <a href={href('/articles')}>{text.nav.articles}</a>
            <a href={href('/topics')}>{text.nav.topics}</a>
            <a href={href('/macros')}>{text.nav.macros}</a>
          </p>
        </Notice>
      </div>
    );
  }
  const { list: List, one: One } = page;
  const [id, more] = parts.map((part) => (part === '' ? undefined : (percentDecoded(part) ?? part)));
  if (id !== undefined && One) return <One key={id} id={id} more={more} query={place.query} />;
  return <List id={id} more={more} query={place.query} />;
}
