import { PREFIX, type Session } from '../api.ts';

/** Where sessions lie: in the tab's storage until it closes; in the browser's if the user asks to stay signed in. */

const IN_BROWSER = `support-console${PREFIX}`;
const IN_TAB = `support-session${PREFIX}`;
const EARLIER = 'support-console'; // where versions before sessions kept a password
const PATIENCE = 150; // ms in which another tab answers

function isSession(value: unknown): value is Session {
  if (typeof value !== 'object' || value === null || !('login' in value) || !('token' in value)) return false;
  return typeof value.login === 'string' && typeof value.token === 'string';
}

/** The session of this tab, or the one that the browser keeps; undefined if there is none or it has no storage. */
export function storedSession(): Session | undefined {
  try {
    sessionStorage.removeItem(EARLIER);
    const kept: unknown = JSON.parse(sessionStorage.getItem(IN_TAB) ?? localStorage.getItem(IN_BROWSER) ?? 'null');
    return isSession(kept) ? { login: kept.login, token: kept.token } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Keeps the session: in this tab, so that a reload does, or `always` in this browser. A browser without storage has it in
 * memory alone.
 */
export function keepSession({ login, token }: Session, always: boolean): void {
  try {
    const session = JSON.stringify({ login, token });
    if (always) localStorage.setItem(IN_BROWSER, session);
    else sessionStorage.setItem(IN_TAB, session);
  } catch {
    // the user signs in again after a reload
  }
}

/** Forgets what the browser keeps of a session. */
export function forgetSession({ token }: Session): void {
  try {
    if (storedSession()?.token !== token) return;
    sessionStorage.removeItem(IN_TAB);
    localStorage.removeItem(IN_BROWSER);
  } catch {
    // a browser without storage has nothing to forget
  }
}

type Message =
  | { readonly kind: 'ask' }
  | { readonly kind: 'session'; readonly session: Session }
  | { readonly kind: 'ended'; readonly token: string };

/** The other tabs of the console in this browser. What they say to each other leaves neither browser nor origin. */
export interface Tabs {
  /** Tells the tabs who has signed in here; a tab without a session takes it. */
  readonly signedIn: (session: Session) => void;
  readonly signedOut: (session: Session) => void;
  /** The session of a tab that is open; undefined if none answers soon. */
  readonly ask: () => Promise<Session | undefined>;
}

interface TabEvents {
  readonly current: () => Session | undefined; // of this tab
  readonly onSession: (session: Session) => void; // another tab has one
  readonly onEnded: (token: string) => void;
}

/** Listens to the other tabs. */
export function listenToTabs({ current, onSession, onEnded }: TabEvents): Tabs {
  const channel = new BroadcastChannel(IN_BROWSER);
  const tell = (message: Message): void => channel.postMessage(message);
  let answered: ((session: Session) => void) | undefined;
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    const own = current();
    if (data.kind === 'ask' && own) tell({ kind: 'session', session: own });
    if (data.kind === 'ended') onEnded(data.token);
    if (data.kind === 'session' && own === undefined) (answered ?? onSession)(data.session);
  };
  return {
    signedIn: ({ login, token }) => tell({ kind: 'session', session: { login, token } }),
    signedOut: ({ token }) => tell({ kind: 'ended', token }),
    ask: () =>
      new Promise((resolve) => {
        const done = (session?: Session): void => {
          answered = undefined;
          resolve(session);
        };
        answered = done;
        tell({ kind: 'ask' });
        setTimeout(done, PATIENCE);
      }),
  };
}
