import { useEffect, useRef, useState } from 'preact/hooks';
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

type Loaded<T> = Pick<Resource<T>, 'data' | 'etag' | 'error'>;

const NOTHING = { data: undefined, etag: undefined, error: undefined } as const;

/** Reads a resource; nothing if the path is undefined. What was read at another path is not shown. */
export function useResource<T>(path: string | undefined): Resource<T> {
  const { api } = useApp();
  const [known, setKnown] = useState<Loaded<T> & { readonly path?: string | undefined }>(NOTHING);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (path === undefined) return undefined;
    const ending = new AbortController();
    const end = (read: Partial<Loaded<T>>): void => {
      if (!ending.signal.aborted) setKnown((last) => ({ ...(last.path === path ? last : NOTHING), ...read, path }));
    };
    api.ask<T>(path, { signal: ending.signal }).then(
      ({ data, etag }) => end({ data, etag, error: undefined }),
      (error: unknown) => end({ error }), // what was read before stays, with what is typed in it
    );
    return () => ending.abort();
  }, [path, round, api]);
  const { data, etag, error } = known.path === path ? known : NOTHING;
  return {
    data,
    etag,
    error,
    reload: () => setRound((last) => last + 1),
    take: (answer) => setKnown((last) => (last.path === path ? { ...answer, error: undefined, path } : last)),
  };
}

/** The last value that was there, which a page shows while the next one is read. */
export function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}

/** The path of a whole list in one page. */
export const allOf = (path: string): string => `${path}?per_page=1000`;

/** A list as the API pages it. */
export interface Page<T> {
  readonly total_entries: number;
  readonly _embedded: { readonly entries: readonly T[] };
}

/** Whether a refusal is of no field alone: it names none, or says something of the whole record. */
export const isGeneral = (error: unknown): boolean =>
  error !== undefined &&
  (!(error instanceof ApiError) ||
    error.faults.length === 0 ||
    error.faults.some(({ field }) => ['', 'base'].includes(field)));
