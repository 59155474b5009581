import { useState } from 'preact/hooks';
import { useApp } from './context.tsx';
import { troubleText } from './trouble.tsx';

/** What a person does beside forms, with the error of the last attempt; undefined if it succeeded. */
export interface Attempts {
  readonly error: unknown;
  readonly attempt: (work: () => Promise<void>) => Promise<void>;
}

/** Keeps the error of an attempt until the next one. */
export function useAttempts(): Attempts {
  const [error, setError] = useState<unknown>();
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setError(undefined);
    await work().catch(setError);
  };
  return { error, attempt };
}

/** Does what a person asks for, and says why if it fails. */
export function useSaidAttempt(): (work: () => Promise<void>) => Promise<void> {
  const { say } = useApp();
  return async (work) => {
    try {
      await work();
    } catch (error) {
      say(troubleText(error));
    }
  };
}
