import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { settingsText } from '../../model/text/settings-text.ts';
import { useAttempts } from '../attempt.ts';
import { useApp } from '../context.tsx';
import { NewThing } from '../edit/new-thing.tsx';
import { useResource } from '../edit/resource.ts';
import { Trouble } from '../trouble.tsx';
import { fieldFault, TextField } from '../ui/fields.tsx';
import { useOnce } from '../ui/once.ts';
import { Notice } from '../ui/ui.tsx';
import { Secret } from './secret.tsx';
import { type TokenList, Tokens } from './tokens.tsx';

const words = settingsText;
const TOKENS = '/api/v2/tokens';

/** A token with its text, which is shown once. */
interface MadeToken {
  readonly name: string;
  readonly token: string;
}

/** One's own password, tokens and sessions. */
export function Account(): JSX.Element {
  const list = useResource<TokenList>(TOKENS);
  const [made, setMade] = useState<MadeToken | undefined>();
  return (
    <>
      <PasswordForm />
      <header class="page-head">
        <h2>{words.ownTokens}</h2>
        <NewThing<MadeToken>
          path={TOKENS}
          title={words.newToken}
          kind="plain"
          isAllowed
          named={{ field: 'name', label: words.tokenName }}
          onMade={(token) => {
            list.reload();
            setMade(token);
          }}
        />
      </header>
      <Tokens label={words.ownTokens} path={TOKENS} list={list} />
      {made && <Secret title={words.tokenOnce(made.name)} secret={made.token} onClose={() => setMade(undefined)} />}
    </>
  );
}

function PasswordForm(): JSX.Element {
  const { api } = useApp();
  const { error, attempt } = useAttempts();
  const [done, setDone] = useState(false);
  const change = useOnce((form: HTMLFormElement) =>
    attempt(async () => {
      setDone(false);
      const body = Object.fromEntries(new FormData(form)); // with the names of its inputs
      await api.ask('/api/v2/users/me', { method: 'PATCH', body });
      form.reset();
      setDone(true);
    }),
  );
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    change(event.currentTarget);
  };
  const isShown = ['password', 'current_password'].some((field) => fieldFault(error, field) !== undefined);
  return (
    <form class="card editor" onSubmit={submit}>
      <h2>{words.password}</h2>
      {done && <Notice kind="good">{words.passwordChanged}</Notice>}
      {!isShown && <Trouble error={error} />}
      <TextField
        label={words.currentPassword}
        name="current_password"
        error={error}
        input={{ type: 'password', autocomplete: 'current-password', required: true }}
      />
      <TextField
        label={words.newPassword}
        hint={words.passwordHint}
        name="password"
        error={error}
        input={{ type: 'password', autocomplete: 'new-password', required: true }}
      />
      <p class="row">
        <button type="submit" class="button primary">
          {words.changePassword}
        </button>
      </p>
    </form>
  );
}
