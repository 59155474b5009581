import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { text } from '../model/text.ts';
import { useApp } from './context.tsx';
import { later } from './later.tsx';
import { href, type Place } from './location.ts';
import { Overview } from './overview.tsx';
import { Empty, Notice } from './ui.tsx';

interface Page {
  readonly path: string;
  readonly title: string;
  readonly insights: boolean; // only for roles with reports
  readonly show: (place: Place) => JSX.Element;
}

/** A part after a page's name in the path: 7 in `/topics/7`; the second one of `/settings/promises/7` likewise. */
const partOf = ({ path }: Place, nth: 1 | 2 = 1): string | undefined => {
  const part = path.split('/')[nth + 1];
  return part === undefined || part === '' ? undefined : decodeURIComponent(part);
};

function showCases(place: Place): JSX.Element {
  const id = partOf(place);
  return id === undefined ? <CasesPage query={place.query} /> : <StoryPage key={id} id={id} />;
}

const CasesPage = later(async () => (await import('./cases/list.tsx')).CasesPage);
const StoryPage = later(async () => (await import('./cases/story.tsx')).StoryPage);
const ReportPage = later(async () => (await import('./report/page.tsx')).ReportPage);
const SavedPage = later(async () => (await import('./saved.tsx')).SavedPage);
const OpenSaved = later(async () => (await import('./saved.tsx')).OpenSaved);
const Imports = later(async () => (await import('./import/pages.tsx')).Imports);
const Edited = later(async () => (await import('./edit/pages.tsx')).Edited);
const Articles = later(async () => (await import('./articles/pages.tsx')).Articles);

const Boards = later(async () => (await import('./boards/pages.tsx')).Boards);

const Mails = later(async () => (await import('./mails/pages.tsx')).Mails);

const Settings = later(async () => (await import('./settings/pages.tsx')).Settings);

const Glossary = later(async () => (await import('./glossary/pages.tsx')).Glossary);

const showSaved = (place: Place): JSX.Element => {
  const id = partOf(place);
  return id === undefined ? <SavedPage /> : <OpenSaved key={id} id={id} />;
};

const showMails = (place: Place): JSX.Element => <Mails kind="mails" id={partOf(place)} query={place.query} />;
const showAlerts = (place: Place): JSX.Element => <Mails kind="alerts" id={partOf(place)} query={place.query} />;

const showGlossary = ({ query }: Place): JSX.Element => <Glossary number={query.get('number')} />;

const showBoards = (place: Place): JSX.Element => <Boards id={partOf(place)} query={place.query} />;

const showArticles = (place: Place): JSX.Element => <Articles id={partOf(place)} query={place.query} />;

const PAGES: readonly Page[] = [
  { path: '', title: text.overview.title, insights: true, show: (place) => <Overview query={place.query} /> },
  { path: '/boards', title: text.boards.title, insights: true, show: showBoards },
  { path: '/cases', title: text.cases.title, insights: true, show: showCases },
  { path: '/saved', title: text.saved.title, insights: true, show: showSaved },
  { path: '/mails', title: text.mails.title, insights: true, show: showMails },
  { path: '/alerts', title: text.alerts.title, insights: true, show: showAlerts },
  { path: '/glossary', title: text.glossary.title, insights: true, show: showGlossary },
  { path: '/import', title: text.importing.title, insights: false, show: (place) => <Imports id={partOf(place)} /> },
  { path: '/articles', title: text.articles.title, insights: false, show: showArticles },
  {
    path: '/topics',
    title: text.topics.title,
    insights: false,
    show: (place) => <Edited what="topics" id={partOf(place)} />,
  },
  {
    path: '/macros',
    title: text.macros.title,
    insights: false,
    show: (place) => <Edited what="macros" id={partOf(place)} />,
  },
  {
    path: '/settings',
    title: text.settings.title,
    insights: false,
    show: (place) => <Settings part={partOf(place)} id={partOf(place, 2)} />,
  },
  { path: '/report', title: text.report.title, insights: true, show: (place) => <ReportPage query={place.query} /> },
];

/** The page at a place. */
export function Pages({ place }: { readonly place: Place }): JSX.Element {
  const { definitions, role } = useApp();
  const page = PAGES.find(({ path }) => path === place.path || (path !== '' && place.path.startsWith(`${path}/`)));
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
  if (page.insights && definitions === undefined) {
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
  return page.show(place);
}
