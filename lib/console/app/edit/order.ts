import { useEffect, useRef, useState } from 'preact/hooks';
import { moved } from '../../model/board/board.ts';
import { useApp } from '../context.tsx';
import type { Page, Resource } from './resource.ts';

interface Ordered<T> {
  readonly entries: readonly T[] | undefined; // undefined while they are not loaded
  readonly move: ((from: number, to: number) => void) | undefined; // undefined if the user may not
  readonly error: unknown;
}

/**
 * The entries of a list in an order that the user can change. A move is shown at once and written behind it, after
 * those before it; the list is read again once all are written.
 */
export function useOrder<T extends { readonly id: number }>(path: string, list: Resource<Page<T>>): Ordered<T> {
  const { api, mayWrite } = useApp();
  const [own, setOwn] = useState<readonly T[] | undefined>();
  const [error, setError] = useState<unknown>();
  const writes = useRef({ open: 0, last: Promise.resolve() });
  useEffect(() => {
    if (writes.current.open === 0) setOwn(undefined);
  }, [list.data]);
  const entries = own ?? list.data?._embedded.entries;
  const write = async (id: number | undefined, before: number | null): Promise<void> => {
    await api.ask(`${path}/${id}/move`, { method: 'POST', body: { before } }).catch(setError);
    writes.current.open -= 1;
    if (writes.current.open === 0) list.reload();
  };
  const move = (from: number, to: number): void => {
    if (entries === undefined) return;
    const next = moved(entries, from, to);
    setOwn(next);
    setError(undefined);
    writes.current.open += 1;
    writes.current.last = writes.current.last.then(() => write(next[to]?.id, next[to + 1]?.id ?? null));
  };
  return { entries, move: mayWrite ? move : undefined, error: list.error ?? error };
}
