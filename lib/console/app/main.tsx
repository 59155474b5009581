import { type JSX, render } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { createFormat } from '../model/format.ts';
import { createNames, type Meta } from '../model/names.ts';
import { type Activity, createQueue } from '../model/queue.ts';
import type { Rights } from '../model/rights.ts';
import { text } from '../model/text.ts';
import { ApiError, createApi } from './api.ts';
import { AppProvider } from './context.tsx';
import { usePlace } from './location.ts';
import { Pages } from './pages.tsx';
import { loadRights } from './rights.ts';
import { type Credentials, forgetCredentials, keptCredentials } from './session.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';
import { Trouble } from './trouble.tsx';
import './style/app.css';

type Session =
  | { readonly kind: 'out'; readonly sentence?: string }
  | { readonly kind: 'resuming'; readonly credentials: Credentials }
  | { readonly kind: 'in'; readonly credentials: Credentials; readonly rights: Rights };

const format = createFormat();
const wait = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

function begin(): Session {
  const credentials = keptCredentials();
  return credentials ? { kind: 'resuming', credentials } : { kind: 'out' };
}

function Console(): JSX.Element {
  const [session, setSession] = useState<Session>(begin);
  const signOut = useCallback((sentence?: string) => {
    forgetCredentials();
    setSession({ kind: 'out', ...(sentence ? { sentence } : {}) });
  }, []);
  const enter = (credentials: Credentials, rights: Rights): void => setSession({ kind: 'in', credentials, rights });
  if (session.kind === 'out') return <SignIn sentence={session.sentence} onSignedIn={enter} />;
  if (session.kind === 'resuming')
    return <Resume credentials={session.credentials} onSignedIn={enter} onSignOut={signOut} />;
  return <SignedIn {...session} onSignOut={signOut} />;
}

interface ResumeProps {
  readonly credentials: Credentials;
  readonly onSignedIn: (credentials: Credentials, rights: Rights) => void;
  readonly onSignOut: (sentence?: string) => void;
}

/** Signs in with the credentials that the tab stored. */
function Resume({ credentials, onSignedIn, onSignOut }: ResumeProps): JSX.Element {
  const [error, setError] = useState<unknown>();
  const load = (): void => {
    setError(undefined);
    loadRights(createApi(credentials, () => undefined)).then(
      (rights) => onSignedIn(credentials, rights),
      (fault: unknown) =>
        fault instanceof ApiError && fault.status === 401 ? onSignOut(text.signIn.ended) : setError(fault),
    );
  };
  useEffect(load, []);
  return (
    <main class="sign-in">
      <h1 class="hidden">{text.product}</h1>
      <Trouble error={error} onAgain={load} />
    </main>
  );
}

interface SignedInProps {
  readonly credentials: Credentials;
  readonly rights: Rights;
  readonly onSignOut: (sentence?: string) => void;
}

function SignedIn({ credentials, rights, onSignOut }: SignedInProps): JSX.Element {
  const place = usePlace();
  const [activity, setActivity] = useState<Activity>({ running: false, waitingFor: null });
  const [said, setSaid] = useState('');
  const [meta, setMeta] = useState<Meta | undefined>();
  const api = useMemo(() => createApi(credentials, () => onSignOut(text.signIn.ended)), [credentials]);
  const queue = useMemo(() => createQueue(wait, setActivity), [api]);
  const names = useMemo(() => createNames(meta, format), [meta]);
  useEffect(() => {
    if (rights.definitions === undefined) return;
    // Queued after the first report of the page, so that its numbers come before names.
    const send = async (signal: AbortSignal): Promise<Meta> =>
      (await api.ask<Meta>('/api/v2/insights3/meta', { signal })).data;
    setTimeout(() => queue.ask({ slot: 'meta', key: 'meta', send }).then(setMeta, () => undefined));
  }, [queue]);
  useEffect(() => {
    if (said === '') return undefined;
    const timer = setTimeout(() => setSaid(''), 4000);
    return () => clearTimeout(timer);
  }, [said]);
  const app = { ...rights, api, queue, format, names, say: setSaid };
  return (
    <AppProvider value={app}>
      <Shell place={place} activity={activity} said={said} onSignOut={() => onSignOut()}>
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
