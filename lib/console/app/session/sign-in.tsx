import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Busy } from '../../model/queue.ts';
import type { Rights } from '../../model/rights.ts';
import { text } from '../../model/text/text.ts';
import { ApiError, beginSession, createApi, type Session } from '../api.ts';
import { isLoopback } from '../location.ts';
import { troubleText } from '../trouble.tsx';
import { TextField } from '../ui/fields.tsx';
import { Notice } from '../ui/ui.tsx';
import { loadRights } from './rights.ts';
import { keepSession } from './session.ts';

interface SignInProps {
  readonly sentence: string | undefined; // why the user has to sign in again
  readonly onSignedIn: (session: Session, rights: Rights) => void;
}

/** The sign-in form. It replaces the browser's own dialog for credentials. */
export function SignIn({ sentence, onSignedIn }: SignInProps): JSX.Element {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState(sentence);
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setTrouble(undefined);
    try {
      const keep = form.has('keep');
      const session = await beginSession(String(form.get('login')), String(form.get('password')), keep);
      const rights = await loadRights(createApi(session, () => undefined));
      keepSession(session, keep);
      onSignedIn(session, rights);
    } catch (error) {
      setTrouble(whyNot(error));
      setBusy(false);
    }
  };
  return (
    <main class="sign-in">
      <form onSubmit={submit} method="dialog">
        <p class="brand">{text.product}</p>
        <h1>{text.signIn.title}</h1>
        <p class="quiet">{text.signIn.intro}</p>
        {trouble && <Notice kind="error">{trouble}</Notice>}
        <TextField
          label={text.signIn.login}
          name="login"
          input={{ autocomplete: 'username', required: true, spellcheck: false }}
        />
        <TextField
          label={text.signIn.password}
          name="password"
          input={{ type: 'password', autocomplete: 'current-password', required: true }}
        />
        <label class="check">
          <input type="checkbox" name="keep" /> {text.signIn.keep}
        </label>
        <button type="submit" class="button primary wide" disabled={busy}>
          {busy ? text.signIn.busy : text.signIn.button}
        </button>
        {isLoopback() && <p class="quiet small">{text.signIn.demo}</p>}
      </form>
    </main>
  );
}

function whyNot(error: unknown): string {
  if (error instanceof ApiError && error.status === 401) return text.signIn.wrong;
  if (error instanceof Busy) return text.signIn.tooMany(error.seconds);
  return troubleText(error);
}
