import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { DESKS, REMEDIES, deskWords as words } from '../../model/settings/desks.ts';
import { text } from '../../model/text/text.ts';
import { useAttempts } from '../attempt.ts';
import { useApp } from '../context.tsx';
import { Trouble } from '../trouble.tsx';
import { Choice, TextField } from '../ui/fields.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Button, Notice } from '../ui/ui.tsx';
import { DeskCheck } from './desk-check.tsx';
import { useMoment } from './desk-moment.ts';
import { Token } from './desk-token.tsx';

/** A connection as the API shows it. */
export interface Connection {
  readonly id: number;
  readonly system: string;
  readonly url: string;
  readonly name: string;
  readonly source: string;
  readonly state: string;
  readonly paused: boolean;
  readonly as_of: string | null;
  readonly error: { readonly code: string; readonly message: string; readonly next_try: string } | null;
  readonly backfill: {
    readonly done: boolean;
    readonly complete_since: string | null;
    readonly cases: number;
    readonly estimate_seconds: number | null;
  };
  readonly last_pull: {
    readonly started_at: string;
    readonly ended_at: string | null;
    readonly cases: number;
    readonly requests: number;
  } | null;
  readonly doorbell: {
    readonly url: string;
    readonly has_secret: boolean;
    readonly rung: number;
    readonly refused: number;
  };
  readonly credentials: { readonly login: string | null };
  readonly webhook_secret?: string;
}

const DAY = 86_400; // s

interface ConnectedProps {
  readonly connection: Connection;
  readonly onChange: () => void;
}

/** How far the connection is, what is wrong, and what can be done with it. */
export function Connected({ connection, onChange }: ConnectedProps): JSX.Element {
  const [checks, setChecks] = useState(0);
  return (
    <>
      <Fault connection={connection} />
      <Facts connection={connection} />
      {connection.state !== 'removing' && (
        <Actions connection={connection} onChange={onChange} onCheck={() => setChecks(checks + 1)} />
      )}
      <Bell connection={connection} />
      <DeskCheck key={checks} path={`${pathOf(connection)}/check`} />
    </>
  );
}

const pathOf = ({ id }: Connection): string => `/api/v2/connections/${id}`;

/** The buttons. */
function Actions({ onCheck, ...props }: ConnectedProps & { readonly onCheck: () => void }): JSX.Element {
  const { connection, onChange } = props;
  const { api, say } = useApp();
  const { error, attempt } = useAttempts();
  const [asked, setAsked] = useState<'token' | 'disconnect' | undefined>();
  const { paused } = connection;
  const path = pathOf(connection);
  const does = (work: () => Promise<unknown>, said: string): Promise<void> =>
    attempt(async () => {
      await work();
      say(said);
      onChange();
    });
  const begin = (what: 'pull' | 'check') => api.ask(`${path}/${what}`, { method: 'POST', body: {} });
  const close = (): void => setAsked(undefined);
  return (
    <>
      <Trouble error={error} />
      <p class="row">
        <Button kind="primary" disabled={paused} onClick={() => does(() => begin('pull'), words.pulling)}>
          {words.pull}
        </Button>
        <Button disabled={paused} onClick={() => does(() => begin('check').then(onCheck), words.checking)}>
          {words.check}
        </Button>
        <Button
          onClick={() =>
            does(
              () => api.ask(path, { method: 'PATCH', body: { paused: !paused } }),
              paused ? words.resumed : words.paused,
            )
          }
        >
          {paused ? words.resume : words.pause}
        </Button>
        <Button onClick={() => setAsked('token')}>{words.rotate}</Button>
        <Button kind="danger" onClick={() => setAsked('disconnect')}>
          {words.disconnect}
        </Button>
      </p>
      {asked === 'token' && <NewToken {...props} onClose={close} />}
      {asked === 'disconnect' && <Disconnect {...props} onClose={close} />}
    </>
  );
}

type AskedProps = ConnectedProps & { readonly onClose: () => void };

/** Gives a new token, which the service tries before it takes the place of the old one. */
function NewToken({ connection, onChange, onClose }: AskedProps): JSX.Element {
  const { api } = useApp();
  const desk = DESKS.find(({ system }) => system === connection.system);
  const send = async (form: FormData): Promise<void> => {
    const login = String(form.get('login') ?? '').trim() || undefined;
    const body = { credentials: { token: String(form.get('token')), login } };
    await api.ask(pathOf(connection), { method: 'PATCH', body });
    onClose();
    onChange();
  };
  return (
    <FormDialog
      title={words.rotate}
      yes={text.edit.save}
      fields={['credentials', 'credentials.token', 'credentials.login']}
      onClose={onClose}
      onSend={send}
    >
      {(fault) => (
        <>
          {desk?.login !== undefined && (
            <TextField
              label={words.login}
              hint={desk.login}
              name="login"
              input={{ defaultValue: connection.credentials.login ?? '', autocomplete: 'off' }}
            />
          )}
          <Token hint={desk?.token ?? ''} error={fault} />
        </>
      )}
    </FormDialog>
  );
}

/** Asks what becomes of the facts. */
function Disconnect({ connection, onChange, onClose }: AskedProps): JSX.Element {
  const { api, say } = useApp();
  const send = async (form: FormData): Promise<void> => {
    await api.ask(`${pathOf(connection)}?facts=${form.get('facts')}`, { method: 'DELETE' });
    onClose();
    say(words.disconnected);
    onChange();
  };
  return (
    <FormDialog
      title={words.disconnectAsks(connection.name)}
      yes={words.disconnect}
      fields={['facts']}
      onClose={onClose}
      onSend={send}
    >
      {(fault) => <Choice label={words.facts} name="facts" error={fault} value="keep" options={FACTS} />}
    </FormDialog>
  );
}

const FACTS = [
  ['keep', words.keep],
  ['remove', words.remove],
] as const;

/** What is wrong, and what can be done about it. */
function Fault({ connection: { error } }: { readonly connection: Connection }): JSX.Element | null {
  const moment = useMoment();
  if (error === null) return null;
  return (
    <Notice kind="error">
      <p dir="auto">{error.message}</p>
      <p>
        {REMEDIES[error.code]} {words.next(moment(error.next_try))}
      </p>
    </Notice>
  );
}

function Facts({ connection }: { readonly connection: Connection }): JSX.Element {
  const { format } = useApp();
  const moment = useMoment();
  const { url, source, state, as_of, backfill, last_pull } = connection;
  const { done, cases, complete_since, estimate_seconds: left } = backfill;
  const since = complete_since === null ? null : moment(complete_since);
  const pull = last_pull && {
    running: words.running(format.count(last_pull.cases)),
    ended:
      last_pull.ended_at &&
      words.ended(moment(last_pull.ended_at), format.count(last_pull.cases), format.count(last_pull.requests)),
  };
  return (
    <ul class="people card">
      <Fact label={words.state}>{words.stateOf(state)}</Fact>
      <Fact label={words.asOf}>{as_of === null ? words.nothingYet : moment(as_of)}</Fact>
      <Fact label={words.address}>{url}</Fact>
      <Fact label={words.source}>{source}</Fact>
      <Fact label={words.progress}>
        {done ? words.done(format.count(cases)) : words.soFar(format.count(cases), since)}
        {!done && left !== null && `, ${words.left(Math.ceil(left / 60))}`}
      </Fact>
      {!done && left !== null && left > DAY && <li class="quiet">{words.tooLong}</li>}
      {pull && <Fact label={words.lastPull}>{pull.ended ?? pull.running}</Fact>}
    </ul>
  );
}

/** The address that the help desk's webhook is to call, and how often it did. */
function Bell({ connection: { system, doorbell } }: { readonly connection: Connection }): JSX.Element {
  const { format } = useApp();
  const { url, has_secret, rung, refused } = doorbell;
  return (
    <section class="card">
      <h3>{words.doorbell}</h3>
      <p>
        <code class="secret">{url}</code>
      </p>
      <p class="quiet">{DESKS.find((desk) => desk.system === system)?.bell}</p>
      <p class="quiet">{has_secret ? words.rung(format.count(rung), format.count(refused)) : words.noSecret}</p>
    </section>
  );
}

const Fact = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }): JSX.Element => (
  <li>
    <span class="quiet">{label}</span>
    <span dir="auto">{children}</span>
  </li>
);
