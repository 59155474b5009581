import { type ComponentChildren, type JSX, render } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { createFormat } from '../model/format.ts';
import { createNames, type Meta } from '../model/names.ts';
import { type Activity, createQueue } from '../model/queue.ts';
import type { Rights } from '../model/rights.ts';
import { text } from '../model/text/text.ts';
import { ApiError, createApi, type Session } from './api.ts';
import { AppProvider } from './context.tsx';
import { usePlace } from './location.ts';
import { Pages } from './pages.tsx';
import { loadDefinitions, loadRights } from './session/rights.ts';
import { forgetSession, listenToTabs, storedSession } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';
import { Shell } from './shell.tsx';
import { Trouble } from './trouble.tsx';
import { Skeleton } from './ui/ui.tsx';
import './style/app.css';

type State =
  | { readonly kind: 'asking' } // whether another tab has a session
  | { readonly kind: 'out'; readonly sentence?: string | undefined }
  | { readonly kind: 'resuming'; readonly session: Session }
  | { readonly kind: 'in'; readonly session: Session; readonly rights: Rights };

const format = createFormat();
const wait = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

function begin(): State {
  const session = storedSession();
  return session ? { kind: 'resuming', session } : { kind: 'asking' };
}

const sessionOf = (state: State): Session | undefined => (state.kind === 'in' ? state.session : undefined);

function Console(): JSX.Element {
  const [state, setState] = useState<State>(begin);
  const latest = useRef(state);
  latest.current = state;
  const resume = (session: Session): void => setState({ kind: 'resuming', session });
  const leave = (session: Session, sentence?: string): void => {
    forgetSession(session);
    setState({ kind: 'out', sentence });
  };
  const tabs = useMemo(
    () =>
      listenToTabs({
        current: () => sessionOf(latest.current),
        onSession: (session) => latest.current.kind === 'out' && resume(session),
        onEnded: (token) => {
          const own = sessionOf(latest.current);
          if (own?.token === token) leave(own);
        },
      }),
    [],
  );
  useEffect(() => {
    if (state.kind === 'asking') tabs.ask().then((session) => (session ? resume(session) : setState({ kind: 'out' })));
  }, []);
  const enter = (session: Session, rights: Rights): void => {
    setState({ kind: 'in', session, rights });
    tabs.signedIn(session);
  };
  const lost = (session: Session): void => {
    leave(session, text.signIn.ended);
    tabs.signedOut(session);
  };
  const signOut = (session: Session): void => {
    const gone = createApi(session, () => undefined).ask('/api/v2/session', { method: 'DELETE' });
    gone.catch(() => undefined); // the service ends it by itself, after some hours without use
    leave(session);
    tabs.signedOut(session);
  };
  if (state.kind === 'asking') return <Waiting />;
  if (state.kind === 'out') return <SignIn sentence={state.sentence} onSignedIn={enter} />;
  const { session } = state;
  if (state.kind === 'resuming') return <Resume session={session} onSignedIn={enter} onLost={() => lost(session)} />;
  return (
    <SignedIn
      {...state}
      onRights={(rights) => setState((now) => (sessionOf(now) === session ? { kind: 'in', session, rights } : now))}
      onLost={() => lost(session)}
      onSignOut={() => signOut(session)}
    />
  );
}

function Waiting({ children }: { readonly children?: ComponentChildren }): JSX.Element {
  return (
    <main class="sign-in">
      <h1 class="hidden">{text.product}</h1>
      {children}
    </main>
  );
}

interface ResumeProps {
  readonly session: Session;
  readonly onSignedIn: (session: Session, rights: Rights) => void;
  readonly onLost: () => void;
}

/** Goes on with a session that the browser kept, or another tab has. */
function Resume({ session, onSignedIn, onLost }: ResumeProps): JSX.Element {
  const [error, setError] = useState<unknown>();
  const load = (): void => {
    setError(undefined);
    loadRights(createApi(session, () => undefined)).then(
      (rights) => onSignedIn(session, rights),
      (fault: unknown) => (fault instanceof ApiError && fault.status === 401 ? onLost() : setError(fault)),
    );
  };
  useEffect(load, []);
  return <Waiting>{error ? <Trouble error={error} onAgain={load} /> : <Skeleton tall />}</Waiting>;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

interface SignedInProps {
  readonly session: Session;
  readonly rights: Rights;
  readonly onRights: (rights: Rights) => void;
  readonly onLost: () => void;
  readonly onSignOut: () => void;
}

function SignedIn({ session, rights, onRights, onLost, onSignOut }: SignedInProps): JSX.Element {
  const place = usePlace();
  const [activity, setActivity] = useState<Activity>({ running: false, waitingFor: null });
  const [said, setSaid] = useState('');
  const [meta, setMeta] = useState<Meta | undefined>();
  const api = useMemo(() => createApi(session, onLost), [session]);
  const leaving = useMemo(() => new AbortController(), [session]);
  useEffect(() => () => leaving.abort(), [leaving]);
  const queue = useMemo(() => createQueue(wait, setActivity), [api, rights]); // answers are read with the definitions
  const names = useMemo(() => createNames(rights.definitions, meta, format), [rights, meta]);
  useEffect(() => {
    if (rights.definitions === undefined) return;
    // Queued after the first report of the page, so that its numbers come before names.
    const send = async (signal: AbortSignal): Promise<Meta> =>
      (await api.ask<Meta>('/api/v2/insights3/meta', { signal })).data;
    setTimeout(() => queue.ask({ slot: 'meta', key: 'meta', send }).then(setMeta, () => undefined));
  }, [queue, rights]);
  useEffect(() => {
    if (said === '') return undefined;
    const timer = setTimeout(() => setSaid(''), 4000);
    return () => clearTimeout(timer);
  }, [said]);
  const refresh = (): void => {
    loadRights(api).then(onRights, () => undefined); // what is there stays until the page is loaded again
  };
  const page = place.path || `?${place.query}`; // the overview finds by itself the period that has cases
  const latest = useRef(page);
  useEffect(() => {
    if (latest.current === page) return;
    latest.current = page;
    // What the history tells may have changed meanwhile, by whatever brought or removed cases.
    loadDefinitions(api).then(
      (definitions) => isSame(definitions, rights.definitions) || onRights({ ...rights, definitions }),
      () => undefined,
    );
  }, [page]);
  const app = { ...rights, api, queue, leaving: leaving.signal, format, names, refresh, say: setSaid };
  return (
    <AppProvider value={app}>
      <Shell place={place} activity={activity} said={said} onSignOut={onSignOut}>
        <Pages place={place} />
      </Shell>
    </AppProvider>
  );
}

const root = document.getElementById('app');
if (root) {
  root.replaceChildren();
  render(<Console />, root);
}
