import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Format } from '../model/format.ts';
import type { Names } from '../model/names.ts';
import type { LocalTime } from '../model/period.ts';
import type { Queue } from '../model/queue.ts';
import type { Rights } from '../model/rights.ts';
import { localIn } from '../model/zone.ts';
import type { Api } from './api.ts';

/** What numbers are shown with, also to who has no account. */
export interface Display extends Pick<Rights, 'definitions'> {
  readonly format: Format;
  readonly names: Names;
}

/** The objects that every page uses once a user is signed in. */
export interface App extends Rights, Display {
  readonly api: Api;
  readonly queue: Queue;
  readonly leaving: AbortSignal; // aborted when the user signs out, or the session ends
  /** Asks again for what the site's settings and sources say to all pages, which ask again for their numbers. */
  readonly refresh: () => void;
  /** Shows a short message, which screen readers read aloud. */
  readonly say: (sentence: string) => void;
}

const Context = createContext<App | Display | undefined>(undefined);

export const AppProvider = Context.Provider;

/** What numbers are shown with; throws if nothing is around this component. */
export function useDisplay(): Display {
  const looks = useContext(Context);
  if (looks === undefined) throw new Error('no app is around this component');
  return looks;
}

/** The app around this component; throws if there is none. */
export function useApp(): App {
  const app = useContext(Context);
  if (app === undefined || !('api' in app)) throw new Error('nobody is signed in');
  return app;
}

/** Tells what the clocks of the site's zone show at an instant, which the API gives in UTC. */
export function useSiteClock(): (instant: string) => LocalTime {
  const { definitions } = useDisplay();
  return (instant) => localIn(definitions?.site.time_zone ?? 'UTC', instant);
}
