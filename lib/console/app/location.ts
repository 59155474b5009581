import { useEffect, useState } from 'preact/hooks';
import { readable } from '../model/report/report-state.ts';
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

/** Whether the service is on this machine: only such a one has demo users and a demo site. */
export const isLoopback = (): boolean => /^(127\.|\[::1\]|(.*\.)?localhost$)/.test(location.hostname);

/** The address of a page of the console. */
export function href(path: string, query?: URLSearchParams): string {
  const text = query ? readable(query) : '';
  return `${ROOT}${path}${text === '' ? '' : `?${text}`}`;
}

/** Asks before a page is left for an address: true if it keeps `next` to call it later. */
type Guard = (address: string, next: () => void) => boolean;
let guard: Guard | undefined;

/** Sets the question that is asked before another page is shown; undefined for none. */
export const setGuard = (asks: Guard | undefined): void => void (guard = asks);

/** Goes to an address of the console; adds an entry to the browser's history, or replaces the current one. */
export function go(address: string, replace = false): void {
  if (address === `${location.pathname}${location.search}`) return;
  if (guard?.(address, () => go(address, replace))) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  dispatchEvent(new Event(CHANGED));
}

/** The current place, updated with the browser's history. */
export function usePlace(): Place {
  const [place, setPlace] = useState(currentPlace);
  useEffect(() => {
    let shown = location.href;
    const move = (): void => {
      shown = location.href;
      setPlace(currentPlace());
    };
    const back = (): void => {
      const target = location.href;
      const leave = (): void => {
        history.replaceState(null, '', target);
        move();
      };
      // The browser has left already: what is shown becomes an entry again, and leaving replaces it.
      if (guard?.(target, leave)) history.pushState(null, '', shown);
      else move();
    };
    addEventListener('popstate', back);
    addEventListener(CHANGED, move);
    document.addEventListener('click', follow);
    return () => {
      removeEventListener('popstate', back);
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
