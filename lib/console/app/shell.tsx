import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Activity } from '../model/queue.ts';
import { text } from '../model/text/text.ts';
import { PREFIX } from './api.ts';
import { useApp } from './context.tsx';
import { href, type Place } from './location.ts';
import { pagesFor } from './pages.tsx';
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
  const pages = pagesFor(useApp());
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the menu is one row, which scrolls.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [path, pages.length]);
  return (
    <nav aria-label={text.nav.label} ref={nav}>
      {pages.map(({ path: to, title }) => (
        <a key={to} href={href(to)} aria-current={`/${path.split('/')[1] ?? ''}` === (to || '/') ? 'page' : undefined}>
          {title}
        </a>
      ))}
      <a href={`${PREFIX}/docs`} target="_blank" rel="noreferrer">
        {text.nav.docs}
      </a>
    </nav>
  );
}
