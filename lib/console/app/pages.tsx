import type { ComponentType, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { percentDecoded } from '../../text.ts';
import type { Rights } from '../model/rights.ts';
import { text } from '../model/text/text.ts';
import { useApp } from './context.tsx';
import { later } from './later.tsx';
import { href, type Place } from './location.ts';
import { Overview } from './overview.tsx';
import { Empty, Notice, Skeleton } from './ui/ui.tsx';

/** What a page is shown for: the parts of the path after its name, and the query. */
interface Asked {
  readonly id: string | undefined; // 7 in `/topics/7`
  readonly more: string | undefined; // 7 in `/settings/promises/7`
  readonly query: URLSearchParams;
  readonly frame?: JSX.Element; // what stands while its code is loaded
}

/** A page: its place in addresses, its name in the menu and on top of the page, who needs what to see it, and its code. */
interface Page {
  readonly path: string;
  readonly title: string;
  readonly needs?: 'reports' | 'import'; // without it the menu leaves the page out
  readonly list: ComponentType<Asked>;
  readonly one?: ComponentType<Asked & { readonly id: string }>; // shown for an id; without it `list` shows that too
}

/** The pages, in the order of the menu. */
const PAGES: readonly Page[] = [
  { path: '', title: text.overview.title, needs: 'reports', list: Overview },
  {
    path: '/boards',
    title: text.boards.title,
    needs: 'reports',
    list: later(async () => (await import('./boards/list.tsx')).BoardsPage),
    one: later(async () => (await import('./boards/board.tsx')).BoardPage),
  },
  {
    path: '/report',
    title: text.report.title,
    needs: 'reports',
    list: later(async () => (await import('./report/page.tsx')).ReportPage),
  },
  {
    path: '/cases',
    title: text.cases.title,
    needs: 'reports',
    list: later(async () => (await import('./cases/list.tsx')).CasesPage),
    one: later(async () => (await import('./cases/story.tsx')).StoryPage),
  },
  {
    path: '/saved',
    title: text.saved.title,
    needs: 'reports',
    list: later(async () => (await import('./saved.tsx')).SavedPage),
    one: later(async () => (await import('./saved.tsx')).OpenSaved),
  },
  {
    path: '/mails',
    title: text.mails.title,
    needs: 'reports',
    list: later(async () => (await import('./mails/subscription.tsx')).Subscriptions),
  },
  {
    path: '/alerts',
    title: text.alerts.title,
    needs: 'reports',
    list: later(async () => (await import('./mails/alert.tsx')).Alerts),
  },
  {
    path: '/glossary',
    title: text.glossary.title,
    needs: 'reports',
    list: later(async () => (await import('./glossary/pages.tsx')).Glossary),
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
    path: '/import',
    title: text.importing.title,
    needs: 'import',
    list: later(async () => (await import('./import/page.tsx')).ImportsPage),
    one: later(async () => (await import('./import/file.tsx')).FilePage),
  },
  {
    path: '/settings',
    title: text.settings.title,
    list: later(async () => (await import('./settings/pages.tsx')).Settings),
  },
];

/** The pages in the menu of a user. */
export function pagesFor({ definitions, mayImport }: Pick<Rights, 'definitions' | 'mayImport'>): readonly Page[] {
  const has = { reports: definitions !== undefined, import: mayImport };
  return PAGES.filter(({ needs }) => needs === undefined || has[needs]);
}

/** The page at a place. */
export function Pages({ place }: { readonly place: Place }): JSX.Element {
  const { definitions, role } = useApp();
  const [, name = '', ...parts] = place.path.split('/');
  const path = name === '' ? '' : `/${name}`;
  const page = PAGES.find((each) => each.path === path);
  useEffect(() => {
    document.title = page ? `${page.title} · ${text.product}` : text.product;
  }, [page]);
  if (page === undefined) {
    return (
      <Empty title={text.error.notFound} hint={place.path}>
        <a href={href('')}>{text.overview.title}</a>
      </Empty>
    );
  }
  if (page.needs === 'reports' && definitions === undefined) {
    return (
      <div class="page">
        <h1>{page.title}</h1>
        <Notice>
          <p>{text.overview.noInsights(role)}</p>
          <p class="row">
            {text.overview.stillYours}
            <a href={href('/articles')}>{text.articles.title}</a>
            <a href={href('/topics')}>{text.topics.title}</a>
            <a href={href('/macros')}>{text.macros.title}</a>
          </p>
        </Notice>
      </div>
    );
  }
  const { list: List, one: One } = page;
  const [id, more] = parts.map((part) => (part === '' ? undefined : (percentDecoded(part) ?? part)));
  const frame = (
    <div class="page">
      <h1>{page.title}</h1>
      <Skeleton tall />
    </div>
  );
  const shown = { frame, more, query: place.query };
  if (id !== undefined && One) return <One key={id} id={id} {...shown} />;
  return <List id={id} {...shown} />;
}
