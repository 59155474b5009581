import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Format } from '../model/format.ts';
import type { Names } from '../model/names.ts';
import type { Queue } from '../model/queue.ts';
import type { Rights } from '../model/rights.ts';
import type { Api } from './api.ts';

/** What every page leans on, once somebody is signed in. */
export interface App extends Rights {
  readonly api: Api;
  readonly queue: Queue;
  readonly format: Format;
  readonly names: Names;
  /** Says something in passing, aloud for screen readers too. */
  readonly say: (sentence: string) => void;
}

const Context = createContext<App | undefined>(undefined);

export const AppProvider = Context.Provider;

/** The app of this page; throws outside of one. */
export function useApp(): App {
  const app = useContext(Context);
  if (app === undefined) throw new Error('no app is around this component');
  return app;
}
