import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { text } from '../model/text.ts';
import { CasesPage } from './cases/list.tsx';
import { StoryPage } from './cases/story.tsx';
import { useApp } from './context.tsx';
import { MacrosPage } from './edit/macros.tsx';
import { TopicsPage } from './edit/topics.tsx';
import { FilePage } from './import/file.tsx';
import { ImportsPage } from './import/page.tsx';
import { href, type Place } from './location.ts';
import { Overview } from './overview.tsx';
import { ReportPage } from './report/page.tsx';
import { SavedPage } from './saved.tsx';
import { Empty, Notice } from './ui.tsx';

interface Page {
  readonly path: string;
  readonly title: string;
  readonly insights: boolean; // only for roles with reports
  readonly show: (place: Place) => JSX.Element;
}

/** The id after a page's name in the path: 7 in `/topics/7`. */
const partOf = ({ path }: Place): string | undefined => {
  const part = path.split('/')[2];
  return part === undefined || part === '' ? undefined : decodeURIComponent(part);
};

function showCases(place: Place): JSX.Element {
  const id = partOf(place);
  return id === undefined ? <CasesPage query={place.query} /> : <StoryPage key={id} id={id} />;
}

function showImports(place: Place): JSX.Element {
  const id = partOf(place);
  return id === undefined ? <ImportsPage /> : <FilePage key={id} id={id} />;
}

const PAGES: readonly Page[] = [
  { path: '', title: text.overview.title, insights: true, show: (place) => <Overview query={place.query} /> },
  { path: '/cases', title: text.cases.title, insights: true, show: showCases },
  { path: '/saved', title: text.saved.title, insights: true, show: () => <SavedPage /> },
  { path: '/import', title: text.importing.title, insights: false, show: showImports },
  { path: '/topics', title: text.topics.title, insights: false, show: (place) => <TopicsPage id={partOf(place)} /> },
  { path: '/macros', title: text.macros.title, insights: false, show: (place) => <MacrosPage id={partOf(place)} /> },
  { path: '/report', title: text.report.title, insights: true, show: (place) => <ReportPage query={place.query} /> },
];

/** The page at a place. */
export function Pages({ place }: { readonly place: Place }): JSX.Element {
  const { definitions } = useApp();
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
      <>
        <h1>{page.title}</h1>
        <Notice>{text.overview.noInsights}</Notice>
      </>
    );
  }
  return page.show(place);
}
