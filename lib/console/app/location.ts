import { useEffect, useState } from 'preact/hooks';
import { readable } from '../model/report-state.ts';
import { PREFIX } from './api.ts';

/** Where the browser is: a path below /console, and the query. */
export interface Place {
  readonly path: string; // `/report`; the overview is ``
  readonly query: URLSearchParams;
}

const ROOT = `${PREFIX}/console`;
const CHANGED = 'console:place';

const here = (): Place => ({
  path: location.pathname.slice(ROOT.length).replace(/\/$/, ''),
  query: new URLSearchParams(location.search),
});

/** The address of a page of the console. */
export function href(path: string, query?: URLSearchParams): string {
  const text = query ? readable(query) : '';
  return `${ROOT}${path}${text === '' ? '' : `?${text}`}`;
}

/** Goes to an address of the console, as a new entry of the history or in the place of this one. */
export function go(address: string, replace = false): void {
  if (address === `${location.pathname}${location.search}`) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  dispatchEvent(new Event(CHANGED));
}

/** The place, which changes with the browser's history. */
export function usePlace(): Place {
  const [place, setPlace] = useState(here);
  useEffect(() => {
    const move = (): void => setPlace(here());
    addEventListener('popstate', move);
    addEventListener(CHANGED, move);
    document.addEventListener('click', follow);
    return () => {
      removeEventListener('popstate', move);
      removeEventListener(CHANGED, move);
      document.removeEventListener('click', follow);
    };
  }, []);
  return place;
}

/** Lets plain clicks on links of the console stay in the page. */
function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link.target || link.hasAttribute('download')) return;
  const { origin, pathname, search } = new URL(link.href);
  if (origin !== location.origin || (pathname !== ROOT && !pathname.startsWith(`${ROOT}/`))) return;
  event.preventDefault();
  go(`${pathname}${search}`);
}
