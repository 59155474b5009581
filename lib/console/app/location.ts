import { useEffect, useState } from 'preact/hooks';
import { readable } from '../model/report-state.ts';
import { PREFIX } from './api.ts';

/** The current address: a path below /console, and the query. */
export interface Place {
  readonly path: string; // `/report`; empty for the overview
  readonly query: URLSearchParams;
}

const ROOT = `${PREFIX}/console`;
const CHANGED = 'console:place';

const currentPlace = (): Place => ({
  path: location.pathname.slice(ROOT.length).replace(/\/$/, ''),
  query: new URLSearchParams(location.search),
});

/** The address of a page of the console. */
export function href(path: string, query?: URLSearchParams): string {
  const text = query ? readable(query) : '';
  return `${ROOT}${path}${text === '' ? '' : `?${text}`}`;
}

/** Goes to an address of the console; adds an entry to the browser's history, or replaces the current one. */
export function go(address: string, replace = false): void {
  if (address === `${location.pathname}${location.search}`) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  dispatchEvent(new Event(CHANGED));
}

/** The current place, updated with the browser's history. */
export function usePlace(): Place {
  const [place, setPlace] = useState(currentPlace);
  useEffect(() => {
    const move = (): void => setPlace(currentPlace());
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

/** Handles plain clicks on links of the console without loading a new page. */
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
