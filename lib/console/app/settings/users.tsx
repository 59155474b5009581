import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { RIGHTS, ROLES, type Role } from '../../../vocabulary.ts';
import { settingsText } from '../../model/text/settings-text.ts';
import { text } from '../../model/text/text.ts';
import { useAttempts } from '../attempt.ts';
import { useApp } from '../context.tsx';
import { useResource } from '../edit/resource.ts';
import { Trouble } from '../trouble.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { Choice, TextField } from '../ui/fields.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Button, Skeleton } from '../ui/ui.tsx';
import { Secret } from './secret.tsx';

interface Login {
  readonly login: string;
  readonly role: string;
  readonly name: string;
  readonly user: number | null;
  readonly has_password: boolean;
  readonly last_used: string | null;
}

/** A user with the password that is shown once. */
interface Added {
  readonly login: string;
  readonly password: string;
}

const USERS = '/api/v2/users';
const words = settingsText;
const CHOICES = ROLES.map((role) => [role, role] as const);

/** Who signs in to the site: added, changed, removed. */
export function Users(): JSX.Element {
  const { api, say } = useApp();
  const list = useResource<{ readonly _embedded: { readonly entries: readonly Login[] } }>('/api/v2/site/logins');
  const [adding, setAdding] = useState(false);
  const [changing, setChanging] = useState<Login | undefined>();
  const [secret, setSecret] = useState<Added | undefined>();
  const { error, attempt } = useAttempts();
  const remove = ({ login, user }: Login): Promise<void> =>
    attempt(async () => {
      await api.ask(`${USERS}/${user}`, { method: 'DELETE' });
      say(words.removed(login));
      list.reload();
    });
  const reset = ({ login, user }: Login): Promise<void> =>
    attempt(async () => {
      const { data } = await api.ask<{ password: string }>(`${USERS}/${user}/password`, { method: 'POST', body: {} });
      setSecret({ login, password: data.password });
      list.reload();
    });
  const close = (): void => setChanging(undefined);
  return (
    <>
      <header class="page-head">
        <h2>{words.parts.users}</h2>
        <Button kind="primary" onClick={() => setAdding(true)}>
          {words.newUser}
        </Button>
      </header>
      <Trouble error={list.error ?? error} onAgain={list.reload} />
      {list.data === undefined && list.error === undefined && <Skeleton tall />}
      {list.data && (
        <UserList logins={list.data._embedded.entries} onChange={setChanging} onReset={reset} onRemove={remove} />
      )}
      {adding && (
        <AddUser
          onClose={() => setAdding(false)}
          onAdded={(added) => {
            setAdding(false);
            setSecret(added);
            list.reload();
          }}
        />
      )}
      {changing && (
        <ChangeUser
          login={changing}
          onClose={close}
          onChanged={() => {
            close();
            say(text.edit.saved);
            list.reload();
          }}
        />
      )}
      {secret && (
        <Secret title={words.once(secret.login)} secret={secret.password} onClose={() => setSecret(undefined)} />
      )}
    </>
  );
}

/** What a role may do, in a sentence. */
const roleSentence = (role: Role): string => {
  const { always, ...may } = words.may;
  return words.roleMay(text.listAnd([always, ...RIGHTS[role].map((right) => may[right])]));
};

/** The choice of a role, which says what the chosen one may do. */
function RoleChoice({ value, error }: { readonly value: string; readonly error: unknown }): JSX.Element {
  const [chosen, setChosen] = useState(value);
  const role = ROLES.find((each) => each === chosen);
  return (
    <>
      <Choice label={words.role} name="role" error={error} options={CHOICES} value={chosen} onChange={setChosen} />
      {role && <p class="quiet small">{roleSentence(role)}</p>}
    </>
  );
}

interface AddUserProps {
  readonly onClose: () => void;
  readonly onAdded: (added: Added) => void;
}

function AddUser({ onClose, onAdded }: AddUserProps): JSX.Element {
  const { api } = useApp();
  const send = async (form: FormData): Promise<void> => {
    const name = String(form.get('name'));
    const login = String(form.get('login'));
    const body = { login, role: form.get('role'), ...(name !== '' && { name }) };
    const { data } = await api.ask<Added>(USERS, { method: 'POST', body });
    onAdded({ login, password: data.password });
  };
  return (
    <FormDialog
      title={words.newUser}
      yes={text.edit.create}
      fields={['login', 'name', 'role']}
      onSend={send}
      onClose={onClose}
    >
      {(fault) => (
        <>
          <TextField
            label={words.login}
            hint={words.loginHint}
            name="login"
            error={fault}
            input={{ required: true, autocomplete: 'off', spellcheck: false }}
          />
          <TextField label={words.name} name="name" error={fault} />
          <RoleChoice error={fault} value="Agent" />
        </>
      )}
    </FormDialog>
  );
}

interface UserListProps {
  readonly logins: readonly Login[];
  readonly onChange: (login: Login) => void;
  readonly onReset: (login: Login) => Promise<void>;
  readonly onRemove: (login: Login) => Promise<void>;
}

function UserList({ logins, onChange, onReset, onRemove }: UserListProps): JSX.Element {
  const { api } = useApp();
  return (
    <ul class="people card">
      {logins.map((one) => {
        const isOwn = one.login.toLowerCase() === api.session.login.toLowerCase();
        const named = (label: string) => ({ kind: 'quiet', label: `${label}: ${one.login}`, children: label }) as const;
        return (
          <li key={one.login}>
            <div>
              <h3 dir="auto">{one.name}</h3>
              <p class="quiet">
                {one.login}
                {isOwn && ` (${words.you})`}
              </p>
              <p class="small">
                {one.role} · {one.has_password ? words.used(one.last_used) : words.noPassword}
              </p>
            </div>
            {one.user === null ? (
              <p class="quiet small">{words.byCommand}</p>
            ) : (
              <p class="row">
                <Button {...named(words.change)} onClick={() => onChange(one)} />
                {!isOwn && (
                  <ConfirmButton
                    {...named(words.reset)}
                    question={words.confirmReset(one.login)}
                    yes={words.reset}
                    onYes={() => void onReset(one)}
                  />
                )}
                <ConfirmButton
                  {...named(words.remove)}
                  question={words.confirmRemove(one.login)}
                  yes={words.remove}
                  no={words.cancelRemove}
                  onYes={() => void onRemove(one)}
                />
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface ChangeUserProps {
  readonly login: Login;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** Name and role of a user; what somebody else changed meanwhile is not overwritten. */
function ChangeUser({ login, onClose, onChanged }: ChangeUserProps): JSX.Element | null {
  const { api } = useApp();
  const path = `${USERS}/${login.user}`;
  const { data, etag = '*', error } = useResource<Login>(path);
  const send = async (form: FormData): Promise<void> => {
    const body = { name: form.get('name'), role: form.get('role') };
    await api.ask(path, { method: 'PATCH', headers: { 'If-Match': etag }, body });
    onChanged();
  };
  if (data === undefined) return <Trouble error={error} />;
  return (
    <FormDialog
      title={`${words.change}: ${login.login}`}
      yes={text.edit.save}
      fields={['name', 'role']}
      onSend={send}
      onClose={onClose}
    >
      {(fault) => (
        <>
          <TextField label={words.name} name="name" error={fault} input={{ defaultValue: data.name, required: true }} />
          <RoleChoice error={fault} value={data.role} />
        </>
      )}
    </FormDialog>
  );
}
