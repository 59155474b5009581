import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../../model/text.ts';
import { useApp } from '../context.tsx';
import { useResource } from '../edit/resource.ts';
import { saidOf, TextField } from '../fields.tsx';
import { FormDialog } from '../form-dialog.tsx';
import { Trouble } from '../trouble.tsx';
import { Button, Notice } from '../ui.tsx';
import { Secret } from './secret.tsx';
import { type TokenList, Tokens } from './tokens.tsx';

const words = text.settings;
const TOKENS = '/api/v2/tokens';

/** One's own password, tokens and sessions. */
export function Account(): JSX.Element {
  const { api } = useApp();
  const list = useResource<TokenList>(TOKENS);
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<{ readonly name: string; readonly token: string } | undefined>();
  const add = async (form: FormData): Promise<void> => {
    const name = String(form.get('name'));
    const { data } = await api.ask<{ token: string }>(TOKENS, { method: 'POST', body: { name } });
    setAdding(false);
    setSecret({ name, token: data.token });
    list.reload();
  };
  return (
    <>
      <PasswordForm />
      <header class="page-head">
        <h2>{words.ownTokens}</h2>
        <Button onClick={() => setAdding(true)}>{words.newToken}</Button>
      </header>
      <Tokens label={words.ownTokens} path={TOKENS} list={list} />
      {adding && (
        <FormDialog
          title={words.newToken}
          yes={text.edit.create}
          fields={['name']}
          onSend={add}
          onClose={() => setAdding(false)}
        >
          {(fault) => <TextField label={words.tokenName} name="name" error={fault} input={{ required: true }} />}
        </FormDialog>
      )}
      {secret && (
        <Secret title={words.tokenOnce(secret.name)} secret={secret.token} onClose={() => setSecret(undefined)} />
      )}
    </>
  );
}

function PasswordForm(): JSX.Element {
  const { api } = useApp();
  const [error, setError] = useState<unknown>();
  const [done, setDone] = useState(false);
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    setError(undefined);
    try {
      const body = { password: data.get('password'), current_password: data.get('current_password') };
      await api.ask('/api/v2/users/me', { method: 'PATCH', body });
      form.reset();
      setDone(true);
    } catch (fault) {
      setError(fault);
    }
  };
  const isShown = ['password', 'current_password'].some((field) => saidOf(error, field) !== undefined);
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
