import { useEffect, useRef } from 'preact/hooks';

/**
 * Wraps what a press begins: until it has ended, another press does nothing, so that a double click makes one thing.
 * The button stays as it is, and keeps the focus. Returns false for a press that does nothing.
 */
export function useOnce<A extends readonly unknown[]>(work: (...args: A) => unknown): (...args: A) => boolean {
  const isRunning = useRef(false);
  const run = async (...args: A): Promise<void> => {
    isRunning.current = true;
    try {
      await work(...args);
    } finally {
      isRunning.current = false;
    }
  };
  return (...args) => {
    if (isRunning.current) return false;
    void run(...args);
    return true;
  };
}

/** Whether the component has left the page, for what ends later. */
export function useIsGone(): { readonly current: boolean } {
  const isGone = useRef(false);
  useEffect(() => () => void (isGone.current = true), []);
  return isGone;
}
