import { useEffect, useState } from 'preact/hooks';
import { moved } from '../../model/board.ts';
import { useApp } from '../context.tsx';
import type { Page, Resource } from './resource.ts';

interface Ordered<T> {
  readonly entries: readonly T[] | undefined; // undefined while they are not loaded
  readonly move: ((from: number, to: number) => void) | undefined; // undefined if the user may not
  readonly error: unknown;
}

/** The entries of a list in an order that the user can change; a move is shown at once and written behind it. */
export function useOrder<T extends { readonly id: number }>(path: string, list: Resource<Page<T>>): Ordered<T> {
  const { api, mayWrite } = useApp();
  const [own, setOwn] = useState<readonly T[] | undefined>();
  const [error, setError] = useState<unknown>();
  useEffect(() => setOwn(undefined), [list.data]);
  const entries = own ?? list.data?._embedded.entries;
  const move = (from: number, to: number): void => {
    if (entries === undefined) return;
    const next = moved(entries, from, to);
    const before = next[to + 1]?.id ?? null;
    setOwn(next);
    setError(undefined);
    api.ask(`${path}/${next[to]?.id}/move`, { method: 'POST', body: { before } }).catch(setError).finally(list.reload);
  };
  return { entries, move: mayWrite ? move : undefined, error: list.error ?? error };
}
