import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Format } from '../model/format.ts';
import type { Names } from '../model/names.ts';
import type { LocalTime } from '../model/period.ts';
import type { Queue } from '../model/queue.ts';
import type { Rights } from '../model/rights.ts';
import { localIn } from '../model/zone.ts';
import type { Api } from './api.ts';

/** The objects that every page uses once a user is signed in. */
export interface App extends Rights {
  readonly api: Api;
  readonly queue: Queue;
  readonly format: Format;
  readonly names: Names;
  /** Asks again for what the site's settings say to all pages. */
  readonly refresh: () => void;
  /** Shows a short message, which screen readers read aloud. */
  readonly say: (sentence: string) => void;
}

const Context = createContext<App | undefined>(undefined);

export const AppProvider = Context.Provider;

/** The app around this component; throws if there is none. */
export function useApp(): App {
  const app = useContext(Context);
  if (app === undefined) throw new Error('no app is around this component');
  return app;
}

/** Tells what the clocks of the site's zone show at an instant, which the API gives in UTC. */
export function useSiteClock(): (instant: string) => LocalTime {
  const { definitions } = useApp();
  return (instant) => localIn(definitions?.site.time_zone ?? 'UTC', instant);
}
