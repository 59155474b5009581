import { unavailable } from '../store/faults.ts';

/** How long somebody waits for an answer. */
export interface Patience {
  /**
   * Returns the result of the work; throws `unavailable` if it takes too long. The work goes on: whether it will have been
   * done nobody knows, as with every answer that gets lost.
   */
  race<T>(work: Promise<T>): Promise<T>;
  /** The same parts of a body; the time in which they come does not count, and waiting begins anew after them. */
  unhurried(parts: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

/** Patience for `within` ms from the race on. */
export function newPatience(within: number): Patience {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let end: (error: Error) => void = () => undefined;
  const wait = (): void => {
    if (!isOver) timer = setTimeout(() => end(unavailable()), within);
  };
  return {
    async race(work) {
      const late = new Promise<never>((_, reject) => {
        end = reject;
      });
      wait();
      try {
        return await Promise.race([work, late]);
      } finally {
        isOver = true;
        clearTimeout(timer);
      }
    },
    async *unhurried(parts) {
      clearTimeout(timer);
      try {
        yield* parts;
      } finally {
        wait();
      }
    },
  };
}
