import { useEffect, useState } from 'preact/hooks';
import { type Answer, ApiError } from '../api.ts';
import { useApp } from '../context.tsx';

/** A resource as it was read, with the ETag that a change must send in `If-Match`. */
export interface Resource<T> {
  readonly data: T | undefined;
  readonly etag: string | undefined;
  readonly error: unknown;
  readonly reload: () => void;
  /** Replaces the data by the reply to a write. */
  readonly take: (answer: Answer<T>) => void;
}

interface State<T> {
  readonly data: T | undefined;
  readonly etag: string | undefined;
  readonly error: unknown;
}

/** Reads a resource; nothing if the path is undefined. */
export function useResource<T>(path: string | undefined): Resource<T> {
  const { api } = useApp();
  const [state, setState] = useState<State<T>>({ data: undefined, etag: undefined, error: undefined });
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (path === undefined) return undefined;
    const ending = new AbortController();
    api.ask<T>(path, { signal: ending.signal }).then(
      ({ data, etag }) => setState({ data, etag, error: undefined }),
      (error: unknown) => !ending.signal.aborted && setState({ data: undefined, etag: undefined, error }),
    );
    return () => ending.abort();
  }, [path, round, api]);
  return {
    ...state,
    reload: () => setRound(round + 1),
    take: ({ data, etag }) => setState({ data, etag, error: undefined }),
  };
}

/** The path of a whole list in one page. */
export const allOf = (path: string): string => `${path}?per_page=1000`;

/** A list as the API pages it. */
export interface Page<T> {
  readonly total_entries: number;
  readonly _embedded: { readonly entries: readonly T[] };
}

/** Whether a refusal is of no field alone: it names none, or says something of the whole record (`base`). */
export const isGeneral = (error: unknown): boolean =>
  error !== undefined &&
  (!(error instanceof ApiError) || error.faults.length === 0 || error.faults.some(({ field }) => field === 'base'));
