import type { JSX } from 'preact';
import { text } from '../../model/text/text.ts';
import { useAttempts } from '../attempt.ts';
import { useApp, useSiteClock } from '../context.tsx';
import { type Resource, useResource } from '../edit/resource.ts';
import { Trouble } from '../trouble.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';
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

const words = text.settings;

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
        <ScrollBox label={label} kind="card">
          <table class="report">
            <thead>
              <tr>
                <th scope="col">{words.name}</th>
                {hasLogins && <th scope="col">{words.login}</th>}
                <th scope="col">{words.kind}</th>
                <th scope="col">{words.lastUsed}</th>
                <th scope="col">{words.ends}</th>
                <th scope="col" class="does">
                  {words.actions}
                </th>
              </tr>
            </thead>
            <tbody>
              {entries.map((one) => (
                <tr key={one.id}>
                  <th scope="row" dir="auto">
                    {one.name}
                  </th>
                  {hasLogins && <td>{one.login}</td>}
                  <td>{words.kinds[one.kind]}</td>
                  <td>{one.last_used ?? words.never}</td>
                  <td>{one.expires_at === null ? words.never : format.date(clock(one.expires_at))}</td>
                  <td class="does">
                    {one.current ? (
                      <span class="quiet">{words.thisOne}</span>
                    ) : (
                      <Button kind="quiet" label={`${words.end}: ${one.name}`} onClick={() => end(one)}>
                        {words.end}
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
    </>
  );
}
