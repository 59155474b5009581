import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Activity } from '../model/queue.ts';
import { text } from '../model/text.ts';
import { PREFIX } from './api.ts';
import { useApp } from './context.tsx';
import { href, type Place } from './location.ts';
import { LeaveQuestion } from './unsaved.tsx';

interface ShellProps {
  readonly place: Place;
  readonly activity: Activity;
  readonly said: string;
  readonly onSignOut: () => void;
  readonly children: ComponentChildren;
}

/** The frame of every page: navigation, the user, and the activity of the queue. */
export function Shell({ place, activity, said, onSignOut, children }: ShellProps): JSX.Element {
  const { api } = useApp();
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) main.current?.focus(); // so that keyboard users start at the top of a new page
    first.current = false;
  }, [place.path]);
  if (place.query.has('wall')) {
    return (
      <main id="page" class="wall" tabIndex={-1} ref={main}>
        {children}
      </main>
    );
  }
  return (
    <div class="shell">
      <a class="skip" href="#page">
        {text.skip}
      </a>
      <header class="side">
        <p class="brand">{text.product}</p>
        <Navigation path={place.path} />
        <div class="who">
          <span class="quiet small" title={api.session.login}>
            {api.session.login}
          </span>
          <button type="button" class="button quiet" onClick={onSignOut}>
            {text.nav.signOut}
          </button>
        </div>
      </header>
      <main id="page" tabIndex={-1} ref={main}>
        {children}
      </main>
      <p class={activity.running ? 'busy on' : 'busy'} aria-live="polite">
        {activity.waitingFor === null ? '' : text.busy.waiting(activity.waitingFor)}
      </p>
      <LeaveQuestion />
      <p class={said ? 'said on' : 'said'} role="status">
        {said}
      </p>
    </div>
  );
}

function Navigation({ path }: { readonly path: string }): JSX.Element {
  const { definitions, mayImport } = useApp();
  const insights: readonly (readonly [string, string])[] = [
    ['', text.nav.overview],
    ['/boards', text.nav.boards],
    ['/report', text.nav.report],
    ['/cases', text.cases.title],
    ['/saved', text.nav.saved],
    ['/mails', text.nav.mails],
    ['/alerts', text.nav.alerts],
    ['/glossary', text.nav.glossary],
  ];
  const content: readonly (readonly [string, string])[] = [
    ['/articles', text.nav.articles],
    ['/topics', text.nav.topics],
    ['/macros', text.nav.macros],
    ...(mayImport ? [['/import', text.nav.import] as const] : []),
    ['/settings', text.nav.settings],
  ];
  const pages = definitions === undefined ? content : [...insights, ...content];
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the menu is one row, which scrolls.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [path, pages.length]);
  return (
    <nav aria-label={text.nav.label} ref={nav}>
      {pages.map(([to, label]) => {
        const current = to === '' ? path === '' : path === to || path.startsWith(`${to}/`);
        return (
          <a key={to} href={href(to)} aria-current={current ? 'page' : undefined}>
            {label}
          </a>
        );
      })}
      <a href={`${PREFIX}/docs`} target="_blank" rel="noreferrer">
        {text.nav.docs}
      </a>
    </nav>
  );
}
