import { useState } from 'preact/hooks';
import { text } from '../../model/text/text.ts';
import { type Answer, ApiError } from '../api.ts';
import { useApp } from '../context.tsx';
import { useIsGone, useOnce } from '../ui/once.ts';
import type { Resource } from './resource.ts';

type Send<T> = (method: 'POST' | 'PATCH' | 'DELETE', body?: unknown, done?: (data: T) => void) => boolean;

/** Writes to a resource, and what came of the last one. */
export interface Writes<T> {
  readonly error: unknown;
  readonly theirs: T | undefined; // what somebody else has written since the resource was read; then nothing was written
  /**
   * Writes only if nobody else has changed the resource (`If-Match`). Calls `done` if it was written and its page is
   * still shown. False if another write runs, so that nothing is written.
   */
  readonly write: Send<T>;
  /** Writes over what somebody else has written. */
  readonly overwrite: Send<T>;
  /** Lets what somebody else has written stand. */
  readonly takeTheirs: () => void;
  /** Leaves it undecided which of the two counts. */
  readonly decideLater: () => void;
}

/** Writes to the resource that was read, or adds one to the list at `path`. */
export function useWrites<T>(path: string, { etag, take }: Resource<T>): Writes<T> {
  const { api, say } = useApp();
  const [error, setError] = useState<unknown>();
  const [theirs, setTheirs] = useState<Answer<T> | undefined>();
  const isGone = useIsGone();
  const send = useOnce(
    async (headers: Readonly<Record<string, string>>, ...[method, body, done]: Parameters<Send<T>>) => {
      setError(undefined);
      try {
        const answer = await api.ask<T>(path, { method, headers, body });
        setTheirs(undefined);
        if (method === 'PATCH') take(answer);
        say(method === 'DELETE' ? text.edit.removed : text.edit.saved);
        if (!isGone.current) done?.(answer.data);
      } catch (fault) {
        const isOvertaken = fault instanceof ApiError && fault.status === 412;
        if (!isOvertaken || method === 'DELETE') setError(fault);
        // Who removes a thing has written nothing to compare: the thing is shown as it is now.
        if (isOvertaken) await api.ask<T>(path).then(method === 'DELETE' ? take : setTheirs, setError);
      }
    },
  );
  return {
    error,
    theirs: theirs?.data,
    write: (...what) => send(etag === undefined ? {} : { 'If-Match': etag }, ...what),
    overwrite: (...what) => send({}, ...what),
    takeTheirs: () => {
      setTheirs(undefined);
      if (theirs) take(theirs);
    },
    decideLater: () => setTheirs(undefined),
  };
}
