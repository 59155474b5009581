import type { JSX } from 'preact';
import { settingsText } from '../../model/text/settings-text.ts';
import { useAttempts } from '../attempt.ts';
import { useApp, useSiteClock } from '../context.tsx';
import { type Resource, useResource } from '../edit/resource.ts';
import { Trouble } from '../trouble.tsx';
import { ListTable } from '../ui/list-table.tsx';
import { Button, Skeleton } from '../ui/ui.tsx';

interface Token {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly login?: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used: string | null;
  readonly current?: boolean;
}

/** A list of tokens as the API gives it. */
export type TokenList = { readonly _embedded: { readonly entries: readonly Token[] } };

const words = settingsText;

/** The tokens and sessions of all users. */
export function AllTokens(): JSX.Element {
  const path = '/api/v2/site/tokens';
  return (
    <>
      <h2>{words.allTokens}</h2>
      <Tokens label={words.allTokens} path={path} list={useResource<TokenList>(path)} />
    </>
  );
}

interface TokensProps {
  readonly label: string;
  readonly path: string;
  readonly list: Resource<TokenList>;
}

/** Tokens in a table, each with a button that ends it. */
export function Tokens({ label, path, list }: TokensProps): JSX.Element {
  const { api, say, format } = useApp();
  const clock = useSiteClock();
  const { error, attempt } = useAttempts();
  const end = ({ id, name }: Token): Promise<void> =>
    attempt(async () => {
      await api.ask(`${path}/${id}`, { method: 'DELETE' });
      say(words.ended(name));
      list.reload();
    });
  const entries = list.data?._embedded.entries;
  const hasLogins = entries?.some(({ login }) => login !== undefined) ?? false;
  return (
    <>
      <Trouble error={list.error ?? error} onAgain={list.reload} />
      {entries === undefined && list.error === undefined && <Skeleton tall />}
      {entries && (
        <ListTable
          label={label}
          entries={entries}
          keyOf={({ id }) => id}
          columns={[
            [words.name, ({ name }) => name],
            hasLogins && [words.login, ({ login }) => login],
            [words.kind, ({ kind }) => words.kinds[kind]],
            [words.lastUsed, ({ last_used }) => last_used ?? words.never],
            [words.ends, ({ expires_at: at }) => (at === null ? words.never : format.date(clock(at)))],
          ]}
          actions={(token) =>
            token.current ? (
              <span class="quiet">{words.thisOne}</span>
            ) : (
              <Button kind="quiet" label={`${words.end}: ${token.name}`} onClick={() => end(token)}>
                {words.end}
              </Button>
            )
          }
        />
      )}
    </>
  );
}
