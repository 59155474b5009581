import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { DESKS, type DeskCard, deskWords as words } from '../../model/settings/desks.ts';
import { useApp } from '../context.tsx';
import { type Page, useResource } from '../edit/resource.ts';
import { Trouble } from '../trouble.tsx';
import { Check, fieldFault, TextField } from '../ui/fields.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Button, Notice, Skeleton } from '../ui/ui.tsx';
import { Connected, type Connection } from './desk-connected.tsx';
import { Token } from './desk-token.tsx';
import { Secret } from './secret.tsx';

const PATH = '/api/v2/connections';
const SOON = 2_000; // ms between two looks while something is under way
const LATER = 15_000; // ms between two others

/** The site's connection to its help desk, or the help desks that it can be connected to. */
export function HelpDesk(): JSX.Element {
  const { say } = useApp();
  const list = useResource<Page<Connection>>(PATH);
  const [chosen, setChosen] = useState<DeskCard | undefined>();
  const [made, setMade] = useState<{ readonly title: string; readonly secret: string } | undefined>();
  const connection = list.data?._embedded.entries[0];
  useEffect(() => {
    if (connection === undefined) return undefined;
    const timer = setTimeout(list.reload, isBusy(connection) ? SOON : LATER);
    return () => clearTimeout(timer);
  }, [list.data, list.error]);
  const connected = ({ title }: DeskCard, { webhook_secret }: Connection): void => {
    setChosen(undefined);
    say(words.connected(title));
    if (webhook_secret !== undefined) setMade({ title, secret: webhook_secret });
    list.reload();
  };
  return (
    <>
      <h2>{words.title}</h2>
      <Trouble error={list.error} onAgain={list.reload} />
      {list.data === undefined && list.error === undefined && <Skeleton tall />}
      {connection && <Connected key={connection.id} connection={connection} onChange={list.reload} />}
      {list.data && connection === undefined && <Cards onChoose={setChosen} />}
      {chosen && <Connect desk={chosen} onClose={() => setChosen(undefined)} onConnected={connected} />}
      {made && <Secret title={words.secretOnce(made.title)} secret={made.secret} onClose={() => setMade(undefined)} />}
    </>
  );
}

const isBusy = ({ state, last_pull }: Connection): boolean =>
  state === 'backfilling' || state === 'removing' || last_pull?.ended_at === null;

function Cards({ onChoose }: { readonly onChoose: (desk: DeskCard) => void }): JSX.Element {
  return (
    <>
      <p>{words.about}</p>
      <div class="cards">
        {DESKS.map((desk) => (
          <section key={desk.system} class="card">
            <h3>{desk.title}</h3>
            <p class="quiet">{desk.lacks}</p>
            <p class="row">
              <Button kind="primary" label={words.connectTo(desk.title)} onClick={() => onChoose(desk)}>
                {words.connect}
              </Button>
            </p>
          </section>
        ))}
      </div>
    </>
  );
}

interface ConnectProps {
  readonly desk: DeskCard;
  readonly onClose: () => void;
  readonly onConnected: (desk: DeskCard, connection: Connection) => void;
}

/** Asks for what a help desk takes; the service tries it before it keeps anything. */
function Connect({ desk, onClose, onConnected }: ConnectProps): JSX.Element {
  const { api } = useApp();
  const [stays, setStays] = useState(false);
  const send = async (form: FormData): Promise<void> => {
    const given = (name: string): string | undefined => String(form.get(name) ?? '').trim() || undefined;
    const since = given('since');
    const body = {
      system: desk.system,
      url: given('url'),
      credentials: { token: given('token') ?? '', login: given('login') },
      account: Number(given('account')) || undefined,
      webhook_secret: given('webhook_secret'),
      since: since && `${since}T00:00:00Z`,
      ...(stays && { supersedes: [] }),
    };
    onConnected(desk, (await api.ask<Connection>(PATH, { method: 'POST', body })).data);
  };
  const plain = { autocomplete: 'off', spellcheck: false } as const;
  return (
    <FormDialog
      title={words.connectTo(desk.title)}
      yes={words.connect}
      fields={[
        'url',
        'credentials',
        'credentials.token',
        'credentials.login',
        'account',
        'webhook_secret',
        'since',
        'supersedes',
      ]}
      onSend={send}
      onClose={onClose}
    >
      {(error) => (
        <>
          <TextField
            label={words.url}
            hint={words.urlHint(desk.url)}
            name="url"
            error={error}
            input={{ required: true, type: 'url', ...plain }}
          />
          {desk.account !== undefined && (
            <TextField
              label={words.account}
              hint={desk.account}
              name="account"
              error={error}
              input={{ required: true, inputMode: 'numeric', ...plain }}
            />
          )}
          {desk.login !== undefined && (
            <TextField label={words.login} hint={desk.login} name="login" error={error} input={plain} />
          )}
          <Token hint={desk.token} error={error} />
          {desk.makesSecret === undefined && (
            <TextField
              label={words.secret}
              hint={words.secretHint}
              name="webhook_secret"
              error={error}
              input={{ type: 'password', autocomplete: 'new-password' }}
            />
          )}
          <TextField label={words.since} hint={words.sinceHint} name="since" error={error} input={{ type: 'date' }} />
          <Doubles said={fieldFault(error, 'supersedes')} stays={stays} onStay={setStays} />
        </>
      )}
    </FormDialog>
  );
}

interface DoublesProps {
  readonly said: string | undefined; // what the service says of files of the same help desk
  readonly stays: boolean;
  readonly onStay: (stays: boolean) => void;
}

/** Asks what becomes of files that brought the same cases with other ids. */
const Doubles = ({ said, stays, onStay }: DoublesProps): JSX.Element | null =>
  said === undefined ? null : (
    <Notice kind="error">
      <p>{said}</p>
      <Check label={words.stays} checked={stays} onChange={onStay} />
    </Notice>
  );
